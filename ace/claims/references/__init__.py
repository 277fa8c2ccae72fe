"""Which claims a claim refers to, and what each of its definite phrases rests on."""
