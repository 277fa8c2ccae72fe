"""Asking an LLM server: dialects, faults, retries, sessions, probes and second opinions."""
