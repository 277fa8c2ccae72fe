"""Claim sets written for `ace demo` and for trying things out; none is taken from a patent.

Clean claims and defective ones, across technologies. samples.json says which claims are defective
and of which class; numbers and classes were written down before any judge saw the claims.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources

from ace.claims.taxonomy import ErrorClass


@dataclass(frozen=True, slots=True)
class Sample:
    """One claim set as text. `known` maps the number of each defective claim to its class."""

    docket: str
    title: str
    technology: str
    text: str
    known: dict[int, ErrorClass]


def load() -> list[Sample]:
    """Every sample, in the order of samples.json."""
    folder = resources.files("ace.local.samples")
    listed = json.loads((folder / "samples.json").read_text(encoding="utf-8"))
    return [
        Sample(
            docket=entry["docket"],
            title=entry["title"],
            technology=entry["technology"],
            text=(folder / f"{entry['docket']}.txt").read_text(encoding="utf-8"),
            known={int(number): ErrorClass(name) for number, name in entry["known"].items()},
        )
        for entry in listed
    ]
