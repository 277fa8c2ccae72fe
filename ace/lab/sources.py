"""Real claim sets from JSON lines, plain or gzipped, and which of their claims may stand as sound.

A line is `{source, patent, complete, claims: [{num, text}]}`; further fields are ignored. "Sound"
here means free of what a program can see is dirt: real claims are not examined truth.
"""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ace.claims.model import Claim, ClaimSet
from ace.claims.references import parents_of
from ace.gatekeeper.canonical import canonical
from ace.lab.terms import EXEMPLARY, SUBJECTIVE

MAX_CHARACTERS = 2_500
_SENTENCE_BREAK = re.compile(r"(?<![A-Z0-9])(?<!\bNo)(?<!\bFig)\.\s+(?=[A-Z][a-z])")
_GLUED = re.compile(r"[;,](?:and|or)[a-z]|[a-z]:[A-Za-z]")
_CANCELED = re.compile(r"^\W*(?:cancell?ed|withdrawn|\(\w)", re.IGNORECASE)
_VAGUE = re.compile(f"{EXEMPLARY.pattern}|{SUBJECTIVE.pattern}", re.IGNORECASE)
_TRANSITION = re.compile(
    r"compris|consist|includ|having|wherein|characteri|contain|whereby|which|that|configured|"
    r"further|composed|where|has\b|with\b|of claim|claims? \d|represented|formula|selected",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SourceSet:
    """One claim set and the family it is split by."""

    family: str
    source: str
    claims: ClaimSet


def read_claim_sets(path: Path) -> Iterator[SourceSet]:
    """The sets of a JSONL or JSONL.GZ file in file order, texts canonical.

    Sets marked incomplete are kept only where no claim refers to another. Raises ValueError on a
    line that is no such object.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for at, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                numbers = {int(item["num"]): str(item["text"]) for item in row["claims"]}
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"line {at} of {path.name} is no claim set") from error
            claims = ClaimSet(tuple(_claim(number, text) for number, text in numbers.items()))
            if row.get("complete", True) or not any(claim.parents for claim in claims):
                family = row.get("patent") or f"{row.get('source')}/{row.get('path')}/{at}"
                yield SourceSet(str(family), str(row.get("source", "")), claims)


def is_sound(claims: ClaimSet, claim: Claim) -> bool:
    """Whether the claim shows none of the five defects to a program's eye."""
    text = claim.text
    return (
        20 <= len(text) <= MAX_CHARACTERS
        and text.endswith(".")
        and not text.endswith("..")
        and text[0].isupper()
        and _TRANSITION.search(text) is not None
        and not _CANCELED.match(text)
        and not _SENTENCE_BREAK.search(text)
        and not _GLUED.search(text)
        and not _VAGUE.search(text)
        and _balanced(text)
        and all(parent < claim.number and claims.get(parent) for parent in claim.parents)
    )


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _claim(number: int, text: str) -> Claim:
    text = canonical(text)
    return Claim(number, text, parents_of(text, number))
