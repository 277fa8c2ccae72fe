"""The structural examiner: the results of the deterministic checks, worded as a Chain of Patent Thought.

It is not a language model. It answers Fail exactly if a rule shows a defect that is graver than a note,
and every rationale says what rules cannot see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, overload

from ace.claims.analysis import analysis_of, is_on_set
from ace.claims.chains import chain_set
from ace.claims.findings import Finding
from ace.claims.model import Claim, ClaimInput
from ace.claims.rules import Severity
from ace.claims.taxonomy import ErrorClass, Verdict
from ace.expert.prompt.compliance import LIMITS, Detail, Examined, compliance, cut, numbers, opening, quoted
from ace.expert.prompt.elements import elements
from ace.expert.prompt.rationale import MAX_REASONING_CHARACTERS, UNSTORABLE, Prose
from ace.expert.prompt.steps import MAX_FINDINGS, Defect, Steps
from ace.expert.prompt.tokens import count_tokens
from ace.types.rationale import CheckOutcome

MAX_TOKENS: Final = 900
"""Well below the maximum of an answer (ACE_EXPERT_MAX_TOKENS): one that is cut off is not a verdict."""

_DETAILS: Final = (Detail(8, 3, 6, 120), Detail(6, 2, 3, 60), Detail(3, 1, 1, 30), Detail(0, 1, 0, 12))
_GRAVITY: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@overload
def examine(claim: ClaimInput) -> Prose: ...
@overload
def examine(claim: ClaimInput, version: Literal["v1"]) -> Prose: ...
@overload
def examine(claim: ClaimInput, version: Literal["v2"]) -> Steps: ...
@overload
def examine(claim: ClaimInput, version: str) -> Prose | Steps: ...


def examine(claim: ClaimInput, version: str = "v1") -> Prose | Steps:
    """The answer for `claim` to a prompt of this version: as much as fits into MAX_TOKENS.

    Raises BrokenChain if an entry of the chain does not have the form "<number>. <text>", and KeyError if the
    version does not exist.
    """
    answer = _ANSWERS[version]
    claims, analysis = chain_set(claim), analysis_of(claim)
    # The confidence need not be higher than the default of the checks, which assumes claims of ordinary
    # quality: those that come here have made the gatekeeper doubt, and are more often defective.
    found = [each for each in analysis.reported() if not is_on_set(each)]
    examined = Examined(claims[claim.number], claims, analysis, found)
    for detail in _DETAILS:
        rationale = answer(examined, detail)
        if count_tokens(rationale.model_dump_json()) <= MAX_TOKENS:
            break
    return rationale


def _prose(examined: Examined, detail: Detail) -> Prose:
    reasoning = _storable(_three_steps(examined, detail))
    return Prose(reasoning=reasoning[:MAX_REASONING_CHARACTERS], verdict=_verdict(examined.found))


def _three_steps(examined: Examined, detail: Detail) -> str:
    return (
        f"Step 1 [Element Parsing]: {_parsed(examined.claim, detail)}"
        f" Step 2 [Statutory Compliance]: {compliance(examined, detail)} {LIMITS}"
        f" Step 3 [Verdict]: {_concluded(examined.found)}"
    )


def _parsed(claim: Claim, detail: Detail) -> str:
    place = f"refers to {numbers(claim.parents)}" if claim.parents else "is independent"
    parts = elements(claim.text, dependent=bool(claim.parents))
    said = f"Claim {claim.number} {place}. Preamble: {quoted(parts.preamble, detail.quoted)}."
    if parts.transition is None:
        return f"{said} No transition phrase was recognised."
    shown = [quoted(limb, detail.quoted // 2) for limb in parts.limbs[: detail.limbs]]
    if len(parts.limbs) > len(shown):
        shown.append(f"{len(parts.limbs) - len(shown)} more" if shown else f"{len(parts.limbs)} limbs")
    return (
        f"{said} Transition: {quoted(parts.transition, detail.quoted)}. Body: {'; '.join(shown) or 'empty'}."
    )


def _steps(examined: Examined, detail: Detail) -> Steps:
    """The answer to version 2. Every quotation is verbatim; only its end may be cut off."""
    own, found = examined.claim, examined.found
    parts = elements(own.text, dependent=bool(own.parents))
    grave = _gravest(found)
    shown = grave[: min(MAX_FINDINGS, 2 * detail.findings)]
    left_out = len(grave) - len(shown)
    more = f" {left_out} more {'is' if left_out == 1 else 'are'} not listed." if left_out else ""
    return Steps(
        preamble=_storable(opening(parts.preamble, detail.quoted)),
        transition=_storable(opening(parts.transition or "", detail.quoted)),
        elements=tuple(_storable(opening(limb, detail.quoted // 2)) for limb in parts.limbs[: detail.limbs]),
        findings=tuple(_defect(each, detail) for each in shown),
        reasoning=f"{_concluded(found)[:1].upper()}{_concluded(found)[1:]}{more} {LIMITS}",
        verdict=_verdict(found),
        **{kind.value: _outcome(found, kind) for kind in ErrorClass},
    )


_ANSWERS: Final[dict[str, Callable[[Examined, Detail], Prose | Steps]]] = {"v1": _prose, "v2": _steps}


def _gravest(found: Sequence[Finding]) -> list[Finding]:
    """Those that fail a claim, the gravest first, but one of each class before the second of any."""
    grave = sorted(
        (each for each in found if each.fails), key=lambda each: (_GRAVITY[each.severity], -each.confidence)
    )
    firsts = list({each.error_class: each for each in reversed(grave)}.values())
    return sorted(grave, key=lambda each: each not in firsts)


def _defect(found: Finding, detail: Detail) -> Defect:
    return Defect(
        error_class=found.error_class,
        quote=_storable(opening(found.quote, 2 * detail.quoted)),
        law=found.law,
        explanation=_storable(cut(found.explanation, 2 * detail.quoted)),
    )


def _outcome(found: Sequence[Finding], kind: ErrorClass) -> CheckOutcome:
    own = [each for each in found if each.error_class is kind]
    if any(each.fails for each in own):
        return CheckOutcome.DEFECT
    return CheckOutcome.UNCLEAR if own else CheckOutcome.SOUND


def _verdict(found: Sequence[Finding]) -> Literal["Pass", "Fail"]:
    return Verdict.FAIL.value if any(each.fails for each in found) else Verdict.PASS.value


def _storable(text: str) -> str:
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _concluded(found: Sequence[Finding]) -> str:
    grave = [finding for finding in found if finding.fails]
    remarks = len(found) - len(grave)
    beside = f" ({remarks} more that fail no claim)" if remarks else ""
    if not grave:
        return f"no structural defect was found{beside}, so the claim passes."
    count = "one defect was found" if len(grave) == 1 else f"{len(grave)} defects were found"
    kinds = ", ".join(f"[{kind}]" for kind in dict.fromkeys(each.error_class.value for each in grave))
    return f"{count} {kinds}{beside}, so the claim fails."
