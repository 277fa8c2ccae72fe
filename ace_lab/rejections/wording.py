"""Normalises the text of office actions: typography, broken words, sentences, claim numbers.

Bodies come from word processors, PDF and OCR, so a line may end in the middle of a word, quotation marks
vary, and "claim" may read "clairn". Nothing here knows what a rejection is.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from textwrap import wrap

MAX_CLAIM = 999
MAX_RANGE = 200
MAX_SENTENCE = 1_500

_TAG = re.compile(
    r"</?(?:p|b|i|u|br|div|span|em|strong|sub|sup|font|td|tr|table|li|ul|ol|h[1-6])\b[^<>]*>", re.IGNORECASE
)
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″＂", '"'),
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00a0\u2007\u202f\u2009\u3000", " "),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\ufeff\u2060"),
        "ﬁ": "fi",
        "ﬂ": "fl",
        "…": "...",
    }
)
_DOUBLED = re.compile(r"''(?=\S)|(?<=\S)''")
_HYPHENATED = re.compile(r"(?<=[a-z])-[ \t]*\n\s*(?=[a-z])")
_CLAIM_MISREAD = re.compile(r"\b([Cc])\n?[l1I|]\n?a\n?[i1l]\n?(?:m|rn)\n?(s?)\b")

# Words of the form paragraphs that are long enough that their letters, split by a space or the end of a
# line, mean nothing else.
_LONG = (
    *("insufficient", "antecedent", "limitation", "limitations", "indefinite", "unclear", "recites"),
    *("rejected", "particularly", "distinctly", "invention", "dependent", "dependency", "depending"),
    *("depends", "paragraph", "relative", "renders", "rendering", "following", "claimed", "canceled"),
    *("cancelled", "contradicts", "contradictory", "ambiguous", "withdrawn", "consideration"),
    *("objected", "regarding", "exemplary", "trademark", "inconsistent", "improper", "recitation"),
)
_BROKEN = re.compile(
    r"\b(?:" + "|".join(r"(?:\s?|-\n)".join(word) for word in sorted(_LONG, key=len, reverse=True)) + r")\b",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")


def readable(body: str) -> str:
    """The body with plain quotes, dashes and spaces, its broken words mended; line breaks stay."""
    text = html.unescape(_TAG.sub("\n", body)).translate(_SIGNS)
    text = _DOUBLED.sub('"', text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n"))
    text = _HYPHENATED.sub("", text)
    text = _BROKEN.sub(lambda match: re.sub(r"[\s-]", "", match[0]), text)
    return _CLAIM_MISREAD.sub(r"\1laim\2", text)


_ABBREVIATION = re.compile(
    r"\b(?:U\.\s?S\.\s?C|U\.\s?S|C\.F\.R|e\.g|i\.e|et al|etc|Figs?|Nos?|vs?|Inc|Corp|Co|Ltd|Fed\. Cir|Cir|Fed"
    r"|cf|approx|pp?|col|ll?|lns?|para|Pat|Pub|Appl|Dr|Mr|Ms|sec|Sec|Ex)\.",
)
_DOT = "\u2024"
_PARAGRAPH = re.compile(
    r"\n\s*\n|\n(?=\s*(?:[(\[]?[0-9a-z]{1,3}[.)\]]\s+|[•*o-]\s+)?"
    r"(?:Regarding|Claims?\b|As\s+(?:to|per|for|regards)|In\s+(?:re\s+)?claims?|With\s+(?:respect|regard)|Re\s+claims?"
    r"|The\s+(?:term|phrase|limitation)|There\s+is|Response\s+to|Conclusion|Allowable|Double\s+Patenting))"
)
_SENTENCE = re.compile(
    r"(?<=[.?!])(?:[\"')\]]*)\s+(?=[\"'(\[]?[A-Z0-9])|;\s+(?=(?:and\s+)?(?:in\s+|regarding\s+|as\s+to\s+)?claims?\b)",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The sentences of a readable text, white space as single spaces, none empty. One that would be
    longer than MAX_SENTENCE, as where all punctuation was lost, is cut between words."""
    found: list[str] = []
    for paragraph in _PARAGRAPH.split(text):
        masked = _ABBREVIATION.sub(lambda match: match[0].replace(".", _DOT), paragraph)
        start = 0
        for end in _SENTENCE.finditer(masked):
            found.append(masked[start : end.end()])
            start = end.end()
        found.append(masked[start:])
    plain = (_SPACE.sub(" ", each.replace(_DOT, ".")).strip() for each in found)
    return [piece for each in plain for piece in wrap(each, MAX_SENTENCE, break_on_hyphens=False)]


_NUMBER = r"[0-9]{1,3}(?![0-9])(?!\.[0-9])(?!\s*(?:U\.?\s?S|USC|CFR|C\.F\.R))"
_BETWEEN = (
    r"\s*(?:,\s*(?:and/or\b|and\b|or\b|&)?|and/or\b|and\b|or\b|&|/|-|\bto\b|\bthrough\b|\bthru\b|;(?=\s*[0-9]))\s*"
    r"(?:(?:also\s+)?(?:in\s+)?claims?(?:\(s\))?\s*)?"
)
_MENTION = re.compile(
    rf"\bclaims?(?:\s?\(s\))?\s*(?:nos?\.?\s*|numbers?\s*)?:?\s*(?P<list>{_NUMBER}(?:{_BETWEEN}{_NUMBER})*)",
    re.IGNORECASE,
)
_PIECE = re.compile(r"([0-9]+)(\s*(?:-|\bto\b|\bthrough\b|\bthru\b))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A place of a sentence, text[start:end], that names claims."""

    start: int
    end: int
    claims: tuple[int, ...]


def mentions(sentence: str) -> list[Mention]:
    """Every place of a sentence where claims are named by number, in order."""
    return [
        Mention(match.start(), match.end(), claim_numbers(match["list"]))
        for match in _MENTION.finditer(sentence)
    ]


def claim_numbers(written: str) -> tuple[int, ...]:
    """The numbers of "1, 3-5 and 7": (1, 3, 4, 5, 7), each once, in order of appearance."""
    found: dict[int, None] = {}
    low: int | None = None
    for piece in _PIECE.finditer(written):
        number = int(piece[1])
        if low is not None and low < number <= low + MAX_RANGE:
            found.update(dict.fromkeys(range(low, number)))
        if 0 < number <= MAX_CLAIM:
            found[number] = None
        low = number if piece[2] else None
    return tuple(found)


_QUOTED = re.compile(
    r'"(?P<double>[^"]{1,600}?)"|(?<![\w"])\'(?P<single>[^\'"]{1,300}?(?:\'(?=[a-z])[^\'"]{1,300}?)*)\'(?!\w)'
    r"|``(?P<ticks>[^`\"]{1,300}?)''"
)


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words between quotation marks: text[start:end] with the marks."""

    start: int
    end: int
    words: str


def quotations(sentence: str) -> list[Quotation]:
    """What stands between quotation marks in a sentence, without marks and edges."""
    found = []
    for match in _QUOTED.finditer(sentence):
        words = (match["double"] or match["single"] or match["ticks"] or "").strip(" ,.;:")
        if words:
            found.append(Quotation(match.start(), match.end(), words))
    return found
