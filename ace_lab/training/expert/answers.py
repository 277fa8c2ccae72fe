"""The correct answer for a row of a data set: its true verdict, or the steps that lead to it.

The steps are those of prompt version 2 (ace.expert.prompt.steps); version 1 has them in prose. The statements
about a defect are known from its injection: class, words and law. About the rest, the answer says only that
nothing was put in there.
"""

from __future__ import annotations

import json
from typing import Literal

from ace.claims.model import Claim
from ace.claims.references.claim_references import parents_of
from ace.claims.taxonomy import PASS, ErrorClass, Verdict
from ace.expert.prompt.compliance import numbers, opening
from ace.expert.prompt.elements import elements
from ace.expert.prompt.rationale import UNSTORABLE
from ace.expert.prompt.steps import MAX_ELEMENTS, MAX_FINDINGS, Defect, Steps, as_prose
from ace.expert.prompt.verification import locate
from ace.types.rationale import CheckOutcome
from ace_lab.data.rows import Row, Span
from ace_lab.training.expert.defects import reason

# The maximum lengths that the prompt asks for.
_PREAMBLE, _TRANSITION, _QUOTE = 300, 60, 200
_ELEMENT = 60


def answer(row: Row, target: str, prompt: str) -> str:
    """The text that the expert should answer with: one JSON object, as in the prompt's demonstrations."""
    if target == "verdict":
        return json.dumps({"verdict": _verdict(row)})
    steps = steps_of(row)
    if prompt == "v1":
        prose = {"reasoning": as_prose(steps), "verdict": steps.verdict}
        return json.dumps(prose, ensure_ascii=False)
    return steps.model_dump_json()


def steps_of(row: Row) -> Steps:
    """The true Chain of Patent Thought of a row; its findings quote the injected defects, at most
    MAX_FINDINGS of them."""
    claim = Claim(row.number, row.text, parents_of(row.text, row.number))
    parts = elements(row.text, dependent=bool(claim.parents))
    found = _defects(row)
    wrong = None if row.label == PASS else ErrorClass(row.label)
    return Steps(
        preamble=_storable(opening(parts.preamble, _PREAMBLE)),
        transition=_storable(opening(parts.transition or "", _TRANSITION)),
        elements=tuple(_storable(opening(limb, _ELEMENT)) for limb in parts.limbs[:MAX_ELEMENTS]),
        findings=found,
        reasoning=_sound(claim) if wrong is None else _defective(row, wrong, found),
        verdict=_verdict(row),
        **{kind.value: CheckOutcome.DEFECT if kind is wrong else CheckOutcome.SOUND for kind in ErrorClass},
    )


def quote_of(text: str, span: Span) -> str:
    """The words of the text that show the defect at `span`: the span itself if it is whole words and occurs
    there first, otherwise with enough words around it; a long quotation is shortened.
    """
    start, end = _whole(text, *span)
    shown = opening(text[start:end], _QUOTE)
    while (found := locate(shown, text)) is None or found[0] != start:
        wider = _whole(text, start, _next_end(text, end)) if end < len(text) else _whole(text, start - 2, end)
        if wider == (start, end) or wider[1] - wider[0] > _QUOTE:
            break
        start, end = wider
        shown = text[start:end]
    return shown


def _whole(text: str, start: int, end: int) -> Span:
    """The span with the words that it begins and ends in, without white space around it."""
    start, end = max(0, start), min(len(text), end)
    while start < end - 1 and text[start].isspace():
        start += 1
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    # A mark or a single letter is unclear without the word before it.
    if end - start < 3 and start > 0:
        return _whole(text, len(text[:start].rstrip()) - 1, end)
    return start, end


def _next_end(text: str, end: int) -> int:
    """The end of the word that comes next."""
    at = end
    while at < len(text) and not text[at].isalnum():
        at += 1
    return min(len(text), at + 1)


def _defects(row: Row) -> tuple[Defect, ...]:
    if row.label == PASS:
        return ()
    kind = ErrorClass(row.label)
    # A row of several defects names the edit of the first one made, wherever that stands.
    why = reason(kind, row.edit if len(row.spans) == 1 else "")
    quotes = dict.fromkeys(_storable(quote_of(row.text, span)) for span in row.spans)
    return tuple(
        Defect(error_class=kind, quote=quote, law=why.law, explanation=why.explanation)
        for quote in list(quotes)[:MAX_FINDINGS]
    )


def _verdict(row: Row) -> Literal["Pass", "Fail"]:
    return Verdict.PASS.value if row.label == PASS else Verdict.FAIL.value


def _defective(row: Row, wrong: ErrorClass, found: tuple[Defect, ...]) -> str:
    count = "One defect was" if len(row.spans) == 1 else f"{len(row.spans)} defects were"
    explanation = found[0].explanation if found else reason(wrong, "").explanation
    others = ", ".join(kind.value for kind in ErrorClass if kind is not wrong)
    return f"{count} found, of the kind {wrong.value}. {explanation} The other checks ({others}) show none."


def _sound(claim: Claim) -> str:
    refers = f"The reference to {numbers(claim.parents)} is proper" if claim.parents else "It is independent"
    return (
        f"{refers}, what it takes up has been introduced, nothing contradicts, no term leaves the scope open,"
        " and it is one complete sentence. No defect was found."
    )


def _storable(text: str) -> str:
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)
