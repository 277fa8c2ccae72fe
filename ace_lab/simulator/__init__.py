"""A simulated LLM server: it answers by rules, and fails on demand."""
