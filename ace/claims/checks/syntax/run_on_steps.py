"""Steps that run together because a punctuation mark is missing: "heating a plate cooling the plate"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from ace.claims.checks.syntax.limbs import Limb, Shape, limbs_of
from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.separators import MIN_OPENERS, ORDINALS, VERBAL
from ace.claims.checks.syntax.words import AGENTS, DESCRIBES, NO_NOUN, NO_STEP, STEPS
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import NOUN_VERBS, NOUNS_ING, VERBS
from ace.claims.language.noun_phrases import word_class_of
from ace.claims.language.words import is_plural, lemma, lower_words_of, words_of

_OBJECT_OPENS: Final = frozenset(
    {"a", "an", "the", "said", "at", "one", "each", "whether", "that", "first", "second", "third", "two"}
    | {"all", "any"}
)
_WHY_STEPS: Final = "No punctuation mark separates one step from the next."


def run_together_steps(text: str) -> Iterator[Flaw]:
    """Each step that runs into the next one, in a claim whose other limbs open with a gerund.

    "a signal indicating the state" and "a user operating the lever" look the same, so that gerunds that
    describe a noun are left alone, and those after a noun that can act ("agent").
    """
    steps = [limb for limb in limbs_of(text) if limb.shape is Shape.STEP]
    if len(steps) < MIN_OPENERS:
        return
    words, lowers = words_of(text), lower_words_of(text)
    openers = {word for limb in steps for word in lowers[limb.first : limb.first + 3] if word.endswith("ing")}
    for limb in steps:
        for at in range(limb.first + 2, limb.last):
            if lowers[at].endswith("ing") and text[words[at].start].islower():
                noun = at - 1 - (lowers[at - 1].endswith("ly"))
                signal = _step_signal(lowers, limb, noun, at, openers)
                start, end = text.rfind(" ", 0, words[noun].end) + 1, words[noun].end
                labelled = text[end - 1] == ")" and "(" not in text[start : end - 3]  # "(b) cooling"
                if signal is not None and not labelled:
                    yield Flaw(RULE["missing_punctuation"], start, words[at].end, _WHY_STEPS, None, (signal,))


def _step_signal(lowers: Sequence[str], limb: Limb, noun: int, at: int, openers: set[str]) -> str | None:
    """The signal of a gerund words[at] that runs into the noun before it; None if it may describe it."""
    step = lowers[at]
    if step in NO_STEP or step in DESCRIBES or noun <= limb.first or not _may_end_step(lowers[noun]):
        return None
    thing = at + 1 + (lowers[at + 1 : at + 2] == (",",))
    opener = lowers[thing] if thing < len(lowers) else ""
    if (
        step in STEPS
        and opener in {"the", "said"}
        and _acts_on_the_same(lowers[limb.first : noun + 1], lowers[thing + 1 : thing + 2])
    ):
        return "known_step"
    if step in NOUNS_ING and step not in openers:
        return None
    return "steps" if opener in _OBJECT_OPENS and not _is_absolute(lowers[limb.first : noun + 1]) else None


def _may_end_step(noun: str) -> bool:
    may_be_noun = noun == ")" or (noun[0].isalpha() and len(noun) > 1)
    return (
        may_be_noun
        and noun not in NO_NOUN
        and not noun.endswith(("ly", "wherein", "the"))
        and not _is_gerund(noun)
        and lemma(noun) not in AGENTS
    )


_CLAUSE: Final = frozenset(
    {"that", "which", "who", "whose", "when", "while", "if", "so", "such", "being", "by"}
)


def _acts_on_the_same(before: Sequence[str], things: Sequence[str]) -> bool:
    """Whether what is done there is done to a thing of the same limb: "heating a plate cooling the plate"."""
    same = not ORDINALS.issuperset(things) and set(before).issuperset(things)
    return same and _CLAUSE.isdisjoint(before) and not any(word.startswith("where") for word in before)


_ABSOLUTE: Final = frozenset({",", "each", "both", "with"})
_OF_ABSOLUTE: Final = frozenset({"the", "said", "a", "an", "one", "each"})
_MAX_NAME: Final = 4


def _is_absolute(before: Sequence[str]) -> bool:
    """Whether a gerund is said of the noun that ends here: "the filter, the filter separating a gas"."""
    name = list(takewhile(lambda word: word[0].isalnum(), reversed(before[-_MAX_NAME - 2 :])))
    opened = (*name, *before[-len(name) - 1 : -len(name)])
    return any(
        article in _OF_ABSOLUTE and opener in _ABSOLUTE
        for article, opener in zip(name[1:], opened[2:], strict=False)
    )


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and word not in NOUNS_ING


_VERB_SHAPES: Final = frozenset({Shape.VERB, Shape.OTHER})
_THINGS: Final = frozenset({"a", "an", "the", "said", "one", "each", "whether"})


def run_together_verbs(text: str) -> Iterator[Flaw]:
    """The same for what a thing is configured to do: "to: read a key send the key; and ..."."""
    limbs = [limb for limb in limbs_of(text) if limb.shape in _VERB_SHAPES]
    if len(limbs) < MIN_OPENERS or not any(limb.shape is Shape.VERB for limb in limbs):
        return
    words, lowers = words_of(text), lower_words_of(text)
    openers = {lowers[limb.first] for limb in limbs}
    for limb in limbs:
        for at in range(limb.first + 2, limb.last - 1):
            verb, thing = lowers[at], lowers[at + 1]
            opens = verb in VERBS or (verb in NOUN_VERBS and verb in openers)
            if opens and (thing in _THINGS or lowers[at + 1 : at + 3] == ("at", "least")):
                noun = text[words[at - 1].start : words[at - 1].end]
                if _is_singular(noun) and not _agrees(lowers[limb.first : at - 1]):
                    start, end = words[at - 1].start, words[at].end
                    yield Flaw(RULE["missing_punctuation"], start, end, _WHY_STEPS, None, ("verbs",))


def _is_singular(noun: str) -> bool:
    """Whether the word may be a singular noun, behind which no verb stands in its base form."""
    if noun in NO_NOUN or lemma(noun) != noun or noun.endswith("ly"):
        return False
    return noun[0].islower() and noun[1:] != "" and not _is_gerund(noun) and word_class_of(noun) not in VERBAL


_SUBORDINATE: Final = frozenset(
    {"wherein", "whereby", "where", "whether", "that", "which", "when", "if", "as"}
)
_BETWEEN: Final = frozenset({"of", "in", "from", "for", "on", "at", "within", "between"})
_FINITE: Final = frozenset({"is", "are", "has", "have", "can", "may", "will", "was", "were"})
_ONCE: Final = frozenset({"when", "if", "once", "upon"})


def _agrees(before: Sequence[str]) -> bool:
    """Whether the verb opens no limb: it has a plural subject further ahead ("wherein the walls of the hall
    define a"), belongs to a name ("to PCR amplify the") or stands behind a condition ("code which, run by
    the processor, cause")."""
    if before[-1:] == ("to",) or _is_done_by(before):
        return True
    mark = max((at for at, word in enumerate(before) if word in ",;:"), default=-1)
    part = before[mark + 1 :]
    clause = next((at for at, word in enumerate(part) if word in _SUBORDINATE), len(part))
    subject = part[clause + 1 :]
    return _FINITE.isdisjoint(subject) and any(
        word == "and" or (word in _BETWEEN and at and is_plural(subject[at - 1]))
        for at, word in enumerate(subject)
    )


def _is_done_by(before: Sequence[str]) -> bool:
    """Whether these words end as "when executed by the processor" does."""
    for at in range(max(2, len(before) - 5), len(before)):
        done = before[at - 1].endswith("ed") or before[at - 1] in {"read", "run"}
        if done and before[at] in {"by", "on"}:
            return before[at - 2] in _ONCE or (before[at - 2] == "being" and before[at - 3] in _ONCE)
    return False
