"""The structural examiner: rules that answer like an expert, and their server."""
