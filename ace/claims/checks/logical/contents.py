"""How much of what a thing contains: "comprises 0.05 to 0.4 wt% of carbon", "carbon in an amount of 0.3 to
0.6 wt%", "carbon makes up 0.3 wt% of the steel" and "a carbon content of 0.3 wt%" all give its amount.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import isfinite

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import IMPOSSIBLE_RANGE, RANGE_MISSED, RANGE_WIDENED
from ace.claims.checks.logical.stated_quantities import quantities_of, stated_quantities
from ace.claims.checks.logical.statements import Statement, at_times, staged, statements
from ace.claims.findings import Flaw
from ace.claims.language.quantities import Quantity
from ace.claims.language.subject_matter import subject_of
from ace.claims.language.tables import word_list
from ace.claims.language.units import common
from ace.claims.language.words import Triggered, lemma, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_SHARES = frozenset({"percent", "percent by weight", "percent by volume", "mole percent", "parts"})
_SHARE = Triggered(r"%|\bpercent\b|\bparts\sby\b", re.IGNORECASE, triggers=("%", "percent", "parts"))
_NEAR = 20
"""Contents before one that it is compared with."""
_OPENS = re.compile(
    r"\b(?:compris|contain|includ|consist)\w*(?:\sessentially)?(?:\sof)?(?:\s|[:,]\s?)|\bhaving\s",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\bclaims?\s[0-9]{1,4}\s?,?\s?(?:wherein\sthe\s(?:[\w-]+\s){1,4}?)?"
    r"(?:further\s)?(?=(?:compris|contain|includ|consist)\w*\s|having\s|has\s|with\s)",
    re.IGNORECASE,
)
# Where the list of what the claimed thing contains may pass to what another thing is or has.
_ENDS = re.compile(
    r"\b(?:compris|contain|includ|consist)\w*|\b(?:having|has|have|wherein|which|that|is|are|being|made|layer|region|phase"
    r"|portion|part|step|mixing|adding|providing|first|second|ratio|or)\b",
    re.IGNORECASE,
)
_NAME = r"(?P<name>[a-z][a-z-]{2,}(?:\s[a-z][a-z-]{2,})?)"
_AFTER = re.compile(
    rf"\s(?:by\s(?:weight|mass|volume)\s)?(?:of\s)?(?:the\s|said\s|an?\s)?{_NAME}(?=\s?(?:[,;.]|\Z|and\b|based\b|wherein\b))"
)
_IN_AN_AMOUNT = re.compile(
    rf"(?:\A|[\s,;]){_NAME}\s(?:in|at)\san?\s(?:amount|concentration|proportion)\s(?:of\s|ranging\s|in\sthe\srange\sof\s)?\Z"
)
_CONTENT = re.compile(rf"\b(?:an?|the|said)\s{_NAME}\s(?:content|concentration)\s(?:is\s|of\s)?\Z")
_NO_NAME = word_list("logic", "no_constituent")
_WINDOW = 90


@dataclass(frozen=True, slots=True)
class Content:
    """How much of `name` there is in `holder`, which is () for the claimed thing and None if it is not said.

    `said` is true if a statement has the constituent as its subject.
    """

    name: tuple[str, ...]
    quantity: Quantity
    holder: tuple[str, ...] | None = ()
    conditional: bool = False
    said: bool = False

    def same_place(self, other: Content) -> bool:
        """Whether both may speak of one thing."""
        return self.holder is None or other.holder is None or self.holder == other.holder


def misfitting_contents(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Contents of a claim that go beyond those that it, or an ancestor, gives of the same constituent."""
    if not _SHARE.search(claim.text):
        return
    own = [each for each in contents(reading, claim.text) if not each.conditional]
    ancestors = nearest_ancestors(reading, claim)
    earlier: dict[tuple[str, ...], list[Content]] = {}
    for each in own:
        yield from _against_ancestors(reading, each, ancestors)
        yield from _against_earlier(claim.text, each, earlier.setdefault(each.name, []))
        earlier[each.name].append(each)


def _against_ancestors(reading: Reading, each: Content, ancestors: Sequence[Claim]) -> Iterator[Flaw]:
    for ancestor in ancestors:
        named = _by_name(reading, ancestor.text).get(each.name, ())
        rivals = [other for other in named if each.same_place(other)]
        if not rivals:
            continue
        if len(rivals) == 1 and not rivals[0].conditional and _beyond(each.quantity, rivals[0].quantity):
            yield _flaw(each.quantity, rivals[0].quantity, ancestor)
        return


def _against_earlier(text: str, each: Content, earlier: list[Content]) -> Iterator[Flaw]:
    for other in earlier[-_NEAR:]:
        same = each.holder == other.holder or (len(earlier) == 1 and each.same_place(other))
        sure = each.holder != () and (each.holder or other.holder or each.said)
        if same and sure and _apart(each.quantity, other.quantity):
            why = f"No value satisfies both this and “{other.quantity.quoted(text)}”."
            span = each.quantity.start, each.quantity.end
            yield Flaw(IMPOSSIBLE_RANGE, *span, why, signals=("content", "same_claim"))
            return


def _apart(one: Quantity, other: Quantity) -> bool:
    return common(one.unit, other.unit) is not None and not one.meets(other)


@kept_with_set
def _by_name(reading: Reading, text: str) -> dict[tuple[str, ...], list[Content]]:
    found: dict[tuple[str, ...], list[Content]] = {}
    for each in contents(reading, text):
        found.setdefault(each.name, []).append(each)
    return found


def _beyond(mine: Quantity, theirs: Quantity) -> bool:
    return common(mine.unit, theirs.unit) is not None and not (mine.within(theirs) and mine.meets(theirs))


def _flaw(mine: Quantity, theirs: Quantity, ancestor: Claim) -> Flaw:
    quote = theirs.quoted(ancestor.text)
    if mine.meets(theirs):
        words = f"This goes beyond the range of claim {ancestor.number} (“{quote}”)."
        return Flaw(RANGE_WIDENED, mine.start, mine.end, words, signals=("content", "unit"))
    words = f"None of these values lies in the range of claim {ancestor.number} (“{quote}”)."
    return Flaw(RANGE_MISSED, mine.start, mine.end, words, signals=("content", "unit"))


@kept_with_set
def contents(reading: Reading, text: str) -> tuple[Content, ...]:
    """The contents that a text gives, in percent or parts; those of the claimed thing itself first."""
    if not _SHARE.search(text):
        return ()
    claimed = subject_of(text)
    names = () if claimed is None else (claimed.words, (claimed.head,))
    stated = tuple(
        replace(each, holder=()) if each.holder in names else each
        for each in islice(_stated(reading, text), MAX_STATEMENTS)
    )
    taken = {each.quantity.start for each in stated if each.holder}
    whole = tuple(each for each in _of_the_whole(reading, text) if each.quantity.start not in taken)
    taken.update(each.quantity.start for each in whole)
    return (*whole, *(each for each in stated if each.holder or each.quantity.start not in taken))


def _of_the_whole(reading: Reading, text: str) -> tuple[Content, ...]:
    refers = _REFERS.search(text)
    opens = _OPENS.search(text, refers.end() if refers else 0)
    if opens is None or (refers is None and re.search(r"\bclaims?\s[0-9]", text)):
        return ()
    if (
        refers is not None
        and opens.start() != refers.end()
        and not re.match(r"(?:has|with)\s", text[refers.end() :])
    ):
        return ()
    begin = opens.end() if refers is None or opens.start() == refers.end() else refers.end() + 4
    stop = _ENDS.search(text, begin)
    end = stop.start() if stop else len(text)
    return tuple(
        Content(name, quantity)
        for quantity in quantities_of(reading, text)
        if begin <= quantity.start < end
        and quantity.unit.dimension in _SHARES
        and (isfinite(quantity.low) or isfinite(quantity.high))
        and (name := _name(text, begin, quantity)) is not None
    )


def _name(text: str, begin: int, quantity: Quantity) -> tuple[str, ...] | None:
    before = text[max(begin - 1, quantity.start - _WINDOW) : quantity.start].lower()
    match = (
        _IN_AN_AMOUNT.search(before)
        or _CONTENT.search(before)
        or _AFTER.match(text[quantity.end : quantity.end + _WINDOW].lower())
    )
    if match is None:
        return None
    words = tuple(lemma(word) for word in match["name"].split())
    return words if _NO_NAME.isdisjoint(words) else None


_PRESENT = re.compile(
    r"(?:\bpresent|\bcontained|\bincluded|\bused|\bprovided|\badded)?\s?(?:in\s(?:the|said)\s(?P<holder>[a-z-]+(?:\s[a-z-]+){0,3}?)\s)?"
    r"(?:in\san?|at\san?|at|in)\s?(?:amount|concentration|proportion|level|content)?\s?(?:of|ranging|in\sthe\srange\sof)?\s?\Z"
)
_MAKING_UP = word_list("statements", "making_up")
_OF_HOLDER = re.compile(
    r"\s(?:by\s\w+\s)?of\s(?:the|said)\s(?P<holder>[a-z-]+(?:\s[a-z-]+){0,3}?)(?=\s?(?:[,;.]|\Z|and\b))"
)
_LIST_ENDS = re.compile(
    r"[;:]|\b(?:wherein|which|that|being|having|comprising|comprises|contains|includes|consists|is|are|or|ratio|first|second)\b"
)
_HOLDING = frozenset({"comprise", "consist", "contain", "have", "include"})
_COMPOSED = frozenset(
    {("composed", "of"), ("made", "of"), ("made", "from"), ("made", "up"), ("formed", "of")}
)


def _stated(reading: Reading, text: str) -> Iterator[Content]:
    """The contents that statements give: "the paste comprises 5 % of a binder", "a binder is at 5 %"."""
    shares = [each for each in quantities_of(reading, text) if each.unit.dimension in _SHARES]
    if not shares:
        return
    words = words_of(text)
    starts = [each.start for each in shares]
    for said in statements(reading, text):
        if said.negated or said.first >= len(words):
            continue
        begin = words[said.first].start
        limited = at_times(text, said) or staged(text, said)
        if said.verb in _HOLDING or (said.verb == "be" and said.complement[:2] in _COMPOSED):
            yield from _listed(text, said, begin, shares, limited)
            continue
        index = bisect_left(starts, begin)
        if index < len(starts) and starts[index] < begin + _WINDOW and said.subject.head not in _AMOUNTS:
            yield from _made_up(text, said, begin, shares[index], limited)
    yield from _of_amounts(reading, text)


def _made_up(text: str, said: Statement, begin: int, quantity: Quantity, limited: bool) -> Iterator[Content]:
    """ "water makes up 5 % of the paste", "water is present in the paste at 5 %"."""
    between = text[begin : quantity.start].lower()
    holder: re.Match[str] | None = None
    if said.verb in _MAKING_UP and between.strip() in {"", "up", "for"}:
        holder = _OF_HOLDER.match(text, quantity.end)
    elif said.verb == "be" and between.strip() and (present := _PRESENT.fullmatch(between)) is not None:
        holder = present if present["holder"] else None
    else:
        return
    yield Content(said.subject.words, quantity, _words(holder["holder"]) if holder else None, limited, True)


_AMOUNTS = frozenset({"amount", "concentration", "content", "percentage", "proportion", "share"})


def _listed(
    text: str, said: Statement, begin: int, shares: list[Quantity], limited: bool
) -> Iterator[Content]:
    """ "the paste comprises 5 % of a binder and 3 % of a filler"."""
    stop = _LIST_ENDS.search(text, begin)
    end = stop.start() if stop else len(text)
    for quantity in shares:
        if begin <= quantity.start < end and (name := _name(text, begin, quantity)) is not None:
            yield Content(name, quantity, said.subject.words, limited)


def _of_amounts(reading: Reading, text: str) -> Iterator[Content]:
    """ "the nickel content is 8 %", "a concentration of the salt in the bath is 2 %"."""
    for each in stated_quantities(reading, text):
        of = each.subject.of
        if (
            each.subject.words != ("amount",)
            or of[:1] != ("of",)
            or each.quantity.unit.dimension not in _SHARES
        ):
            continue
        name, _, holder = " ".join(of[1:]).partition(" in ")
        if name:
            yield Content(tuple(name.split()), each.quantity, tuple(holder.split()) or None, each.conditional)


def _words(written: str) -> tuple[str, ...]:
    return tuple(lemma(word) for word in written.lower().split())
