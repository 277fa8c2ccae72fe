"""A claim is one sentence that opens with a capital letter and ends with a period."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import (
    ABBREVIATIONS,
    KEEPING,
    NO_NOUN,
    OPENERS,
    PARTICLES,
    STEPS,
    SWITCHED,
    UNFINISHED,
)
from ace.claims.findings import Fix, Flaw
from ace.claims.language.words import LOST

_CLOSING: Final = "\"'”’)]"
_ENDS_WELL: Final = re.compile(rf"[.。][{re.escape(_CLOSING)}]*$")
_AFTER_WORDS: Final = " \n\t,;:.…-"
_STRANDS: Final = re.compile(r"ed\s$|\b(?:that|which|whom|what|where)\b[^,;]{0,160}$")
_SWITCHED: Final = re.compile(rf"\b(?:{'|'.join(sorted(SWITCHED))})[a-z]*\s$|\b(?:is|are)\s$")
_BEFORE_LOST: Final = frozenset(
    {"are", "as", "by", "comprise", "comprises", "comprising", "consisting", "from", "has", "having"}
    | {"include", "includes", "including", "is", "of", "or", "to", "via", "with"}
)
_PLACEHOLDER: Final = re.compile(
    rf"(?:[\])>]|\bformula\w*|structure|sequence|\b(?:{'|'.join(sorted(_BEFORE_LOST))}))$", re.IGNORECASE
)
_LOST: Final = re.compile(rf"{LOST}$")
_LOOK_BACK_CHARACTERS: Final = 64


def ending(text: str) -> Iterator[Flaw]:
    """The flaw at the end of the claim: it breaks off, or has no period, unless the text has lost its end.

    Without a period, "is" and its like say that a formula or a sequence stood there, which texts lose.
    """
    tail = text[-_LOOK_BACK_CHARACTERS:]
    shift = len(text) - len(tail)
    ended = _ENDS_WELL.search(tail) is not None
    kept = tail.rstrip(_AFTER_WORDS)
    start = max(kept.rfind(" "), kept.rfind("\n")) + 1
    word, before = kept[start:], kept[:start]
    if _breaks_off(word, before) and (ended or word not in _BEFORE_LOST):
        stranded = ("stranded",) if ended and word in PARTICLES and _STRANDS.search(before) else ()
        why = f"The claim breaks off after “{word}”."
        yield Flaw(RULE["broken_off"], shift + start, shift + len(kept), why, None, stranded)
    elif not ended and _LOST.search(kept) is None:
        end = len(tail.rstrip()) or len(tail)
        why = "The claim does not end with a period."
        last = min(start, end - 1)
        yield Flaw(RULE["no_period"], shift + last, shift + end, why, _period(text), _lost(kept))


_LIMB_BREAKS: Final = re.compile(
    r"(?:\A|(?<=\s))(?P<before>[A-Za-z][\w-]*)\s(?P<word>the|said|its|their|of|with|from|between|into|for|by|to|at|wherein|an?)\s?\Z"
)
_LIMB_END_CHARACTERS: Final = 60
_TAKES_NOUN: Final = frozenset(
    {
        "of",
        "to",
        "with",
        "in",
        "on",
        "from",
        "by",
        "for",
        "at",
        "into",
        "between",
        "through",
        "and",
        "or",
        "is",
        "are",
    }
    | {"having", "comprising", "than", "as"}
)


def limbs_broken(text: str) -> Iterator[Flaw]:
    """Each limb that breaks off before its semicolon: "a rotor in the; and a valve"."""
    at = text.find(";")
    while at >= 0:
        match = _LIMB_BREAKS.search(text, max(0, at - _LIMB_END_CHARACTERS), at)
        if match is not None and not _may_end_limb(text, match):
            why = f"This part of the claim breaks off after “{match['word']}”."
            yield Flaw(RULE["broken_off"], match.start("before"), match.end("word"), why, None, ("limb",))
        at = text.find(";", at + 1)


def _may_end_limb(text: str, match: re.Match[str]) -> bool:
    """Whether the last word may end a limb: a letter that stands for something, or a stranded particle."""
    word = match["word"]
    if word in {"a", "an"}:
        return match["before"] not in _TAKES_NOUN
    before = text[max(0, match.start() - 160) : match.start("word")]
    return word in PARTICLES and (
        _STRANDS.search(before) is not None or _is_left_over(word, f"{before.rstrip()} ")
    )


_NAMED: Final = re.compile(
    r"\b(?:an?|the|said|each|every|one|animal|human|intelligent|living|metal|vertebrate)\s\Z"
)
_LETTER_NAMED: Final = re.compile(r"\b(?:step|part|item|option|feature|point|phase|stage)\s\Z", re.IGNORECASE)
_SYMBOLS: Final = frozenset({"As", "At", "In"})
_FIXED: Final = re.compile(r"\b(?:in|there|on\sand|over\sand)\s\Z")
_AFTER_FIXED: Final = frozenset({"between", "on", "over"})


def _is_name(word: str, before: str) -> bool:
    """Whether the word names something there ("a living being", "the via", "step a", "and At") or belongs to
    the one before it ("in between")."""
    if word in {"being", "via"}:
        return _NAMED.search(before) is not None
    if word == "a":
        return _LETTER_NAMED.search(before) is not None
    return word in _SYMBOLS or (word in _AFTER_FIXED and _FIXED.search(before) is not None)


# "the channel that the device listens to": the noun stands before a clause with a subject of its own.
_GAP: Final = re.compile(
    r"(?<![\w-])(?P<article>(?:an?|the|said|each|one)\s(?:[a-z-]+\s)?)?(?P<noun>[a-z-]+)\s(?:that|which|whom)\s(?:the|an?|said|each|it|they|one|any)\s[^,;:]{1,140}$"
)
# Verbs whose preposition stays with them in the passive: "the service is found and subscribed to".
_PASSIVE: Final = re.compile(
    r"\b(?:is|are|be|been|being|was|were)\s(?:[a-z]+ly\s)?(?:[a-z]+,?\s(?:and|or)\s)?(?P<verb>[a-z]+)\s\Z"
)


def _is_left_over(word: str, before: str) -> bool:
    """Whether a passive or a relative clause leaves the particle at its end."""
    if word not in PARTICLES:
        return False
    passive = _PASSIVE.search(before)
    if passive is not None and f"{passive['verb']}_{word}" in KEEPING:
        return True
    gap = _GAP.search(before)
    if gap is None or gap["noun"] in NO_NOUN:
        return False
    return gap["article"] is not None or not gap["noun"].endswith(("ing", "ed", "es"))


def _breaks_off(word: str, before: str) -> bool:
    """Whether no sentence ends with this word. Letters of formulas and quoted words are not flagged."""
    if word.lower() not in UNFINISHED or word.isupper():
        return False
    if _is_name(word, before) or _is_left_over(word, before):
        return False
    if word in {"on", "in"} and _SWITCHED.search(before):
        return False
    return before[-1:].isspace() and before.rstrip()[-1:] not in {"-", "=", "(", '"', "“", "+"}


def _lost(end: str) -> tuple[str, ...]:
    """Whether the text may have lost a formula, an image or a sequence at its end."""
    return ("formula",) if _PLACEHOLDER.search(end) else ()


def _period(text: str) -> Fix | None:
    kept = text.rstrip(" ,;:\n\t")
    if not kept or not (kept[-1].isalnum() or kept[-1] in _CLOSING):
        return None
    return (
        Fix(len(kept), len(text), ".")
        if len(kept) < len(text)
        else Fix(len(text) - 1, len(text), f"{text[-1]}.")
    )


_STOP: Final = re.compile(
    r"(?P<mark>[.?!])(?P<close>[\"”’)\]]?)(?P<space>\s?)(?P<next>[\"“(]?[A-Za-z][A-Za-z0-9]*)(?=[\s,:(/)-])"
)
_BEFORE: Final = re.compile(r"(?:(?P<word>(?<![^\W\d_])[^\W\d_]+)|(?P<digit>[0-9])|(?P<other>[)\]%°\"”’]))$")
_BACK_TO_WORD: Final = re.compile(r"\S+$")
_LABEL: Final = re.compile(
    r"(?:^|[;:,]\s|\.\s|\b(?:and|or|steps?|of))\s?\(?(?:[0-9]{1,2}|[ivx]{1,4}|[A-Za-z])$"
)
_CLAIM_NUMBER: Final = re.compile(r"\bclaims?\s[0-9]+$", re.IGNORECASE)
_PLAIN_LETTERS: Final = 4
"""Letters of a word that is hardly abbreviated."""
_SMALL_OPENERS: Final = frozenset({"a", "the", "said", "wherein", "it", "this", "these", "in", "an", "each"})


def several(text: str) -> Iterator[Flaw]:
    """The first place where a second sentence begins: from the last word before it to its first."""
    for match in _STOP.finditer(text):
        position = match.start()
        before = text[max(0, position - 40) : position]
        if not _is_stop(before, match):
            continue
        word = _CLAIM_NUMBER.search(before) or _BACK_TO_WORD.search(before)
        start = position - len(before) + word.start() if word else position
        why = f"A second sentence begins with “{match['next'].lstrip(chr(40))}”; a claim is one sentence."
        yield Flaw(RULE["several_sentences"], start, match.end(), why, _joined(match))
        return


def _is_stop(before: str, match: re.Match[str]) -> bool:
    """Whether a period with a word after it ends a sentence, and no abbreviation or label."""
    last = _BEFORE.search(before)
    following = match["next"].lstrip('"“(')
    if last is None or not following:
        return False
    if not match["space"]:
        # "housing.The": only a plain word on either side; "claim.html" and "E.Coli" are names.
        return _is_plain(last["word"], 3) and following in OPENERS
    if following[0].islower():
        return _goes_on_small(last["word"] or "", following, bracketed=match["next"][0] == "(")
    if _is_symbol(last, before):
        return following in OPENERS and not _LABEL.search(before)
    abbreviated = last["word"] is not None and last["word"].lower() in ABBREVIATIONS
    if len(following) == 1:
        plain = following == "A" or _is_plain(last["word"], _PLAIN_LETTERS)
        return not abbreviated and last["digit"] is None and plain
    return not abbreviated


def _goes_on_small(word: str, following: str, *, bracketed: bool) -> bool:
    """Whether a sentence that begins with a small letter follows the period behind a word."""
    known = word.lower() in ABBREVIATIONS or set(word) <= set("ivx")
    glued = word.startswith("and") and len(word) <= _PLAIN_LETTERS  # "andb. heating"
    if known or glued or not _is_plain(word[1:], 2):
        return False
    opens = following in _SMALL_OPENERS or following in STEPS or following == "and"
    return opens or bracketed or (_is_plain(word, _PLAIN_LETTERS) and len(following) > 1)


def _is_plain(word: str | None, letters: int) -> bool:
    """Whether this is a word in lower case of so many letters at least."""
    return word is not None and len(word) >= letters and word.islower()


def _is_symbol(last: re.Match[str], before: str) -> bool:
    """Whether the period follows a letter or number that may label a limb or belong to a name."""
    if last["digit"]:
        return not _CLAIM_NUMBER.search(before)
    return last["word"] is not None and len(last["word"]) == 1 and last["word"].lower() not in ABBREVIATIONS


def _joined(match: re.Match[str]) -> Fix | None:
    """ ". Wherein" becomes ", wherein"; other sentences need their author."""
    if match["next"] in {"Wherein", "Whereby"} and match["mark"] == "." and not match["close"]:
        return Fix(match.start(), match.end(), f", {match['next'].lower()}")
    return None


_SMALL_START: Final = re.compile(r"([a-z]+)(?=[\s,:])")


def opening(text: str) -> Iterator[Flaw]:
    """A claim that opens with a small letter, except names such as "mRNA" and "p-xylene"."""
    if first := _SMALL_START.match(text):
        fix = Fix(0, 1, text[0].upper())
        yield Flaw(RULE["opening"], 0, first.end(), "The claim begins with a small letter.", fix)
