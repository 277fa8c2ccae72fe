"""Elements of a claim that run together because a punctuation mark is missing (steps: run_on_steps.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Final

from ace.claims.checks.syntax.limbs import Shape, limbs_of
from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import (
    LIST_BEGINS,
    NO_ELEMENT,
    NO_NOUN,
    NO_STEP,
    REFERS,
    TWO_OBJECTS,
)
from ace.claims.findings import Fix, Flaw
from ace.claims.language.lexicon import NOUN_VERBS, NOUNS_ED, NOUNS_ING, VERBS
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.words import is_plural, lemma, root

_NEXT_ELEMENT: Final = re.compile(
    r"\s(?P<next>an?|at\sleast\sone|one\sor\smore)\s(?!(?:[a-z]+\s){0,2}(?:of\s)?times\b|of[\s:]\(?[ia1]\)"
    r"|(?:and|are|at|from|has|in|is|of|on|or|posteriori|priori|to|with)\b)[a-z]"
)
_NOUN: Final = re.compile(r"[a-z-]{3,}|[A-Z][A-Za-z]+")
ORDINALS: Final = frozenset({"first", "second", "third", "said", "same", "respective"})
_VERB_AFTER: Final = frozenset(
    {"to", "can", "may", "will", "not", "and", "or", "that", "which", "who", "shall", "must"}
)
_NOUN_CHARACTERS: Final = 40
_ELEMENT: Final = re.compile(
    r"(?P<before>[;:,]|(?<![\w-])[a-z-]+)\s(?:an?|the|said|at\sleast\sone|one\sor\smore)\s"
    r"(?P<adjectives>(?:[a-z-]+\s){0,3}?)$"
)
ELEMENT_CHARACTERS: Final = 90
_NOUN_STANDS: Final = re.compile(
    r"(?<![a-z-])([a-z-]++)(?:[,;:.]|\s(?:of|is|are|has|wherein|comprising|and|or)\b)"
)
_FRONTS: Final = re.compile(
    r"\b(?:when|if|while|once|where|upon|until|after|before|during|each|in\sresponse|which|that|as|such)\b[^;:]{0,160}$"
)
_CONDITION: Final = re.compile(
    r"\b(?:when|if|while|once|where|upon|until|after|before|during|in\sresponse|in\sthe\s\w+\s(?:case|trial|mode|state))\b[^;:]{0,160}$"
)
_OWN_CLAUSE: Final = re.compile(
    r"\s(?:an?|at\sleast\sone|one\sor\smore)\s(?:[\w-]+\s){1,4}?(?:[a-z]+ly\s)?(?:adapted|arranged|attached|"
    r"comprising|configured|connected|coupled|disposed|extending|fixed|having|located|mounted|operable|positioned)\s"
)
_RUNS_ON: Final = "No punctuation mark separates one element from the next."


MIN_OPENERS: Final = 2
_ACTS_ON: Final = re.compile(
    r"\b(?P<deed>[a-z]+ing|provides|sends|gives)\s(?:[a-z]+ly\s)?(?:to|in|on|at|by|from|via|into|for|with)\s"
)


def run_together(text: str) -> Iterator[Flaw]:
    """Each element that runs into the next one: "a valve a motor".

    An element named after its place ("storing in the memory a key") is not flagged. The signal "fronted"
    says that this may be one, "listed" that other limbs of the claim open with an article, "own_clause" that
    the second element has a clause of its own: "a valve a motor having a shaft".
    """
    claim = _ElementsOf(text)
    for match in _NEXT_ELEMENT.finditer(text):
        noun = text[max(0, match.start() - _NOUN_CHARACTERS) : match.start()].rpartition(" ")[2]
        if text[match.start()] != "\n" and _may_end_element(noun):
            start = match.start() - len(noun)
            signals = claim.signals(noun, start)
            if signals is not None:
                yield Flaw(RULE["missing_punctuation"], start, match.end("next"), _RUNS_ON, None, signals)


def _may_end_element(word: str) -> bool:
    verbal = word.endswith(("ing", "ed", "ly")) and word not in NOUNS_ING and word not in NOUNS_ED
    return word not in NO_NOUN and not verbal and _NOUN.fullmatch(word) is not None


class _ElementsOf:
    """How the elements of one claim are written; computed only when needed."""

    def __init__(self, text: str) -> None:
        self._text = text

    def signals(self, noun: str, at: int) -> tuple[str, ...] | None:
        """Signals of the noun at `at` that runs into an article; None if it may do so."""
        before = self._text[max(0, at - ELEMENT_CHARACTERS) : at]
        element = _ELEMENT.search(before)
        if element is not None and not (set(element["adjectives"].split()) - ORDINALS).isdisjoint(NO_NOUN):
            element = None
        # "the housing defines a": a word that is a noun elsewhere in the claim is not a verb here.
        known = self._is_noun(noun) or (element is not None and _must_be_noun(noun, element["adjectives"]))
        if (element is None or element["adjectives"]) and not known:
            return None
        if element is None:
            return ("bare",) if self._is_listed and _opens_limb(before) else None
        if element["before"] in LIST_BEGINS:
            return ()
        acts = _ACTS_ON.search(before)
        if (acts is not None and not (self._is_listed and acts["deed"] in NO_STEP)) or _governs(
            before[: element.start()], element["before"]
        ):
            return None
        if not self._is_listed or _CONDITION.search(before):
            return ("fronted",)
        if self._is_in_element(at):
            return ("element",)
        return ("listed", "own_clause") if _OWN_CLAUSE.match(self._text, at + len(noun)) else ("listed",)

    def _is_in_element(self, at: int) -> bool:
        """Whether the words before `at` name an element and do not say what it does."""
        for limb in limbs_of(self._text):
            if limb.begin <= at < limb.end:
                clause = _DOES.search(self._text, limb.start, at)
                return limb.shape is Shape.ELEMENT and clause is None
        return False

    def _is_noun(self, word: str) -> bool:
        """Whether the word is used as a noun elsewhere, and is no verb."""
        singular = lemma(word)
        if word == singular:
            return word in self._nouns
        return singular not in _VERB_FORMS and (word in self._nouns or singular in self._words)

    @cached_property
    def _words(self) -> set[str]:
        return set(self._text.split())

    @cached_property
    def _nouns(self) -> set[str]:
        return set(_NOUN_STANDS.findall(self._text))

    @cached_property
    def _is_listed(self) -> bool:
        """Whether limbs of the claim open with "a" and its like."""
        elements = sum(limb.shape is Shape.ELEMENT for limb in limbs_of(self._text))
        return elements >= MIN_OPENERS


_DOES: Final = re.compile(
    r"\b(?:(?:adapted|arranged|configured|operable|used)\sto|that|which|who|for|wherein|where|whose|being|[a-z]+ing)\s"
)
_LAST_WORD: Final = re.compile(r"(?<![A-Za-z-])([A-Za-z-]++)\s\Z")
_VERB_FORMS: Final = VERBS | NOUN_VERBS
VERBAL: Final = frozenset({WordClass.VERB, WordClass.FINITE, WordClass.ING, WordClass.MAYBE_FINITE})
_OBJECT_FIRST: Final = frozenset(
    {"to", "from", "in", "on", "at", "by", "with", "into", "for", "via", "onto", "within", "as"}
    | {"across", "along", "around", "between", "over", "through", "toward", "towards", "under", "upon"}
    | {"above", "adjacent", "behind", "below", "beside", "inside", "near", "opposite", "outside"}
)
_ALSO_GOVERNING: Final = frozenset({"comprising", "having", "including", "together"})


def _governs(before: str, word: str) -> bool:
    """Whether a verb stands right before the phrase or its preposition, so that an object may follow the
    phrase: "receive from the client a request", "assign the user a key"."""
    if word not in _OBJECT_FIRST:
        return root(word) in TWO_OBJECTS
    found = _LAST_WORD.search(before)
    if found is None:
        return False
    governing = found[1].lower()
    return governing in _ALSO_GOVERNING or word_class_of(governing) in VERBAL


def _must_be_noun(word: str, adjectives: str) -> bool:
    """Whether an unknown word behind a determiner cannot be the verb of what stands between them."""
    last = adjectives.split()[-1:]
    if not set(adjectives.split()) - ORDINALS:
        return True
    singular = lemma(word) == word and word_class_of(word) is WordClass.OPEN and not word.endswith("ing")
    return singular and not any(map(is_plural, last)) and "that" not in last


def _opens_limb(before: str) -> bool:
    """Whether a noun without article after these words may be an element, rather than an object."""
    last = before.rstrip()
    if last[-1:] in ";:," or last.rpartition(" ")[2].lower() in _VERB_AFTER:
        return False
    return not _FRONTS.search(before) and not _ACTS_ON.search(before)


_AFTER_NUMERAL: Final = re.compile(
    r"(?<![\w-])(?P<noun>[a-z-]{3,40})(?P<numeral>\s?\((?:[1-9][0-9]{0,3}[a-z]?['′]?|[A-Z][A-Za-z]{1,7})\))\s(?P<next>an?|at\sleast\sone)\s[a-z]"
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


_LIMB_LABEL: Final = re.compile(
    r"(?<![\w-])(?P<before>[a-z]{3,40})\s(?P<label>\(?(?P<letter>[b-k]|ii|iii|iv|[2-9])[).])\s[a-z]"
)
_LABELS_BEFORE: Final = {"ii": "i", "iii": "ii", "iv": "iii"}
_FIRST_LABELS: Final = (" a)", "(a)", " a.", " i)", "(i)", " i.", " 1)", "(1)", " 1.")
_MAX_LABELS: Final = 50


def unmarked_labels(text: str) -> Iterator[Flaw]:
    """A label "b)" that opens a limb after a limb without a mark at its end."""
    if not any(first in text for first in _FIRST_LABELS):
        return
    for match in islice(_LIMB_LABEL.finditer(text), _MAX_LABELS):
        if match["before"] in REFERS or match["before"] in NO_NOUN or not _label_before(match, text):
            continue
        if match["before"].endswith("ly") or _opens_elsewhere(match, text):
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


def _opens_elsewhere(match: re.Match[str], text: str) -> bool:
    """Whether another limb has the label, so that it is only cited here: "the layer (6)", "repeating (e)"."""
    label = match["label"]
    at = text.find(f" {label}")
    while at >= 0:
        if at + 1 != match.start("label") and (
            text[at - 1] in ":;,." or text.startswith((" and", " or"), max(0, text.rfind(" ", 0, at)))
        ):
            return True
        if at + 1 != match.start("label") and text.endswith(f" {match['before']}", 0, at):
            return True  # a numeral: "the layer (6) … on the layer (6)"
        at = text.find(f" {label}", at + 1)
    return False


_MARKS: Final = (",", ";", ":", ".", "–", "—", "-", " and", " or")
_LIMB_START: Final = re.compile(
    r"\s?(?:\(?[a-z0-9]{1,3}[).]\s)?(?:an?|the|said|at\sleast|one\sor\smore|wherein|[a-z]+ing)\s",
    re.IGNORECASE,
)
_MIN_MARKED_LINES: Final = 2


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
