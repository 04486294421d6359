"""Runs a cluster to play with: ``python -m tests.cluster`` prints its REDIS_URL, Ctrl-C ends it."""

from tests.cluster.nodes import main

if __name__ == "__main__":
    main()
