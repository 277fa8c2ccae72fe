"""What an examiner of the USPTO would write about a finding, beside ACE's own sentence.

Standard phrases are those of the form paragraphs of the MPEP, a work of the US government; the rest is worded
after the paragraph that the entry names. Rules see the claims alone: a phrase that mentions the specification
says what an examiner writes after looking there.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ace.claims.findings import Finding
from ace.claims.taxonomy import ErrorClass


class Phrase(NamedTuple):
    """Words with {claim}, {quote} and {explanation} to fill in, and the paragraph that they come from."""

    words: str
    source: str


_INFORMALITY: Final = Phrase(
    "Claim {claim} is objected to because of the following informality: {explanation} Appropriate"
    " correction is required.",
    "form paragraph 7.29.01",
)
_NOT_LIMITING: Final = Phrase(
    "Claim {claim} is of improper dependent form for failing to further limit the subject matter of the"
    " claim upon which it depends, or for failing to include all the limitations of the claim upon which it"
    " depends.",
    "form paragraph 7.36.01",
)
_RELATIVE: Final = Phrase(
    "The term “{quote}” in claim {claim} is a relative term which renders the claim indefinite. The term is"
    " not defined by the claim, the specification does not provide a standard for ascertaining the"
    " requisite degree, and one of ordinary skill in the art would not be reasonably apprised of the scope"
    " of the invention.",
    "form paragraph 7.34.03",
)
_EXAMPLE: Final = Phrase(
    "Regarding claim {claim}, the phrase “{quote}” renders the claim indefinite because it is unclear"
    " whether the limitations following the phrase are part of the claimed invention.",
    "form paragraph 7.34.08",
)
_ALTERNATIVE_ONLY: Final = Phrase(
    "Claim {claim} is objected to under 37 CFR 1.75(c) as being in improper form because a multiple"
    " dependent claim should refer to other claims in the alternative only.",
    "form paragraph 7.45",
)
_CIRCLE: Final = Phrase(
    "Claim {claim} depends, directly or indirectly, from itself, so that the limitations it includes cannot"
    " be determined.",
    "MPEP 608.01(n)",
)
_NUMBERING: Final = Phrase(
    "The numbering of claims is not in accordance with 37 CFR 1.126, which requires the original numbering"
    " of the claims to be preserved and new claims to be numbered consecutively.",
    "form paragraph 6.17",
)

BY_CLASS: Final[dict[ErrorClass, Phrase]] = {
    ErrorClass.ANTECEDENT: Phrase(
        "Claim {claim} recites the limitation “{quote}”. There is insufficient antecedent basis for this"
        " limitation in the claim.",
        "form paragraph 7.34.05",
    ),
    ErrorClass.DEPENDENCY: Phrase(
        "Claim {claim} refers to another claim in such a way that the limitations it includes cannot be"
        " determined: {explanation}",
        "MPEP 608.01(n)",
    ),
    ErrorClass.LOGICAL: Phrase(
        "Claim {claim} is indefinite: “{quote}” is inconsistent with another limitation of the claim or of"
        " a claim upon which it depends, so that the metes and bounds of the claim cannot be determined.",
        "form paragraph 7.34.01; MPEP 2173.03",
    ),
    ErrorClass.AMBIGUITY: Phrase(
        "Claim {claim} is indefinite because it is unclear what is required by “{quote}”.",
        "form paragraph 7.34.01",
    ),
    ErrorClass.SYNTAX: _INFORMALITY,
}
"""What is written of a rule that has no entry of its own."""

BY_RULE: Final[dict[str, Phrase]] = {
    "antecedent.ambiguous": Phrase(
        "Claim {claim} recites the limitation “{quote}”. It is unclear which of the previously recited"
        " elements it refers to, which renders the claim indefinite.",
        "form paragraph 7.34.01; MPEP 2173.05(e)",
    ),
    "antecedent.introduced_again": Phrase(
        "Claim {claim} recites “{quote}”. It is unclear whether this is the element previously recited or"
        " another one, which renders the claim indefinite.",
        "form paragraph 7.34.01; MPEP 2173.05(o)",
    ),
    "antecedent.introduced_twice": Phrase(
        "Claim {claim} recites “{quote}”, which it has recited before. It is unclear to which of them later"
        " recitations refer, which renders the claim indefinite.",
        "form paragraph 7.34.01; MPEP 2173.05(e)",
    ),
    "dependency.nonexistent": Phrase(
        "Claim {claim} depends from a claim that is not present in the application, so that the limitations"
        " it includes cannot be determined.",
        "MPEP 608.01(n)",
    ),
    "dependency.self": _CIRCLE,
    "dependency.circular": _CIRCLE,
    "dependency.canceled": Phrase(
        "Claim {claim} depends from a canceled claim and is incomplete.", "MPEP 608.01(n), V"
    ),
    "dependency.forward": Phrase(
        "Claim {claim} does not refer to a claim previously set forth.", "35 U.S.C. 112(d); MPEP 608.01(n)"
    ),
    "dependency.multiple_on_multiple": Phrase(
        "Claim {claim} is objected to under 37 CFR 1.75(c) as being in improper form because a multiple"
        " dependent claim cannot depend from any other multiple dependent claim.",
        "form paragraph 7.45",
    ),
    "dependency.cumulative": _ALTERNATIVE_ONLY,
    "dependency.two_sets": _ALTERNATIVE_ONLY,
    "dependency.not_narrowing": _NOT_LIMITING,
    "dependency.duplicate_claim": Phrase(
        "Should the earlier claim be found allowable, claim {claim} will be objected to under 37 CFR 1.75"
        " as being a substantial duplicate thereof.",
        "form paragraph 7.05.05",
    ),
    "dependency.malformed": _INFORMALITY,
    "logical.range_widened": _NOT_LIMITING,
    "ambiguity.degree": _RELATIVE,
    "ambiguity.subjective": _RELATIVE,
    "ambiguity.exemplary": _EXAMPLE,
    "ambiguity.preference": _EXAMPLE,
    "ambiguity.trademark": Phrase(
        "Claim {claim} contains the trademark/trade name “{quote}”. Where a trademark or trade name is used"
        " in a claim as a limitation to identify or describe a particular material or product, the claim"
        " does not comply with the requirements of 35 U.S.C. 112(b).",
        "form paragraph 7.35.01",
    ),
    "ambiguity.omnibus": Phrase(
        "Claim {claim} is an omnibus type claim: it fails to point out what is included or excluded by the"
        " claim language.",
        "form paragraph 7.35",
    ),
    "ambiguity.use_claim": Phrase(
        "Claim {claim} provides for a use, but, since the claim does not set forth any steps involved in the"
        " method/process, it is unclear what method/process applicant is intending to encompass.",
        "form paragraph 7.34.06",
    ),
    "syntax.no_transition": Phrase(
        "Claim {claim} is indefinite because it is unclear where its preamble ends and its body begins.",
        "form paragraph 7.34.01; MPEP 2111.03",
    ),
    "syntax.broken_off": Phrase(
        "Claim {claim} is incomplete: it ends at “{quote}”, so that its scope cannot be determined.",
        "form paragraph 7.34.01",
    ),
    "syntax.placeholder": Phrase(
        "Claim {claim} is incomplete: “{quote}” is yet to be filled in, so that its scope cannot be"
        " determined.",
        "form paragraph 7.34.01",
    ),
    "syntax.duplicate_number": _NUMBERING,
}


def phrase_of(rule_id: str, error_class: ErrorClass) -> Phrase:
    """The phrase of a rule, or that of its class."""
    return BY_RULE.get(rule_id, BY_CLASS[error_class])


def examiner_words(finding: Finding) -> str | None:
    """The examiner's words; None under the EPC, whose examiners have no such paragraphs, and if the text of
    the claim was purged."""
    if "EPC" in finding.law or not finding.explanation:
        return None
    phrase = phrase_of(finding.rule_id, finding.error_class)
    quote = " ".join(finding.quote.split())
    return phrase.words.format(claim=finding.claim, quote=quote, explanation=finding.explanation)
