"""The legal meaning of an injected defect: the rule that each edit of the data sets violates.

If the edit is not known (a language model made it, or the row has several defects), the class decides.
"""

from __future__ import annotations

from typing import NamedTuple

from ace.claims.checks import RULES
from ace.claims.taxonomy import ErrorClass

RULE_OF_EDIT: dict[str, str] = {
    "article_swapped": "antecedent.no_basis",
    "noun_replaced": "antecedent.no_basis",
    "modifier_added": "antecedent.unknown_modifier",
    "introduction_renamed": "antecedent.no_basis",
    "reparented": "antecedent.no_basis",
    "number_shifted": "antecedent.number_shift",
    "one_of_several": "antecedent.number_shift",
    "letter_dropped": "antecedent.typo",
    "ordinal_dropped": "antecedent.ambiguous",
    "choice_of_parents": "antecedent.some_paths",
    "self_reference": "dependency.self",
    "forward_reference": "dependency.forward",
    "nonexistent_reference": "dependency.nonexistent",
    "parent_missing": "dependency.nonexistent",
    "circular": "dependency.circular",
    "parent_canceled": "dependency.canceled",
    "multiple_on_multiple": "dependency.multiple_on_multiple",
    "both_parents": "dependency.cumulative",
    "category_changed": "dependency.category_mismatch",
    "emptied": "dependency.not_narrowing",
    "opposed_attributes": "logical.contradiction",
    "range_reversed": "logical.impossible_range",
    "impossible_bounds": "logical.impossible_range",
    "range_widened": "logical.range_widened",
    "element_denied": "logical.present_and_absent",
    "closed_then_opened": "logical.closed_then_opened",
    "steps_exchanged": "logical.used_before_made",
    "range_missed": "logical.range_missed",
    "relation_turned": "logical.contradiction",
    "opposed_at_once": "logical.contradiction",
    "substance_denied": "logical.contradiction",
    "subjective_adjective": "ambiguity.subjective",
    "subjective_adverb": "ambiguity.subjective",
    "vague_quantity": "ambiguity.degree",
    "exemplary": "ambiguity.exemplary",
    "open_list": "ambiguity.open_alternatives",
    "preferred_range": "ambiguity.preference",
    "and_or": "ambiguity.and_or",
    "group_opened": "ambiguity.open_alternatives",
    "trademark": "ambiguity.trademark",
    "opinion": "ambiguity.subjective",
    "degree": "ambiguity.degree",
    "preference": "ambiguity.preference",
    "stretched": "ambiguity.degree",
    "no_final_period": "syntax.no_period",
    "no_transition": "syntax.no_transition",
    "two_sentences": "syntax.several_sentences",
    "doubled_point": "syntax.doubled_punctuation",
    "unbalanced_bracket": "syntax.unbalanced_bracket",
    "doubled_word": "syntax.doubled_word",
    "broken_off": "syntax.broken_off",
    "limb_joined": "syntax.missing_punctuation",
    "step_joined": "syntax.missing_punctuation",
    "small_letter": "syntax.opening",
    "numerals_differ": "syntax.numerals",
}

# Without quotation marks, because a rationale quotes only words of the claim.
_SAID = {
    "antecedent.no_basis": "Neither the claim nor a claim that it depends on introduces it.",
    "dependency.category_mismatch": "The claim refers to another claim as what that is not.",
    "logical.closed_then_opened": "A closed list of elements gets another one.",
    "ambiguity.and_or": "It leaves the reader to work out which combinations are meant.",
}
_OF_CLASS = {
    ErrorClass.ANTECEDENT: _SAID["antecedent.no_basis"],
    ErrorClass.DEPENDENCY: "The reference to another claim is not a proper one.",
    ErrorClass.LOGICAL: "It contradicts what the claim, or a claim that it depends on, requires.",
    ErrorClass.AMBIGUITY: "It leaves the scope of the claim open.",
    ErrorClass.SYNTAX: "It breaks the form of a claim as one complete sentence.",
}
_BY_ID = {rule.id: rule for rule in RULES}


class Reason(NamedTuple):
    """Why something is a defect, in one sentence, and the law that it violates."""

    explanation: str
    law: str


def reason(error_class: ErrorClass, edit: str) -> Reason:
    """The reason for a defect made by this edit; if the edit is not known, that of the class."""
    rule = _BY_ID.get(RULE_OF_EDIT.get(edit, ""))
    if rule is None or rule.error_class is not error_class or rule.us is None:
        return Reason(_OF_CLASS[error_class], error_class.law)
    return Reason(_SAID.get(rule.id, rule.what), rule.us.law)
