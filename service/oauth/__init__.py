"""OAuth 2.1 for apps of other people: codes with PKCE, devices, rotating refresh tokens."""
