"""The rule injectors by class, and the placebo. Order and weights are part of a set's identity."""

from ace.lab.edits import Injector
from ace.lab.injectors import ambiguity, antecedent, dependency, logical, placebo, syntax

INJECTORS: dict[str, tuple[tuple[Injector, int], ...]] = {
    "antecedent": (
        (antecedent.article_swapped, 3),
        (antecedent.noun_replaced, 2),
        (antecedent.modifier_added, 2),
        (antecedent.introduction_renamed, 3),
        (antecedent.reparented, 3),
    ),
    "dependency": (
        (dependency.self_reference, 2),
        (dependency.forward_reference, 4),
        (dependency.nonexistent_reference, 3),
        (dependency.parent_missing, 2),
        (dependency.circular, 1),
    ),
    "logical": (
        (logical.opposed_attributes, 4),
        (logical.range_reversed, 3),
        (logical.impossible_bounds, 3),
        (logical.range_widened, 2),
        (logical.element_denied, 3),
        (logical.closed_then_opened, 3),
    ),
    "ambiguity": (
        (ambiguity.subjective_adjective, 4),
        (ambiguity.subjective_adverb, 2),
        (ambiguity.vague_quantity, 2),
        (ambiguity.exemplary, 3),
        (ambiguity.open_list, 2),
        (ambiguity.preferred_range, 1),
    ),
    "syntax": (
        (syntax.no_final_period, 3),
        (syntax.no_transition, 3),
        (syntax.two_sentences, 3),
        (syntax.doubled_point, 2),
        (syntax.unbalanced_bracket, 2),
        (syntax.doubled_word, 2),
        (syntax.broken_off, 2),
    ),
}
"""Per class: the injectors and how often each is tried first."""

PLACEBO: tuple[tuple[Injector, int], ...] = (
    (placebo.noun_renamed, 3),
    (placebo.modifier_everywhere, 3),
    (placebo.wording_swapped, 4),
    (placebo.reference_reworded, 2),
    (placebo.renumbered, 2),
    (placebo.element_added, 3),
    (placebo.attribute_repeated, 3),
    (placebo.range_narrowed, 2),
    (placebo.measure_softened, 1),
    (placebo.numeral_added, 2),
    (placebo.parent_widened, 1),
)
