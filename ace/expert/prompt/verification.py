"""Whether a rationale holds: its quotations are compared with the claim, its verdict with its findings and
with what the rules and the gatekeeper say. No model, no state; the verdict itself is never changed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from ace.claims.analysis import analysis_of
from ace.claims.chains import BrokenChain
from ace.claims.findings import CERTAIN, LIKELY, Finding
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import Verdict
from ace.expert.prompt.compliance import cut
from ace.expert.prompt.conclusions import opposing
from ace.expert.prompt.instructions import instruction_in
from ace.expert.prompt.rationale import UNSTORABLE, Rationale
from ace.types.rationale import CheckOutcome
from ace.types.verification import Disagreement, Dispute, LocatedDefect, Verified

_STANDS: Final = {"Pass": "The expert passes the claim.", "Fail": "The expert fails the claim."}
_LEFT_OUT: Final = re.compile(r"\[?(?:…|\.\.\.)\]?(?=.)")
_WHOLE_WORDS_BELOW: Final = 20  # characters; a longer quotation may begin or end within a word
_SHOWN: Final = 3
_QUOTED_CHARACTERS: Final = 80


def verify(
    rationale: Rationale, claim: ClaimInput, threshold: float = CERTAIN, *, gatekeeper_fails: bool = False
) -> Verified:
    """Compares the rationale with the claim that it is about. Raises nothing, whatever the answer.

    Likely findings dispute a Pass, and so does a gatekeeper that fails the claim; from `threshold` on, the
    rules are called sure. A claim that gives orders disputes either verdict.
    """
    text = _Searched(claim.text)
    findings = tuple(LocatedDefect(stated, text.span_of(stated.quote)) for stated in rationale.findings)
    disagreements = [*_unproved(rationale, findings, text), *_inconsistent(rationale)]
    if rationale.verdict == "Pass":
        disagreements.extend(_contradicted(claim, threshold))
        if gatekeeper_fails:
            disagreements.append(
                Disagreement(Dispute.OVERRULED, _STANDS["Pass"], "The gatekeeper would fail it.")
            )
    if (order := instruction_in(claim)) is not None:
        against = f"The claim, or one that it depends on, gives orders to whoever examines it: '{order}'."
        disagreements.append(Disagreement(Dispute.INSTRUCTED, _STANDS[rationale.verdict], against))
    return Verified(rationale.verdict, findings, tuple(disagreements))


def majority(answers: Sequence[Verified]) -> Verified | None:
    """The answer that represents the verdict that more than half of them share, or None without a majority.

    Undisputed answers come first, then those with more verified findings, then earlier ones."""
    for verdict in Verdict:
        same = [answer for answer in answers if answer.verdict == verdict]
        if 2 * len(same) > len(answers):
            return max(same, key=lambda each: (not each.disputed, len(each.verified)))
    return None


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quotation is in the text: exactly, or else ignoring white space, the forms of quotation
    marks and dashes, case, and characters without width.

    A short one must consist of whole words, because "art" does not quote "part". One that ends in "…" was cut
    off there. An empty one quotes only an empty text.
    """
    return _Searched(text).span_of(quote)


class _Searched:
    """A text in which quotations are looked up. Its uniform spelling is made once, when first needed."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _uniform(self) -> tuple[str, list[int]]:
        return _plain(self.text)

    def span_of(self, quote: str) -> tuple[int, int] | None:
        """Where the quotation is, as `locate` says."""
        text = self.text
        if not text.strip():
            return (0, len(text)) if not quote.strip() else None
        broken = quote.rstrip().endswith(("…", "..."))
        wanted = quote.strip().removesuffix("…").removesuffix("...").strip() if broken else quote.strip()
        for words in dict.fromkeys((quote.strip(), wanted)):
            if span := _place(words, text, ends_open=broken):
                return span
        plain, places = self._uniform
        for words in dict.fromkeys((wanted, wanted.strip(" \t\n\"'“”‘’"))):
            shown, _ = _plain(words)
            if span := _place(shown.strip(), plain, ends_open=broken):
                return places[span[0]], places[span[1] - 1] + 1
        return None

    def has_pieces_of(self, quote: str) -> bool:
        """Whether each piece of the quotation, which may leave something out, is in the text."""
        return all(self.span_of(piece) for piece in _LEFT_OUT.split(quote) if piece.strip(" ,.;:"))


def _place(wanted: str, text: str, *, ends_open: bool) -> tuple[int, int] | None:
    """The first occurrence; for short words, the first as whole words."""
    if not wanted.strip():
        return None
    whole = len(wanted) < _WHOLE_WORDS_BELOW
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not whole or not (_joined(text, start) or (not ends_open and _joined(text, end))):
            return start, end
        start = text.find(wanted, start + 1)
    return None


def _joined(text: str, at: int) -> bool:
    """Whether a word goes on across this place."""
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


_SAME: Final = {
    **dict.fromkeys('\u2018\u2019\u201a\u201b\u2032`\u00b4\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"', "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
}


def _plain(text: str) -> tuple[str, list[int]]:
    """The text in a uniform spelling, and for each of its characters the position of the original one."""
    made: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character.isspace():
            spelled = "" if made and made[-1] == " " else " "
        elif UNSTORABLE.match(character):
            spelled = "\N{REPLACEMENT CHARACTER}"
        elif unicodedata.category(character) == "Cf":
            spelled = ""
        else:
            spelled = _SAME.get(character) or unicodedata.normalize("NFKC", character).casefold()
        made.extend(spelled)
        places.extend([place] * len(spelled))
    return "".join(made), places


def _unproved(
    rationale: Rationale, findings: Sequence[LocatedDefect], claim: _Searched
) -> Iterator[Disagreement]:
    """Quotations that are not from the claim: of all defects, or of half of its parts or more."""
    if not claim.text.strip():
        return  # nothing can be quoted from a claim without words
    stands = _STANDS[rationale.verdict]
    if rationale.verdict == "Fail" and not findings:
        yield Disagreement(Dispute.UNPROVED, stands, "It quotes no defect.")
    elif rationale.verdict == "Fail" and all(each.span is None for each in findings):
        quotes = _listed([each.stated.quote for each in findings])
        yield Disagreement(
            Dispute.UNPROVED,
            f"The expert fails the claim and quotes {quotes}.",
            "The claim has no such words.",
        )
    parts = [quote for quote in rationale.quoted if len(quote.split()) > 1]
    foreign = [quote for quote in parts if not claim.has_pieces_of(quote)]
    if foreign and 2 * len(foreign) >= len(parts):
        against = f"It quotes {_listed(foreign)} as parts of the claim, which has no such words."
        yield Disagreement(Dispute.UNPROVED, stands, against)


def _inconsistent(rationale: Rationale) -> Iterator[Disagreement]:
    stands = _STANDS[rationale.verdict]
    wrong = [kind.value for kind, outcome in rationale.outcomes if outcome is CheckOutcome.DEFECT]
    if rationale.verdict == "Pass" and (wrong or rationale.findings):
        named = wrong or [each.error_class.value for each in rationale.findings if each.error_class]
        classes = f" ({', '.join(dict.fromkeys(named))})" if named else ""
        yield Disagreement(Dispute.INCONSISTENT, stands, f"It states a defect itself{classes}.")
    elif (said := opposing(rationale.free, Verdict(rationale.verdict))) is not None:
        yield Disagreement(Dispute.INCONSISTENT, stands, said)


def _contradicted(claim: ClaimInput, threshold: float) -> list[Disagreement]:
    likely = certain(claim, min(threshold, LIKELY))
    if not likely:
        return []
    found = "are sure of a defect" if likely[0].confidence >= threshold else "find a likely defect"
    findings = "; ".join(f"{each.rule_id}, {_listed([each.quote])} [{each.law}]" for each in likely[:_SHOWN])
    return [Disagreement(Dispute.CONTRADICTED, _STANDS["Pass"], f"The rules {found}: {findings}.")]


def certain(claim: ClaimInput, threshold: float = CERTAIN) -> list[Finding]:
    """The findings, notes aside, that are at least so sure, the likeliest first; none if the chain cannot
    be read."""
    try:
        return analysis_of(claim).certain(threshold)
    except BrokenChain:
        return []


def _listed(quotes: Sequence[str]) -> str:
    shown = [f"'{cut(' '.join(quote.split()), _QUOTED_CHARACTERS)}'" for quote in quotes[:_SHOWN]]
    return ", ".join(shown) + (f" and {len(quotes) - _SHOWN} more" if len(quotes) > _SHOWN else "")
