"""Words, noun phrases, quantities and the word tables of claim language. Knows no claim set."""
