"""Attacks on the running API and workers."""
