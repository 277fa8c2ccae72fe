"""Claims that were kept and handed on, one text each (`model.kept_text`), read back into a set."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ace.claims.model import CHAIN_CUT, GONE, Claim, ClaimInput, ClaimSet, Status, kept_text
from ace.claims.references import parents_of
from ace.claims.words import RECENT

_parents_of = lru_cache(maxsize=RECENT)(parents_of)
_GONE = {kept_text(Claim(1, "", status=status)): status for status in GONE}
_NUMBERED = re.compile(r"\s*([0-9]{1,9})\s*\.\s?(.*)", re.DOTALL)


class BrokenChain(ValueError):
    """An entry of a chain that does not begin with its claim's number."""


def kept_claim(number: int, text: str) -> Claim:
    """The claim that `kept_text` was made of."""
    status = _GONE.get(text) or (None if text else Status.CANCELED)
    return Claim(number, text, _parents_of(text, number)) if status is None else Claim(number, "", (), status)


def kept_set(claims: Iterable[tuple[int, str]]) -> ClaimSet:
    """The set of (number, kept text), each number once."""
    return ClaimSet(tuple(kept_claim(number, text) for number, text in claims))


def chain_set(claim: ClaimInput) -> ClaimSet:
    """The claim and as much of its chain as is there, itself first.

    Raises BrokenChain where an entry does not read "<number>. <text>".
    """
    found = {claim.number: Claim(claim.number, claim.text, _parents_of(claim.text, claim.number))}
    for ancestor in claim.ancestors:
        if ancestor != CHAIN_CUT:
            match = _NUMBERED.fullmatch(ancestor)
            if match is None:
                raise BrokenChain("an ancestor does not begin with its number")
            number = int(match[1])
            if number not in found:
                found[number] = kept_claim(number, match[2])
    return ClaimSet(tuple(found.values()))
