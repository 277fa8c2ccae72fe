"""Steps that run together because a punctuation mark is missing: "heating a plate cooling the plate"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.checks.syntax.limbs import Limb, Shape, limbs_of
from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.separators import MIN_OPENERS, ORDINALS, VERBAL
from ace.claims.checks.syntax.words import AGENTS, DESCRIBES, NO_NOUN, NO_STEP, STEPS
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import NOUN_VERBS, NOUNS_ING, VERBS
from ace.claims.language.noun_phrases import word_class_of
from ace.claims.language.words import is_plural, lemma

_NEXT_STEP: Final = re.compile(
    r"(?<![\w-])(?P<noun>[A-Za-z][\w-]+|[^\s()]{0,20}\([^\s()]{2,20}\))\s(?:[a-z]+ly\s)?(?P<step>[a-z][a-z-]{2,20}ing),?\s"
    r"(?P<object>an?|the|said|[a-z]+)\b"
)
_OBJECT_OPENS: Final = frozenset(
    {
        "a",
        "an",
        "the",
        "said",
        "at",
        "one",
        "each",
        "whether",
        "that",
        "first",
        "second",
        "third",
        "two",
        "all",
        "any",
    }
)
# "the filter, the filter separating a gas": a gerund said of the noun before it.
_ABSOLUTE: Final = re.compile(r"(?:,|\b(?:each|both|with))\s(?:the|said|an?|one|each)(?:\s[\w-]+){1,4}$")
_WHY_STEPS: Final = "No punctuation mark separates one step from the next."


def run_together_steps(text: str) -> Iterator[Flaw]:
    """Each step that runs into the next one, in a claim whose other limbs open with a gerund.

    "a signal indicating the state" and "a user operating the lever" look the same, so that gerunds that
    describe a noun are left alone, and those after a noun that can act ("agent").
    """
    limbs = limbs_of(text)
    steps = [limb for limb in limbs if limb.shape is Shape.STEP]
    if len(steps) < MIN_OPENERS:
        return
    openers = {_first_gerund(text, limb) for limb in steps}
    for limb in steps:
        for match in _NEXT_STEP.finditer(text, limb.start, limb.end):
            signal = _step_signal(text, limb, match, openers)
            if signal is not None:
                start, end = match.start(), match.end("step")
                yield Flaw(RULE["missing_punctuation"], start, end, _WHY_STEPS, None, (signal,))


_GERUND: Final = re.compile(r"(?:[a-z]+,?\s(?:and\s)?)?([a-z][a-z-]+ing)\b")


def _first_gerund(text: str, limb: Limb) -> str:
    found = _GERUND.match(text, limb.start)
    return found[1] if found else ""


def _step_signal(text: str, limb: Limb, match: re.Match[str], openers: set[str]) -> str | None:
    """The signal of a gerund that runs into the noun before it; None if it may describe the noun."""
    noun, step = match["noun"], match["step"]
    if step in NO_STEP or step in DESCRIBES or lemma(noun.lower()) in AGENTS:
        return None
    if match.start() == limb.start or not _may_end_step(noun):
        return None
    if step in STEPS and _acts_on_the_same(text, limb, match):
        return "known_step"
    if step in NOUNS_ING and step not in openers:
        return None
    said_of = _ABSOLUTE.search(text, max(0, match.start() - 90), match.end("noun"))
    return "steps" if match["object"] in _OBJECT_OPENS and said_of is None else None


def _may_end_step(noun: str) -> bool:
    return (
        noun.lower() not in NO_NOUN and not noun.endswith(("ly", "wherein", "the")) and not _is_gerund(noun)
    )


_NEXT_WORD: Final = re.compile(r"\s([a-z-]+)")
_CLAUSE: Final = re.compile(r"\b(?:where\w*|that|which|who|whose|when|while|if|so|such|being|by)\b")


def _acts_on_the_same(text: str, limb: Limb, match: re.Match[str]) -> bool:
    """Whether what is done there is done to a thing of the same limb: "heating a plate cooling the plate"."""
    thing = _NEXT_WORD.match(text, match.end("object"))
    if thing is None or match["object"] not in {"the", "said"} or thing[1] in ORDINALS:
        return False
    before = text[limb.start : match.end("noun")]
    return thing[1] in before.split() and _CLAUSE.search(before) is None


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and word not in NOUNS_ING


_NEXT_VERB: Final = re.compile(
    r"(?<![\w-])(?P<noun>[A-Za-z][\w-]+)\s(?P<verb>[a-z]{3,20})\s(?:an?|the|said|at\sleast|one|each|whether)\b"
)


def run_together_verbs(text: str) -> Iterator[Flaw]:
    """The same for what a thing is configured to do: "to: read a key send the key; and ..."."""
    limbs = [limb for limb in limbs_of(text) if limb.shape in _VERB_SHAPES]
    if len(limbs) < MIN_OPENERS or not any(limb.shape is Shape.VERB for limb in limbs):
        return
    openers = {word[0] for limb in limbs if (word := text[limb.start : limb.end].split(None, 1))}
    for limb in limbs:
        for match in _NEXT_VERB.finditer(text, limb.start, limb.end):
            opens = match["verb"] in VERBS or (match["verb"] in NOUN_VERBS and match["verb"] in openers)
            if (
                opens
                and match.start() != limb.start
                and _is_singular(match["noun"].lower())
                and not _agrees(text, limb.start, match)
            ):
                yield Flaw(
                    RULE["missing_punctuation"],
                    match.start(),
                    match.end("verb"),
                    _WHY_STEPS,
                    None,
                    ("verbs",),
                )


_SUBORDINATE: Final = re.compile(r"\b(?:wherein|whereby|where|whether|that|which|when|if|as)\s")
_OF_SEVERAL: Final = re.compile(
    r"(?<![\w-])(?P<several>[\w-]+)\s(?:of|in|from|for|on|at|within|between)\s|\sand\s"
)
_FINITE_BEFORE: Final = re.compile(r"\b(?:is|are|has|have|can|may|will|was|were)\b")
_DOES_BY: Final = re.compile(
    r"\b(?:when|if|once|upon)\s(?:being\s)?(?:[a-z]+ed|read|run)\s(?:by|on)\s(?:[\w-]+\s){0,4}$"
)


def _agrees(text: str, begin: int, match: re.Match[str]) -> bool:
    """Whether the verb opens no limb: it has a plural subject further ahead ("wherein the walls of the hall
    define a"), belongs to a name ("to PCR amplify the") or stands behind a condition ("code which, run by
    the processor, cause")."""
    noun = match["noun"]
    before = text[begin : match.start()]
    if noun[:1].isupper() or before.endswith(" to ") or _DOES_BY.search(before):
        return True
    part = before[max(map(before.rfind, ",;:")) + 1 :]
    clause = _SUBORDINATE.search(part)
    if clause is None:
        return False
    subject = part[clause.end() :]
    return _FINITE_BEFORE.search(subject) is None and any(
        several["several"] is None or is_plural(several["several"].lower())
        for several in _OF_SEVERAL.finditer(subject)
    )


def _is_singular(noun: str) -> bool:
    """Whether the word may be a singular noun, behind which no verb stands in its base form."""
    if noun in NO_NOUN or lemma(noun) != noun or noun.endswith("ly"):
        return False
    return not _is_gerund(noun) and word_class_of(noun) not in VERBAL


_VERB_SHAPES: Final = frozenset({Shape.VERB, Shape.OTHER})
