"""The rules of the games and of a sitting: pure functions, standard library only."""
