"""The processes of a server: all of them on one machine, or each alone."""
