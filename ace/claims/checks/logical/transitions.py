"""A list closed by "consisting of" or its like to which something is added (MPEP 2111.03 II)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import CLOSED_THEN_OPENED
from ace.claims.checks.logical.subjects import StatementSubject, subject_before
from ace.claims.findings import Flaw
from ace.claims.language.words import is_plural, lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_ALONE = r"(?:entirely|exclusively|only|solely|wholly)"
_CLOSING = rf"(?:consist(?:s|ing)?\s(?:{_ALONE}\s)?of|(?:composed|(?:made|built)\sup)\s{_ALONE}\sof)"
_TRANSITION = re.compile(
    rf"\b(?:(?P<closed>{_CLOSING})"
    r"|compris(?:es|ing|e)|includ(?:es|ing)|contain(?:s|ing)|having|has|wherein|characterized|consist\w*)\b",
    re.IGNORECASE,
)
_CLOSED = re.compile(rf"\b(?:(?:is|are)\s)?{_CLOSING}\b(?!\sat\sleast)", re.IGNORECASE)
_SAME_CLAUSE = re.compile(
    rf"\b(?:(?:is|are)\s)?{_CLOSING}\b(?:(?!\bwherein\b)[^;:]){{1,150}}\band\s?\Z", re.IGNORECASE
)
_OPENED = re.compile(
    r"\b(?:(?:further|additionally|also)\s(?:compris|includ|contain)(?:ing|es|e|s)?"
    r"|(?:compris|includ|contain)(?:ing|es|s)\s(?:(?:an?|one\sor\smore|at\sleast\sone)\s)?(?:further|additional|additionally|also))\b",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"\b(?:group|groups|selected|chosen|set|class|family|list|member|members|one)\b[^,;:]{0,40}\Z",
    re.IGNORECASE,
)
_COLON = re.compile(
    r"consist\w*\s(?:\w+\s)?of(?:\sthe\s(?:following\s)?(?:steps|elements|components)(?:\sof)?)?\s?:",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\bclaims?\s[0-9]", re.IGNORECASE)
_PREAMBLE = re.compile(
    r"\s?(?:an?|the|one\sor\smore)?\s?((?:[^\W\d]+(?:-[^\W\d]+)*\s){0,8}?[^\W\d]+(?:-\w+)*)\s?"
    r"(?=,|:|\b(?:of|for|according|as|in|to|that|which|with|compris\w+|consist\w*|includ\w+|contain\w*|having|wherein|by|configured|adapted|arranged|operable|used|described|stor\w+|capable|suitable|made|formed|obtained|produced|performed|executed|implemented)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Body:
    """What a claim is to, and how that is joined to what follows: text[start:end], where the list
    of its elements is closed. `name` are the words of the preamble up to the thing's own."""

    name: tuple[str, ...]
    closed: bool
    start: int
    end: int

    @property
    def head(self) -> str:
        """The word for the claimed thing: "kit", "method"."""
        return self.name[-1] if self.name else ""

    def is_called(self, subject: StatementSubject) -> bool:
        """Whether a phrase of the claim means the claimed thing itself."""
        named = subject.definite and not subject.of and subject.head == self.head
        return named and set(subject.words) <= set(self.name)


def closes(text: str) -> bool:
    """Whether a text may close a list: a cheap look."""
    return "onsist" in text or "ly of" in text


def openings(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Elements added to what the claim itself or one it depends on has closed."""
    ancestors = nearest_ancestors(reading, claim)
    if not any(closes(each.text) for each in (claim, *ancestors)):
        return
    for match in islice(_OPENED.finditer(claim.text), MAX_STATEMENTS):
        closed = _closed_whole(reading, claim, ancestors, match) or _closed_part(
            reading, claim, ancestors, match
        )
        if closed is not None:
            yield closed
            return


def _closed_whole(
    reading: Reading, claim: Claim, ancestors: tuple[Claim, ...], match: re.Match[str]
) -> Flaw | None:
    if not _adds(reading, claim.text, match):
        return None
    own = body_of(reading, claim.text)
    if own.closed and own.start < match.start():
        return _flaw(match, "the claim", ("same_claim",))
    for ancestor in ancestors:
        body = body_of(reading, ancestor.text)
        if body.closed and body.head == own.head:
            return _flaw(match, f"claim {ancestor.number}", ("inherited",))
    return None


def _closed_part(
    reading: Reading, claim: Claim, ancestors: tuple[Claim, ...], match: re.Match[str]
) -> Flaw | None:
    """ "the powder consists of tin and further comprises zinc", in one claim or down the chain."""
    text = claim.text
    same = _SAME_CLAUSE.search(text, max(0, match.start() - 200), match.start())
    if same is not None:
        subject = subject_before(text, same.start())
        if subject is not None and subject.definite:
            return _flaw(match, f"“{text[subject.start : subject.end]}”", ("same_claim", "part"))
    subject = subject_before(text, match.start())
    if subject is None or not subject.definite or subject.of:
        return None
    for holder in (claim, *ancestors):
        until = match.start() if holder is claim else len(holder.text)
        if any(end <= until and subject.words == name for name, end in closed_parts(reading, holder.text)):
            where = "same_claim" if holder is claim else "inherited"
            return _flaw(match, f"“{text[subject.start : subject.end]}”", (where, "part"))
    return None


_GENUS = re.compile(
    r"\s(?:[a-z-]+\s){0,2}?(?P<kind>[a-z-]+s)(?=[,;.]|\s(?:having|that|which|of)\b)(?![^;.]{0,40}\band\b)"
)
"""After "consisting of": things of one kind alone, of which what is named later may be one."""


@kept_with_set
def closed_parts(_reading: Reading, text: str) -> tuple[tuple[tuple[str, ...], int], ...]:
    """The names of what a text says to consist of something, and where it says so."""
    found: list[tuple[tuple[str, ...], int]] = []
    for match in islice(_CLOSED.finditer(text), MAX_STATEMENTS):
        subject = subject_before(text, match.start(), through=frozenset())
        genus = _GENUS.match(text, match.end())
        if genus is not None and is_plural(genus["kind"].lower()):
            continue
        if subject is not None and not _GROUP.search(text, max(0, match.start() - 60), match.start()):
            found.append((subject.words, match.end()))
    return tuple(found)


@kept_with_set
def body_of(_reading: Reading, text: str) -> Body:
    """The transition of a claim: the first of its kind, or the closing of the whole later on."""
    preamble = _PREAMBLE.match(text)
    name = tuple(lemma(word) for word in preamble[1].lower().split()) if preamble else ()
    opened = Body(name, False, 0, 0)
    first = _TRANSITION.search(text)
    for match in _TRANSITION.finditer(text):
        if match["closed"] and not _GROUP.search(text, max(0, match.start() - 60), match.start()):
            subject = subject_before(text, match.start())
            begins = first is not None and first.start() == match.start() and not _is_aside(text, match)
            if (begins and _names_whole(text, match.start(), opened.head)) or (
                subject is not None and opened.is_called(subject)
            ):
                return Body(name, True, match.start(), match.end())
    return opened


_RELATIVE = re.compile(r"\b(?:that|which)\s\Z")
_OPENS_LATER = re.compile(r"[^;:.]{0,200}?,\s(?:the\s[a-z]+\s)?(?:comprising|comprises|including)\b")


def _is_aside(text: str, match: re.Match[str]) -> bool:
    """Whether a relative clause of the preamble speaks, before its transition: "for a panel which consists of
    a core, comprising"."""
    if _RELATIVE.search(text, max(0, match.start() - 8), match.start()) is None:
        return False
    return _OPENS_LATER.match(text, match.end()) is not None


def _names_whole(text: str, at: int, name: str) -> bool:
    """Whether what is closed there is the claimed thing and not, say, what it is made from."""
    head = text[:at].rstrip(" ,:")
    if _NUMBERED.search(text, 0, at):
        return bool(re.search(r"claims?\s[0-9]+\s?,?\s?(?:further)?\Z", head, re.IGNORECASE))
    subject = subject_before(text, len(head))
    named = subject is None or subject.head == name or subject.start < 4
    return named or text[:at].rstrip().endswith((",", ":")) or bool(_COLON.match(text, at))


def _adds(reading: Reading, text: str, match: re.Match[str]) -> bool:
    """Whether the addition is to the claimed thing: at the level of its limbs, or said of it."""
    before = text[max(0, match.start() - 200) : match.start()].rstrip()
    if not before or before[-1] in ",;:":
        return not re.search(r"\b(?:group|selected)\b[^;:]{0,400}\Z", before) or before[-1] == ";"
    if re.search(r"(?:claims?\s[0-9]+|\band|\bthat|\bwhich|\band\swhich)\Z", before, re.IGNORECASE):
        return bool(
            re.search(r"claims?\s[0-9]+|[,;]\s?(?:and|that|which|and\swhich)\Z", before[-30:], re.IGNORECASE)
        )
    subject = subject_before(text, match.start())
    return subject is not None and body_of(reading, text).is_called(subject)


def _flaw(match: re.Match[str], where: str, signals: tuple[str, ...]) -> Flaw:
    return Flaw(
        CLOSED_THEN_OPENED,
        match.start(),
        match.end(),
        f"“consisting of” closes {where}, so nothing can be added to it.",
        signals=signals,
    )
