"""How probable it is that a text is in English, by py3langid's model of character sequences.

The model takes 0.7 s of processor time and 80 MB, so it is loaded when a text needs it.
"""

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_loading = Lock()


def probabilities(text: str) -> list[tuple[str, float]]:
    """Languages as codes of ISO 639-1, each with its probability, the most probable first."""
    with _loading:  # once, however many threads have their first text now
        identifier = _identifier()
    return list(identifier.rank(text))


def english_probability(text: str) -> float:
    """Between 0 and 1. A text without a clue, such as "n/a", has 0.007, one of 142 languages."""
    return dict(probabilities(text))["en"]


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
