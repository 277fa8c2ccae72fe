"""Whether a score is believed: the record tau comes from, and the policy that applies it."""
