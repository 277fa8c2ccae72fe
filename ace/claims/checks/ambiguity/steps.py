"""References to a step by a label that no step of the claim, or of the claims that it refers to, has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from ace.claims.checks.ambiguity.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading

_LABEL: Final = r"(?:[A-Za-z]{1,2}|[ivxIVX]{1,5}|[Ss]?[0-9]{1,4}(?:[-.][0-9]{1,2})?[a-z]?|[A-Za-z][0-9]{1,2})"
_CITED: Final = re.compile(
    rf"(?<![\w-])[Ss]teps?\s(?P<label>\(\s?{_LABEL}\s?\)|(?<=[Ss]tep\s|teps\s){_LABEL}[).](?=[\s,;.])|(?:[a-z]|[A-Z]|[ivx]{{2,4}}|[Ss]?[0-9]{{1,4}}[a-z]?)(?=[\s,;.:]))"
)
_GIVEN: Final = re.compile(
    rf"(?:(?<![\w(])|(?<=[;,]\sand))(?:[(\[]\s?(?P<closed>{_LABEL})\s?[)\]]|(?P<open>{_LABEL})(?:\)|[.:](?=\s)))"
)
_DEFINES: Final = re.compile(r"\s?(?:[:,–-]\s?)?(?:of\s|in\swhich\s)?(?:[a-z]+ly\s)?(?:the\s)?[a-z]+ing\b|:")
_BARE: Final = re.compile(r"\W*([\w.-]+)\W*")
_MAX_CITED: Final = 40


def unknown_steps(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Each label that "step" cites and no step has, once; "a" after "step" may be an article."""
    if ("step" not in claim.text and "Step" not in claim.text) or claim.number not in reading.whole:
        return
    known: set[str] | None = None
    reported: set[str] = set()
    for cited in islice(_CITED.finditer(claim.text), _MAX_CITED):
        if _defines(claim.text, cited) or _may_be_article(claim.text, cited):
            continue
        label = _plain(cited["label"])
        if label in reported:
            continue
        if known is None:
            known = _known(reading, claim)
        if label not in known:
            reported.add(label)
            quote = " ".join(cited.group().split())
            why = f"“{quote}” refers to a step that the claim does not name."
            signals = () if any(mark in cited["label"] for mark in "()") else ("bare",)
            yield Flaw(RULE["unknown_step"], cited.start(), cited.end(), why, None, signals)


_USED: Final = re.compile(
    r"\b(?:after|before|during|in|of|from|until|by|since|following|between|wherein|to|repeat\w*|perform\w*|said|with|and|or)\s(?:the\s|said\s)?\Z"
)


_NEW: Final = re.compile(r"\b(?:an?|another|additional)\s(?:[a-z]+\s)?\Z")
_OF_STEPS: Final = re.compile(r"\s(?!(?:using|having|being|including|comprising|involving)\b)[a-z]+ing\b")
"""After a label that a step is given here: "the steps of (i) mixing"."""
_LISTING: Final = (
    "steps ",
    "Steps ",
    "steps of ",
    "step of ",
    "steps (",
    "steps of (",
    "step of (",
    "steps of [",
)
_OPENS_LIMB: Final = re.compile(r"[;:.]\s(?:and\s|then\s|or\s)?\Z")
_COUNTED: Final = re.compile(
    r"\b(?:time|times|iteration|sampling|training|denoising|diffusion|per|each|every|current|previous|next)\s\Z"
)


def _defines(text: str, cited: re.Match[str]) -> bool:
    """Whether the label names a step here: "step a) heating", "in a step (b): cooling"."""
    before = max(0, cited.start() - 20)
    if _OPENS_LIMB.search(text, before, cited.start()) or _NEW.search(text, before, cited.start()):
        return True
    return _USED.search(text, before, cited.start()) is None and _DEFINES.match(text, cited.end()) is not None


def _may_be_article(text: str, cited: re.Match[str]) -> bool:
    """Whether the label is a word or a variable: "step a user takes", "at time step t"."""
    label = cited["label"]
    if label.isalpha() and _COUNTED.search(text, max(0, cited.start() - 20), cited.start()):
        return True
    return label in {"a", "A", "I", "i"} and text[cited.end() : cited.end() + 1] == " "


def _plain(label: str) -> str:
    found = _BARE.match(label)
    return found[1].strip(".").lower() if found else label.lower()


def _known(reading: Reading, claim: Claim) -> set[str]:
    """The labels of the claim and of those that it depends on, unless "step" stands before them."""
    texts = [claim.text, *(reading.claims[number].text for number in reading.claims.ancestors(claim.number))]
    known: set[str] = set()
    for text in texts:
        for match in _GIVEN.finditer(text):
            before = text[max(0, match.start() - 60) : match.start()]
            cited = _CITING.search(before)
            lists = cited is not None and cited.group().endswith(_LISTING)
            if cited is None or (lists and _OF_STEPS.match(text, match.end())):
                known.add((match["closed"] or match["open"]).lower())
        known.update(_plain(each["label"]) for each in _CITED.finditer(text) if _defines(text, each))
    return known


_CITING: Final = re.compile(r"[Ss]teps?\s(?:\(?(?:through|[A-Za-z0-9]{1,4})\)?\.?[\s,–-]{1,3}){0,12}\(?\Z")
