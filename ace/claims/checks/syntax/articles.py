"""A name without the article that it has elsewhere ("wherein rotor is hollow"), and "a" before a plural."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ace.claims.checks.syntax.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import NOUNS_ED, THINGS, UNCOUNTABLE
from ace.claims.language.noun_phrases import Determiner, Phrase, WordClass, phrases_of, word_class_of
from ace.claims.language.words import Word, is_plural, lemma, word_start, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_GOVERNORS = frozenset(
    {"wherein", "whereby", "in", "on", "onto", "into", "to", "from", "with", "comprises", "includes", "has"}
)
_INSIDE = frozenset({"bottom", "centre", "center", "end", "inside", "outside", "side", "surface", "top"})
_FOLLOWING = frozenset(
    {
        ".",
        ",",
        ";",
        "is",
        "has",
        "comprises",
        "includes",
        "and",
        "by",
        "with",
        "in",
        "on",
        "to",
        "for",
        "that",
    }
)
_ALONE = frozenset({"addition", "case", "contact", "order", "place", "turn", "use", "operation", "relation"})
_LEAST_NAMED = 2
_MAX_REPORTED = 3


def bare_names(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The first few names that stand without an article, although the claims that it stands in introduce them
    with "a" and never without an article otherwise. Signal: "bare"."""
    bare = [phrase for phrase in phrases_of(claim.text) if _is_bare(claim.text, phrase)]
    if not bare:
        return
    texts = [claim.text, *(reading.claims[number].text for number in reading.claims.ancestors(claim.number))]
    counts = _named(texts[:_MAX_TEXTS])
    words, reported = words_of(claim.text), 0
    for phrase in bare:
        introduced, known, without = counts.get(phrase.words, (0, 0, 0))
        subject = claim.text.endswith("wherein ", 0, phrase.start)
        if not introduced or introduced + known + subject < _LEAST_NAMED or without > 1:
            continue
        if reported < _MAX_REPORTED and _wants_article(words, phrase):
            reported += 1
            name = " ".join(phrase.words)
            why = f"An article is missing before “{name}”."
            yield Flaw(RULE["ungrammatical"], phrase.start, phrase.end, why, None, ("bare",))


_MAX_TEXTS = 8


def _is_bare(text: str, phrase: Phrase) -> bool:
    """Whether a phrase is of one thing, in small letters, with no determiner and no label."""
    head = phrase.words[-1]
    return (
        phrase.determiner is Determiner.NONE
        and not phrase.opening
        and not phrase.several
        and not phrase.numeral
        and not phrase.cuts
        and phrase.start > 0
        and head in THINGS
        and head not in UNCOUNTABLE
        and not is_plural(head)
        and text[phrase.start : phrase.end].islower()
    )


def _named(texts: Sequence[str]) -> dict[tuple[str, ...], tuple[int, int, int]]:
    """By name, how often the texts have it with "a", with "the" and with no determiner."""
    found: dict[tuple[str, ...], list[int]] = {}
    for text in texts:
        for phrase in phrases_of(text):
            counts = found.setdefault(phrase.words, [0, 0, 0])
            if phrase.determiner is Determiner.INDEFINITE:
                counts[0] += 1
            elif phrase.definite:
                counts[1] += 1
            else:
                counts[2] += 1
    return {name: (counts[0], counts[1], counts[2]) for name, counts in found.items()}


def _wants_article(words: Sequence[Word], phrase: Phrase) -> bool:
    at = bisect_left(words, phrase.start, key=word_start)
    before = words[at - 1].lower if at else ""
    after = words[phrase.last].lower if phrase.last < len(words) else "."
    if before == "of":
        return at > 1 and words[at - 2].lower in _INSIDE and after in _FOLLOWING
    if before not in _GOVERNORS or after not in _FOLLOWING or phrase.words[-1] in _ALONE:
        return False
    return not (before == "to" and at > 1 and words[at - 2].lower in {"side", "end", "face", "back", "hand"})


def plural_after_a(text: str) -> Iterator[Flaw]:
    """ "a blades": the first plural of a thing after "a". Signal: "number"."""
    words = words_of(text)
    for phrase in phrases_of(text):
        if (
            phrase.determiner is not Determiner.INDEFINITE
            or len(phrase.words) > 2
            or phrase.opening not in _A
        ):
            continue
        head = phrase.words[-1]
        after = words[phrase.last].lower if phrase.last < len(words) else "."
        plain = lemma(head)
        if (
            plain != head
            and head.endswith("s")
            and plain in THINGS
            and after in _FOLLOWING
            and head not in NOUNS_ED
        ):
            if word_class_of(head) is not WordClass.OPEN or not text[phrase.start : phrase.end].islower():
                continue
            why = f"“a” stands before the plural “{head}”."
            yield Flaw(RULE["ungrammatical"], phrase.start, phrase.end, why, None, ("number",))
            return


_A = (("a",), ("an",))
