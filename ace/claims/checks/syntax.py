"""The form of a claim: one sentence that ends with a period, a transition in an independent claim,
brackets that close, punctuation and small words that are not doubled (37 CFR 1.75; MPEP 608.01(m)).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.claims.findings import Finding, finding
from ace.claims.model import Claim, ClaimSet
from ace.claims.taxonomy import ErrorClass

_ENDS_WELL = re.compile(r"\.[\"'”’)\]]*$")
_SENTENCE = re.compile(
    r"(?P<word>[^\s.]*[^\W\d_]{2,}[)\]\"”’]?|\d[)\]])\.\s+(?=[A-Z][a-z]*\s)(?P<next>[A-Za-z]+)"
)
_ABBREVIATIONS = frozenset(
    [
        "al",
        "approx",
        "art",
        "ca",
        "cf",
        "ch",
        "co",
        "col",
        "corp",
        "dr",
        "ed",
        "eq",
        "eqs",
        "equiv",
        "esp",
        "et",
        "etc",
        "ex",
        "fig",
        "figs",
        "ft",
        "gen",
        "hr",
        "hrs",
        "inc",
        "incl",
        "jr",
        "lb",
        "ltd",
        "max",
        "min",
        "misc",
        "mr",
        "mrs",
        "no",
        "nos",
        "para",
        "pat",
        "ph",
        "pl",
        "pp",
        "prof",
        "ref",
        "resp",
        "rev",
        "sec",
        "secs",
        "seq",
        "sp",
        "spec",
        "spp",
        "sr",
        "st",
        "sub",
        "subsp",
        "tab",
        "temp",
        "var",
        "viz",
        "vol",
        "vs",
        "wt",
    ]
)
_TRANSITION = re.compile(
    r"""\b(?:compris\w+|consist\w*|includ\w+|contain\w+|having|has|have|characteri[sz]ed|wherein
      |whereby|composed|constituted|which|that|where|being|is|are|the\s+steps?|said|with|by|using
      |formula|structure|sequence|according|as\s+(?:defined|described|claimed|shown|substantially)
      |improvement|selected|obtain\w+|produc\w+|prepar\w+|made|encod\w+|for|to)\b|:""",
    re.IGNORECASE | re.VERBOSE,
)
_ENUMERATOR = re.compile(r"(?<![\w(\[{])(?:[A-Za-z]{1,2}|[ivxIVX]{1,5}|[0-9]{1,2})['′]?[)\]](?!\w)")
_BRACKET = re.compile(r"[()\[\]{}]")
_CLOSES = {")": "(", "]": "[", "}": "{"}
_DOUBLED_MARK = re.compile(r",\s*,|;\s*;|:\s*:|(?<!\.)\.\s?\.(?!\s?\.)|[,;:]\s*\.(?!\d)|,\s*;|;\s*,")
_DOUBLED_WORD = re.compile(
    r"\b(the|a|an|of|to|and|or|is|are|wherein|said|comprising|with|from|for|by)\s+\1\b",
    re.IGNORECASE,
)


def check(claim_set: ClaimSet, claim: Claim) -> list[Finding]:
    """Findings on the form of the claim's own text; the set is not looked at."""
    del claim_set
    return list(_find(claim))


def _find(claim: Claim) -> Iterator[Finding]:
    text = claim.text
    if not _ENDS_WELL.search(text):
        start = _last_word(text)
        yield _at(text, "no_period", start, len(text), "The claim does not end with a period.")
    for match in _SENTENCE.finditer(text):
        if _ends_sentence(match):
            start = match.start("word")
            explanation = "The claim is more than one sentence."
            yield _at(text, "several_sentences", start, match.end("next"), explanation)
            break
    if not claim.parents and len(text.split()) > 8 and not _TRANSITION.search(text):
        explanation = "No transition phrase parts the preamble from the body."
        yield _at(text, "no_transition", 0, _first_words(text), explanation)
    if (position := _unbalanced(text)) is not None:
        explanation = "A bracket has no partner."
        yield _at(text, "unbalanced_bracket", position, position + 1, explanation)
    if doubled := _DOUBLED_MARK.search(text):
        explanation = "Punctuation marks stand doubled."
        yield _at(text, "doubled_punctuation", doubled.start(), doubled.end(), explanation)
    if twice := _DOUBLED_WORD.search(text):
        yield _at(text, "doubled_word", twice.start(), twice.end(), "A word stands twice.")


def _at(text: str, subtype: str, start: int, end: int, explanation: str) -> Finding:
    return finding(ErrorClass.SYNTAX, subtype, text=text, start=start, end=end, explanation=explanation)


def _ends_sentence(match: re.Match[str]) -> bool:
    word = match["word"].strip('(["“”’)]').lower()
    return word not in _ABBREVIATIONS


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
