"""Patent claims: their model, how they are read, what they refer to, and the defects that rules can show.

Pure code: no network, no model, no clock, and no other part of ACE than its errors.
"""
