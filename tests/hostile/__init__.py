"""Attacks on a running ACE: what a stranger, another tenant, another user or a claim may try."""
