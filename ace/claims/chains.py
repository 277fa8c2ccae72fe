"""Claims as they are kept and handed on, one text each, and read back into a set.

A claim without text of its own is written as its status, the way an amendment writes it
("5. (Canceled)", 37 CFR 1.121(c)), so that whoever reads a chain sees why there is nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ace.claims.model import CHAIN_CUT, GONE, Claim, ClaimInput, ClaimSet, Status
from ace.claims.references import parents_of

_WORDS = {status: f"({status.value.capitalize().replace('_', ' ')})" for status in sorted(GONE)}
_GONE = {words: status for status, words in _WORDS.items()}
_NUMBERED = re.compile(r"\s*([0-9]{1,9})\s*\.\s?(.*)", re.DOTALL)


class BrokenChain(ValueError):
    """An entry of a chain that does not begin with its claim's number."""


def kept_text(claim: Claim) -> str:
    """What is kept of a claim: its text, or its status in brackets where it has none."""
    return claim.text if claim.pending or claim.status is None else _WORDS[claim.status]


def kept_claim(number: int, text: str) -> Claim:
    """The claim that `kept_text` was made of."""
    status = _GONE.get(text) or (None if text else Status.CANCELED)
    return Claim(number, text, parents_of(text, number)) if status is None else Claim(number, "", (), status)


def kept_set(claims: Iterable[tuple[int, str]]) -> ClaimSet:
    """The set of (number, kept text), each number once."""
    return ClaimSet(tuple(kept_claim(number, text) for number, text in claims))


def chain_set(claim: ClaimInput) -> ClaimSet:
    """The claim and as much of its chain as is there, itself first.

    Raises BrokenChain where an entry does not read "<number>. <text>".
    """
    found = {claim.number: Claim(claim.number, claim.text, parents_of(claim.text, claim.number))}
    for ancestor in claim.ancestors:
        if ancestor != CHAIN_CUT:
            match = _NUMBERED.fullmatch(ancestor)
            if match is None:
                raise BrokenChain("an ancestor does not begin with its number")
            number = int(match[1])
            if number not in found:
                found[number] = kept_claim(number, match[2])
    return ClaimSet(tuple(found.values()))
