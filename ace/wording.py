"""How counts are worded wherever people read them."""


def plural(count: int, noun: str) -> str:
    """ "1 claim", "2 claims"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
