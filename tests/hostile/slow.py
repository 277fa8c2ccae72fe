"""Claims that are allowed, and as much work for the rules as their size permits."""

from itertools import islice, product
from typing import Final

SYLLABLES: Final = ("ba", "de", "fi", "go", "lu", "ma", "ne", "ri", "so", "tu")
NOUNS: Final = [
    f"{adjective} {first}{second}"
    for adjective, first, second in product(
        (f"{one}{two}" for one, two in product(SYLLABLES, SYLLABLES)), SYLLABLES, SYLLABLES
    )
]
MARKER: Final = "zyzzyva"  # a word of secret text, which may be in no log

LONG_CLAIM: Final = (
    f"A {MARKER} comprising "
    + ", ".join(f"a {noun} that is fixed to the {noun}" for noun in islice(NOUNS, 1_100))
    + "."
)
"""One claim near the maximum of characters, with a new element and a reference to it in every limb."""


def _dependent(number: int) -> str:
    parts = " and ".join(f"the {noun} is bent to said {noun}" for noun in islice(NOUNS, number, number + 4))
    return f"{number}. The {MARKER} of claim {number - 1 if number % 5 else 1}, wherein {parts}."


LONG_SET: Final = "\n".join(
    [f"1. A {MARKER} comprising {', '.join(f'a {noun}' for noun in islice(NOUNS, 400))}."]
    + [_dependent(number) for number in range(2, 900)]
)
"""A set near the maximum of characters that are checked, with a thousand claims in chains."""
