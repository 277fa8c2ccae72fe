"""Which other claims a claim's text refers to: "claim 3", "claims 1, 3 or 5-7", "any preceding claim".

Reads text only; checks/dependency decides whether a reference is allowed. One pass over a claim finds the
word "claim"; the words around it decide what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from ace.claims.language.subject_matter import refers_to_another, subject_of
from ace.claims.language.words import kept_by_text

MAX_REFERENCES = 100
"""How many numbers the references of one claim may mean; a longer range keeps its beginning and its end."""

_LOOK_BACK_CHARACTERS = 80
"""Characters before the word "claim" that may say whether it leaves a choice ("any one of the …")."""


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


_NUMBER = r"(?:[0-9]{1,9}(?![0-9])(?!\.[0-9])|[lI](?![\w'’]))(?:\([a-z0-9]{1,4}\))?"
_DASH = r"[-‐‑‒–—−~]"
_TO = rf"\s?(?:{_DASH}|(?:(?:up\s)?to|through|thru|until)\b(?:\sand\sincluding\b)?)\s?"
_UNIT = (
    r"(?:%|°|℃|(?:percent|wt|vol|mol|mole|moles|molar|mg|kg|g|mm|cm|nm|[µμ]m|[µμ][lg]|m|ml|l|hz|khz|mhz|v|k|ppm|kda|bp"
    r"|pa|kpa|mpa|psi|bar|fold|times|carbons?|atoms?|hours?|hrs?|minutes?|min|seconds?|days?|weeks?|months?"
    r"|years?|parts?|equivalents?|degrees?|inch|inches)\b)"
)
_NO_QUANTITY = rf"(?!(?:{_TO}[0-9.]+)?[\s-]{{0,3}}{_UNIT})"
# "claim 1 and 3 bolts": a number before a plural noun counts things, not claims.
_NO_COUNT = (
    r"(?!\s(?!(?:is|as|has|was|this|thus|comprises|includes|contains|consists|further)\b)[a-z]{2,}s\b)"
)
_ITEM = rf"(?(bracket)[(\[]?){_NUMBER}(?(bracket)[)\]]?){_NO_QUANTITY}"
_AGAIN = (
    r"(?:(?:(?:as|according|accordance|claimed|recited|defined|set|forth|described|in|of|to|by|with|the|any|either"
    r"|one|or|more)\s){0,7}claims?\s?|(?:any|either|one)\s(?:one\s)?of\s)?"
)
_OR = r"\s?(?:,\s?)?(?:\b(?:and\s?/\s?or|or)\b|/)\s?"
_AND = r"\s?(?:,\s?)?(?:\b(?:and|plus)\b|&)\s?"
_MORE_TO_COME = (
    rf"(?=\s?(?:,|{_DASH}|/|&|(?:to|through|thru|and|or|wherein|where|in\swhich|characteri[sz]ed)\b|\.\s?$))"
)
_CLAIM = re.compile(
    rf"""[Cc](?<![A-Za-z].)(?i:laim(?:s|\(s\))?
         (?![a-z'’-])
         (?P<list>
           \s?(?:[.:\#]\s?)?(?:(?:nos?|numbers?)\b\.?\s?|(?:of|in)\s(?=[0-9]+\s?(?:,|\.\s?$|wherein\b|further\b)))?
           (?P<bracket>[(\[])?{_NUMBER}(?(bracket)[)\]])
           (?:{_TO}{_AGAIN}{_ITEM}
             |{_OR}{_AGAIN}{_ITEM}
             |{_AND}{_AGAIN}{_ITEM}{_NO_COUNT}
             |\s?,\s?{_AGAIN}{_ITEM}{_MORE_TO_COME})*)?)""",
    re.VERBOSE,
)
_PIECE = re.compile(rf"(?P<number>[0-9]+|\b[lI]\b)(?:\([a-z0-9]+\))?[)\]]?(?P<to>{_TO})?", re.IGNORECASE)
_AND_ALONE = re.compile(r"\band\b|&|\bplus\b", re.IGNORECASE)
_RANGED = re.compile(rf"[0-9)]{_TO}{_AGAIN}[0-9]", re.IGNORECASE)
_OR_ALONE = re.compile(r"\bor\b|/", re.IGNORECASE)
_CHOICE_INSIDE = re.compile(r"\b(?:any|either|one)\b", re.IGNORECASE)
_CHOICE = re.compile(
    r"""\b(?:any(?:one)?|either|one|a|several|whichever)
        (?:\s(?:(?:one|or|more|several|some|of|the|in|to|from|claims?|said|preceding|previous|prior|foregoing|above
           |according|among|amongst|out)\b|\(s\))){0,24}\s?\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHER_DOCUMENT = re.compile(
    r"""\s?(?:,\s?)?(?:of|in|from)\s(?:[\w.'’-]+\s){0,4}?
        (?:(?:patents?|applications?|pat\.|publications?)\s?
             (?:,|\.|;|\Z|\(|[0-9]|(?:no|nos|number|serial|ser|publication|application|filed|by|and|or|which|that|wherein)\b)
          |(?:US|EP|WO|PCT|DE|JP|GB|FR|CN)[\s/-]?[A-Z]{0,2}[\s/-]?[0-9]|U\.\s?S\.)""",
    re.IGNORECASE | re.VERBOSE,
)
_THIS_DOCUMENT = re.compile(r"\s?(?:,\s?)?(?:of|in)\s(?:the\s(?:present|instant)|this)\b", re.IGNORECASE)
_BEFORE = (
    r"(?:preceding|preceeding|proceeding|precedent|previous|prior|foregoing|above(?:[\s-]mentioned)?|afore(?:mentioned|said|going)"
    r"|earlier|former)"
)
_PRECEDING = re.compile(
    rf"""(?:\b(?P<choice>(?:any|either|each|one|all|several|a|an|some|at\sleast\sone)
             (?:\s(?:one|or|more|several|some|of)){{0,24}}(?:\s(?:the|said))?)\s|\b(?P<the>the)\s)?
         (?:immediately\s|directly\s)?\b{_BEFORE}\s\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_FOLLOWING = re.compile(
    r"\b(?:any|either|one)\s(?:(?:one|or|more|of|the)\s){0,24}(?:following|subsequent|succeeding)\s\Z",
    re.IGNORECASE,
)
_ABOVE = re.compile(r"\s(?:above|hereinabove|hereinbefore)\b", re.IGNORECASE)
_ANY = re.compile(r"\b(?:any|one|either)\s(?:(?:one|or|more|of|the)\s){0,24}\Z", re.IGNORECASE)
_LINK = re.compile(
    r"\b(?:of|according\sto|in|by|with|per)\s(?:(?:any|one|either|of|the|said|a|another)\s){0,6}\Z",
    re.IGNORECASE,
)
_BLANK = r"(?:_+|\.{2,}|…|[#?*]+|\(\s?\)|\[\s?\]|[Xx]{1,3}\b|[Nn]o\.?|[Nn](?!\w))"
_NAMES_NOTHING = re.compile(
    rf"""\s?(?:{_BLANK}\s?)?(?:[,.;:]|\Z|(?:wherein|where|further|in\swhich|which|that|having|comprising|comprises|including|for|when|and
       |or|additionally|characteri[sz]ed)\b)""",
    re.IGNORECASE | re.VERBOSE,
)


_WORD = r"(?:[^\W\d_][\w-]*\s)"
_LEFT_OUT = re.compile(
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
        listed = match["list"]
        if listed is None:
            found = _unnumbered(text, number, match.start(), match.end())
            if found is not None:
                yield found
        elif not _elsewhere(text, match.end()):
            numbers = _expand(listed)
            manner = _manner(text, match.start(), listed, len(numbers))
            yield _reference(match.start(), match.end(), numbers, manner)


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
    if _CHOICE_INSIDE.search(listed) or _CHOICE.search(text, max(0, start - _LOOK_BACK_CHARACTERS), start):
        return Manner.ALTERNATIVE
    if _AND_ALONE.search(listed):
        return Manner.CUMULATIVE
    return Manner.RANGE if _RANGED.search(listed) or not _OR_ALONE.search(listed) else Manner.ALTERNATIVE


def _unnumbered(text: str, number: int, start: int, end: int) -> Reference | None:
    """What "claim" without a number means: the claims before it, those after it, or (None) neither."""
    since = max(0, start - _LOOK_BACK_CHARACTERS)
    before = _PRECEDING.search(text, since, start)
    if before is not None:
        only_one = not before["choice"] and not text[start:end].lower().endswith("s")
        last = (number - 1,) if number > 1 else ()
        numbers = last if only_one else _up_to(number)
        return _reference(
            before.start(), end, numbers, _manner_before(before["choice"], numbers), preceding=True
        )
    after = _ABOVE.match(text, end)
    choice = _ANY.search(text, since, start)
    if after is not None and choice is not None:
        numbers = _up_to(number)
        return _reference(
            choice.start(), after.end(), numbers, _manner_before("any", numbers), preceding=True
        )
    following = _FOLLOWING.search(text, since, start)
    if following is not None:
        return Reference(following.start(), end, (), several=False, cumulative=False)
    if _NAMES_NOTHING.match(text, end) and _LINK.search(text, since, start):
        return Reference(start, end, (), several=False, cumulative=False)
    return None


def _up_to(number: int) -> tuple[int, ...]:
    return tuple(range(1, min(number, MAX_REFERENCES + 1)))


def _manner_before(choice: str | None, numbers: tuple[int, ...]) -> Manner:
    if len(numbers) < 2:
        return Manner.SINGLE
    together = choice is None or choice.lower().startswith(("all", "each"))
    return Manner.CUMULATIVE if together else Manner.ALTERNATIVE


def _expand(written: str) -> tuple[int, ...]:
    """The numbers of "claims 1, 3 or 5-7": (1, 3, 5, 6, 7); at most MAX_REFERENCES and the last written."""
    found: dict[int, None] = {}
    last: int | None = None
    ranged = False
    for piece in _PIECE.finditer(written):
        digits = piece["number"]
        value = int(digits) if digits.isdecimal() else 1
        if ranged and last is not None:
            low, high = sorted((last, value))
            found.update(dict.fromkeys(range(low, min(high, low + MAX_REFERENCES - 1))))
        found[value] = None
        last, ranged = value, piece["to"] is not None
    return tuple(found)
