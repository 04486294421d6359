"""Whole tables played by bots over HTTP: a client like anybody's, for load and for trust."""
