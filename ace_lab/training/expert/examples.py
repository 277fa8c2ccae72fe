"""Rows of a data directory as conversations: the question to the expert, and the true answer.

A rationale is requested with exactly the messages that ACE sends in service (ace.expert.prompt.copt).
Examples that do not fit into the context are left out and never cut: without its answer an example teaches
nothing, and without its ancestors it may teach something false.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ace.claims.taxonomy import PASS
from ace.errors import Refused
from ace.expert.prompt.copt import PROMPTS
from ace.expert.prompt.verification import certain
from ace_lab.data.rows import Row, read_rows
from ace_lab.evaluation.splits import Split, sampled
from ace_lab.training.expert.answers import answer
from ace_lab.training.expert.recipe import ExpertRecipe

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

PROGRESS_ROWS = 200
"""Rows between two reports of progress."""

Message = dict[str, str]
OnProgress = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Example:
    """The messages up to the answer, and the answer. `label` is the row's."""

    prompt: list[Message]
    answer: str
    label: str

    @property
    def completion(self) -> list[Message]:
        """The answer as a chat message."""
        return [{"role": "assistant", "content": self.answer}]


@dataclass(slots=True)
class Examples:
    """The examples of one split that fit, their tokens, and how many rows were left out, by reason."""

    kept: list[Example] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def columns(self) -> list[dict[str, Any]]:
        """The examples as rows with prompt and completion."""
        return [{"prompt": each.prompt, "completion": each.completion} for each in self.kept]


def read_split(path: Path, most: int | None, seed: int) -> list[Row]:
    """The rows of a file, or a sample in which sound twins stay together. Raises Refused."""
    try:
        rows = read_rows(path)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}", code="data") from error
    except ValueError as error:
        raise Refused(str(error), code="data") from error
    return rows if most is None else sampled(rows, most, seed)


def examples_of(rows: Sequence[Row], recipe: ExpertRecipe) -> Iterator[Example]:
    """An example of each row, in order."""
    prompt = PROMPTS[recipe.prompt]
    for row, total in zip(rows, Split("", list(rows)).totals, strict=True):
        messages = prompt.messages(row.claim(), total)
        if recipe.target == "verdict":
            messages = [{"role": "system", "content": verdict_system()}, messages[-1]]
        yield Example(messages, answer(row, recipe.target, recipe.prompt), row.label)


def fitting(
    rows: Sequence[Row],
    recipe: ExpertRecipe,
    tokenizer: PreTrainedTokenizerBase,
    on_progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Examples:
    """The examples that are true and fit into `max_tokens`; `on_progress` gets the number of rows processed.

    A sound row in which the rules are certain of a defect (a mistake of the office or the drafter) is left
    out.
    """
    found = Examples()
    for at, (row, example) in enumerate(zip(rows, examples_of(rows, recipe), strict=True), start=1):
        tokens = count_tokens(tokenizer, example)
        if tokens > recipe.max_tokens:
            found.left_out["too_long"] += 1
        elif row.label == PASS and certain(row.claim()):
            found.left_out["disputed"] += 1
        else:
            found.kept.append(example)
            found.tokens.append(tokens)
        if at % PROGRESS_ROWS == 0 or at == len(rows):
            on_progress(at, len(rows))
    return found


def count_tokens(tokenizer: PreTrainedTokenizerBase, example: Example) -> int:
    """The tokens of the whole conversation in the base model's chat template."""
    messages = [*example.prompt, *example.completion]
    encoded: Any = tokenizer.apply_chat_template(messages, tokenize=True, return_dict=True)
    return len(encoded["input_ids"])


def verdict_system() -> str:
    """The system message for training on verdicts only. It begins like the prompts that ask for rationales,
    as in the paper's appendix F."""
    text = (resources.files("ace_lab.training.expert") / "prompts" / "verdict_system.txt").read_text(
        encoding="utf-8"
    )
    return text.rstrip("\n")


def labels_of(examples: Iterable[Example]) -> dict[str, int]:
    """How many examples there are of each label."""
    return dict(sorted(Counter(each.label for each in examples).items()))
