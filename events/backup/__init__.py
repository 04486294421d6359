"""Backups: what of the store cannot be made anew, written to one file and put back."""
