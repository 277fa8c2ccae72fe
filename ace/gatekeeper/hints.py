"""What the rules see in a claim, in words that the encoder reads beside it.

An encoder does not resolve references or compare claim numbers well; the rules do, and do not weigh
context well. So it is shown their opinion, whatever their confidence, and learns what each is worth.
"""

import re

from ace.claims.chains import BrokenChain, ChainReading, chain_set
from ace.claims.checks import flaws_of
from ace.claims.checks.confidence import confidence
from ace.claims.findings import Flaw
from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.claims.taxonomy import ErrorClass

MOST_HINTS = 6
HINT_WORDS = 4
"""Of the words that a flaw is about: enough for the encoder to find the place."""

NOTHING = "no finding."
_LEVELS = ((0.85, "certain"), (0.5, "likely"), (0.2, "possible"), (0.0, "faint"))
_NEEDS_CHAIN = frozenset({"nonexistent"})
_SPACE = re.compile(r"\s+")


def hints(claim: ClaimInput) -> str:
    """The likeliest flaws, one after the other: "antecedent no basis likely: the lever. …".

    One per rule and words; NOTHING where the rules see none, "" where the chain cannot be read.
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
            level = next(word for least, word in _LEVELS if sure >= least)
            rule = f"{flaw.rule.error_class.value} {flaw.rule.subtype.replace('_', ' ')}"
            told = f"{rule} {level}: {' '.join(words)}."
            found[told] = max(sure, found.get(told, 0.0))
    return " ".join(sorted(found, key=found.__getitem__, reverse=True)[:MOST_HINTS]) or NOTHING


def _rests_on_chain(flaw: Flaw) -> bool:
    """Whether a claim that was cut off the chain could show that there is no flaw."""
    return flaw.rule.error_class is ErrorClass.ANTECEDENT or flaw.rule.subtype in _NEEDS_CHAIN
