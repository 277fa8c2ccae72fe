"""What a quantity of a text is a quantity of: "a thickness of 5 to 10 mm", "2 % is the tin content"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set
from ace.claims.checks.logical.subjects import StatementSubject, conditional, is_known, subject_before
from ace.claims.language.quantities import Quantity, quantities
from ace.claims.language.subject_matter import subject_of
from ace.claims.language.tables import table, word_list
from ace.claims.reading import Reading

_LINK = re.compile(
    r"""(?:\b(?:is|are|being|be|was|of|in|within|at|an?|the|ranges?|ranging|equal|to|set|maintained|kept|held|limited|restricted|buffered|falls?|lies|
         selected|preferably|between|from|by|has|having|value|that|which|about|further|also|not|does|do|
         specifically|more|particularly|only|as|low|high|lie|lying|falling|comprised|typically|usually|generally|
         approximately|respectively|where|wherein)\b|[=:,(]|\((?!(?:[ivx]+|[a-z0-9])\))[^()]{1,12}\))\s?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_VERB = re.compile(r"\b(?:is|are|being|ranges|range|has|have|having|falls|lies)\b", re.IGNORECASE)
_HAS = re.compile(r"\b(?:has|have|having)\s\Z", re.IGNORECASE)
_OF = frozenset({"of", "between"})
_OF_AND_TO = _OF | {"to"}
_EXCEEDS = frozenset({"exceed", "exceeds"})
_AMOUNTS = frozenset({"amount", "content", "concentration", "proportion", "quantity", "percentage", "share"})


@dataclass(frozen=True, slots=True)
class StatedQuantity:
    """A quantity and what it is a quantity of. `predicative` where a verb says so of a known one:
    "the thickness is …". `at` are the quantities under which it is measured: "at 25 °C"."""

    subject: StatementSubject
    quantity: Quantity
    predicative: bool
    conditional: bool
    at: tuple[tuple[float, float, str], ...] = ()


@kept_with_set
def quantities_of(_reading: Reading, text: str) -> tuple[Quantity, ...]:
    """The quantities of a text."""
    return quantities(text)


@kept_with_set
def stated_quantities(reading: Reading, text: str) -> tuple[StatedQuantity, ...]:
    """The quantities of a text that have a name."""
    found = quantities_of(reading, text)
    named = (
        each
        for index, quantity in enumerate(found)
        if (each := _stated(text, found, index)) is not None and _measures(each.subject, quantity)
    )
    return tuple(islice(named, MAX_STATEMENTS))


def _measures(subject: StatementSubject, quantity: Quantity) -> bool:
    """Whether the quantity is the subject's, not that of "a viscosity at 25 °C", with a unit if need be."""
    dimension = _DIMENSIONS.get(subject.head)
    if (
        dimension is not None
        and quantity.unit.dimension in _MEASURED
        and quantity.unit.dimension != dimension
    ):
        return False
    return bool(quantity.word or quantity.unit.dimension or subject.head in _BARE)


def _stated(text: str, found: tuple[Quantity, ...], index: int) -> StatedQuantity | None:
    quantity = found[index]
    sized = _sized(text, quantity)
    if sized is not None:
        return sized
    at = quantity.start
    linked = _linked(text, at)
    before = found[index - 1] if index else None
    conditions: list[Quantity] = []
    if (
        before is not None
        and 0 <= linked - before.end < 2
        and _AT.search(text, max(0, before.start - 40), before.start)
    ):
        conditions.append(before)
        linked = _linked(text, before.start)
    after = found[index + 1] if index + 1 < len(found) else None
    measured = after is not None and _MEASURED_AT.fullmatch(text, quantity.end, after.start) is not None
    if after is not None and measured:
        conditions.append(after)
    exceeds = not _EXCEEDS.isdisjoint(quantity.word.split())
    verb = exceeds or _VERB.search(text, linked, at) is not None
    subject = subject_before(text, linked) if verb else _named_before(text, linked)
    if subject is None or "*" in text[max(0, subject.start - 2) : subject.end]:
        return None
    two = _ratio_of_two(text, subject)
    said = verb or two is not None
    subject, had = _had(text, _amount(text, two or subject))
    return StatedQuantity(
        subject,
        quantity,
        (said or had) and is_known(text, subject),
        conditional(text, subject.start, *_looked_behind(subject, quantity, after if measured else None)),
        tuple((each.low, each.high, each.unit.dimension) for each in conditions),
    )


def _looked_behind(subject: StatementSubject, quantity: Quantity, at: Quantity | None) -> tuple[int, int]:
    """Where a condition of the value may begin, and where it ends: not "when measured at 25 °C"."""
    return (subject.end, quantity.end) if at is None else (at.end, at.end)


def _named_before(text: str, at: int) -> StatementSubject | None:
    """What a quantity is of that follows without a verb: of "a solubility in water of" the solubility."""
    subject = subject_before(text, at, through=_OF)
    if subject is None or subject.head in _MEASURES:
        return subject
    for whole in (subject_before(text, at, through=_OF_AND_TO), subject_before(text, at)):
        if whole is not None and whole.head in _MEASURES:
            return whole
    return subject


_TWO = re.compile(
    r"""(?<![\w-])(?P<one>[a-z-]+)\sand\s(?:the\s|an?\s|said\s)?(?P<other>[a-z-]+)\s(?:(?:is|are)\s)?
        (?:(?:present|used|mixed|combined|contained)\s)?(?:in|at)\s\Z""",
    re.VERBOSE,
)


def _ratio_of_two(text: str, subject: StatementSubject) -> StatementSubject | None:
    """ "the resin and the filler are present in a ratio" as the ratio of the two, else None."""
    two = _TWO.search(text, max(0, subject.start - 80), subject.start) if subject.head == "ratio" else None
    if two is None or subject.of:
        return None
    return replace(subject, of=("of", two["one"], "to", two["other"]), definite=True)


def _linked(text: str, at: int) -> int:
    """Where the words begin that lead up to a quantity at `at`."""
    begin = max(0, at - 120)
    linked = at
    for _ in range(_MAX_LINKS):
        link = _LINK.search(text, max(begin, linked - 16), linked)
        if link is None:
            break
        linked = link.start()
        while linked > begin and text[linked - 1].isspace():
            linked -= 1
    return linked


def _sized(text: str, quantity: Quantity) -> StatedQuantity | None:
    """ "the plate is 5 mm thick" as its thickness."""
    adjective = _ADJECTIVE.match(text, quantity.end)
    compared = next((_MEASURED_BY[word] for word in quantity.word.split() if word in _MEASURED_BY), "")
    if (adjective is None or quantity.unit.dimension != "length") and not compared:
        return None
    linked = _linked(text, quantity.start)
    verb = _VERB.search(text, linked, quantity.start)
    subject = subject_before(text, linked) if verb is not None else None
    if subject is None or subject.of:
        return None
    if adjective is None and subject.head in _MEASURES:
        return None
    measure = _SIZES[adjective[1].lower()] if adjective is not None else compared
    limited = conditional(text, subject.start, subject.end, adjective.end() if adjective else quantity.end)
    whole = replace(subject, words=(measure,), of=("of", *subject.words))
    return StatedQuantity(whole, quantity, subject.definite, limited)


_SIZES: dict[str, str] = table("quantities")["sizes"]
_MEASURED_BY: dict[str, str] = table("quantities")["measured_by"]
_ADJECTIVE = re.compile(rf"\s(?:in\s)?({'|'.join(_SIZES)})\b", re.IGNORECASE)
_DIMENSIONS: dict[str, str] = table("quantities")["dimensions"]
_MEASURED = frozenset(_DIMENSIONS.values())
_MEASURES = frozenset(_DIMENSIONS) | {
    "ratio",
    "solubility",
    "selectivity",
    "conductivity",
    "capacity",
    "yield",
}
_BARE = word_list("quantities", "bare")
_AT = re.compile(
    r"\b(?:at|when\smeasured\sat)\s(?:a\s(?:temperature|wavelength|frequency|pressure)\sof\s)?\Z",
    re.IGNORECASE,
)
_MEASURED_AT = re.compile(
    r"\s(?:\(|,\s?)?(?:(?:as|when)\s)?(?:measured\s|determined\s)?at\s(?:an?\s\w+\sof\s)?", re.IGNORECASE
)


_MAX_LINKS = 12  # "is within a range of from at least about 5 to" has nine
_CLAIMED = re.compile(r"\bclaims?\s[0-9]{1,4}\s?,?\s?\Z", re.IGNORECASE)


def _had(text: str, subject: StatementSubject) -> tuple[StatementSubject, bool]:
    """ "the layer has a thickness" as the thickness of the layer, and whether it reads so. What follows
    "The film of claim 1, having" is the film's."""
    link = (
        None
        if subject.of or subject.definite
        else _HAS.search(text[max(0, subject.start - 10) : subject.start])
    )
    if link is None:
        return subject, False
    at = subject.start - len(link[0])
    claimed = subject_of(text)
    if claimed is not None and _CLAIMED.search(text, max(0, at - 20), at):
        return replace(subject, of=("of", claimed.head), definite=True), True
    owner = subject_before(text, at)
    if owner is None:
        return subject, False
    if claimed is not None and not owner.of and owner.words in (claimed.words, (claimed.head,)):
        return replace(subject, of=("of", claimed.head), definite=owner.definite), True
    return replace(subject, of=("of", *owner.words, *owner.of), definite=owner.definite), True


def _amount(text: str, subject: StatementSubject) -> StatementSubject:
    """ "the content of tin", "the tin content" and "tin in an amount" all as the amount of tin."""
    if subject.head not in _AMOUNTS:
        return subject
    of = subject.of
    if not of and len(subject.words) > 1:
        of = ("of", *subject.words[:-1])
    elif not of and (
        link := re.search(r"\b(?:in|at|present\sin)\s?\Z", text[max(0, subject.start - 12) : subject.start])
    ):
        owner = subject_before(text, subject.start - len(link[0]))
        of = ("of", *owner.words) if owner is not None else ()
        for word in ("present", "used", "contained"):
            of = tuple(each for each in of if each != word)
    return replace(subject, words=("amount",), of=of)
