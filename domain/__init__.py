"""The rules of the games and of a sitting: pure functions on plain values, standard library only."""
