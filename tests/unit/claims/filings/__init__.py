"""Claim sets of our own in the style of real filings: NAME.txt, and in NAME.toml the planted defects."""
