"""Which other claims a claim's text refers to: "claim 3", "claims 1, 3 or 5-7", "any preceding claim".

Reads text only; checks/dependency decides whether a reference is allowed. One pass over a claim finds the
word "claim"; the words around it decide what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from ace.claims.language.subject_matter import refers_to_another, subject_of
from ace.claims.language.words import GLUED_TO_CLAIM, kept_by_text
from ace.claims.references.preceding_claims import LOOK_BACK_CHARACTERS, preceding_claims

MAX_REFERENCES: Final = 100
"""How many numbers the references of one claim may mean; a longer range keeps its beginning and its end."""


class Manner(StrEnum):
    """How a reference joins the claims it means (MPEP 608.01(n) I.A and I.B)."""

    SINGLE = "single"
    ALTERNATIVE = "alternative"  # a choice: "claim 1 or 2", "any one of claims 1 to 5"
    RANGE = "range"  # a range or list without a word of choice: "claims 1-3", "claims 1-3 or 7-9"
    CUMULATIVE = "cumulative"  # a sum: "claims 1 and 2", "the preceding claims", also "and/or"


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference to other claims: text[start:end], and the numbers that it means.

    `several`: it means more than one claim; `cumulative`: it means them together. `preceding`: it means
    whatever comes before ("any preceding claim"), so that a gap in the numbers is not a defect. A reference
    that names nothing ("the pump of claim, wherein") has no numbers. `other_category`: the claim is
    directed to something else than the claim referred to: "a system for performing the method of claim 1"
    (MPEP 608.01(n) II and III; EPO Guidelines F-IV 3.8).
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    several: bool
    cumulative: bool
    manner: Manner = Manner.SINGLE
    preceding: bool = False
    other_category: bool = False


# Scans show the digits 1 and 0 as letters: "claim l", "claim 1O". "1A" is a number that no claim may have.
_SCANNED: Final = r"(?:(?-i:[1-9][0-9]?[lIOo][0-9lIOo]{0,2}|[lI][0-9]{1,3}|ll)|[lI])(?![\w'’])"
_WRITTEN: Final = r"[0-9]++(?!\.[0-9])(?:[A-Za-z](?![\w'’]))?"
_NUMBER: Final = rf"(?:{_SCANNED}|{_WRITTEN})(?:\([a-z0-9]{{1,4}}\))?"
_DASH: Final = r"[-‐‑‒–—−~]"
# Scans join words and numbers: "claims 1to3", "claim 1 orclaim 2".
_WORD_END: Final = r"(?!(?!(?:of|in|to|by)?claims?\s?[0-9])[a-z])"
_TO: Final = rf"\s?(?:{_DASH}|(?:(?:up\s)?to|through|thru|until){_WORD_END}(?:\sand\sincluding\b)?)\s?"
_UNIT: Final = (
    r"(?:%|°|℃|(?:percent|wt|vol|mol|mole|moles|molar|mg|kg|g|mm|cm|nm|[µμ]m|[µμ][lg]|m|ml|l|hz|khz|mhz|v|k|ppm|kda|bp"
    r"|pa|kpa|mpa|psi|bar|fold|times|carbons?|atoms?|hours?|hrs?|minutes?|min|seconds?|days?|weeks?|months?"
    r"|years?|parts?|equivalents?|degrees?|inch|inches)\b)"
)
_NO_QUANTITY: Final = rf"(?!(?:{_TO}[0-9.]+)?[\s-]{{0,3}}{_UNIT})"
# "claim 1 and 3 bolts": a number before a plural noun counts things, not claims.
_NO_COUNT: Final = (
    r"(?!\s(?!(?:is|as|has|was|this|thus|comprises|includes|contains|consists|further)\b)[a-z]{2,}s\b)"
)
_ITEM: Final = rf"(?(bracket)[(\[]?){_NUMBER}(?(bracket)[)\]]?){_NO_QUANTITY}"
_AGAIN: Final = (
    r"(?:(?:(?:as|according|accordance|claimed|recited|defined|set|forth|described|in|of|to|by|with|the|any|either"
    r"|one|or|more)\s){0,7}(?:of|in|to|by)?claims?\s?|(?:any|either|one)\s(?:one\s)?of\s)?"
)
_OR: Final = rf"\s?(?:,\s?)?(?:(?:and\s?/\s?or|or){_WORD_END}|/)\s?"
_AND: Final = rf"\s?(?:,\s?)?(?:(?:and|plus){_WORD_END}|&)\s?"
_MORE_TO_COME: Final = (
    rf"(?=\s?(?:,|{_DASH}|/|&|(?:to|through|thru|and|or){_WORD_END}"
    r"|(?:wherein|where|in\swhich|characteri[sz]ed)\b|\.\s?$))"
)
_CLAIM: Final = re.compile(
    rf"""[CcDd](?i:(?:(?P<word>(?<=c)laim)|(?<=c)(?:[1|i]aim|la[l1]m|lairn)|(?<=d)aim)(?:s|\(s\))?
         (?P<list>
           (?:-(?=[0-9])|(?![a-z'’-])|(?=[li](?![\w'’])))
           \s?(?:[.:\#]\s?)?(?:(?:nos?|numbers?)\b\.?\s?|(?:of|in)\s(?=[0-9]+\s?(?:,|\.\s?$|wherein\b|further\b)))?
           (?P<bracket>[(\[])?{_NUMBER}(?(bracket)[)\]])
           (?:{_TO}{_AGAIN}{_ITEM}
             |{_OR}{_AGAIN}{_ITEM}
             |{_AND}{_AGAIN}{_ITEM}{_NO_COUNT}
             |\s?,\s?{_AGAIN}{_ITEM}{_MORE_TO_COME})*)?(?(list)|(?![a-z'’-])))""",
    re.VERBOSE,
)
"""The word "claim", also as scans misread it ("cIaim", "clairn", "daim"), and the numbers after it."""

_PIECE: Final = re.compile(
    rf"(?P<number>(?:(?<![a-z])|(?<=laim)|(?<=laims)){_SCANNED}|[0-9]+)(?P<letter>[a-z](?![a-z]))?"
    rf"(?:\([a-z0-9]+\))?[)\]]?(?P<to>{_TO})?",
    re.IGNORECASE,
)
_DIGITS: Final = str.maketrans("lILiOo", "111100")
_DIGITS_READ: Final = 9
"""No claim has a longer number, nor one of so many digits."""
_AND_ALONE: Final = re.compile(r"(?<![a-z])(?:and|plus)(?![a-z])|&", re.IGNORECASE)
_RANGED: Final = re.compile(rf"[0-9)]{_TO}{_AGAIN}[0-9]", re.IGNORECASE)
_OR_ALONE: Final = re.compile(r"(?<![a-z])or(?![a-z])|/", re.IGNORECASE)
_CHOICE_INSIDE: Final = re.compile(r"\b(?:any|either|one)\b", re.IGNORECASE)
_CHOICE: Final = re.compile(
    r"""\b(?:any(?:one)?|either|one|a|several|whichever)
        (?:\s(?:(?:one|or|more|several|some|of|the|in|to|from|claims?|said|preceding|previous|prior|foregoing|above
           |according|among|amongst|out)\b|\(s\))){0,24}\s?\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHER_DOCUMENT: Final = re.compile(
    r"""\s?(?:,\s?)?(?:of|in|from)\s(?:[\w.'’-]+\s){0,4}?
        (?:(?:patents?|applications?|pat\.|publications?)\s?
             (?:,|\.|;|\Z|\(|[0-9]|(?:no|nos|number|serial|ser|publication|application|filed|by|and|or|which|that|wherein)\b)
          |(?<=\sof\s)(?:the|a|said|another)\s(?:[\w-]+\s)?documents?\s?(?:[,.;]|\Z|(?:and|or|which|that|wherein|is|are)\b)
          |(?:US|EP|WO|PCT|DE|JP|GB|FR|CN)[\s/-]?[A-Z]{0,2}[\s/-]?[0-9]|U\.\s?S\.)""",
    re.IGNORECASE | re.VERBOSE,
)
_THIS_DOCUMENT: Final = re.compile(
    r"\s?(?:,\s?)?(?:of|in)\s(?:the\s(?:present|instant)|this)\b", re.IGNORECASE
)
_FOLLOWING: Final = re.compile(
    r"\b(?:any|either|one)\s(?:(?:one|or|more|of|the)\s){0,24}(?:following|subsequent|succeeding)\s\Z",
    re.IGNORECASE,
)
_LINK: Final = re.compile(
    r"\b(?P<link>of|according\sto|in|by|with|per)\s(?P<which>(?:(?:any|one|either|of|the|said|a|another)\s){0,6})\Z",
    re.IGNORECASE,
)
_OF_A_NUMBER: Final = frozenset({"of", "according to", "in"})
_BLANK: Final = re.compile(
    r"\s?(?:_+|\.{2,}|…|[#?*]+|\(\s?\)|\[\s?\]|[Xx]{1,3}\b|[Nn]o\.?|[Nn](?!\w))(?=\s?(?:[,.;:]|\Z|[a-z]))"
)
_GOES_ON: Final = re.compile(
    r"""\s?(?:[,.;:]|\Z|(?:wherein|where|further|in\swhich|which|that|having|comprising|comprises|including|for|when|and
       |or|additionally|characteri[sz]ed)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_OPENING: Final = re.compile(r"\s?The\s[^,;:\"“”]{1,160}\Z", re.IGNORECASE)
_OTHER_CLAIMS: Final = re.compile(
    r"\b(?:insurance|medical|health|dental|warranty|expense|benefits?|compensation|liability|pharmacy|tax)\s\Z",
    re.IGNORECASE,
)
"""Words before "claim" that make it no claim of a patent."""

_CLOSING_QUOTES: Final = {'"': '"', "“": "”", "‘": "’", "'": "'", "«": "»"}


_WORD: Final = r"(?:[^\W\d_][\w-]*\s)"
_LEFT_OUT: Final = re.compile(
    rf"""\s*(?:
        The\s{_WORD}{{1,8}}?(?P<of>of(?:\sthe\s(?:preceding|previous))?)\s?(?:,|wherein\b|further\b)
      |(?:An?|The)\s{_WORD}{{1,8}}?(?P<to>according\sto|in\saccordance\swith
        |as\s(?:claimed|recited|defined|described|set\sforth)(?:\s(?:in|by))?)\s?(?:,|wherein\b|further\b)
      |(?P<bare>The\s{_WORD}{{0,5}}[^\W\d_][\w-]*)\s?,?\s(?:wherein|in\swhich|further\scomprising)\b)""",
    re.VERBOSE,
)
"""The opening of a dependent claim that lacks its reference: "The pump of, wherein", "The pump, wherein"."""


def references(text: str, number: int) -> tuple[Reference, ...]:
    """Every reference in the text of claim `number`, in order of appearance, none overlapping.

    A later claim that opens as a dependent one does, and names no claim, has a reference that names nothing.
    """
    found = _found(text, number) or _left_out(text, number)
    subject = subject_of(text) if found else None
    if subject is None:
        return found
    return tuple(
        replace(each, other_category=True) if refers_to_another(text, subject, each.start) else each
        for each in found
    )


def parents_of(text: str, number: int) -> tuple[int, ...]:
    """The claim numbers that the text refers to, each once, in order of appearance.

    Ranges are expanded; at most MAX_REFERENCES numbers. Numbers need not exist in the set.
    """
    found: dict[int, None] = {}
    for reference in _found(text, number):
        for parent in reference.numbers:
            if len(found) == MAX_REFERENCES:
                return tuple(found)
            found[parent] = None
    return tuple(found)


@kept_by_text
def _found(text: str, number: int) -> tuple[Reference, ...]:
    return tuple(_find(text, number))


def _find(text: str, number: int) -> Iterator[Reference]:
    for match in _CLAIM.finditer(text):
        start, end, listed = match.start(), match.end(), match["list"]
        if not _is_word(text, start) or _of_another_kind(text, start, end):
            continue
        if listed is None:
            reference = _unnumbered(text, number, start, end) if match["word"] else None
            if reference is not None:
                yield reference
        elif not _elsewhere(text, end):
            numbers = _expand(listed)
            yield _reference(start, end, numbers, _manner(text, start, listed, len(numbers)))


def _is_word(text: str, start: int) -> bool:
    """Whether a word begins at `start`, or one that a scan has joined to those before it: "ofclaim"."""
    if start == 0 or not text[start - 1].isalpha():
        return True
    return GLUED_TO_CLAIM.search(text, max(0, start - LOOK_BACK_CHARACTERS), start) is not None


def _of_another_kind(text: str, start: int, end: int) -> bool:
    """Whether "claim" means no claim of this set: it is quoted, or an insurance claim."""
    since = max(0, start - LOOK_BACK_CHARACTERS)
    return _OTHER_CLAIMS.search(text, since, start) is not None or _quoted(text, since, start, end)


def _quoted(text: str, since: int, start: int, end: int) -> bool:
    """Whether text[start:end] is in quotation marks with other words, or in some that no link precedes."""
    for opening, closing in _CLOSING_QUOTES.items():
        at = text.rfind(opening, since, start)
        opens = at >= 0 and (at == 0 or text[at - 1] in " \n([") and closing not in text[at + 1 : start]
        if opens and closing in text[end : end + LOOK_BACK_CHARACTERS]:
            alone = at == start - 1 and text.startswith(closing, end)
            return not (alone and _LINK.search(text, max(0, at - LOOK_BACK_CHARACTERS), at))
    return False


def _left_out(text: str, number: int) -> tuple[Reference, ...]:
    """The empty place of a reference that the opening of a claim calls for; () if it calls for none."""
    opening = _LEFT_OUT.match(text) if number > 1 else None
    if opening is None or opening.lastgroup is None:
        return ()
    start, end = opening.span(opening.lastgroup)
    return (Reference(start, end, (), several=False, cumulative=False),)


def _reference(
    start: int, end: int, numbers: tuple[int, ...], manner: Manner, *, preceding: bool = False
) -> Reference:
    several = len(numbers) > 1
    return Reference(start, end, numbers, several, several and manner is Manner.CUMULATIVE, manner, preceding)


def _elsewhere(text: str, end: int) -> bool:
    """Whether a reference that ends here means the claims of another document."""
    return _OTHER_DOCUMENT.match(text, end) is not None and _THIS_DOCUMENT.match(text, end) is None


def _manner(text: str, start: int, listed: str, count: int) -> Manner:
    if count == 1:
        return Manner.SINGLE
    if _CHOICE_INSIDE.search(listed) or _CHOICE.search(text, max(0, start - LOOK_BACK_CHARACTERS), start):
        return Manner.ALTERNATIVE
    if _AND_ALONE.search(listed):
        return Manner.CUMULATIVE
    return Manner.RANGE if _RANGED.search(listed) or not _OR_ALONE.search(listed) else Manner.ALTERNATIVE


def _unnumbered(text: str, number: int, start: int, end: int) -> Reference | None:
    """What "claim" without a number means: the claims before it, those after it, or (None) neither."""
    before = preceding_claims(text, start, end)
    if before is not None:
        numbers = _up_to(number, before.last)
        manner = Manner.ALTERNATIVE if before.choice else Manner.CUMULATIVE
        manner = manner if len(numbers) > 1 else Manner.SINGLE
        return _reference(before.start, before.end, numbers, manner, preceding=True)
    following = _FOLLOWING.search(text, max(0, start - LOOK_BACK_CHARACTERS), start)
    if following is not None:
        return Reference(following.start(), end, (), several=False, cumulative=False)
    if _names_nothing(text, number, start, end):
        return Reference(start, end, (), several=False, cumulative=False)
    return None


def _names_nothing(text: str, number: int, start: int, end: int) -> bool:
    """Whether a number is missing after "claim": "the pump of claim, wherein".

    Claims may also be what the claim is about ("a list of claims"), so that only a singular without article
    lacks its number everywhere; anything else does in the opening words of a dependent claim.
    """
    link = _LINK.search(text, max(0, start - LOOK_BACK_CHARACTERS), start)
    if link is None:
        return False
    if _BLANK.match(text, end):
        return True
    if not _GOES_ON.match(text, end):
        return False
    lone = not link["which"] and text[start:end].lower() == "claim"
    if lone and link["link"].lower() in _OF_A_NUMBER:
        return True
    return number > 1 and _OPENING.match(text[:start]) is not None


def _up_to(number: int, count: int | None) -> tuple[int, ...]:
    """The last `count` numbers before `number`, or all of them."""
    first = 1 if count is None else max(1, number - count)
    return tuple(range(first, min(number, first + MAX_REFERENCES)))


def _expand(written: str) -> tuple[int, ...]:
    """The numbers of "claims 1, 3 or 5-7": (1, 3, 5, 6, 7); at most MAX_REFERENCES and the last written.

    A number with a letter ("1A") is none.
    """
    numbers: dict[int, None] = {}
    last: int | None = None
    ranged = False
    for piece in _PIECE.finditer(written):
        if piece["letter"] is not None:
            last = None
            continue
        value = int(piece["number"].translate(_DIGITS)[:_DIGITS_READ])
        if ranged and last is not None:
            low, high = sorted((last, value))
            numbers.update(dict.fromkeys(range(low, min(high, low + MAX_REFERENCES - 1))))
        numbers[value] = None
        last, ranged = value, piece["to"] is not None
    return tuple(numbers)
