"""A claim is one sentence that opens with a capital letter, has a transition and ends with a period."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import (
    ABBREVIATIONS,
    NO_NOUN,
    NO_STEP,
    OPENERS,
    PARTICLES,
    REFERS,
    STEPS,
    SWITCHED,
    UNFINISHED,
)
from ace.claims.findings import Fix, Flaw
from ace.claims.language.subject_matter import ClaimCategory, Subject, category_of, subject_of
from ace.claims.language.words import lemma
from ace.claims.references.claim_references import Reference

_CLOSING = "\"'”’)]"
_ENDS_WELL = re.compile(rf"[.。][{re.escape(_CLOSING)}]*$")
_AFTER_WORDS = " \n\t,;:.…-"
_STRANDS = re.compile(r"ed\s$|\b(?:that|which|whom|what|where)\b[^,;]{0,160}$")
_SWITCHED = re.compile(rf"\b(?:{'|'.join(sorted(SWITCHED))})[a-z]*\s$|\b(?:is|are)\s$")
_PLACEHOLDER = re.compile(r"(?:[\])>]|\bformula\w*|structure|sequence|\b(?:by|of|is|are))$", re.IGNORECASE)
_LOOK_BACK_CHARACTERS = 64


def ending(text: str) -> Iterator[Flaw]:
    """The flaw at the end of the claim: it breaks off, or has no period."""
    tail = text[-_LOOK_BACK_CHARACTERS:]
    shift = len(text) - len(tail)
    ended = _ENDS_WELL.search(tail) is not None
    kept = tail.rstrip(_AFTER_WORDS)
    start = max(kept.rfind(" "), kept.rfind("\n")) + 1
    word, before = kept[start:], kept[:start]
    if _breaks_off(word, before):
        stranded = ("stranded",) if ended and word in PARTICLES and _STRANDS.search(before) else ()
        why = f"The claim breaks off after “{word}”."
        signals = _lost(word) + stranded
        yield Flaw(RULE["broken_off"], shift + start, shift + len(kept), why, None, signals)
    elif not ended:
        end = len(tail.rstrip()) or len(tail)
        why = "The claim does not end with a period."
        last = min(start, end - 1)
        yield Flaw(RULE["no_period"], shift + last, shift + end, why, _period(text), _lost(kept))


_LIMB_BREAKS = re.compile(
    r"(?:\A|(?<=\s))(?P<before>[A-Za-z][\w-]*)\s(?P<word>the|said|its|their|of|with|from|between|into|for|by|to|at|wherein|an?)\s?\Z"
)
_LIMB_END_CHARACTERS = 60
_TAKES_NOUN = frozenset(
    {
        "of",
        "to",
        "with",
        "in",
        "on",
        "from",
        "by",
        "for",
        "at",
        "into",
        "between",
        "through",
        "and",
        "or",
        "is",
        "are",
    }
    | {"having", "comprising", "than", "as"}
)


def limbs_broken(text: str) -> Iterator[Flaw]:
    """Each limb that breaks off before its semicolon: "a rotor in the; and a valve"."""
    at = text.find(";")
    while at >= 0:
        match = _LIMB_BREAKS.search(text, max(0, at - _LIMB_END_CHARACTERS), at)
        if match is not None and not _may_end_limb(text, match):
            why = f"This part of the claim breaks off after “{match['word']}”."
            yield Flaw(RULE["broken_off"], match.start("before"), match.end("word"), why, None, ("limb",))
        at = text.find(";", at + 1)


def _may_end_limb(text: str, match: re.Match[str]) -> bool:
    """Whether the last word may end a limb: a letter that stands for something, or a stranded particle."""
    word = match["word"]
    if word in {"a", "an"}:
        return match["before"] not in _TAKES_NOUN
    before = text[max(0, match.start() - 160) : match.start("word")]
    return word in PARTICLES and _STRANDS.search(before) is not None


def _breaks_off(word: str, before: str) -> bool:
    """Whether no sentence ends with this word. Letters of formulas and quoted words are not flagged."""
    if word.lower() not in UNFINISHED or word.isupper():
        return False
    if word in {"on", "in"} and _SWITCHED.search(before):
        return False
    return before[-1:].isspace() and before.rstrip()[-1:] not in {"-", "=", "(", '"', "“", "+"}


def _lost(end: str) -> tuple[str, ...]:
    """Whether the text may have lost a formula, an image or a sequence at its end."""
    return ("formula",) if _PLACEHOLDER.search(end) else ()


def _period(text: str) -> Fix | None:
    kept = text.rstrip(" ,;:\n\t")
    if not kept or not (kept[-1].isalnum() or kept[-1] in _CLOSING):
        return None
    return (
        Fix(len(kept), len(text), ".")
        if len(kept) < len(text)
        else Fix(len(text) - 1, len(text), f"{text[-1]}.")
    )


_STOP = re.compile(
    r"(?P<mark>[.?!])(?P<close>[\"”’)\]]?)(?P<space>\s?)(?P<next>[\"“(]?[A-Za-z][A-Za-z]*)(?=[\s,:(/-])"
)
_BEFORE = re.compile(r"(?:(?P<word>(?<![^\W\d_])[^\W\d_]+)|(?P<digit>[0-9])|(?P<other>[)\]%°\"”’]))$")
_BACK_TO_WORD = re.compile(r"\S+$")
_LABEL = re.compile(r"(?:^|[;:,]\s|\.\s|\b(?:and|or|steps?|of))\s?\(?(?:[0-9]{1,2}|[ivx]{1,4}|[A-Za-z])$")
_CLAIM_NUMBER = re.compile(r"\bclaims?\s[0-9]+$", re.IGNORECASE)
_SMALL_OPENERS = frozenset({"the", "said", "wherein", "it", "this", "these", "in", "an", "each"})


def several(text: str) -> Iterator[Flaw]:
    """The first place where a second sentence begins: from the last word before it to its first."""
    for match in _STOP.finditer(text):
        position = match.start()
        before = text[max(0, position - 40) : position]
        if not _is_stop(before, match):
            continue
        word = _CLAIM_NUMBER.search(before) or _BACK_TO_WORD.search(before)
        start = position - len(before) + word.start() if word else position
        why = f"A second sentence begins with “{match['next'].lstrip(chr(40))}”; a claim is one sentence."
        yield Flaw(RULE["several_sentences"], start, match.end(), why, _joined(match))
        return


def _is_stop(before: str, match: re.Match[str]) -> bool:
    """Whether a period with a word after it ends a sentence, and no abbreviation or label."""
    last = _BEFORE.search(before)
    following = match["next"].lstrip('"“(')
    if last is None or not following:
        return False
    if not match["space"]:
        # "housing.The": only a plain word on either side; "claim.html" and "E.Coli" are names.
        return _is_plain(last["word"], 3) and following in OPENERS
    if following[0].islower():
        known = last["word"] in ABBREVIATIONS
        opens = following in _SMALL_OPENERS or following in STEPS or following == "and"
        return _is_plain(last["word"], 4) and not known and opens
    if _is_symbol(last, before):
        return following in OPENERS and not _LABEL.search(before)
    abbreviated = last["word"] is not None and last["word"].lower() in ABBREVIATIONS
    if len(following) == 1:
        return not abbreviated and last["digit"] is None and following == "A"
    return not abbreviated


def _is_plain(word: str | None, letters: int) -> bool:
    """Whether this is a word in lower case of so many letters at least."""
    return word is not None and len(word) >= letters and word.islower()


def _is_symbol(last: re.Match[str], before: str) -> bool:
    """Whether the period follows a letter or number that may label a limb or belong to a name."""
    if last["digit"]:
        return not _CLAIM_NUMBER.search(before)
    return last["word"] is not None and len(last["word"]) == 1 and last["word"].lower() not in ABBREVIATIONS


def _joined(match: re.Match[str]) -> Fix | None:
    """ ". Wherein" becomes ", wherein"; other sentences need their author."""
    if match["next"] in {"Wherein", "Whereby"} and match["mark"] == "." and not match["close"]:
        return Fix(match.start(), match.end(), f", {match['next'].lower()}")
    return None


_SMALL_START = re.compile(r"([a-z]+)(?=[\s,:])")


def opening(text: str) -> Iterator[Flaw]:
    """A claim that opens with a small letter, except names such as "mRNA" and "p-xylene"."""
    if first := _SMALL_START.match(text):
        fix = Fix(0, 1, text[0].upper())
        yield Flaw(RULE["opening"], 0, first.end(), "The claim begins with a small letter.", fix)


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
    if (long or _LISTED.match(text)) and not _PARTS.search(text):
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


_ADDS = re.compile(r"\s?,?\s?(?P<start>(?:the|said|an?|one\sor\smore|at\sleast\sone|means)\s[a-z-]+)")
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


def after_reference(text: str, references: tuple[Reference, ...]) -> Iterator[Flaw]:
    """A dependent claim whose addition follows its reference without "wherein" or "further comprising"."""
    if not references or (end := references[0].end) > _REFERENCE_CHARACTERS or _PARTS.search(text, 0, end):
        return
    adds = _ADDS.match(text, end)
    if adds is None:
        return
    stop = _END_OF_CLAUSE.search(text, end)
    clause = stop.start() if stop else len(text)
    joins = _JOINS.search(text, adds.end(), clause)
    finite = _FINITE.search(text, adds.end(), clause)
    if joins is None or (finite is not None and finite.start() < joins.start()):
        yield Flaw(
            RULE["no_transition"], adds.start("start"), adds.end("start"), _NO_WHEREIN, None, ("dependent",)
        )
