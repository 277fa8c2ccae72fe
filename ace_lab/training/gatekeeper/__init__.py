"""Fine-tuning the gatekeeper, exporting it, and its model card."""
