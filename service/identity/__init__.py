"""Players and bots: who asks, with which token, and how an account is kept or erased."""
