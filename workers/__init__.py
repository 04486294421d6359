"""What happens after the fact: projections, bots and sweeping, safe to kill and repeat."""
