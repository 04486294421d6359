"""The archive: finished tables that have left the store, each in few bytes."""
