"""What the rules and the reference graph believe about a claim, shown to the expert so that it can check it.

It is made from the analysis of the claim, and has a block of its own in the message (copt.py), whose
fixed text says that it may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.analysis import analysis_of, is_on_set
from ace.claims.chains import BrokenChain, chain_set
from ace.claims.findings import Finding
from ace.claims.model import ClaimInput
from ace.expert.prompt.compliance import cut, proof_sentences
from ace.expert.prompt.tokens import count_tokens

MAX_EVIDENCE_TOKENS = 320
"""Little compared with the claim and its chain, and enough for everything about most claims."""

NOTHING = "- nothing was noticed"
UNREADABLE = "- the chain could not be read"

_QUOTED_CHARACTERS = 80
_EXPLANATION_CHARACTERS = 200
_LEVELS = ((0.85, "almost sure"), (0.5, "likely"), (0.0, "possible"))


def evidence(claim: ClaimInput) -> str:
    """One belief on each line: what looks wrong, the likeliest first, then what phrases rest on in other
    claims; as much as MAX_EVIDENCE_TOKENS allows."""
    try:
        lines = list(dict.fromkeys(_beliefs(claim)))
    except BrokenChain:
        return UNREADABLE
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


def _beliefs(claim: ClaimInput) -> Iterator[str]:
    claims, analysis = chain_set(claim), analysis_of(claim)
    found = [each for each in analysis.reported() if not is_on_set(each)]
    for each in sorted(found, key=lambda each: (not each.fails, -each.confidence)):
        yield f"- {_level(each)}: {_line(each.quote, _QUOTED_CHARACTERS)}: {_why(each)}"
    for sentence in proof_sentences(claims, claim.number, analysis, _QUOTED_CHARACTERS, at_home=False):
        yield f"- {' '.join(sentence.split())}"


def _level(found: Finding) -> str:
    sure = next(word for least, word in _LEVELS if found.confidence >= least)
    remark = "" if found.fails else " remark"
    return f"{found.error_class.value}, {sure}{remark}"


def _line(text: str, most: int) -> str:
    return f"'{cut(' '.join(text.split()), most)}'"


def _why(found: Finding) -> str:
    """The explanation without the quotation that the line begins with."""
    said = " ".join(found.explanation.replace(f"“{found.quote}”", "it").split())
    return cut(said[:1].upper() + said[1:], _EXPLANATION_CHARACTERS)
