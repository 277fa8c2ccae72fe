"""Sending events to endpoints of clients: payloads, signatures, schedule, and a network that reaches nothing
else. No statements, no Celery."""
