"""A claim has a transition between its preamble and its body, and behind its reference to another claim."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import (
    NO_NOUN,
    NO_STEP,
    REFERS,
)
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import NOUNS_ING
from ace.claims.language.subject_matter import ClaimCategory, Subject, category_of, subject_of
from ace.claims.language.words import lemma
from ace.claims.references.claim_references import Reference

_LOOK_BACK_CHARACTERS = 64

# What separates a preamble from a body in granted claims.
_PARTS = re.compile(
    r"\b(?:compris|consist|includ|contain|having\b|has\b|have\b|wherein|whereby|characteri[sz]ed|improvement|composed"
    r"|steps?\b|formula|following|which\b|that\b|being\b|as\s(?:herein\w*\s)?(?:shown|described|defined|set\sforth)|ornamental)",
    re.IGNORECASE,
)
_OPENS_BODY = re.compile(
    r"\b(?:compris|consist|includ|characteri[sz]ed|improvement|composed|ornamental)", re.IGNORECASE
)
# What may come before a colon instead of "comprising".
_LEADS_ON = re.compile(
    r"\b(?:for|to|of|claims?|is|are|by|as|having|has|wherein|which|that|with|steps?|acts?|following|contain[a-z]*|formula[es]*"
    r"|no|nos|characteristics|features|elements|components|parts|operations|functions|properties|structure)\W*$|^\W*(?:we|i|what)\b",
    re.IGNORECASE,
)
_LIMB = r"(?:\(?[a-z0-9]{1,3}[).]\s?)?(?:an?|the|said|at\sleast|one\sor\smore|two|means|first|[a-z]+ing)\b"
_LIST_BEGINS = re.compile(rf"(?<![0-9])[:;]\s{_LIMB}")
_FIRST_MARK = re.compile(
    r"\b(?:compris\w+|consist\w*|includ\w+|contain\w+|having|has|wherein|characteri[sz]ed)\b|[:;]",
    re.IGNORECASE,
)
_RUN_IN = re.compile(
    r"(?<![\w-])(?P<before>[A-Za-z][\w-]*[,)]?)\s(?P<noun>[A-Za-z][\w-]{2,})"
    r"(?=\s(?P<next>(?:an?|at\sleast\sone|one\sor\smore)\s[A-Za-z]+))"
)
# Words after which a verb follows, and not a noun.
_VERB_BEFORE = frozenset(
    {"to", "can", "may", "will", "not", "and", "or", "must", "shall", "could", "that", "which", "who", "they"}
)
_GOVERNS = frozenset({"of", "for", "with", "between", "in", "from", "on", "into", "among", "without"})
"""After these even a word in "s" is a noun."""
_AGAIN = re.compile(
    r",\s?(?:the|said)\s(?:[a-z-]+\s){0,3}?(?P<noun>[A-Za-z-]+)\s"
    r"(?P<next>[a-z]+ing|the|said|an?|at\sleast|two|three|four|means|one|\(?[A-Za-z0-9ivx]{1,2}[).])(?=[\s,])"
)
_LEADS_IN = frozenset({"being", "using", "utilizing", "employing", "involving", "executing", "operating"})
_OPENS_STEPS = re.compile(
    r"\bcompris\w+,?\s(?:[a-z]+ly\s)?[a-z]+ing\b|[,)]\s?(?:the\s\w+\s)?compris|\bconsist|\b(?:steps?|acts)\b|:"
    r"|\bwherein\s(?:the|said)\s(?:method|process)",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"(?<![\w-])(?P<noun>[A-Za-z][\w-]{2,})\s(?P<step>[a-z]{3,20}ing)(?=,?\s(?:an?|the|said|at|one|each|by|to|from|[a-z]+s)\b)"
)
# A transition right behind it makes it a numeral: "A toy (1) comprising a body (2)".
_LABEL_FIRST = re.compile(
    r"(?<![\w-])(?P<noun>[a-z]{3,})\s(?:\((?:a|i|1|A)\)|(?:a|i|1|A)[).])(?=\s[a-z])"
    r"(?!\s(?:(?:compris|consist|includ|contain)\w*|having|has|which|that|wherein|for|of|with|being|is|to|in|and|or)\b)"
)
_NAMED_KINDS = frozenset(
    {ClaimCategory.METHOD, ClaimCategory.APPARATUS, ClaimCategory.MEDIUM, ClaimCategory.COMPOSITION}
)
_NOT_RUN_IN = frozenset(
    {"adjacent", "cause", "enable", "allow", "time", "moment", "when", "way", "given", "called"}
    | {"particular", "general", "short", "addition", "example", "instance", "principle"}
)
# "presenting to a user a message": two things that one verb governs.
_RECIPIENT = re.compile(r"\bto\s(?:an?|the|one)\s(?:[a-z-]+\s){0,2}\Z")
# "A cup, a wall, and a handle": a list where the body should begin.
_LISTED = re.compile(r"An?\s(?:[\w-]+\s){0,3}[\w-]+,\s(?:an?|at\sleast\sone|one\sor\smore)\s")
_SHORT_CLAIM_WORDS = 12
_LONG_CLAIM_WORDS = 25
# What separates the first limb from a preamble; "which" and "that" alone are not enough.
_PARTS_LIMB = re.compile(
    r"\b(?:compris|consist|includ|contain|having\b|wherein|whereby|characteri[sz]ed|improvement|composed|steps?\b"
    r"|formula|ornamental)",
    re.IGNORECASE,
)
_LIMB_ENDS = re.compile(r"[;:](?![0-9])")
_NO_TRANSITION = "No transition (“comprising”, “consisting of”) separates the preamble from the body."


def transition(text: str) -> Iterator[Flaw]:
    """The flaw of an independent claim that lacks a transition, at the place where it belongs."""
    run_in = _run_in(text)
    if run_in is not None:
        yield run_in
        return
    # "A pump: a housing; a rotor": a list begins, and no word says whether it is closed.
    mark = _LIST_BEGINS.search(text)
    if mark is not None and not _OPENS_BODY.search(text, 0, mark.start()):
        before = text[max(0, mark.start() - _LOOK_BACK_CHARACTERS) : mark.start()]
        if not _LEADS_ON.search(before):
            start = text.rfind(" ", 0, mark.start()) + 1
            yield Flaw(RULE["no_transition"], start, mark.start() + 1, _NO_TRANSITION, None, ("bare_mark",))
            return
    long = len(text.split(None, _SHORT_CLAIM_WORDS)) > _SHORT_CLAIM_WORDS
    if ((long or _LISTED.match(text)) and not _PARTS.search(text)) or _begins_with_list(text):
        yield Flaw(RULE["no_transition"], 0, _first_words(text), _NO_TRANSITION)
        return
    # "A method of making a lid casting a plate; drilling the plate": the first limb of several has none.
    limb = _LIMB_ENDS.search(text)
    if _PARTS_LIMB.search(text, 0, limb.start() if limb else len(text)):
        return
    if limb is None:
        if len(text.split(None, _LONG_CLAIM_WORDS)) > _LONG_CLAIM_WORDS:
            yield Flaw(RULE["no_transition"], 0, _first_words(text), _NO_TRANSITION, None, ("loose",))
        return
    if limb.group() == ":" and _LEADS_ON.search(
        text[max(0, limb.start() - _LOOK_BACK_CHARACTERS) : limb.start()]
    ):
        return
    yield Flaw(RULE["no_transition"], 0, _first_words(text), _NO_TRANSITION, None, ("first_limb",))


def _begins_with_list(text: str) -> bool:
    """ "A pump, a housing having a wall; and a rotor": an element where the body should be opened."""
    listed = _LISTED.match(text)
    subject = subject_of(text) if listed is not None else None
    if listed is None or subject is None or _PARTS.search(listed.group()):
        return False
    if _SAYS_WHAT.search(text, 0, _limb_end(text)):
        return False
    opens = re.compile(
        rf"(?:[,):]|\b(?:the|said)\s(?:[\w-]+\s){{0,5}}{re.escape(subject.head)})\s"
        r"(?:which\s|that\s)?(?:compris|consist|includ|having\b|characteri[sz]ed|composed)",
        re.IGNORECASE,
    )
    return opens.search(text) is None


_SAYS_WHAT = re.compile(r"\b(?:wherein|whereby|selected|represented|of\swhich|whose|which)\b")
"""What may follow another name for the thing: "a compound, a salt thereof, represented by"."""


def _run_in(text: str) -> Flaw | None:
    """The flaw of a preamble that runs into the first element or step: "A pump a housing"."""
    first = _FIRST_MARK.search(text)
    limit = first.end() if first else len(text)
    subject = subject_of(text)
    return (
        _runs_into_element(text, limit, subject)
        or _runs_into_repetition(text, limit, subject)
        or _runs_into_step(text, limit, subject)
        or _runs_into_label(text, limit)
    )


def _runs_into_element(text: str, limit: int, subject: Subject | None) -> Flaw | None:
    """ "A hand pump a housing made of brass"."""
    for match in _RUN_IN.finditer(text, 0, limit):
        noun = match["noun"].lower()
        if _RECIPIENT.search(text, max(0, match.start("noun") - _LOOK_BACK_CHARACTERS), match.start("noun")):
            continue
        if _is_noun(noun, match["before"].lower()) or (subject is not None and noun == subject.head):
            named = ("named",) if category_of((noun,)) in _NAMED_KINDS else ()
            return _runs_in(match.start("noun"), match.end("next"), *named)
    return None


def _runs_into_repetition(text: str, limit: int, subject: Subject | None) -> Flaw | None:
    """ "A pump for oil, the pump a housing"."""
    again = _AGAIN.search(text, 0, limit)
    if again is None or subject is None or again["next"].lower() in _LEADS_IN:
        return None
    same = lemma(again["noun"].lower()) == subject.head
    return _runs_in(again.start("noun"), again.end("next"), "again") if same else None


def _runs_into_step(text: str, limit: int, subject: Subject | None) -> Flaw | None:
    """ "A method of making a lid casting a plate"."""
    if (
        subject is None
        or subject.category is not ClaimCategory.METHOD
        or _OPENS_STEPS.search(text, 0, _limb_end(text))
    ):
        return None
    for step in _STEP.finditer(text, subject.start, limit):
        noun = step["noun"]
        if step["step"] not in NO_STEP and noun not in NO_NOUN and not noun.endswith("ing"):
            return _runs_in(step.start("noun"), step.end("step"), "step")
    return None


def _runs_into_label(text: str, limit: int) -> Flaw | None:
    """ "A pump a) a housing"."""
    label = _LABEL_FIRST.search(text, 0, limit)
    if label is None or label["noun"] in REFERS or label["noun"] in NO_NOUN:
        return None
    return _runs_in(label.start("noun"), label.end(), "labelled")


def _limb_end(text: str) -> int:
    limb = _LIMB_ENDS.search(text)
    return limb.end() if limb else len(text)


def _runs_in(start: int, end: int, *signals: str) -> Flaw:
    return Flaw(RULE["no_transition"], start, end, _NO_TRANSITION, None, ("run_in", *signals))


def _is_noun(lower: str, before: str) -> bool:
    """Whether a word before "a" may be the noun that ends a preamble, and not a verb or preposition."""
    if before in _VERB_BEFORE or lower in NO_NOUN or lower in _NOT_RUN_IN or before.endswith("ly"):
        return False
    if lower.endswith(("ing", "ed", "ly")):
        return lower.endswith("assembly")
    return lower[-1] != "s" or lower[-2:] in {"ss", "us"} or before in _GOVERNS


_WORDS = re.compile(r"\S+(?:\s\S+){0,5}")


def _first_words(text: str) -> int:
    match = _WORDS.match(text)
    return match.end() if match else len(text)


_ADDS = re.compile(r"\s?,?\s?(?P<start>(?:the|said|an?|one\sor\smore|at\sleast\sone|means)\s[A-Za-z-]+)")
_FINITE = re.compile(r"\b(?:is|are|has|have|comprises?|includes?|contains?|consists?)\b")
# "the valve being open", "the circuit to count", "the lid hinged on": what is added has no verb of its own.
_JOINS = re.compile(
    r"\b(?:where\w*|which|that|whose|further|to|[a-z]{2,}ing|[a-z]{2,}ed|for|made|built|set)\b"
)
_END_OF_CLAUSE = re.compile(r"[.;]")
_NO_WHEREIN = (
    "No transition (“wherein”, “further comprising”) leads from the reference to what the claim adds."
)
_REFERENCE_CHARACTERS = 160


def _belongs(joins: re.Match[str], finite: re.Match[str]) -> bool:
    """Whether what seems to join belongs to the verb behind it: "the seal further comprises", "the first
    cutting comprises"."""
    near = finite.start() == joins.end() + 1
    return near and (joins.group() == "further" or joins.group().endswith("ing"))


def after_reference(text: str, references: tuple[Reference, ...]) -> Iterator[Flaw]:
    """A dependent claim whose addition follows its reference without "wherein" or "further comprising"."""
    if (
        not references
        or (end := references[0].end) > _REFERENCE_CHARACTERS
        or _OPENS_BODY.search(text, 0, end)
    ):
        return
    adds = _ADDS.match(text, end)
    if adds is None:
        return
    stop = _END_OF_CLAUSE.search(text, end)
    clause = stop.start() if stop else len(text)
    joins = next(
        (each for each in _JOINS.finditer(text, adds.end(), clause) if each.group() not in NOUNS_ING), None
    )
    finite = _FINITE.search(text, adds.end(), clause)
    if joins is None or (finite is not None and (finite.start() < joins.start() or _belongs(joins, finite))):
        yield Flaw(
            RULE["no_transition"], adds.start("start"), adds.end("start"), _NO_WHEREIN, None, ("dependent",)
        )
