"""Whether an answer is in English: judged by the model's own words, not by what it quotes."""

from functools import cache
from threading import Lock

from py3langid.langid import MODEL_FILE, LanguageIdentifier

MIN_ENGLISH_PROBABILITY = 0.005
"""Below it, a text is in another language. A text without a clue, such as "n/a", has 0.007, one of 142
languages; sentences in another language have less than 0.000001 (docs/decisions/0020)."""


_loading = Lock()


def is_english(*texts: str) -> bool:
    """Whether each of the texts can be English. A text without a clue passes."""
    with _loading:  # once, however many threads have their first answer now
        identifier = _identifier()
    return all(dict(identifier.rank(text))["en"] >= MIN_ENGLISH_PROBABILITY for text in texts)


@cache
def _identifier() -> LanguageIdentifier:
    """Takes 0.7 s of processor time and 80 MB."""
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
