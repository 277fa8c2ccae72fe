"""The findings of the rules on a claim, as words that the encoder reads beside it.

Encoders are bad at resolving references and comparing claim numbers; the rules are good at that, and bad
at weighing context. So the encoder reads every finding with its confidence, and learns what each is worth.
"""

import re

from ace.claims.chains import BrokenChain, ChainReading, chain_set
from ace.claims.checks import flaws_of
from ace.claims.checks.confidence import confidence
from ace.claims.findings import Flaw
from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.claims.taxonomy import ErrorClass

MAX_HINTS = 6
HINT_WORDS = 4
"""Words of the place that a flaw is about: enough for the encoder to find it."""

NOTHING = "no finding."
_LEVELS = ((0.85, "certain"), (0.5, "likely"), (0.2, "possible"), (0.0, "faint"))
_NEEDS_CHAIN = frozenset({"nonexistent"})
_SPACE = re.compile(r"\s+")


def hints(claim: ClaimInput) -> str:
    """The most likely flaws, one after the other: "antecedent no basis likely: the lever. …".

    One per rule and words; NOTHING if the rules find none, "" if the chain cannot be read.
    """
    try:
        reading = ChainReading(chain_set(claim))
    except BrokenChain:
        return ""
    cut = CHAIN_CUT in claim.ancestors
    found: dict[str, float] = {}
    for flaw in flaws_of(reading, reading.claims[claim.number]):
        if not (flaw.rule.whole_set or (cut and _rests_on_chain(flaw))):
            words = _SPACE.split(claim.text[flaw.start : flaw.end].strip())[:HINT_WORDS]
            sure = confidence(flaw)
            level = next(word for minimum, word in _LEVELS if sure >= minimum)
            rule = f"{flaw.rule.error_class.value} {flaw.rule.subtype.replace('_', ' ')}"
            hint = f"{rule} {level}: {' '.join(words)}."
            found[hint] = max(sure, found.get(hint, 0.0))
    return " ".join(sorted(found, key=found.__getitem__, reverse=True)[:MAX_HINTS]) or NOTHING


def _rests_on_chain(flaw: Flaw) -> bool:
    """Whether a claim that is missing from a cut chain could show that there is no flaw."""
    return flaw.rule.error_class is ErrorClass.ANTECEDENT or flaw.rule.subtype in _NEEDS_CHAIN
