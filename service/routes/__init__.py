"""Routes of at most ten lines: what is asked, who does it, how it is answered."""
