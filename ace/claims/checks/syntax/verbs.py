"""Forms of verbs that nothing else can be: "drive" may be a noun, so that an object must follow it."""

from __future__ import annotations

from enum import Enum
from typing import Final

from ace.claims.checks.syntax.words import NO_VERB
from ace.claims.language.lexicon import IRREGULAR, NOUN_VERBS, NOUNS_ED, VERBS
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.verb_forms import gerund, third_person


class Form(Enum):
    """A form of a verb."""

    BASE = "base"
    THIRD = "third person"
    GERUND = "gerund"


_VERBS: Final = VERBS - NO_VERB - IRREGULAR - NOUNS_ED
FORMS: Final = {
    **dict.fromkeys(map(gerund, VERBS | NOUN_VERBS), Form.GERUND),
    **dict.fromkeys(map(third_person, _VERBS), Form.THIRD),
    **dict.fromkeys(_VERBS, Form.BASE),
}
"""The form of each verb in lower case that is in no other form, and no noun."""

_LIKELY: Final = {
    WordClass.ING: Form.GERUND,
    WordClass.FINITE: Form.THIRD,
    WordClass.MAYBE_FINITE: Form.THIRD,
    WordClass.NOUN_VERB: Form.BASE,
}


def form_of(word: str, *, governs: bool) -> Form | None:
    """The form of a word that nothing else can be; or, if an object follows, that it has as a verb."""
    return FORMS.get(word) or (_LIKELY.get(word_class_of(word)) if governs else None)
