"""Limbs of a claim (its elements and steps) that run together because a punctuation mark is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import LIST_BEGINS, NO_ELEMENT, NO_NOUN, NO_STEP, REFERS, STEPS
from ace.claims.findings import Fix, Flaw

_NEXT_ELEMENT = re.compile(r"\s(?P<next>an?|at\sleast\sone|one\sor\smore)\s[a-z]")
_NOUN = re.compile(r"[a-z-]{3,}|[A-Z][A-Za-z]+")
_ORDINALS = frozenset({"first", "second", "third", "said", "same", "respective"})
_VERB_AFTER = frozenset(
    {"to", "can", "may", "will", "not", "and", "or", "that", "which", "who", "shall", "must"}
)
_NOUN_CHARACTERS = 40
_ELEMENT = re.compile(
    r"(?P<before>[;:,]|(?<![\w-])[a-z-]+)\s(?:an?|the|said|at\sleast\sone|one\sor\smore)\s"
    r"(?P<adjectives>(?:[a-z-]+\s){0,3}?)$"
)
_ELEMENT_CHARACTERS = 90
_NOUN_STANDS = re.compile(r"(?<![a-z-])([a-z-]++)(?:[,;:.]|\s(?:of|is|are|has|wherein|comprising|and|or)\b)")
_FRONTS = re.compile(
    r"\b(?:when|if|while|once|where|upon|until|after|before|during|each|in\sresponse|which|that|as|such)\b[^;:]{0,160}$"
)
_RUNS_ON = "No punctuation mark separates one element from the next."


_OPENERS = re.compile(r"[:;]\s?(?:and\s|or\s)?(?:\(?[a-z0-9]{1,3}[).]\s?)?([a-z]+)")
_MIN_OPENERS = 2
_ACTS_ON = re.compile(
    r"\b(?:[a-z]+ing|provides|sends|gives)\s(?:[a-z]+ly\s)?(?:to|in|on|at|by|from|via|into|for|with)\s"
)


def run_together(text: str) -> Iterator[Flaw]:
    """Each element that runs into the next one: "a valve a motor".

    An element named after its place ("storing in the memory a key") is not flagged. The signal "fronted"
    says that this may be one, "listed" that other limbs of the claim open with an article.
    """
    claim = _ElementsOf(text)
    for match in _NEXT_ELEMENT.finditer(text):
        noun = text[max(0, match.start() - _NOUN_CHARACTERS) : match.start()].rpartition(" ")[2]
        if _may_end_element(noun):
            start = match.start() - len(noun)
            signals = claim.signals(noun, text[max(0, start - _ELEMENT_CHARACTERS) : start])
            if signals is not None:
                yield Flaw(RULE["missing_punctuation"], start, match.end("next"), _RUNS_ON, None, signals)


def _may_end_element(word: str) -> bool:
    verbal = word.endswith(("ing", "ed", "ly"))
    return word not in NO_NOUN and not verbal and _NOUN.fullmatch(word) is not None


class _ElementsOf:
    """How the elements of one claim are written; computed only when needed."""

    def __init__(self, text: str) -> None:
        self._text = text

    def signals(self, noun: str, before: str) -> tuple[str, ...] | None:
        """Signals of a noun that runs into an article, given the words before it; None if it may do so."""
        element = _ELEMENT.search(before)
        if element is not None and not (set(element["adjectives"].split()) - _ORDINALS).isdisjoint(NO_NOUN):
            element = None
        # "the housing defines a": a word that is a noun elsewhere in the claim is not a verb here.
        if (element is None or element["adjectives"]) and not self._is_noun(noun):
            return None
        if element is None:
            return ("bare",) if self._is_listed and _opens_limb(before) else None
        if element["before"] in LIST_BEGINS:
            return ()
        if _ACTS_ON.search(before):
            return None
        return ("listed",) if self._is_listed else ("fronted",)

    def _is_noun(self, word: str) -> bool:
        """Whether the word is used as a noun elsewhere, and cannot be a verb in the singular."""
        return word in self._nouns and (word[-1] != "s" or word[-2] == "s")

    @cached_property
    def _nouns(self) -> set[str]:
        return set(_NOUN_STANDS.findall(self._text))

    @cached_property
    def _is_listed(self) -> bool:
        return _is_list_of_elements(self._text)


def _opens_limb(before: str) -> bool:
    """Whether a noun without article after these words may be an element, rather than an object."""
    last = before.rstrip()
    if last[-1:] in ";:," or last.rpartition(" ")[2].lower() in _VERB_AFTER:
        return False
    return not _FRONTS.search(before) and not _ACTS_ON.search(before)


def _is_list_of_elements(text: str) -> bool:
    """Whether the limbs of the claim open with "a" and its like."""
    openers = _OPENERS.findall(text)
    return sum(opener in {"a", "an", "at", "one"} for opener in openers) >= _MIN_OPENERS


_LIMB_OPENS = re.compile(
    r"\s?(?:(?P<article>an?|at\sleast\sone|one\sor\smore)\s|(?P<step>[a-z]{3,}ing)\s(?:an?|the|said)\s)"
)
_LIST = re.compile(
    r"\b(?:compris(?:ing|es)|includ(?:ing|es)|having|consist(?:ing|s)\sof|steps?\sof)\s?:?\s?(?=\S)"
)
_JOINED = re.compile(r"\b(?:and|or|and/or)\W*\Z|\A\s?(?:and|or\b)", re.IGNORECASE)
_STOP = re.compile(r"\.\s[A-Z]")
_MIN_LIMBS = 2


def no_conjunction(text: str) -> Iterator[Flaw]:
    """A list of limbs of one shape, separated by semicolons, with neither "and" nor "or" before the last:
    "comprising a housing; a rotor; a valve"."""
    first = _LIST.search(text)
    if first is None or ":" in text[first.end() :] or _STOP.search(text):
        return
    limbs = text[first.end() :].split(";")
    if len(limbs) < _MIN_LIMBS or any(_JOINED.search(limb) for limb in limbs):
        return
    shapes = {_shape(limb) for limb in limbs}
    if len(shapes) > 1 or None in shapes:
        return
    mark = text.rfind(";")
    start = text.rfind(" ", 0, mark) + 1
    opens = _LIMB_OPENS.match(text, mark + 1)
    end = opens.end() - 1 if opens else mark + 1
    why = "Neither “and” nor “or” joins the last item to the others."
    signals = ("two",) if len(limbs) == _MIN_LIMBS else ()
    yield Flaw(RULE["missing_conjunction"], start, end, why, Fix(mark, mark + 1, "; and"), signals)


def _shape(limb: str) -> str | None:
    opens = _LIMB_OPENS.match(limb)
    return opens.lastgroup if opens else None


_AFTER_NUMERAL = re.compile(
    r"(?<![\w-])(?P<noun>[a-z-]{3,40})(?P<numeral>\s?\([1-9][0-9]{0,3}[a-z]?['′]?\))\s(?P<next>an?|at\sleast\sone)\s[a-z]"
)


def after_numerals(text: str) -> Iterator[Flaw]:
    """The same after a reference numeral: "a valve (12) a motor (14)"."""
    if ") a" not in text:
        return
    for match in _AFTER_NUMERAL.finditer(text):
        noun = match["noun"]
        if noun in NO_NOUN or noun in NO_ELEMENT or noun.endswith(("ing", "ed")):
            continue
        start, end = match.start("noun"), match.end("next")
        yield Flaw(RULE["missing_punctuation"], start, end, _RUNS_ON, None, ("listed",))


_NEXT_STEP = re.compile(
    r"(?<![\w-])(?P<noun>[A-Za-z][A-Za-z-]{2,40})(?=\s(?P<step>[a-z]{3,20}ing)\s"
    r"(?:an?|the|said|at|one|each|by|via|whether|that|first)\b)"
)


_IN_STEP = re.compile(r"[:;]\s?(?:and\s?)?(?:\(?[a-z0-9]{1,3}[).]\s?)?[a-z]+ing\b[^:;]*$")
_STEP_CHARACTERS = 600
# "the filter, the filter separating a gas": a gerund said of the noun before it.
_ABSOLUTE = re.compile(r"(?:,|\b(?:and|each|both|with))\s(?:the|said|an?|one|each)\b[^,;:]{0,160}$")


def run_together_steps(text: str) -> Iterator[Flaw]:
    """Each step that runs into the next one, in a claim whose other limbs open with a gerund.

    "a signal indicating the state" looks the same, so a gerund that opens no other limb is flagged only if
    it seldom modifies a noun ("acts").
    """
    openers = [opener for opener in _OPENERS.findall(text) if opener.endswith("ing")]
    if len(openers) < _MIN_OPENERS:
        return
    for match in _NEXT_STEP.finditer(text):
        noun, step = match["noun"], match["step"]
        if step in NO_STEP or noun in NO_NOUN or noun.endswith(("ing", "ly", "wherein", "the")):
            continue
        acts = step in STEPS
        if (step not in openers and not acts) or not _IN_STEP.search(
            text, max(0, match.start() - _STEP_CHARACTERS), match.start()
        ):
            continue
        why = "No punctuation mark separates one step from the next."
        absolute = _ABSOLUTE.search(text, max(0, match.start() - _ELEMENT_CHARACTERS), match.end("noun"))
        signals = ("steps", *(("acts",) if acts else ()), *(("absolute",) if absolute else ()))
        yield Flaw(RULE["missing_punctuation"], match.start(), match.end("step"), why, None, signals)


_LIMB_LABEL = re.compile(
    r"(?<![\w-])(?P<before>[a-z]{3,40})\s(?P<label>\(?(?P<letter>[b-k]|ii|iii|iv|[2-9])[).])\s[a-z]"
)
_LABELS_BEFORE = {"ii": "i", "iii": "ii", "iv": "iii"}
_FIRST_LABELS = (" a)", "(a)", " a.", " i)", "(i)", " i.", " 1)", "(1)", " 1.")
_MAX_LABELS = 50


def unmarked_labels(text: str) -> Iterator[Flaw]:
    """A label "b)" that opens a limb after a limb without a mark at its end."""
    if not any(first in text for first in _FIRST_LABELS):
        return
    for match in islice(_LIMB_LABEL.finditer(text), _MAX_LABELS):
        if match["before"] in REFERS or match["before"] in NO_NOUN or not _label_before(match, text):
            continue
        start, end = match.start("before"), match.end("label")
        why = f"No punctuation mark precedes the item “{match['label']}”."
        yield Flaw(RULE["missing_punctuation"], start, end, why, None, ("labelled",))


def _label_before(match: re.Match[str], text: str) -> bool:
    """Whether the preceding label opened a limb: "a)" before "b)"."""
    letter = match["letter"]
    before = _LABELS_BEFORE.get(letter) or chr(ord(letter[0]) - 1)
    found = text.find(f" {match['label'].replace(letter, before)} ", 0, match.start())
    return found > 0 and text[found - 1] in ":;,"


_MARKS = (",", ";", ":", ".", "–", "—", "-", " and", " or")
_LIMB_START = re.compile(
    r"\s?(?:\(?[a-z0-9]{1,3}[).]\s)?(?:an?|the|said|at\sleast|one\sor\smore|wherein|[a-z]+ing)\s",
    re.IGNORECASE,
)
_MIN_MARKED_LINES = 2


def unmarked_lines(text: str) -> Iterator[Flaw]:
    """A limb on its own line that ends without a mark, if all the other lines end with one."""
    lines = text.split("\n")
    ends = [line.rstrip() for line in lines]
    bare = [index for index, end in enumerate(ends[:-1]) if end and not end.endswith(_MARKS)]
    if len(bare) != 1 or len(lines) - 2 < _MIN_MARKED_LINES:
        return
    index = bare[0]
    last = ends[index].rsplit(None, 1)[-1]
    if not last.isalpha() or last.lower() in NO_NOUN or not _LIMB_START.match(lines[index + 1]):
        return
    end = sum(len(line) + 1 for line in lines[:index]) + len(ends[index])
    fix = Fix(end - 1, end, f"{text[end - 1]};")
    why = "No punctuation mark ends this line of the claim."
    yield Flaw(RULE["missing_punctuation"], end - len(last), end, why, fix, ("own_line",))
