"""Nouns whose article is lost, and nouns whose number does not fit what stands before them.

What a noun needs is taken from the claims themselves: "a hub … the hub … of hub".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import COUNTED_TOGETHER
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import UNCOUNTABLE
from ace.claims.language.noun_phrases import Determiner, Phrase, WordClass, phrases_of, word_class_of
from ace.claims.language.words import is_plural, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_MAX_REPORTED: Final = 3
_NONE: Final = Determiner.NONE  # Python 3.11 is slow to reach a member of an enum by name
_MOST_BARE: Final = 3
"""How often a name may stand bare in a set of which it is still said that it needs an article."""
_OPENS_SUBJECT: Final = frozenset(
    ["and", "because", "if", "when", "where", "whereby", "wherein", "whether", "while"]
)
_VERBS: Final = frozenset(["can", "comprises", "consists", "contains", "has", "includes", "is", "may", "was"])
_OPENS_OBJECT: Final = frozenset(
    {"at", "between", "comprises", "comprising", "for", "from", "has", "having", "in", "including", "into"}
    | {"of", "on", "over", "through", "under", "via", "with", "within"}
)
_SHORTEST: Final = 4

Uses = Mapping[tuple[str, ...], list[int]]
"""How often a noun phrase of a set that seldom stands bare does so, stands behind "a", and behind any other
determiner."""


def lost_articles(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The first few names that lack the article that they have elsewhere: "wherein hub is".

    Signals: "bare", and "subject" or "object" for what the phrase is.
    """
    yield from islice(_bare_names(claim.text, reading.kept(_uses)), _MAX_REPORTED)


def _bare_names(text: str, uses: Uses) -> Iterator[Flaw]:
    for phrase in phrases_of(text):
        use = uses.get(phrase.words) if phrase.determiner is _NONE else None
        if use is None or not _wants_article(use):
            continue
        role = _role(text, phrase) if _counts_one(text, phrase) else None
        if role == "subject" or (role and _nearly_always(use)):
            why = f"“{' '.join(phrase.words)}” has no article here, and one elsewhere."
            yield Flaw(RULE["ungrammatical"], phrase.start, phrase.end, why, None, ("bare", role))


def _uses(reading: Reading) -> Uses:
    every = [phrase for claim in reading.claims for phrase in phrases_of(claim.text)]
    bare = Counter([phrase.words for phrase in every if phrase.determiner is _NONE])
    used = {name: [times, 0, 0] for name, times in bare.items() if times <= _MOST_BARE}
    for phrase in every:
        if phrase.opening and phrase.words in used and phrase.determiner is not _NONE:
            used[phrase.words][1 if phrase.opening[-1] in {"a", "an"} else 2] += 1
    return used


def _wants_article(use: list[int]) -> bool:
    _, indefinite, others = use
    return indefinite > 0 and indefinite + others > 1


def _nearly_always(use: list[int]) -> bool:
    """Whether a phrase stands bare so seldom that a mass ("of metal") is unlikely to be meant."""
    bare, indefinite, others = use
    return others > 0 if bare == 1 else bare == 2 and indefinite > 1 and others > 2


def _counts_one(text: str, phrase: Phrase) -> bool:
    """Whether the phrase ends with the singular of a noun that has a plural."""
    head = phrase.words[-1]
    countable = head.isalpha() and len(head) >= _SHORTEST and head not in UNCOUNTABLE
    return (
        countable
        and not (phrase.numeral or phrase.cuts or is_plural(head))
        and word_class_of(head) is WordClass.OPEN
        and text[phrase.start : phrase.end].islower()
    )


def _role(text: str, phrase: Phrase) -> str | None:
    """ "subject" or "object", by what stands before and behind the phrase; None if it may be anything."""
    words = words_of(text)
    before = words[phrase.first - 1].lower if phrase.first else ""
    if before in _OPENS_SUBJECT:
        return "subject" if phrase.last < len(words) and words[phrase.last].lower in _VERBS else None
    return "object" if before in _OPENS_OBJECT or word_class_of(before or ".") is WordClass.ING else None


_OF_SEVERAL: Final = frozenset({"both", "more", "several", "these", "those"})
_OF_ONE: Final = frozenset({"another", "each", "either", "every", "neither", "one"})
_ENDS: Final = frozenset(
    {",", ".", ":", ";", "are", "at", "by", "can", "comprise", "comprises", "comprising", "configured", "for"}
    | {"from", "has", "have", "having", "in", "include", "includes", "into", "is", "may", "of", "on", "that"}
    | {"to", "was", "were", "wherein", "which", "with"}
)
_UNSURE: Final = frozenset(
    {"apparatus", "circuitry", "different", "equipment", "media", "medium", "memory", "respective"}
)
_NAMING: Final = frozenset({WordClass.OPEN, WordClass.NOUN_VERB, WordClass.LY, WordClass.ORDINAL})


def miscounted(text: str) -> Iterator[Flaw]:
    """The first few nouns in the wrong number: "one or more hub", "each hubs". Signal: "number"."""
    yield from islice(_wrong_numbers(text), _MAX_REPORTED)


def _wrong_numbers(text: str) -> Iterator[Flaw]:
    words = words_of(text)
    for phrase in phrases_of(text):
        number = phrase.opening[-1] if phrase.opening else ""
        if number not in _OF_SEVERAL and number not in _OF_ONE:
            continue
        head = phrase.words[-1]
        after = words[phrase.last].lower if phrase.last < len(words) else "."
        if after in _ENDS and _is_name(text, phrase) and _has_wrong_number(head, number in _OF_ONE):
            why = f"“{' '.join(phrase.opening)}” does not fit the number of “{head}”."
            yield Flaw(RULE["ungrammatical"], phrase.start, phrase.end, why, None, ("number",))


def _is_name(text: str, phrase: Phrase) -> bool:
    """Whether the phrase is a noun in small letters with other nouns or adjectives before it."""
    head = phrase.words[-1]
    sure = head not in COUNTED_TOGETHER and head not in UNCOUNTABLE and _UNSURE.isdisjoint(phrase.words)
    return (
        sure
        and not (phrase.cuts or phrase.numeral or phrase.opening[0] in {"a", "an"})
        and len(head) >= _SHORTEST
        and head.isalpha()
        and text[phrase.end - len(head) : phrase.end].islower()
        and word_class_of(head) is WordClass.OPEN
        and not any(is_plural(word) for word in phrase.words[:-1])
    )


def _has_wrong_number(head: str, one: bool) -> bool:
    if is_plural(head):
        return one and head[-1] == "s" and head[-2] not in "uis"
    return not one and head[-1] not in "sa" and not head.endswith("ae")
