"""Live updates: a process of its own that tells what happens at tables while it happens."""
