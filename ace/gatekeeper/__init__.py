"""The gatekeeper: one encoder, one softmax over six classes, and what its numbers mean."""
