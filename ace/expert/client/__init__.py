"""The client of an LLM server: dialects, sessions, faults, retries, probes and second opinions."""
