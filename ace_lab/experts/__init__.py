"""Experts as measurements ask them: rules in this process, or an LLM server."""
