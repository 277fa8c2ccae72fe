"""Elements that a claim requires and then says are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import PRESENT_AND_ABSENT
from ace.claims.checks.logical.subjects import (
    conditional,
    statement_end,
    subject_before,
)
from ace.claims.checks.logical.transitions import body_of
from ace.claims.findings import Flaw
from ace.claims.language.tables import word_list
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_NAME = r"(?P<name>[^\W\d_][\w-]*(?:\s[^\W\d_][\w-]*){0,5})"
_ABSENT = re.compile(
    r"\s(?:does\snot\sexist|(?:is|are|being)\s(?:entirely\s|completely\s|totally\s)?(?P<gone>absent|omitted|missing|lacking|left\sout"
    r"|not\s(?:present|provided|included|there|used|comprised|contained)|eliminated|dispensed\swith|excluded))\b"
)
_PLACE = re.compile(r"\s(?:in|from|of|within)(?=\s(?:the|said)\b)[^,;.:]{1,60}")
_NONE_PRESENT = re.compile(
    rf"\b(?P<no>no|neither)\s{_NAME}?\s(?:is|are|being)\s(?:present|provided|included|contained|used|there)\b"
)
_THERE_IS_NO = re.compile(rf"\bthere\s(?:is|are|being)\sno\s{_NAME}")
_WITHOUT = re.compile(
    rf"(?P<mark>[,;]\s?|\b(?:is|are|being|operates?|functions?|works?|performed|made|formed|implemented)\s)without\s(?:using\s)?(?:an?y?|the|said|use\sof\s(?:the|an?y?))?\s?{_NAME}"
)
_LACKS = re.compile(
    rf"""(?P<verb>\b(?:does|do)\snot\s(?:comprise|include|contain|have|possess)\s(?:an?y?|the|said)?
        |\b(?:has|have|having|comprises|includes|contains|comprising|containing|including|with)\sno
        |\blacks?\s(?:an?y?|the|said)?
        |\b(?:lacking|excludes|excluding|omits|omitting)\s(?:an?y?|the|said)?
        |\b(?:is|are|being)\s(?:entirely\s|completely\s|totally\s)?(?:free\s(?:of|from)|devoid\sof|void\sof)
            \s?(?:an?y?|the|said)?
        |\b(?:is|are|being)\s(?:substantially\s)(?:free\s(?:of|from))\s?(?:any|the)?)\s{_NAME}""",
    re.VERBOSE,
)
_TRIGGER = re.compile(
    r"\s(?:absent|omitted|missing|lack\w*|not|no|without|free|devoid|void|left|eliminated|dispensed|exclud\w+|omit\w*)\b"
)
_STOP = word_list("logic", "denied_name_ends")
_NOT_REQUIRED = re.compile(
    r"\b(?:or|optional|optionally|may|can|if|either|absence|without|no|not|free|devoid|lack\w*|exclud\w*)\b"
)
_VAGUE = word_list("logic", "vague_elements")


def denials(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Statements that an element is absent which the claim or an ancestor requires."""
    ancestors = nearest_ancestors(reading, claim)
    yield from _added_against(reading, claim, ancestors)
    if not _TRIGGER.search(claim.text):
        return
    for absence in islice(_absences(reading, claim.text), MAX_STATEMENTS):
        yield from _denied(reading, claim, ancestors, absence)


_ADDED = re.compile(
    rf"\b(?:(?:an|a|at\sleast\sone|one\sor\smore)\s|(?:contain|compris|includ)(?:s|es|ing)\s(?!an?\b|the\b|said\b|at\b|one\b))"
    rf"{_NAME}"
)


def _added_against(reading: Reading, claim: Claim, ancestors: tuple[Claim, ...]) -> Iterator[Flaw]:
    """Elements of the claim that an ancestor says it has none of."""
    deniers = _deniers(reading)
    denied = {
        name: ancestor.number
        for ancestor in (reversed(ancestors) if deniers else ())
        if body_of(reading, ancestor.text).head == body_of(reading, claim.text).head
        for name in deniers.get(ancestor.number, ())
    }
    if not denied:
        return
    for match in islice(_ADDED.finditer(claim.text), MAX_STATEMENTS):
        name, end = _words(match["name"]), _name_end(match)
        number = denied.get(name)
        if number is None or _NOT_REQUIRED.search(claim.text, max(0, match.start() - 14), match.start()):
            continue
        if conditional(claim.text, match.start(), end, end) or _CHOICE.match(claim.text, end):
            continue
        yield Flaw(
            PRESENT_AND_ABSENT,
            match.start(),
            end,
            f"Claim {number} excludes “{' '.join(name)}”, so a claim that depends on it cannot have it.",
            signals=("inherited", "added"),
        )
        return


@kept_with_set
def _deniers(reading: Reading) -> dict[int, frozenset[tuple[str, ...]]]:
    """The claims that say that the claimed thing lacks something, and what."""
    return {
        claim.number: denied
        for claim in reading.claims
        if (denied := _denied_altogether(reading, claim.text))
    }


def _denied_altogether(reading: Reading, text: str) -> frozenset[tuple[str, ...]]:
    """The names of what the claimed thing of this text is said to lack, with no condition."""
    if not _TRIGGER.search(text):
        return frozenset()
    return frozenset(
        absence.name
        for absence in islice(_absences(reading, text), MAX_STATEMENTS)
        if absence.how != "definite"
        and not conditional(text, absence.start, absence.end, absence.end)
        and absence.name not in _required(reading, text)
    )


@dataclass(frozen=True, slots=True)
class Absence:
    """text[start:end] says that the element of this name is not there; `how` in a word."""

    name: tuple[str, ...]
    start: int
    end: int
    how: str


def _absences(reading: Reading, text: str) -> Iterator[Absence]:
    for match in _ABSENT.finditer(text):
        subject = subject_before(text, match.start())
        if subject is None or not subject.definite or subject.of or subject.head in _VAGUE:
            continue
        if statement_end(text, match.end()) <= match.end() + 1 or _from_the_whole(reading, text, match.end()):
            yield Absence(subject.words, subject.start, match.end(), "definite")
    for match in (*_NONE_PRESENT.finditer(text), *_THERE_IS_NO.finditer(text)):
        if name := _words(match["name"] or ""):
            yield Absence(name, match.start(), _name_end(match), "none")
    for match in _WITHOUT.finditer(text):
        end = _name_end(match)
        if (name := _words(match["name"])) and statement_end(text, end) == end:
            yield Absence(name, match.start() + len(match["mark"]), end, "without")
    for match in _LACKS.finditer(text):
        end = _name_end(match)
        if (
            (name := _words(match["name"]))
            and statement_end(text, end) == end
            and _of_the_whole(reading, text, match)
        ):
            yield Absence(name, match.start(), end, "said_of_whole")


def _from_the_whole(reading: Reading, text: str, at: int) -> bool:
    """Whether what is absent is so "from the device", that is, altogether."""
    match = _PLACE.match(text, at)
    if match is None:
        return False
    subject = subject_before(text, match.end(), through=frozenset())
    return subject is not None and body_of(reading, text).is_called(subject)


def _name_end(match: re.Match[str]) -> int:
    """Where the match ends once the words after the element's name are left off."""
    if match.re is _NONE_PRESENT:
        return match.end()
    written = match["name"]
    kept = 0
    for word in re.finditer(r"\S+", written):
        if word.group().lower() in _STOP:
            break
        kept = word.end()
    return match.start("name") + kept


def _words(written: str) -> tuple[str, ...]:
    name: list[str] = []
    for word in written.lower().split():
        if word in _STOP:
            break
        name.append(lemma(word))
    return () if not name or name[-1] in _VAGUE else tuple(name)


_OF_THE_WHOLE = re.compile(r"(?:,(?:\sand|\sbut)?|(?i:claims?)\s[0-9]+)\s?\Z")
_LOOK_BACK_CHARACTERS = 20


def _of_the_whole(reading: Reading, text: str, match: re.Match[str]) -> bool:
    """Whether it is the claimed thing itself that lacks the element."""
    if _OF_THE_WHOLE.search(text, max(0, match.start() - _LOOK_BACK_CHARACTERS), match.start()):
        return True
    subject = subject_before(text, match.start())
    return subject is not None and body_of(reading, text).is_called(subject)


def _denied(reading: Reading, claim: Claim, ancestors: tuple[Claim, ...], absence: Absence) -> Iterator[Flaw]:
    start, end = absence.start, absence.end
    if conditional(claim.text, start, end, end):
        return
    for holder in (claim, *ancestors):
        inherited = holder is not claim
        until = len(holder.text) if inherited else start
        if _required(reading, holder.text).get(absence.name, until) < until:
            where = f"claim {holder.number}" if inherited else "the claim"
            yield Flaw(
                PRESENT_AND_ABSENT,
                start,
                end,
                f"“{' '.join(absence.name)}” is required by {where} and so cannot be absent.",
                signals=(absence.how, "inherited" if inherited else "same_claim"),
            )
            return


_CHOICE = re.compile(r"\sor\b|\s?/", re.IGNORECASE)


@kept_with_set
def _required(_reading: Reading, text: str) -> dict[tuple[str, ...], int]:
    """The names that a text introduces without leaving them to choice: every beginning of each phrase,
    and where it first stands."""
    found: dict[tuple[str, ...], int] = {}
    for match in re.finditer(
        r"\b(?:an?|at\sleast\sone|one\sor\smore|plurality\sof|two|three|four)\s", text, re.IGNORECASE
    ):
        before = text[max(0, match.start() - 14) : match.start()]
        if _NOT_REQUIRED.search(before):
            continue
        after = text[match.end() : match.end() + 80]
        words: list[str] = []
        for word in re.finditer(r"[^\W\d_][\w-]*|[^\w\s]", after):
            lower = word.group().lower()
            if lower in _STOP or not lower[0].isalpha() or len(words) == 6:
                break
            words.append(lemma(lower))
            if not _CHOICE.match(after, word.end()):
                found.setdefault(tuple(words), match.start())
    return found
