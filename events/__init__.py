"""The memory: what happened at each table, its alphabet, its store and its proofs."""
