"""What is wrong with a store and what to do: histories, feeds and read models, looked through."""
