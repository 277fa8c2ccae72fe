"""The form of a claim: one sentence that ends with a period, a transition in an independent claim,
brackets that close, punctuation and small words that are not doubled (37 CFR 1.75; MPEP 608.01(m)).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading
from ace.claims.rules import Provision, Rule
from ace.claims.taxonomy import ErrorClass
from ace.claims.vocabulary import ABBREVIATIONS, CLOSED, FINITE

_ENDS_WELL = re.compile(r"\.[\"'”’)\]]*$")
_SENTENCE = re.compile(r"\.\s+(?P<next>A|[A-Z][a-z]+)(?=[\s,])")
_LAST_WORD = re.compile(r"(?P<word>[^\W\d_]{2,}|[0-9][)\]]|\bclaims?\s[0-9]+)[)\]\"”’]{0,3}$")
# What parts a preamble from a body in granted claims, from "comprising" to a bare colon.
_TRANSITION = re.compile(
    r"""\b(?:compris\w+|consist\w*|includ\w+|contain\w+|having|has|have|characteri[sz]ed|wherein
      |whereby|composed|constituted|which|that|where|being|said|with|by|formula|structure|sequence
      |as\s+(?:defined|described|claimed|shown)|improvement|selected|\w+ed\s+(?:by|from|with|to))\b
      |:|;""",
    re.IGNORECASE | re.VERBOSE,
)
_SHORT_CLAIM_WORDS = 12
_FIRST_MARK = re.compile(
    r"\b(?:compris\w+|consist\w*|includ\w+|contain\w+|having|has|wherein|characteri[sz]ed)\b|[:;,]",
    re.IGNORECASE,
)
# "A display panel a plurality of data lines": a noun runs into the first element.
_RUN_IN = re.compile(r"\b(?P<before>[A-Za-z]+)\s+(?P<noun>[a-z]{3,})\s+an?\s+[a-z]+")
_NO_NOUN_AFTER = frozenset(
    {"to", "which", "that", "and", "or", "not", "can", "may", "will", "a", "an", "the", "each", "said"}
)
_ENUMERATOR = re.compile(r"(?<![\w(\[{])(?:[A-Za-z]{1,2}|[ivxIVX]{1,5}|[0-9]{1,2})['′]?[)\]](?!\w)")
_BRACKET = re.compile(r"[()\[\]{}]")
_CLOSES = {")": "(", "]": "[", "}": "{"}
_DOUBLED_MARK = re.compile(r",\s*,|;\s*;|:\s*:|(?<!\.)\.\s?\.(?!\s?\.)|[,;:]\s*\.(?!\d)|,\s*;|;\s*,")
_DOUBLED_WORD = re.compile(
    r"\b(the|a|an|of|to|and|or|is|are|wherein|said|comprising|with|from|for|by)\s+\1\b",
    re.IGNORECASE,
)


_RULE = {
    subtype: Rule(ErrorClass.SYNTAX, subtype, subtype, "", "", Provision(ErrorClass.SYNTAX.law), None)
    for subtype in (
        "no_period",
        "several_sentences",
        "no_transition",
        "unbalanced_bracket",
        "doubled_punctuation",
        "doubled_word",
    )
}
RULES: tuple[Rule, ...] = tuple(_RULE.values())


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Findings on the form of the claim's own text; the set is not looked at."""
    del reading
    yield from _find(claim)


def _find(claim: Claim) -> Iterator[Flaw]:
    text = claim.text
    if not _ENDS_WELL.search(text):
        start = _last_word(text)
        yield _at(text, "no_period", start, len(text), "The claim does not end with a period.")
    if (break_at := _sentence_break(text)) is not None:
        yield _at(text, "several_sentences", *break_at, "The claim is more than one sentence.")
    if not claim.parents and (place := _lacks_transition(text)) is not None:
        explanation = "No transition phrase parts the preamble from the body."
        yield _at(text, "no_transition", *place, explanation)
    if (position := _unbalanced(text)) is not None:
        explanation = "A bracket has no partner."
        yield _at(text, "unbalanced_bracket", position, position + 1, explanation)
    if doubled := _DOUBLED_MARK.search(text):
        explanation = "Punctuation marks stand doubled."
        yield _at(text, "doubled_punctuation", doubled.start(), doubled.end(), explanation)
    if twice := _DOUBLED_WORD.search(text):
        yield _at(text, "doubled_word", twice.start(), twice.end(), "A word stands twice.")


def _at(text: str, subtype: str, start: int, end: int, explanation: str) -> Flaw:
    return Flaw(_RULE[subtype], start, end, explanation)


def _sentence_break(text: str) -> tuple[int, int] | None:
    """From the last word of the first sentence to the first word of the second, if there are two."""
    for match in _SENTENCE.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()]
        last = _LAST_WORD.search(before)
        if last is not None and last["word"].lower() not in ABBREVIATIONS:
            return match.start() - len(before) + last.start(), match.end("next")
    return None


def _lacks_transition(text: str) -> tuple[int, int] | None:
    """Where an independent claim should have a transition and has none."""
    first = _FIRST_MARK.search(text)
    for match in _RUN_IN.finditer(text, 0, first.end() if first else len(text)):
        noun = match["noun"]
        if match["before"] in _NO_NOUN_AFTER or noun in CLOSED or noun in FINITE:
            continue
        if not noun.endswith(("ing", "ed", "s")):
            return match.start("noun"), match.end()
    long_enough = len(text.split(None, _SHORT_CLAIM_WORDS)) > _SHORT_CLAIM_WORDS
    if long_enough and not _TRANSITION.search(text):
        return 0, _first_words(text)
    return None


def _unbalanced(text: str) -> int | None:
    """Position of the first bracket without a partner, item labels such as "a)" set aside."""
    labels = {match.end() - 1 for match in _ENUMERATOR.finditer(text)}
    open_at: list[tuple[str, int]] = []
    for match in _BRACKET.finditer(text):
        mark, position = match.group(), match.start()
        if mark in "([{":
            open_at.append((mark, position))
        elif open_at and open_at[-1][0] == _CLOSES[mark]:
            open_at.pop()
        elif position not in labels:
            return position
    return open_at[0][1] if open_at else None


def _last_word(text: str) -> int:
    return max(text.rfind(" "), text.rfind("\n")) + 1


def _first_words(text: str) -> int:
    match = re.match(r"\S+(?:\s+\S+){0,5}", text)
    return match.end() if match else len(text)
