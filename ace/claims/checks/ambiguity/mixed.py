"""Claims to a thing that comprise a step of a method.

Such a claim leaves open whether the thing alone infringes or only its use (MPEP 2173.05(p)(II); IPXL Holdings
v. Amazon.com, 430 F.3d 1377).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ace.claims.checks.ambiguity.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.language.subject_matter import subject_of
from ace.claims.language.words import Word
from ace.claims.model import Claim
from ace.claims.reading import Reading

_COMPRISING: Final = frozenset({"comprises", "comprising", "includes", "including"})
_BEFORE: Final = frozenset({",", "additionally", "also", "further"})
_BETWEEN: Final = frozenset(
    {":", "the", "a", "an", "following", "further", "additional", "method", "process"}
)
_ACTIVITY: Final = frozenset(
    {"act", "acts", "algorithm", "code", "computer-executable", "function", "functions", "instructions"}
    | {"method", "methods", "operation", "operations", "process", "processes", "program", "programs"}
    | {"software", "step", "steps", "wherein"}
)
"""What has steps lawfully in a claim to a thing."""
_NO_ACT: Final = _COMPRISING | {"being", "consisting", "containing", "having"}
_OBJECT: Final = frozenset({"a", "an", "at", "each", "one", "said", "the"})
_WHY: Final = "is a step of a method in a claim to a thing, so it is unclear which of the two is claimed"


def mixed(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The step that a claim to a thing comprises: "The pump of claim 1, further comprising heating the oil".

    Signals: "step" for one that is called so; "dependent".
    """
    words = reading.words(claim.number)
    at = _comprising(reading, claim, words)
    if at is None or (subject := subject_of(claim.text)) is None or not subject.category.thing:
        return
    step = at + 1
    while step < len(words) and words[step].lower in _BETWEEN:
        step += 1
    following = [word.lower for word in words[step : step + 2]]
    if len(following) < 2:
        return
    named = following[0] in {"step", "steps"}
    act = following[0].endswith("ing") and following[0] not in _NO_ACT
    if named or (act and following[1] in _OBJECT):
        start, end = words[at].start, words[step].end
        signals = (*(("step",) if named else ()), *(("dependent",) if claim.parents else ()))
        why = f"“{' '.join(claim.text[start:end].split())}” {_WHY}."
        yield Flaw(RULE["mixed_category"], start, end, why, None, signals)


def _comprising(reading: Reading, claim: Claim, words: Sequence[Word]) -> int | None:
    """Which word is the first "comprising", if nothing before it has steps; behind a reference, the next."""
    at = 0
    references = reading.references(claim.number)
    if references:
        if len(references) > 1 or references[0].other_category:
            return None
        at = next((at for at, word in enumerate(words) if word.start >= references[0].end), len(words))
    for place in range(at, len(words)):
        word = words[place].lower
        if word in _COMPRISING:
            return place
        if word in _ACTIVITY or (references and word not in _BEFORE):
            return None
    return None
