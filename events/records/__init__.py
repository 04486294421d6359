"""Records: whole tables as lines that anybody can read, check and play again."""
