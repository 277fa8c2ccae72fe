"""What the rules and the reference graph believe about a claim, shown to the expert so that it can check it.

It is made from the claim and its chain alone, and has a block of its own in the message (copt.py), whose
fixed text says that it may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.chains import BrokenChain, chain_set
from ace.claims.findings import Finding
from ace.claims.model import ClaimInput
from ace.claims.reading import Reading
from ace.claims.rules import Severity
from ace.expert.prompt.chain_findings import found_in
from ace.expert.prompt.compliance import cut, proof_sentences
from ace.expert.prompt.tokens import count_tokens

MAX_EVIDENCE_TOKENS = 320
"""Little compared with the claim and its chain, and enough for everything about most claims."""

NOTHING = "- nothing was noticed"
UNREADABLE = "- the chain could not be read"

_QUOTED_CHARACTERS = 80
_EXPLANATION_CHARACTERS = 200
_LEVELS = ((0.85, "almost sure"), (0.5, "likely"), (0.0, "possible"))


def evidence(claim: ClaimInput, total: int) -> str:
    """One belief on each line: what looks wrong, the likeliest first, then what phrases rest on in other
    claims; as much as MAX_EVIDENCE_TOKENS allows."""
    try:
        reading = Reading(chain_set(claim))
    except BrokenChain:
        return UNREADABLE
    lines = list(dict.fromkeys(_beliefs(reading, claim, total)))
    kept: list[str] = []
    room = MAX_EVIDENCE_TOKENS
    for line in lines:
        room -= count_tokens(line) + 1
        if room < 0:
            break
        kept.append(line)
    if len(kept) < len(lines):
        kept.append(f"- {len(lines) - len(kept)} more beliefs were left out")
    return "\n".join(kept) or NOTHING


def _beliefs(reading: Reading, claim: ClaimInput, total: int) -> Iterator[str]:
    found = found_in(reading, claim, total)
    found.sort(key=lambda each: (each.severity is Severity.NOTE, -each.confidence))
    for each in found:
        yield f"- {_level(each)}: {_line(each.quote, _QUOTED_CHARACTERS)}: {_why(each)}"
    own = reading.claims[claim.number]
    for sentence in proof_sentences(reading, own, _QUOTED_CHARACTERS, at_home=False):
        yield f"- {' '.join(sentence.split())}"


def _level(found: Finding) -> str:
    sure = next(word for least, word in _LEVELS if found.confidence >= least)
    remark = " remark" if found.severity is Severity.NOTE else ""
    return f"{found.error_class.value}, {sure}{remark}"


def _line(text: str, most: int) -> str:
    return f"'{cut(' '.join(text.split()), most)}'"


def _why(found: Finding) -> str:
    """The explanation without the quotation that the line begins with."""
    said = " ".join(found.explanation.replace(f"“{found.quote}”", "it").split())
    return cut(said[:1].upper() + said[1:], _EXPLANATION_CHARACTERS)
