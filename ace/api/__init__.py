"""The HTTP API: routes, what comes in, what goes out, and how refusals look. Decides nothing itself."""
