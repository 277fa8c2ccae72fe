"""Lists without "and" or "or" before the last item."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ace.claims.checks.syntax.limbs import Limb, LimbList, Shape, lists_of
from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import NO_STEP, STEPS
from ace.claims.findings import Fix, Flaw

_LISTED: Final = frozenset({Shape.ELEMENT, Shape.STEP, Shape.VERB})
_MIN_LIMBS: Final = 2
_NO_AND: Final = "Neither “and” nor “or” joins the last item to the others."
_WORD: Final = re.compile(r"\S+")
_INNER: Final = re.compile(r",\s(?:and|or)\s(?:an?|one|at\sleast|[a-z]{3,20}ing)\s")
_STOP: Final = re.compile(r"[a-z)]\.\s[A-Z]")


def no_conjunction(text: str) -> Iterator[Flaw]:
    """Lists of limbs of one shape without "and" or "or" before the last: "a lid; a rotor".

    Signals: "two" for a list of two, "trailer" if clauses follow it, "nested" for a list in a limb, "mixed"
    if other limbs open otherwise; below, "named", "plain" and "commas" for lists between commas.
    """
    lists = lists_of(text)
    for found in () if not lists or _STOP.search(text) else lists:
        limbs, trailer = _without_clauses(found.limbs)
        if len(limbs) >= _MIN_LIMBS and found.shape in _LISTED:
            yield from _unjoined(text, found, limbs, trailer)


def _without_clauses(limbs: Sequence[Limb]) -> tuple[Sequence[Limb], bool]:
    """The limbs without the clauses after the last ("wherein ..."), and whether there were any."""
    count = len(limbs)
    while (
        count > 1
        and limbs[count - 1].shape in {Shape.CLAUSE, Shape.DEFINITE}
        and not (limbs[count - 1].joined or limbs[count - 1].label)
    ):
        count -= 1
    return limbs[:count], count < len(limbs)


def _unjoined(text: str, found: LimbList, limbs: Sequence[Limb], trailer: bool) -> Iterator[Flaw]:
    last = limbs[-1]
    if any(limb.joined for limb in found.limbs[1:]) or last.shape is not found.shape:
        return
    if len(limbs) == _MIN_LIMBS and _INNER.search(text, last.start, last.end):
        return  # "a lid; a rotor, and a shaft": a third limb behind a comma
    if _joins_behind_comma(text, found.shape, last):
        return
    signals = []
    if len(limbs) == _MIN_LIMBS:
        signals.append("two")
    if trailer:
        signals.append("trailer")
    if found.depth:
        signals.append("nested")
    if len({limb.shape for limb in limbs}) > 1:
        signals.append("mixed")
    mark = last.begin - 1
    start = text.rfind(" ", 0, mark) + 1
    word = _WORD.match(text, last.start)
    end = word.end() if word else last.start
    fix = Fix(mark, mark + 1, "; and") if text[mark] == ";" else None
    yield Flaw(RULE["missing_conjunction"], start, end, _NO_AND, fix, tuple(signals))


_LABELLED: Final = re.compile(r"[,;]\s?(?:and|or)\s?\(?([a-z]{1,4}|[0-9]{1,2})[).]\s")
_SHAPED: Final = {
    Shape.ELEMENT: re.compile(r",\s(?:and|or)\s(?:an?|one\sor\smore|at\sleast\sone)\s"),
    Shape.STEP: re.compile(r",\s(?:and|or)\s(?:then\s)?[a-z]{3,20}ing\s(?:an?|the|said|at\sleast|each)\s"),
}
_OPENS_LIST_WITHIN: Final = re.compile(
    r"[:,]|\b(?:by|wherein|where|which|that|when|if|while|compris\w+|includ\w+|having|containing|between|from|of"
    r"|using|based|configured|such|to|for|with)\b"
)


def _joins_behind_comma(text: str, shape: Shape, last: Limb) -> bool:
    """Whether the last limb holds another one, which an "and" joins to it: "a rotor, and a shaft", "b. drying
    a film, and c. cooling it"."""
    labelled = _LABELLED.search(text, last.start, last.end)
    if labelled is not None and last.label and labelled[1] == _next_label(last.label):
        return True
    pattern = _SHAPED.get(shape)
    joint = pattern.search(text, last.start, last.end) if pattern is not None else None
    return joint is not None and not _OPENS_LIST_WITHIN.search(text, last.start, joint.start())


_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")


def _next_label(label: str) -> str:
    """What follows a label: "b" after "a", "3" after "2", "iii" after "ii"."""
    if label.isdigit():
        return str(int(label) + 1)
    if label in _ROMAN[:-1] and (label != "i" or len(label) > 1):
        return _ROMAN[_ROMAN.index(label) + 1]
    return chr(ord(label) + 1) if len(label) == 1 else ""


_SOME: Final = r"(?:at\sleast\sone\sof|one\sor\smore\sof|any\s(?:one\s)?of|(?:either\s)?one\sof)"
_ENUMERATES: Final = re.compile(
    rf"""\b(?:(?P<closed>consisting\s(?:essentially\s)?of|(?:selected|chosen)\sfrom\s(?:the|a)\sgroup\sof
             |(?:selected|chosen)\sfrom(?!\sthe\sgroup|\sa\sgroup)
             |(?P<some>{_SOME})(?!\s(?:claims?|the\spreceding)\b))
          |(?:is|are|be|compris(?:es|ing)|includ(?:es|ing))   # no list that a closed one opens later
             (?!\s(?:[a-z]+ly\s)?(?:selected|chosen|one|any|at|from|either|[a-z]+ed)\b)
             (?![^,;.:]{{0,80}}\b(?:consisting|selected|chosen|(?:one|more|any)\sof)\b))
        (?:\sthe\sfollowing)?\s?:?\s
        (?=[^,;.:()\[\]]{{1,60}},\s)""",
    re.VERBOSE,
)
# Items are commas apart; a comma in a number or a formula has no space behind it.
_ITEMS: Final = re.compile(
    r"""(?:[^,;:.()\[\]{}]
          |\((?:[^()]|\([^()]{0,40}\)){0,80}\)|\[[^\[\]]{0,80}\]   # in brackets
          |[.,:](?=[^\s.,;:)])                                     # in a number or a formula
          |(?<=\ssp)\.|(?<=\s[A-Z])\.){1,80}                      # of an abbreviation
        (?P<more>,\s)?+""",
    re.VERBOSE,
)
_JOINS: Final = re.compile(r"(?<![\w-])(?:and|or|and/or|as\swell\sas|plus|nor)\b", re.IGNORECASE)
_CLAUSE_OPENS: Final = re.compile(
    r"""(?:where\w*|which|that|said|the|each|such|thereby|so|with|having|being|in\s(?:which|an?)|for|to|by|at|when
        |if|as|of|from|on|further|based|via|through|upon|after|before|during|using|[a-z]+ing|[a-z]+ed\s(?:with|by|from|in|on|to|via|through))\b""",
    re.VERBOSE,
)
_FINITE: Final = re.compile(
    r"\b(?:is|are|has|have|being|having|comprises?|includes?|may|can|wherein|which|that|configured|such)\b"
)
# Quick to look for: a last item without "and" or "or", and no clause that follows the list.
_UNJOINED_END: Final = re.compile(
    rf"""(?:,\s(?!and\b|or\b|{_CLAUSE_OPENS.pattern}[^,;()\[\]]*+(?![()\[\]]))
        [^,;]{{1,90}}(?:\.\s?\Z|;|,\swhere))""",
    re.VERBOSE,
)
_ENUMERATION_ENDS: Final = re.compile(r"\.?\s?\Z|;\s(?!and\b|or\b)|,\s(?:wherein|whereby|where)\b")
_ARTICLE: Final = re.compile(r"(?:an?|the|said|one|two)\s")
_MAX_ITEMS: Final = 400
_MIN_ITEMS: Final = 3


def unclosed_enumeration(text: str) -> Iterator[Flaw]:
    """A list of names with neither "and" nor "or" before the last: "selected from copper, tin, zinc"."""
    done = 0
    for match in _ENUMERATES.finditer(text) if _UNJOINED_END.search(text) else ():
        if match.start() < done:
            continue
        items, end = _items(text, match.end())
        done = end
        if len(items) < (2 if match["closed"] and not match["some"] else _MIN_ITEMS):
            continue
        if any(_JOINS.search(text, *item) for item in items) or not _ENUMERATION_ENDS.match(text, end):
            continue
        if _goes_on(text, end):
            continue
        if not all(_names(text, item) for item in items) or (
            not match["closed"] and _are_adjectives(text, items)
        ):
            continue
        start = items[-2][0]
        signals = ("named",) if match["closed"] else ("plain",)
        word = "and " if match["closed"] and not match["some"] else "or "
        fix = Fix(items[-1][0], items[-1][0], word) if match["closed"] else None
        yield Flaw(RULE["missing_conjunction"], start, items[-1][1], _NO_AND, fix, signals)


def _items(text: str, begin: int) -> tuple[list[tuple[int, int]], int]:
    """The spans of the items from `begin` on, and where the list ends."""
    items: list[tuple[int, int]] = []
    while len(items) < _MAX_ITEMS and (item := _ITEMS.match(text, begin)) is not None:
        if items and _CLAUSE_OPENS.match(text, begin):
            return items, begin - 2
        end = item.start("more") if item["more"] else item.end()
        items.append((begin, end))
        begin = item.end()
        if not item["more"]:
            return items, end
    return items, begin


_SEGMENT: Final = re.compile(r";\s([^;.]{1,400})")
_JOINED_SEGMENT: Final = re.compile(r"(?:and/or|and|or)\s|.*?(?:,\s|\s)(?:and|or|and/or)\s")
_NO_NAME: Final = re.compile(
    r"(?:where\w*|that|said|the|each|such|thereby|so|with|having|wherein|optionally|[a-z]+ing|\(?[a-z0-9]{1,3}[).])\b"
)


def _goes_on(text: str, end: int) -> bool:
    """Whether a semicolon stands for a comma and the list goes on to its "and": "tin; zinc, and lead"."""
    while (segment := _SEGMENT.match(text, end)) is not None:
        if _NO_NAME.match(segment[1]) or _FINITE.search(segment[1]):
            return False
        if _JOINED_SEGMENT.match(segment[1]):
            return True
        end = segment.end()
    return False


def _are_adjectives(text: str, items: Sequence[tuple[int, int]]) -> bool:
    """Whether the items may be adjectives of the last: "a large, flat, thin plate"."""
    articles = [_ARTICLE.match(text, *item) is not None for item in items]
    return articles[0] and not all(articles)


def _names(text: str, item: tuple[int, int]) -> bool:
    """Whether the item may be a name: neither long nor with a verb."""
    words = text[item[0] : item[1]].split(None, 9)
    return len(words) < 9 and not _FINITE.search(text, *item)


_BODY: Final = re.compile(
    r"\b(?:compris(?:ing|es)(?:\sthe\s(?:\w+\s)?(?:steps|acts)\sof)?|consist(?:ing|s)\sof|steps\sof)\s?:?\s?(?=\S)"
)
_NEXT_STEP: Final = re.compile(
    r"(?P<and>\b(?:and|or)\s(?:then\s)?)?\b(?P<gerund>[a-z]{3,20}ing)\s(?:an?|the|said|at\sleast|one|each|by|from)\b"
)
_COMMA: Final = re.compile(r",\s(?:\(?[a-z]\)\s)?(?:then\s)?\Z")
_MIN_STEPS: Final = 3


def no_conjunction_between_commas(text: str) -> Iterator[Flaw]:
    """The same for steps between commas: "comprising heating a plate, cooling the plate, drilling a hole"."""
    opener = _BODY.search(text) if ";" not in text else None
    if opener is None or text.find(":", opener.end()) >= 0 or not _NEXT_STEP.match(text, opener.end()):
        return
    steps = [match for match in _NEXT_STEP.finditer(text, opener.end()) if match["gerund"] not in NO_STEP]
    if any(step["and"] for step in steps):
        return
    opened = [
        step
        for step in steps
        if step.start() == opener.end() or _COMMA.search(text, max(0, step.start() - 12), step.start())
    ]
    if len(opened) < _MIN_STEPS or opened[0].start() != opener.end() or opened[-1]["gerund"] not in STEPS:
        return
    last = opened[-1]
    start = text.rfind(" ", 0, last.start() - 1) + 1
    yield Flaw(
        RULE["missing_conjunction"],
        start,
        last.end("gerund"),
        _NO_AND,
        Fix(last.start(), last.start(), "and "),
        ("commas",),
    )
