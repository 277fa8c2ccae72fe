"""Training of the expert: answers made of known defects, QLoRA, and weights to serve."""
