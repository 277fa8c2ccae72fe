"""Which small faults can be put into a file, and a seeded sample of them. The operators are cosmic-ray's."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import ndiff
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator

# One of each kind: the twelve ways to replace a comparison mostly die of the same test.
OPERATORS: Final = (
    "AddNot",
    "NumberReplacer",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ReplaceUnaryOperator_Delete_Not",
    "ReplaceUnaryOperator_Delete_USub",
    "ReplaceComparisonOperator_Eq_NotEq",
    "ReplaceComparisonOperator_NotEq_Eq",
    "ReplaceComparisonOperator_Lt_LtE",
    "ReplaceComparisonOperator_LtE_Lt",
    "ReplaceComparisonOperator_Gt_GtE",
    "ReplaceComparisonOperator_GtE_Gt",
    "ReplaceComparisonOperator_Lt_GtE",
    "ReplaceComparisonOperator_Gt_LtE",
    "ReplaceComparisonOperator_Is_IsNot",
    "ReplaceComparisonOperator_IsNot_Is",
    "ReplaceBinaryOperator_Add_Sub",
    "ReplaceBinaryOperator_Sub_Add",
    "ReplaceBinaryOperator_Mul_Div",
    "ReplaceBinaryOperator_Div_Mul",
    "ZeroIterationForLoop",
)


class SwapAnyAndAll(Operator):  # type: ignore[misc]  # cosmic-ray has no types
    """Replaces `any(` with `all(`, and the other way round."""

    def mutation_positions(self, node: Any) -> Iterable[tuple[Any, Any]]:
        """The places in `node`: where a call of any or all has its name."""
        if node.type == "name" and node.value in {"any", "all"}:
            after = node.get_next_leaf()
            if after is not None and after.value == "(":
                yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """The node with the other name."""
        node.value = "all" if node.value == "any" else "any"
        return node

    @classmethod
    def examples(cls) -> Sequence[Any]:
        """None: they would serve cosmic-ray's own documentation."""
        return ()


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the `occurrence`-th place in the file at which the operator applies."""

    path: str
    operator: str
    occurrence: int

    def apply(self, root: Path) -> str:
        """The file's mutated source; raises LookupError if the operator does not apply there."""
        mutated = mutate_code(
            (root / self.path).read_text(encoding="utf-8"), _made(self.operator), self.occurrence
        )
        if mutated is None:
            raise LookupError(f"{self.operator} does not apply to {self.path} {self.occurrence} times")
        return str(mutated)

    def change(self, root: Path) -> str:
        """The changed lines, without their place: "- before" and "+ after", stripped."""
        before = (root / self.path).read_text(encoding="utf-8").splitlines()
        changed = ndiff(before, self.apply(root).splitlines(), linejunk=None)
        return "\n".join(f"{line[0]} {line[2:].strip()}" for line in changed if line[0] in "+-")


def _made(operator: str) -> Any:
    return SwapAnyAndAll() if operator == SwapAnyAndAll.__name__ else get_operator(f"core/{operator}")()


def mutants_of(root: Path, path: str) -> list[Mutant]:
    """Every mutant of a file, in the order of operators and places.

    The number that a module-level name stands for is left alone: it is a choice, and a test that repeated it
    would test nothing. So are the arguments of `@dataclass`, which mypy holds the code to.
    """
    nodes = list(ast_nodes(get_ast((root / path).read_text(encoding="utf-8"))))
    found = []
    for name in (*OPERATORS, SwapAnyAndAll.__name__):
        operator = _made(name)
        places = [node for node in nodes for _ in operator.mutation_positions(node)]
        found.extend(
            Mutant(path, name, occurrence) for occurrence, node in enumerate(places) if _counts(name, node)
        )
    return found


def _counts(operator: str, node: Any) -> bool:
    if operator == "NumberReplacer":
        return _inside(node, "funcdef")
    if operator in {"ReplaceTrueWithFalse", "ReplaceFalseWithTrue"}:
        return not _inside(node, "decorator")
    # `*` and `/` in a signature or a call are no arithmetic.
    return not operator.startswith("ReplaceBinaryOperator") or node.parent.type in {"arith_expr", "term"}


def _inside(node: Any, kind: str) -> bool:
    while node is not None and node.type != kind:
        node = node.parent
    return node is not None


def first_difference(before: str, after: str) -> int:
    """The first line, from 1 on, at which two sources differ."""
    pairs = zip_longest(before.splitlines(), after.splitlines())
    return next(number for number, (one, other) in enumerate(pairs, 1) if one != other)


def sampled(mutants: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` of them, the same for the same seed; all in file order."""
    chosen = random.Random(seed).sample(mutants, min(count, len(mutants)))
    return sorted(chosen, key=mutants.index)
