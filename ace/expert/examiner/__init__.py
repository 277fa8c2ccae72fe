"""The structural examiner: rules that answer as an expert does, and their server."""
