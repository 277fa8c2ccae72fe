"""Prometheus rules and a Grafana dashboard, written by code: `python -m deploy.observe.generate`."""
