"""The structural examiner: the deterministic checks, told as a Chain of Patent Thought.

It is no language model. It answers Fail exactly where a rule shows a defect that is graver than a
remark, and every rationale says what rules cannot see.
"""

from __future__ import annotations

import re

from ace.claims.chains import chain_set
from ace.claims.checks import check_claim
from ace.claims.findings import Finding
from ace.claims.model import CHAIN_CUT, Claim, ClaimInput
from ace.claims.reading import Reading
from ace.claims.rules import Severity
from ace.claims.taxonomy import ErrorClass, Verdict
from ace.expert.compliance import LIMITS, Detail, compliance, numbers, quoted
from ace.expert.elements import elements
from ace.expert.rationale import MAX_REASONING_CHARACTERS, UNSTORABLE, Rationale
from ace.expert.tokens import count_tokens

MOST_TOKENS = 900
"""Well within what an answer may have (ACE_EXPERT_MAX_TOKENS): one that is cut off is no verdict."""

_DETAILS = (Detail(8, 3, 6, 120), Detail(6, 2, 3, 60), Detail(3, 1, 1, 30), Detail(0, 1, 0, 12))


def examine(claim: ClaimInput, total: int) -> Rationale:
    """The rationale for `claim`, one of `total` in its set: as much as fits into MOST_TOKENS.

    Raises BrokenChain where an entry of the chain does not read "<number>. <text>".
    """
    reading = Reading(chain_set(claim))
    own = reading.claims[claim.number]
    found = _found(reading, own, claim, total)
    verdict = Verdict.FAIL if any(map(fails, found)) else Verdict.PASS
    for detail in _DETAILS:
        reasoning = UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", _told(reading, own, found, detail))
        rationale = Rationale(reasoning=reasoning[:MAX_REASONING_CHARACTERS], verdict=verdict.value)
        if count_tokens(rationale.model_dump_json()) <= MOST_TOKENS:
            break
    return rationale


def find(claim: ClaimInput, total: int) -> list[Finding]:
    """What the checks find in the claim, given nothing but its chain of ancestors."""
    reading = Reading(chain_set(claim))
    return _found(reading, reading.claims[claim.number], claim, total)


def fails(finding: Finding) -> bool:
    """Whether a claim with this finding fails; a remark alone fails none.

    No more confidence is asked for than the checks' default, which counts on claims of ordinary quality:
    those that come here have made the gatekeeper doubt, and are more often defective.
    """
    return finding.severity is not Severity.NOTE


def _found(reading: Reading, own: Claim, claim: ClaimInput, total: int) -> list[Finding]:
    found = check_claim(reading, own)
    if CHAIN_CUT not in claim.ancestors:
        return found
    # What was cut off may introduce an element or be the claim referred to: stay with certainties.
    return [each for each in found if _stands_without_chain(each, total)]


def _stands_without_chain(found: Finding, total: int) -> bool:
    if found.error_class is ErrorClass.ANTECEDENT:
        return False
    if found.rule_id == "dependency.nonexistent":
        return all(int(digits) > total for digits in re.findall("[0-9]{1,9}", found.quote))
    return True


def _told(reading: Reading, own: Claim, found: list[Finding], detail: Detail) -> str:
    return (
        f"Step 1 [Element Parsing]: {_parsed(own, detail)}"
        f" Step 2 [Statutory Compliance]: {compliance(reading, own, found, detail)} {LIMITS}"
        f" Step 3 [Verdict]: {_concluded(found)}"
    )


def _parsed(claim: Claim, detail: Detail) -> str:
    place = f"refers to {numbers(claim.parents)}" if claim.parents else "is independent"
    parts = elements(claim.text, dependent=bool(claim.parents))
    told = f"Claim {claim.number} {place}. Preamble: {quoted(parts.preamble, detail.quoted)}."
    if parts.transition is None:
        return f"{told} No transition phrase was recognised."
    shown = [quoted(limb, detail.quoted // 2) for limb in parts.limbs[: detail.limbs]]
    if len(parts.limbs) > len(shown):
        shown.append(f"{len(parts.limbs) - len(shown)} more" if shown else f"{len(parts.limbs)} limbs")
    return (
        f"{told} Transition: {quoted(parts.transition, detail.quoted)}. Body: {'; '.join(shown) or 'empty'}."
    )


def _concluded(found: list[Finding]) -> str:
    grave = [finding for finding in found if fails(finding)]
    remarks = len(found) - len(grave)
    beside = f" ({remarks} more that fail no claim)" if remarks else ""
    if not grave:
        return f"no structural defect was found{beside}, so the claim passes."
    count = "one defect was found" if len(grave) == 1 else f"{len(grave)} defects were found"
    kinds = ", ".join(f"[{kind}]" for kind in dict.fromkeys(each.error_class.value for each in grave))
    return f"{count} {kinds}{beside}, so the claim fails."
