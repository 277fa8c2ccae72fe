"""The numbers of the claims, and what the reader of the filing could not understand."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.model import Claim, Note
from ace.claims.readers.status import identifier
from ace.claims.reading import Reading

_FIRST_WORDS: Final = re.compile(r"\S+(?:\s\S+){0,2}")
_FIRST_LINE: Final = re.compile(r"[^\n]{1,120}")
_NUMBERED: Final = frozenset({"duplicate_number"})
_STATUS: Final = frozenset({"unknown_status", "misspelt_status", "text_of_canceled"})
_HARMLESS: Final = frozenset(
    {
        "disorder",
        "text_before_claims",
        "text_after_claims",
        "text_between_claims",
        "comment",
        "emphasis",
        "lazy_numbers",
        "title",
        "unnumbered",
        "other_languages",
        "numbers_differ",
        "part_not_read",
        "report",
        "footnote",
    }
)


def numbering(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The reader's notes on the number and the text of this claim."""
    notes = reading.kept(_notes).get(claim.number, [])
    for note in notes:
        if note.code in _NUMBERED:
            why = "The filing uses the number of this claim more than once."
            yield Flaw(RULE["duplicate_number"], 0, _end(_FIRST_WORDS, claim.text), why)
        elif note.code in _STATUS:
            signals = ("text_of_canceled",) if note.code == "text_of_canceled" else ()
            yield replace(_status(claim, f"{note.message[:1].upper()}{note.message[1:]}."), signals=signals)
        elif note.code not in _HARMLESS:
            why = f"{note.message[:1].upper()}{note.message[1:].rstrip('.')}."
            yield Flaw(RULE["not_understood"], 0, _end(_FIRST_LINE, claim.text), why, None, (note.code,))


def status(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """A status identifier left in the text, and one that only this claim lacks.

    Signal: "missing" for none beside claims that have one.
    """
    if claim.text[:1] in {"(", "["}:
        found = identifier(claim.text, 0, len(claim.text))
        if found is not None and (found.status is None or found.misspelt):
            yield _status(
                claim, "The status identifier of this claim is not one of those in 37 CFR 1.121(c)."
            )
    elif claim.status is None and reading.kept(_some_have_status) and not _noted(reading, claim):
        why = "This claim has no status identifier, and others have one."
        yield replace(_status(claim, why), signals=("missing",))


def _status(claim: Claim, why: str) -> Flaw:
    return Flaw(RULE["status_identifier"], 0, _end(_FIRST_WORDS, claim.text), why)


def _some_have_status(reading: Reading) -> bool:
    return any(claim.status is not None and claim.pending for claim in reading.claims)


def _noted(reading: Reading, claim: Claim) -> bool:
    return any(
        note.claim == claim.number and note.code in _STATUS
        for note in reading.kept(_notes).get(claim.number, [])
    )


def _notes(reading: Reading) -> dict[int, list[Note]]:
    """The notes on each claim; the first pending claim also has those that concern no claim, or one that is
    not pending."""
    notes: dict[int, list[Note]] = defaultdict(list)
    pending = {claim.number for claim in reading.claims if claim.pending}
    first = min(pending, default=0)
    for note in reading.claims.notes:
        notes[note.claim if note.claim in pending else first].append(note)
    return notes


def _end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else min(1, len(text))
