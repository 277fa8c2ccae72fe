"""Whether a dependent claim adds anything to the claims that it depends on, or takes something away
(35 U.S.C. 112(d); MPEP 608.01(n) III)."""

from __future__ import annotations

import re
from itertools import islice

from ace.claims.checks.dependency.claim_relations import ClaimRelations
from ace.claims.checks.dependency.restated import bounded_again, done_again
from ace.claims.checks.dependency.rules import NOT_NARROWING
from ace.claims.findings import Flaw
from ace.claims.language.subject_matter import Subject, generic, own_subject
from ace.claims.language.words import word_set
from ace.claims.model import Claim
from ace.claims.references.claim_references import Reference

_SUBSTANCE = re.compile(r"[^\W_]")
_LEAD = re.compile(
    r"\W*(?:further\s)?(?:(?:and\s)?wherein|in\swhich|whereby|characteri[sz]ed\s(?:in\sthat|by)|comprising|where)?\W*"
)
_ELEMENT = r"(?:the|an?)\s(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*){0,4}?)"
_TAKES_AWAY = tuple(
    (re.compile(pattern.replace("ELEMENT", _ELEMENT), re.VERBOSE), signal)
    for pattern, signal in (
        (
            r"""\W{0,9}(?:wherein|in\swhich|where|except\sthat)\sELEMENT\s(?:is|are)\s
            (?:optional|dispensed\swith|not\s(?:required|necessary|needed))\s?(?:[,;.]|\Z)""",
            "optional",
        ),
        (
            r"""\W{0,9}(?:wherein|in\swhich|where|except\sthat)\sELEMENT\s(?:is|are)\s
            (?:replaced|substituted)\s(?:by|with)\b""",
            "replaced",
        ),
        (
            r"""\W{0,9}(?:wherein|in\swhich|where|except\sthat|further\scomprising|comprising|having|including|with)\s
            (?!\w+ing\b)[^,;:]{1,100}?\s
            (?:instead\sof|in\s(?:place|lieu)\sof|rather\sthan|replaces|takes\sthe\splace\sof
              |(?:is|are)\s(?:substituted\sfor|a\s(?:replacement|substitute)\sfor))
            \sELEMENT\s?(?:[,;.]|\Z)""",
            "replaced",
        ),
        (r"\W{0,9}(?:but\s)?(?:without|omitting)\sELEMENT\s?(?:[,;.]|\Z)", "optional"),
    )
)
"""How a claim does without an element of its parent, or puts another in its place, and the signal for it."""

_DOES_WITHOUT = frozenset(
    {
        "optional",
        "dispensed",
        "not",
        "replaced",
        "substituted",
        "instead",
        "place",
        "lieu",
        "rather",
        "replaces",
    }
    | {"replacement", "substitute", "without", "omitting"}
)
"""One of these is in each of them."""

_ADVERB = r"(?:(?:[a-z]+ly|instead|now|here|altogether|in\sturn)\s)?"
_REPLACES = tuple(
    re.compile(pattern.replace("ELEMENT", _ELEMENT).replace("ADVERB", _ADVERB), re.VERBOSE)
    for pattern in (
        r"""\bELEMENT\s(?:is|are|has\sbeen|have\sbeen|being)\sADVERB
            (?:(?:replaced|substituted|superseded|supplanted)\sADVERB(?:by|with)|(?:exchanged|swapped)\sADVERB(?:for|with))\b""",
        r"""\b(?:instead\sof|in\s(?:place|lieu)\sof|rather\sthan|replac(?:es|ing)|tak(?:es|ing)\sthe\splace\sof
            |supplant(?:s|ing)|supersed(?:es|ing)|substitut(?:es|ing)\sfor|substituted\sfor|stands\sin\sfor
            |(?:as\s)?an?\s(?:replacement|substitute)\s(?:for|of))
            \sELEMENT\s?(?:[,;.]|\Z|\sof\s(?:the|claim)\b|\s(?:is|are|and|by|with|that|which)\b)""",
        r"""\bELEMENT\s(?:is|are)\s(?:omitted|dispensed\swith|eliminated|left\sout|done\saway\swith)\s
            (?:and|in\sfavou?r\sof|because)\b""",
    )
)
"""How a claim to a thing puts something in the place of an element of its parent, anywhere in its body."""

_PUTS_IN_PLACE = _DOES_WITHOUT | {
    *("superseded", "supplanted", "exchanged", "swapped", "replacing", "takes", "taking", "supplants"),
    *("supplanting", "supersedes", "superseding", "substitutes", "substituting", "stands", "omitted"),
    *("eliminated", "left", "done"),
}
"""One of these is in each of those."""

_AT_TIMES = re.compile(
    r"\b(?:when|whenever|if|once|after)\b[^;:]{0,60}\Z|\b(?:before|can|may|for|to|configured|adapted|allow\w*)\b[^,;:]{0,80}\Z"
)
_MIN_WORDS = 3
"""How many words a repeated clause must have to count."""


def not_narrowing(relations: ClaimRelations, claim: Claim) -> Flaw | None:
    """The flaw of a claim in dependent form that does not further limit, or None."""
    references = relations.references[claim.number]
    own = relations.subject(claim.number)
    if len(references) != 1 or own is None:
        return None
    reference = references[0]
    parents = [number for number in reference.numbers if relations.claims.get(number) is not None]
    if not parents:
        return None
    refers = not reference.other_category and own_subject(claim.text, own, reference.start)
    if not (refers or relations.named_in_full(claim, reference)):
        return None
    body = claim.text[reference.end :]
    if _SUBSTANCE.search(body) is None:
        return _empty(relations, claim, own, reference, parents)
    lower = " ".join(body.lower().split()).replace("said ", "the ")
    span = _span(claim.text, reference.end)
    again = _said_again(relations, claim.number, parents, body, lower)
    if again is not None:
        how, signal = again
        words = f"Claim {claim.number} {how} what claim {parents[0]} already says."
        return Flaw(NOT_NARROWING, *span, words, None, (signal,))
    said = word_set(claim.text)
    taken = None if _DOES_WITHOUT.isdisjoint(said) else _taken_away(relations, lower, parents)
    if taken is None and not own.category.activity and not _PUTS_IN_PLACE.isdisjoint(said):
        taken = _replaced(relations, lower, parents)
    if taken is not None:
        noun, signal = taken
        words = f"Claim {claim.number} does without the {noun} that it inherits from claim {parents[0]}."
        return Flaw(NOT_NARROWING, *span, words, None, (signal,))
    return None


def _said_again(
    relations: ClaimRelations, own: int, parents: list[int], body: str, lower: str
) -> tuple[str, str] | None:
    """How a body, also given in lower case, repeats what every parent says, and the signal for it."""
    clause = lower[_lead_of(lower) :].rstrip(" .;,")
    if clause.endswith(":"):
        return None  # it lost the formula or list behind it
    if clause.count(" ") + 1 >= _MIN_WORDS and all(
        _says(relations, own, number, clause) for number in parents
    ):
        return "only repeats", "repeats"
    written = body.strip(" .;,\n\t")
    signal = _says_otherwise(relations, own, parents, clause, written[_lead_of(written) :])
    return ("says in other words", signal) if signal else None


def _lead_of(body: str) -> int:
    """Where the words end that join a body to its preamble."""
    lead = _LEAD.match(body)
    return lead.end() if lead else 0


def _says_otherwise(
    relations: ClaimRelations, own: int, parents: list[int], clause: str, written: str
) -> str:
    """Whether every parent, or an ancestor of it, says the same of a step (restated) or gives the same bounds
    (same_bounds): the signal for it, or "". `written` is the clause in its own capitals."""
    chains = [[each for each in relations.chain(number) if each != own] for number in parents]
    if all(any(done_again(relations.plain(each), clause) for each in chain) for chain in chains):
        return "restated"
    bound = all(
        any(bounded_again(relations.claims[each].text, written) for each in chain) for chain in chains
    )
    return "same_bounds" if bound else ""


def _taken_away(relations: ClaimRelations, body: str, parents: list[int]) -> tuple[str, str] | None:
    """The element of a parent that the body of a claim does without, and the signal for how; or None."""
    for pattern, signal in _TAKES_AWAY:
        away = pattern.match(body)
        if away is not None and _required(relations, away["noun"], parents):
            return away["noun"], signal
    return None


def _required(relations: ClaimRelations, noun: str, parents: list[int]) -> bool:
    """Whether a parent, or a claim on which it depends, speaks of the element."""
    return any(noun in relations.plain(each) for number in parents for each in relations.chain(number))


def _replaced(relations: ClaimRelations, body: str, parents: list[int]) -> tuple[str, str] | None:
    """The element of a parent in whose place the body puts something at all times."""
    for pattern in _REPLACES:
        for match in islice(pattern.finditer(body), _MAX_REPLACED):
            named = _required(relations, match["noun"], parents)
            if named and _AT_TIMES.search(body, max(0, match.start() - 100), match.start()) is None:
                return match["noun"], "replaced"
    return None


_MAX_REPLACED = 20


def _empty(
    relations: ClaimRelations, claim: Claim, own: Subject, reference: Reference, parents: list[int]
) -> Flaw | None:
    """A claim that ends with its reference; words before its subject's head may still limit it."""
    said = " ".join(relations.plain(number) for number in parents)
    adds = any(word not in said for word in own.words[:-1]) or not (
        own.words[-1] in said or generic(own.head)
    )
    if adds:
        return None
    words = f"Claim {claim.number} adds nothing to claim {parents[0]}."
    return Flaw(NOT_NARROWING, own.start, reference.end, words, None, ("empty",))


def _says(relations: ClaimRelations, own: int, number: int, clause: str) -> bool:
    """Whether claim `number`, or one of its nearest ancestors, contains the whole clause."""
    texts = [relations.plain(each) for each in relations.chain(number) if each != own]
    if any(_stands_in(text, clause) for text in texts):
        return True
    said = _SAID_OF.fullmatch(clause)
    return said is not None and any(_introduced_as(text, said["noun"], said["said"]) for text in texts)


# "the head is made of steel", which "a head made of steel" and "a head which is made of steel" say too.
_SAID_OF = re.compile(
    r"the\s(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*){0,4}?)\s(?:is|are)"
    r"\s(?P<said>(?:[a-z]+ed|made|built|set|[a-z]+ing)\s[^,;]+)"
)
_INTRODUCED = r"\b(?:an?|the|one\sor\smore|at\sleast\sone)\s"
_JOINED_BY = r"(?:,?\s(?:(?:which|that)\s(?:is|are)|being)|,)?\s"
_NEXT_BEGINS = re.compile(r"\s?(?:[;.)]|\Z|,?\s(?:and\s)?(?:wherein|an?|the|at\sleast|one\sor\smore)\b)")


def _introduced_as(text: str, noun: str, said: str) -> bool:
    """Whether the text introduces the noun followed by these words and no others."""
    if said not in text:
        return False
    phrase = re.compile(rf"{_INTRODUCED}{re.escape(noun)}{_JOINED_BY}{re.escape(said)}(?![\w-])")
    return any(_NEXT_BEGINS.match(text, match.end()) for match in phrase.finditer(text))


def _stands_in(text: str, clause: str) -> bool:
    at = text.find(clause)
    while at >= 0:
        if _whole(text, at, at + len(clause)):
            return True
        at = text.find(clause, at + len(clause))
    return False


_BEGINS = re.compile(r"(?:[;:]|wherein|in which|whereby|that|,\sand|\()\s?\Z")
_ENDS = re.compile(r"\s?(?:[;.)]|\Z|,?\s(?:and\s)?wherein\b)")


def _whole(text: str, start: int, end: int) -> bool:
    return _ENDS.match(text, end) is not None and _BEGINS.search(text, max(0, start - 12), start) is not None


def _span(text: str, start: int) -> tuple[int, int]:
    """What follows the reference, without marks and spaces around it."""
    while start < len(text) and not text[start].isalnum():
        start += 1
    return start, max(start, len(text.rstrip(" .;,\n\t")))
