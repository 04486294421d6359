"""Doors for programs that learn or are taught to play: tools over the API, an environment."""
