"""The door: the HTTP API, identity, settings and the command line."""
