"""Training of the gatekeeper and of the expert."""
