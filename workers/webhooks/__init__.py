"""Webhooks: who wants to hear of which tables, what waits to be sent, and how it is sent."""
