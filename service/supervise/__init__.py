"""The process tree: a data folder held alone, children kept running, a stop in order."""
