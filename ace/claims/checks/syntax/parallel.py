"""Items of a list in another form than the others: "to: read a key; sending a code; and open a lock".

Lists between semicolons and between commas; what opens a list says which form its items have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ace.claims.checks.syntax.limbs import Limb, Shape, limbs_of
from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.verbs import FORMS, Form, form_of
from ace.claims.checks.syntax.words import GOVERNS_BASE
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import NOUN_VERBS, NOUNS_ING, OBJECT_OPENERS
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.words import Word, lower_words_of, words_of

_OBJECT: Final = OBJECT_OPENERS - {"to", "from", "into", "if"}
_OPENING: Final = re.compile(r"(?:[a-z]+ly,?\s|then\s|further\s)?(?P<word>[a-z]+)(?:\s(?P<next>[a-z]+))?")
_TO_COLON: Final = re.compile(r"\bto\s?:")
_MIN_ALIKE: Final = 2


def broken_limbs(text: str) -> Iterator[Flaw]:
    """Limbs between semicolons that break the form of those around them."""
    earlier: set[Form] = set()
    for run in _runs(limbs_of(text)):
        forms = [_form(text, limb) for limb in run]
        wanted = _wanted(text, run, forms)
        for at, form in enumerate(forms if wanted else ()):
            if form not in {None, wanted} and _is_odd(run, forms, at, wanted, earlier):
                yield _flaw(text, run[at], wanted)
        earlier.update(form for form in forms if form is not None)


def _runs(limbs: Sequence[Limb]) -> Iterator[Sequence[Limb]]:
    """Limbs up to and with each that opens a list, or that "and" joins to those before."""
    run: list[Limb] = []
    for limb in limbs:
        run.append(limb)
        if limb.opens_list or (limb.joined and len(run) > 1):
            yield run
            run = []
    if run:
        yield run


def _form(text: str, limb: Limb) -> Form | None:
    """The form of the verb that opens the limb; None if it may open with anything else."""
    opening = _OPENING.match(text, limb.start, limb.end)
    if opening is None or limb.shape is Shape.CLAUSE:
        return None
    word, governs = opening["word"], opening["next"] in _OBJECT
    if limb.shape is Shape.STEP:
        return Form.GERUND if word not in NOUNS_ING or governs else None
    if limb.shape is Shape.VERB and word in NOUN_VERBS:
        return Form.BASE if governs else None
    form = form_of(word, governs=governs)
    return form if form is not Form.THIRD or governs else None


def _wanted(text: str, run: Sequence[Limb], forms: Sequence[Form | None]) -> Form | None:
    """The form that the limbs of a run have: that of the first, if others have it too."""
    first = forms[0]
    if first is None or first is Form.THIRD or forms.count(first) < _MIN_ALIKE:
        return Form.BASE if first is Form.BASE and _opened_by_to(text, run[0]) else None
    return first


def _opened_by_to(text: str, limb: Limb) -> bool:
    return _TO_COLON.search(text, max(0, limb.begin - 4), limb.begin) is not None


def _is_odd(
    run: Sequence[Limb], forms: Sequence[Form | None], at: int, wanted: Form | None, earlier: set[Form]
) -> bool:
    """Whether the limb stands between limbs of the other form, or is last and opens as none before."""
    if at and forms[at - 1] is wanted and wanted in forms[at + 1 :]:
        return True
    return at > 1 and at == len(run) - 1 and run[at].joined and forms[at] not in earlier


def _flaw(text: str, limb: Limb, wanted: Form | None) -> Flaw:
    opening = _OPENING.match(text, limb.start, limb.end)
    end = opening.end("word") if opening else limb.end
    name = wanted.value if wanted else ""
    why = f"“{text[limb.start : end]}” breaks the form of the list, whose items open with a {name}."
    return Flaw(RULE["ungrammatical"], limb.start, end, why, None, ("parallel",))


_JOINS: Final = frozenset({"and", "or"})
_ENDS: Final = frozenset(
    {".", ":", ";", "that", "where", "whereby", "wherein", "whether", "which", "who", "whose"}
)
_OPENS_SERIES: Final = frozenset({"by", "comprises", "comprising", "includes", "including", "of", "to"})
_SUBJECT_ENDS: Final = _ENDS | {",", "and", "or", "while", "when", "if"}
_BE: Final = frozenset({"are", "be", "been", "being", "is", "was", "were"})
_BASES: Final = frozenset({WordClass.NOUN_VERB, WordClass.OPEN, WordClass.VERB})
_MAX_SERIES: Final = 120
_MAX_SUBJECT: Final = 30


def broken_series(text: str) -> Iterator[Flaw]:
    """Items between commas: "configured to read a key, send a code, and opens a lock"."""
    words, lowers = words_of(text), lower_words_of(text)
    for at, opener in enumerate(lowers[:-2]):
        if opener not in _OPENS_SERIES or not at:
            continue
        kind = word_class_of(lowers[at + 1])
        if opener == "to" and lowers[at - 1] in GOVERNS_BASE and kind in _BASES:
            yield from _odd_last(text, words, at, Form.BASE)
        elif opener != "to" and kind is WordClass.ING and lowers[at + 2] in _OBJECT:
            yield from _odd_last(text, words, at, Form.GERUND)


def _is_base(words: Sequence[Word], at: int) -> bool:
    word = words[at].lower
    return FORMS.get(word) is Form.BASE or (word in NOUN_VERBS and words[at + 1].lower in _OBJECT)


def _odd_last(text: str, words: Sequence[Word], at: int, wanted: Form) -> Iterator[Flaw]:
    """The item behind the "and" of the series that words[at] opens, if it breaks its form."""
    items = 1
    gerunds = False
    for here in range(at + 2, min(at + _MAX_SERIES, len(words) - 2)):
        word = words[here].lower
        if word in _ENDS:
            return
        opens, after = words[here + 1].lower, words[here + 2].lower
        if word == "," and opens not in _JOINS and after in _OBJECT and _has_form(words, here + 1, wanted):
            items += 1
        if word in _JOINS and after in _OBJECT:
            form = form_of(opens, governs=True)
            if _has_form(words, here + 1, wanted):
                return
            comma = words[here - 1].lower == ","
            if form is not None and _breaks(words, at, form, items, comma=comma, gerunds=gerunds):
                start, end = words[here].start, words[here + 1].end
                why = f"“{opens}” breaks the form of the series, which begins with a {wanted.value}."
                yield Flaw(RULE["ungrammatical"], start, end, why, None, ("parallel",))
            return
        gerunds |= word_class_of(word) is WordClass.ING and word not in NOUNS_ING


def _has_form(words: Sequence[Word], at: int, wanted: Form) -> bool:
    if wanted is Form.BASE:
        return _is_base(words, at)
    return word_class_of(words[at].lower) is WordClass.ING


def _breaks(words: Sequence[Word], at: int, form: Form, items: int, *, comma: bool, gerunds: bool) -> bool:
    """Whether an item of this form cannot end the series: it has no other subject or verb to belong to."""
    series = items > 1 and comma
    if form is Form.GERUND:
        return series and not gerunds
    if form is Form.BASE:
        return series
    return series or (words[at].lower == "to" and _describes(words, at - 1))


def _describes(words: Sequence[Word], at: int) -> bool:
    """Whether the participle words[at] describes a noun, and no verb is before it: "the hub configured"."""
    if words[at - 1].lower in _BE or word_class_of(words[at - 1].lower) is WordClass.LY:
        return False
    for here in range(at - 1, max(-1, at - _MAX_SUBJECT), -1):
        word = words[here].lower
        if word in _SUBJECT_ENDS:
            return here < at - 1 and word not in {"that", "which", "who"}
        if word in _BE or word_class_of(word) in {WordClass.FINITE, WordClass.MAYBE_FINITE}:
            return False
        if word in {"has", "have", "having"}:
            return False
    return False
