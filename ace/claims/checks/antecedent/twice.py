"""Elements that one claim introduces twice, so that it is unclear which of them "the" means afterwards:
"a sensor … from a sensor … the sensor" (MPEP 2173.05(e), (o)).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from ace.claims.checks.remarks.sightings import preamble_end
from ace.claims.language.lexicon import DISTRIBUTIVE, INHERENT, LIVING, PROPERTIES
from ace.claims.language.tables import word_list
from ace.claims.language.words import Word, word_start
from ace.claims.model import Claim
from ace.claims.reading import Reading
from ace.claims.references.claim_text_index import name_of
from ace.claims.references.graph import Proof

_LOCATING: Final = word_list("circumstances", "locating")
_PROPERTIES: Final = INHERENT | PROPERTIES
_WORDS_BEFORE: Final = 15
_WORDS_BEHIND: Final = 9


def introduced_twice(reading: Reading, claim: Claim) -> Iterator[tuple[Proof, tuple[str, ...]]]:
    """Each such second introduction that stands behind a preposition, with the signals of its flaw.

    Signals: "in_preamble" for a first introduction there; "alike_behind" if the same word follows both;
    "living" for one of many of its kind; "dependent".
    """
    graph, words = reading.graph, reading.words(claim.number)
    again = [proof for proof in graph.reintroduced[claim.number] if "same_claim" in proof.traits]
    times = Counter(_key(proof) for proof in again)
    last = {_key(proof): proof.mention.start for proof in graph.proofs[claim.number]} if again else {}
    for proof in again:
        key, mention, first = _key(proof), proof.mention, proof.source
        if first is None or times[key] > 1 or last.get(key, 0) < mention.start or mention.head in _PROPERTIES:
            continue
        at, there = (bisect_left(words, each.start, key=word_start) for each in (mention, first))
        if _is_of_its_own(words, at, there):
            behind = {_behind(words, each.end) for each in (mention, first)}
            signals = {
                "in_preamble": first.start < preamble_end(claim.text),
                "alike_behind": len(behind) == 1,
                "living": mention.head in LIVING,
                "dependent": bool(claim.parents),
            }
            yield proof, tuple(name for name, holds in signals.items() if holds)


def _is_of_its_own(words: Sequence[Word], at: int, first: int) -> bool:
    """Whether the phrase at `at` stands behind a preposition other than that before the `first`, and is not
    said of each of several things."""
    before = words[at - 1].lower
    if not first or before not in _LOCATING or before == words[first - 1].lower:
        return False
    return not any(
        word.lower in DISTRIBUTIVE for word in words[max(0, at - _WORDS_BEFORE) : at + _WORDS_BEHIND]
    )


def _key(proof: Proof) -> str:
    return name_of(proof.mention.words).key


def _behind(words: Sequence[Word], end: int) -> str:
    """The word or mark at or behind an offset; a period past the end."""
    at = bisect_left(words, end, key=word_start)
    return words[at].lower if at < len(words) else "."
