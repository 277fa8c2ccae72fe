"""Elements that a claim describes by what they do (35 U.S.C. 112(f); MPEP 2181): "means for", "step for", and
nouns that an examiner reads like "means".

The presumption falls if the claim states the structure, so nothing is remarked on then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.checks.remarks.rules import RULE
from ace.claims.checks.remarks.sightings import Sighting, preamble_end
from ace.claims.language.noun_phrases import Phrase
from ace.claims.language.subject_matter import ClaimCategory, category_of, subject_of
from ace.claims.language.tables import word_list
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_NONCE: Final = word_list("functions", "nonce")
_FUNCTIONAL: Final = word_list("functions", "functional")
_STRUCTURAL: Final = word_list("functions", "structural")
_MAY_DO: Final = _NONCE | {"mean", "means", "step"}
_ENDINGS: Final = ("ing", "tion", "sion", "ment")

_ABLE: Final = (
    r",?\s(?:(?:which|that)\s(?:is|are)\s|being\s)?"
    r"(?:configured|adapted|arranged|designed|operable|operative|programmed|constructed|suitable|capable|intended)"
    r"\s(?:for|to|of)\s"
)
_DOES: Final = re.compile(
    rf"(?:{_ABLE}(?:[a-z]{{2,20}}ly\s)?[a-z-]{{2,30}}|\sfor\s(?:[a-z]{{2,20}}ly\s)?[a-z-]{{2,30}}(?:ing|ion|ment)\b)"
)
_MEANS_DO: Final = re.compile(
    rf"(?:{_ABLE}|\sfor\s|\sto\s(?!(?:the|an?|said)\b))(?:the\s|an?\s)?(?:[a-z]{{2,20}}ly\s)?[a-z-]{{2,30}}"
)
_STEP_DOES: Final = re.compile(r"\sfor\s[a-z-]{2,30}ing\b")
_STATED: Final = re.compile(
    r"[^;.\n]{0,200}?,\s(?:(?:the|said)\s(?P<named>[^;.,\n]{1,60}?)\s)?"
    r"(?:compris(?:ing|es)|includ(?:ing|es)|consist(?:ing|s)|being\san?|in\sthe\sform\sof|namely)\b"
    r"|\s(?:compris(?:ing|es)|includ(?:ing|es)|consist(?:ing|s)|in\sthe\sform\sof)\b"
)
_STATED_LATER: Final = re.compile(
    r"\b(?:the|said)\s(?:[\w-]+\s){0,4}(?P<head>[\w-]+)(?:\sfor\s[\w-]+(?:\s[\w-]+){0,4})?\s"
    r"(?:compris(?:es|e|ing)|includ(?:es|e|ing)|consist(?:s|ing)?\sof|is\san?|are|being\san?|has\san?|having\san?)\s"
)
_MEANS_ALONE: Final = re.compile(r"\W{0,3}(?:at\sleast\sone\s|an?\s)?(?:[a-z-]{2,30}\s)?means\b")
_MORE: Final = re.compile(r";|(?:,|\band)\s(?:an?|at\sleast|one\sor\smore|means|the\s[a-z-]{2,30}\smeans)\b")


def functions(reading: Reading, claim: Claim) -> Iterator[Sighting]:
    """The elements that the claim introduces by their function, and a claim that is nothing else."""
    text = claim.text
    subject = subject_of(text)
    activity = subject is not None and subject.category.activity
    begins = max(preamble_end(text) if not claim.parents else 0, subject.end if subject else 0)
    stated: frozenset[str] | None = None
    for phrase in reading.graph.phrases.get(claim.number, ()):
        if phrase.start < begins or phrase.definite or lemma(phrase.words[-1]) not in _MAY_DO:
            continue
        found = _described(text, phrase, activity=activity)
        if found is None or _stated_next(text, found, phrase.words[-1]):
            continue
        stated = _stated_later(text) if stated is None else stated
        if phrase.words[-1] not in stated:
            yield found
    if "means" in text and not claim.parents:
        yield from _alone(text)


def _described(text: str, phrase: Phrase, *, activity: bool) -> Sighting | None:
    """The element with its function, if the phrase has one and names no structure."""
    head = phrase.words[-1]
    if head in {"means", "mean"}:
        does = _MEANS_DO.match(text, phrase.end)
        if does is None and not (_functional(phrase.words) and not text.startswith(" of", phrase.end)):
            return None
        return Sighting(RULE["means_plus_function"], phrase.start, does.end() if does else phrase.end)
    if activity:
        step = _STEP_DOES.match(text, phrase.end) if lemma(head) == "step" else None
        return Sighting(RULE["means_plus_function"], phrase.start, step.end()) if step else None
    if lemma(head) not in _NONCE or (len(phrase.words) > 1 and not _functional(phrase.words)):
        return None
    does = _DOES.match(text, phrase.end)
    return Sighting(RULE["nonce_word"], phrase.start, does.end()) if does else None


def _functional(words: tuple[str, ...]) -> bool:
    """Whether the word before the head says what the thing does: "an encoding module"."""
    if len(words) < 2 or not _STRUCTURAL.isdisjoint(words):
        return False
    modifier = words[-2]
    return modifier in _FUNCTIONAL or modifier.endswith(_ENDINGS)


def _stated_next(text: str, found: Sighting, head: str) -> bool:
    """Whether what follows says what the element is, and not what something else is."""
    stated = _STATED.match(text, found.end)
    return stated is not None and (stated["named"] is None or head in stated["named"].split())


def _stated_later(text: str) -> frozenset[str]:
    """Heads of the definite phrases of which the claim says what they are or have."""
    return frozenset(found["head"] for found in _STATED_LATER.finditer(text))


def _alone(text: str) -> Iterator[Sighting]:
    """The body of a claim that is a single means."""
    start = preamble_end(text)
    subject = subject_of(text)
    thing = subject is not None and category_of(subject.words) is not ClaimCategory.METHOD
    transition = text.find(" ", start)
    if (
        thing
        and transition > 0
        and _MEANS_ALONE.match(text, transition)
        and not _MORE.search(text, transition)
    ):
        begin = transition + 1
        yield Sighting(RULE["single_means"], begin, len(text.rstrip(" .")))
