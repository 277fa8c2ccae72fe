"""The HTTP API: routes, request and response models, problem documents. It decides nothing itself."""
