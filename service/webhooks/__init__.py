"""Webhooks as players ask about them; `workers/webhooks` sends what they are told."""
