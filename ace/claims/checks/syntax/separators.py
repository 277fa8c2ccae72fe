"""Elements of a claim that run together because a punctuation mark is missing (steps: run_on_steps.py)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice, pairwise
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
from ace.claims.language.words import is_plural, lemma, lower_words_of, root, word_start, words_of

_OPENERS: Final = frozenset({"a", "an", "at", "one"})
_SEVERAL: Final = frozenset({("at", "least", "one"), ("one", "or", "more")})
_ARTICLES: Final = frozenset({"a", "an", "the", "said"})
_NO_NAME: Final = frozenset(
    {"and", "are", "at", "from", "has", "in", "is", "of", "on", "or", "posteriori", "priori", "to", "with"}
)
ORDINALS: Final = frozenset({"first", "second", "third", "said", "same", "respective"})
MIN_OPENERS: Final = 2
_RUNS_ON: Final = "No punctuation mark separates one element from the next."


def run_together(text: str) -> Iterator[Flaw]:
    """Each element that runs into the next one: "a valve a motor".

    An element named after its place ("storing in the memory a key") is not flagged. The signal "fronted"
    says that this may be one, "listed" that other limbs of the claim open with an article, "own_clause" that
    the second element has a clause of its own: "a valve a motor having a shaft".
    """
    words, claim = words_of(text), _ElementsOf(text)
    for at, opener in enumerate(lower_words_of(text)):
        if opener in _OPENERS and at and (behind := claim.runs_on(at)):
            signals = claim.signals(at - 1, behind)
            if signals is not None:
                start, end = words[at - 1].start, words[behind - 1].end
                yield Flaw(RULE["missing_punctuation"], start, end, _RUNS_ON, None, signals)


_VERB_AFTER: Final = frozenset(
    {"to", "can", "may", "will", "not", "and", "or", "that", "which", "who", "shall", "must"}
)
_CONDITION: Final = frozenset(
    {"when", "if", "while", "once", "where", "upon", "until", "after", "before", "during", "in response"}
)
_FRONTS: Final = _CONDITION | {"each", "which", "that", "as", "such"}
_DOES: Final = frozenset({"that", "which", "who", "for", "wherein", "where", "whose", "being"})
_DOES_TO: Final = frozenset({"adapted", "arranged", "configured", "operable", "used"})
_OWN_CLAUSE: Final = frozenset(
    {"adapted", "arranged", "attached", "comprising", "configured", "connected", "coupled", "disposed"}
    | {"extending", "fixed", "having", "located", "mounted", "operable", "positioned"}
)
_AFTER_NOUN: Final = frozenset({*",;:.", "of", "is", "are", "has", "wherein", "comprising", "and", "or"})
_VERB_FORMS: Final = VERBS | NOUN_VERBS
_MAX_ADJECTIVES: Final = 3
_ELEMENT_CHARACTERS: Final = 90


class _ElementsOf:
    """How the elements of one claim are written; computed only when needed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = words_of(text)
        self._lowers = lower_words_of(text)

    def runs_on(self, at: int) -> int:
        """The index behind "a" and its like at `at`, if a noun is right before and after it; else 0."""
        text, words, lowers = self._text, self._words, self._lowers
        behind = at + 1 if lowers[at] in _ARTICLES else at + 3 * (lowers[at : at + 3] in _SEVERAL)
        if behind in {at, len(words)} or lowers[behind] in _NO_NAME or not text[words[at].start].islower():
            return 0
        noun, name = words[at - 1], words[behind]
        apart = text[noun.start - 1] == " " == text[noun.end] and noun.end + 1 == words[at].start
        apart &= text[name.start].islower() and "times" not in lowers[behind : behind + 4]
        return behind if apart and _may_end_element(text[noun.start : noun.end]) else 0

    def signals(self, at: int, behind: int) -> tuple[str, ...] | None:
        """Signals of the noun words[at] that runs into an article before words[behind]; None if it may."""
        lowers, noun = self._lowers, self._lowers[at]
        before = lowers[
            bisect_left(self._words, self._words[at].start - _ELEMENT_CHARACTERS, key=word_start) : at
        ]
        begin, adjectives = _element(lowers, at)
        if not (set(adjectives) - ORDINALS).isdisjoint(NO_NOUN):
            begin = -1
        # "the housing defines a": a word that is a noun elsewhere in the claim is not a verb here.
        known = self._is_noun(noun) or (begin >= 0 and _must_be_noun(noun, adjectives))
        if (begin < 0 or adjectives) and not known:
            return None
        if begin < 0:
            return ("bare",) if self._is_listed and _may_be_bare(before) else None
        if lowers[begin] in LIST_BEGINS:
            return ()
        deed = _deed(before)
        if (deed and not (self._is_listed and deed in NO_STEP)) or _governs(lowers, begin):
            return None
        if not self._is_listed or _has(before, _CONDITION):
            return ("fronted",)
        if self._is_in_element(at):
            return ("element",)
        return (
            ("listed",)
            if _OWN_CLAUSE.isdisjoint(lowers[behind + 1 : behind + 6])
            else ("listed", "own_clause")
        )

    def _is_in_element(self, at: int) -> bool:
        """Whether the words before words[at] name an element and do not say what it does."""
        limb = next((limb for limb in limbs_of(self._text) if limb.first <= at < limb.last), None)
        if limb is None or limb.shape is not Shape.ELEMENT:
            return False
        return not any(
            word in _DOES or word.endswith("ing") or (word in _DOES_TO and following == "to")
            for word, following in pairwise(self._lowers[limb.first : at + 1])
        )

    def _is_noun(self, word: str) -> bool:
        """Whether the word is used as a noun elsewhere, and is no verb."""
        singular = lemma(word)
        if word == singular:
            return word in self._nouns
        return singular not in _VERB_FORMS and (word in self._nouns or singular in self._lowers)

    @cached_property
    def _nouns(self) -> set[str]:
        return {word for word, following in pairwise(self._lowers) if following in _AFTER_NOUN}

    @cached_property
    def _is_listed(self) -> bool:
        """Whether limbs of the claim open with "a" and its like."""
        elements = sum(limb.shape is Shape.ELEMENT for limb in limbs_of(self._text))
        return elements >= MIN_OPENERS


def _may_end_element(word: str) -> bool:
    verbal = word.endswith(("ing", "ed", "ly")) and word not in NOUNS_ING and word not in NOUNS_ED
    return len(word) > 2 and word not in NO_NOUN and not verbal and word.replace("-", "").isalpha()


def _element(lowers: Sequence[str], at: int) -> tuple[int, Sequence[str]]:
    """Where the word before the article of the noun words[at] is, and the adjectives; -1 without article."""
    for first in range(at - _MAX_ADJECTIVES, at + 1):
        article = first - (3 if lowers[max(0, first - 3) : first] in _SEVERAL else 1)
        if article > 0 and (lowers[article] in _ARTICLES or article < first - 1):
            adjectives = lowers[first:at]
            before = lowers[article - 1]
            if all(word[0].isalpha() for word in adjectives) and (before in ";:," or before[0].isalpha()):
                return article - 1, adjectives
    return -1, ()


def _must_be_noun(word: str, adjectives: Sequence[str]) -> bool:
    """Whether an unknown word behind a determiner cannot be the verb of what stands between them."""
    if ORDINALS.issuperset(adjectives):
        return True
    singular = lemma(word) == word and word_class_of(word) is WordClass.OPEN and not word.endswith("ing")
    return singular and not is_plural(adjectives[-1]) and adjectives[-1] != "that"


def _has(before: Sequence[str], openers: frozenset[str]) -> bool:
    """Whether one of these words, or of these pairs of words, stands behind the last semicolon or colon."""
    begin = max((at for at, word in enumerate(before) if word in ";:"), default=-1) + 1
    return not openers.isdisjoint(before[begin:]) or not openers.isdisjoint(
        map(" ".join, pairwise(before[begin:]))
    )


def _may_be_bare(before: Sequence[str]) -> bool:
    """Whether a noun without article after these words may be an element, rather than an object."""
    last = before[-1] if before else ","
    return last not in ";:," and last not in _VERB_AFTER and not _has(before, _FRONTS) and not _deed(before)


_DEEDS: Final = frozenset({"provides", "sends", "gives"})
_DONE_AT: Final = frozenset({"to", "in", "on", "at", "by", "from", "via", "into", "for", "with"})


def _deed(before: Sequence[str]) -> str:
    """The first word that says what is done to or at something: "storing" of "storing in the memory"."""
    for at, word in enumerate(before[:-1]):
        if word.endswith("ing") or word in _DEEDS:
            behind = at + 1 + before[at + 1].endswith("ly")
            if behind < len(before) and before[behind] in _DONE_AT:
                return word
    return ""


VERBAL: Final = frozenset({WordClass.VERB, WordClass.FINITE, WordClass.ING, WordClass.MAYBE_FINITE})
_OBJECT_FIRST: Final = frozenset(
    {"to", "from", "in", "on", "at", "by", "with", "into", "for", "via", "onto", "within", "as"}
    | {"across", "along", "around", "between", "over", "through", "toward", "towards", "under", "upon"}
    | {"above", "adjacent", "behind", "below", "beside", "inside", "near", "opposite", "outside"}
)
_ALSO_GOVERNING: Final = frozenset({"comprising", "having", "including", "together"})


def _governs(lowers: Sequence[str], at: int) -> bool:
    """Whether a verb stands right before the phrase behind words[at] or its preposition, so that an object
    may follow the phrase: "receive from the client a request", "assign the user a key"."""
    if lowers[at] not in _OBJECT_FIRST:
        return root(lowers[at]) in TWO_OBJECTS
    return at > 0 and (lowers[at - 1] in _ALSO_GOVERNING or word_class_of(lowers[at - 1]) in VERBAL)


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
_OPENS_LIMB: Final = frozenset({"a", "an", "the", "said", "at", "one", "wherein"})
_MIN_MARKED_LINES: Final = 2


def unmarked_lines(text: str) -> Iterator[Flaw]:
    """A limb on its own line that ends without a mark, if all the other lines end with one."""
    if "\n" not in text:
        return
    lines = text.split("\n")
    ends = [line.rstrip() for line in lines]
    bare = [index for index, end in enumerate(ends[:-1]) if end and not end.endswith(_MARKS)]
    if len(bare) != 1 or len(lines) - 2 < _MIN_MARKED_LINES:
        return
    index = bare[0]
    last = ends[index].rsplit(None, 1)[-1]
    if not last.isalpha() or last.lower() in NO_NOUN or not _opens_limb(lines[index + 1]):
        return
    end = sum(len(line) + 1 for line in lines[:index]) + len(ends[index])
    fix = Fix(end - 1, end, f"{text[end - 1]};")
    why = "No punctuation mark ends this line of the claim."
    yield Flaw(RULE["missing_punctuation"], end - len(last), end, why, fix, ("own_line",))


def _opens_limb(line: str) -> bool:
    """Whether a line opens as limbs do, behind its label."""
    first, *others = [*line.lower().split(None, 2), ""]
    word = others[0] if others and first.endswith((")", ".")) else first
    return word in _OPENS_LIMB or word.endswith("ing")
