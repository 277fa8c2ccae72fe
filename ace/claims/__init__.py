"""The language of claims: their model, how they are read, what they refer to, and which defects a
rule can show.

Pure: no network, no model, no clock, and nothing of ACE but its errors.
"""
