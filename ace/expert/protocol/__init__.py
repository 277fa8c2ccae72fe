"""The HTTP protocol of LLM servers, seen from the server."""
