"""Chaos: the whole of ACE under faults, and an audit of what became of every claim.

`python -m tests.chaos --help` tells how; docs/decisions/0008-chaos.md tells what is held to what.
"""
