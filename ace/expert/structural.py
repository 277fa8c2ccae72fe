"""The structural examiner: the deterministic checks, told as a Chain of Patent Thought.

It is no language model. It answers Fail exactly where a rule shows a defect of dependency,
antecedent or syntax, and every rationale says that contradiction and ambiguity were not examined.
"""

from __future__ import annotations

import re

from ace.claims.checks import check_claim
from ace.claims.findings import Finding
from ace.claims.model import CHAIN_CUT, Claim, ClaimInput, ClaimSet
from ace.claims.references import parents_of
from ace.claims.taxonomy import ErrorClass, Verdict
from ace.expert.rationale import MAX_REASONING_CHARACTERS, UNSTORABLE, Rationale

_NUMBERED = re.compile(r"\s*([0-9]{1,9})\s*\.\s?(.*)", re.DOTALL)
_TRANSITION = re.compile(
    r"\b(?:comprising|comprises|consisting(?:\s+essentially)?\s+of|including|includes|having"
    r"|characteri[sz]ed\s+(?:in\s+that|by)|composed\s+of|further\s+comprising|wherein|which)\b",
    re.IGNORECASE,
)
_MOST_FINDINGS = 6
_MOST_ELEMENTS = 8
_QUOTED_CHARACTERS = 120
_LIMITS = "These are rules for structure; logical contradiction and ambiguity of terms were not examined."


def examine(claim: ClaimInput, total: int) -> Rationale:
    """The rationale for `claim`, one of `total` in its set. Raises ValueError for a chain whose
    entries do not read "<number>. <text>"."""
    found = find(claim, total)
    verdict = Verdict.FAIL if found else Verdict.PASS
    reasoning = " ".join(
        [
            f"Step 1 [Element Parsing]: {_elements(claim)}",
            f"Step 2 [Statutory Compliance]: {_compliance(found)} {_LIMITS}",
            f"Step 3 [Verdict]: {_conclusion(found)}",
        ]
    )
    return Rationale(reasoning=reasoning[:MAX_REASONING_CHARACTERS], verdict=verdict.value)


def find(claim: ClaimInput, total: int) -> list[Finding]:
    """What the checks find in the claim, given nothing but its chain of ancestors."""
    chain = [ancestor for ancestor in claim.ancestors if ancestor != CHAIN_CUT]
    own = Claim(claim.number, claim.text, parents_of(claim.text, claim.number))
    claims = {claim.number: own}
    for ancestor in chain:
        parsed = _parse(ancestor)
        claims.setdefault(parsed.number, parsed)
    found = check_claim(ClaimSet(tuple(claims.values())), own)
    if len(chain) == len(claim.ancestors):
        return found
    # What was cut off may introduce an element or be the claim referred to: stay with certainties.
    return [each for each in found if _stands_without_chain(each, total)]


def _parse(ancestor: str) -> Claim:
    match = _NUMBERED.fullmatch(ancestor)
    if match is None:
        raise ValueError("an ancestor does not begin with its number")
    number = int(match[1])
    return Claim(number, match[2], parents_of(match[2], number))


def _stands_without_chain(found: Finding, total: int) -> bool:
    if found.error_class is ErrorClass.ANTECEDENT:
        return False
    if found.subtype == "nonexistent":
        return all(int(digits) > total for digits in re.findall("[0-9]{1,9}", found.quote))
    return True


def _elements(claim: ClaimInput) -> str:
    parents = parents_of(claim.text, claim.number)
    place = (
        f"Claim {claim.number} refers to {_listed(parents)}."
        if parents
        else f"Claim {claim.number} is independent."
    )
    match = _TRANSITION.search(claim.text)
    if match is None:
        return f"{place} Preamble: {_quoted(claim.text)}. No transition phrase was recognised."
    preamble = claim.text[: match.start()].strip(" ,:;\n\t")
    body = claim.text[match.end() :].strip(" ,:;.\n\t")
    limbs = [limb.strip(" ,:.\n\t") for limb in re.split(r";\s*(?:and\s+)?", body)]
    limbs = [limb for limb in limbs if limb]
    shown = "; ".join(_quoted(limb, 60) for limb in limbs[:_MOST_ELEMENTS])
    more = f"; and {len(limbs) - _MOST_ELEMENTS} more" if len(limbs) > _MOST_ELEMENTS else ""
    return (
        f"{place} Preamble: {_quoted(preamble)}. Transition: {_quoted(match.group())}."
        f" Body: {shown or 'empty'}{more}."
    )


def _compliance(found: list[Finding]) -> str:
    if not found:
        return "dependency, antecedent and syntax: no defect found."
    told = [
        f"{each.error_class.value} ({each.subtype}): {_quoted(each.quote)}. {each.explanation} [{each.law}]"
        for each in found[:_MOST_FINDINGS]
    ]
    if len(found) > _MOST_FINDINGS:
        told.append(f"And {len(found) - _MOST_FINDINGS} more of the same kinds.")
    return " ".join(told)


def _conclusion(found: list[Finding]) -> str:
    if not found:
        return "no structural defect was found, so the claim passes."
    count = "one defect was found" if len(found) == 1 else f"{len(found)} defects were found"
    kinds = ", ".join(f"[{kind}]" for kind in dict.fromkeys(each.error_class.value for each in found))
    return f"{count} {kinds}, so the claim fails."


def _quoted(text: str, most: int = _QUOTED_CHARACTERS) -> str:
    shown = UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text[:most])
    return f"'{shown}'" + ("…" if len(text) > most else "")


def _listed(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(str(number) for number in numbers[:_MOST_ELEMENTS])
    more = " and more" if len(numbers) > _MOST_ELEMENTS else ""
    return f"claim{'s' if len(numbers) > 1 else ''} {shown}{more}"
