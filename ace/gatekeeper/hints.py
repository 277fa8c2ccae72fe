"""The findings of the rules on a claim, as words that the encoder reads beside it.

Encoders are bad at resolving references and comparing claim numbers; the rules are good at that, and bad
at weighing context. So the encoder reads every finding with its confidence, and learns what each is worth.
"""

import re
from typing import Final

from ace.claims.analysis import ClaimAnalysis, is_on_set

MAX_HINTS: Final = 6
HINT_WORDS: Final = 4
"""Words of the place that a finding is about: enough for the encoder to find it."""

NOTHING: Final = "no finding."
_LEVELS: Final = ((0.85, "certain"), (0.5, "likely"), (0.2, "possible"), (0.0, "faint"))
_SPACE: Final = re.compile(r"\s+")
# The model was trained on chains, in which no claim beside the chain can be seen.
_SUBTYPE_IN_CHAIN: Final = {"sibling_only": "no_basis"}


def hints(analysis: ClaimAnalysis) -> str:
    """The most likely findings, one after the other: "antecedent no basis likely: the lever. …".

    One per rule and words; NOTHING if the rules find none, "" if the claim could not be analysed.
    """
    if analysis.failure is not None:
        return ""
    found: dict[str, float] = {}
    for each in analysis.findings:
        if not is_on_set(each):
            words = _SPACE.split(each.quote.strip(), HINT_WORDS)[:HINT_WORDS]
            level = next(word for minimum, word in _LEVELS if each.confidence >= minimum)
            subtype = _SUBTYPE_IN_CHAIN.get(each.subtype, each.subtype).replace("_", " ")
            hint = f"{each.error_class.value} {subtype} {level}: {' '.join(words)}."
            found[hint] = max(each.confidence, found.get(hint, 0.0))
    return " ".join(sorted(found, key=found.__getitem__, reverse=True)[:MAX_HINTS]) or NOTHING
