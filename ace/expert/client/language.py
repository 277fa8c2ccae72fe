"""Whether an answer is in English: judged by the model's own words, not by what it quotes."""

from typing import Final

from ace.claims.language.identification import english_probability

MIN_ENGLISH_PROBABILITY: Final = 0.005
"""Below it, a text is in another language. A text without a clue, such as "n/a", has 0.007, one of 142
languages; sentences in another language have less than 0.000001 (docs/decisions/0020)."""


def is_english(*texts: str) -> bool:
    """Whether each of the texts can be English. A text without a clue passes."""
    return all(english_probability(text) >= MIN_ENGLISH_PROBABILITY for text in texts)
