"""The HTTP protocol of LLM servers, from the server's side."""
