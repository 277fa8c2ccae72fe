"""Rows that language models wrote (`ace data inject`) or applicants (`ace data amendments`), in a data set.

They replace rows that rules would make, at most half of each label, so that a model's style appears in sound
and defective rows alike and the totals stay the same. Each belongs to a claim that the builder has; its split
is that of its family, whatever the file says. Rows that cannot be used are counted by reason. Sets of train
families become rows, one for each edited claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from ace.claims.taxonomy import LABELS, PASS
from ace.errors import Refused
from ace_lab.data.pools import Origin, Pool, split_of
from ace_lab.data.rows import Row, SetRow, read_rows, read_sets
from ace_lab.data.single_rows import Distinct

SETS = ".sets.jsonl"


@dataclass(frozen=True, slots=True)
class LlmRows:
    """Rows and sets in the order of their files, their number per file, and how many were left out so far, by
    reason."""

    rows: tuple[Row, ...] = ()
    sets: tuple[SetRow, ...] = ()
    files: Mapping[Path, int] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def rows_for(self, pool: Pool, asked: Mapping[str, int], distinct: Distinct) -> list[tuple[Row, Origin]]:
        """The rows that a split takes, each with the real claim that it was made from: one per claim, and at
        most half of the rows requested of a label."""
        unused = {member.origin(claim.number): (member, claim) for member, claim in pool.claims}
        room = {label: count // 2 for label, count in asked.items()}
        found = []
        for row in self._singles(pool.split, unused):
            origin = unused.get(row.origin)
            if origin is None:
                self.left_out["no such claim, or used before"] += 1
            elif room[row.label] == 0:
                self.left_out["more than half of a label"] += 1
            elif not distinct.is_new(row.claim()):
                self.left_out["repeats another row"] += 1
            else:
                room[row.label] -= 1
                del unused[row.origin]
                found.append((replace(row, split=pool.split), origin))
        return found

    def sets_for(self, split: str, known: Set[str], most: Mapping[str, int]) -> dict[str, list[SetRow]]:
        """The sets that a split takes, by label: only of claim sets with these names, at most `most` of
        each."""
        found: dict[str, list[SetRow]] = {label: [] for label in LABELS}
        seen = set()
        for row in self.sets:
            if split_of(row.family) != split:
                continue
            if row.origin not in known:
                self.left_out["no such claim set"] += 1
            elif len(found[row.label]) == most[row.label]:
                self.left_out["more than half of a label"] += 1
            elif row.claims in seen:
                self.left_out["repeats another row"] += 1
            else:
                seen.add(row.claims)
                found[row.label].append(replace(row, split=split))
        return found

    def _singles(self, split: str, real: Mapping[str, Origin]) -> Iterator[Row]:
        yield from (row for row in self.rows if split_of(row.family) == split)
        if split == "train":
            for row in self.sets:
                if split_of(row.family) == split:
                    yield from _edited(row, real)


def read_llm_rows(paths: Sequence[Path]) -> LlmRows:
    """The files that `ace data inject` wrote, llm.jsonl and llm.sets.jsonl, or `ace data amendments`. Raises
    Refused."""
    rows: list[Row] = []
    sets: list[SetRow] = []
    files = {}
    for path in paths:
        begun = len(rows) + len(sets)
        try:
            if path.name.endswith(SETS):
                sets += read_sets(path)
            else:
                rows += read_rows(path)
        except OSError as error:
            raise Refused(f"{path} cannot be read: {error.strerror}", code="unreadable") from error
        except (TypeError, ValueError) as error:
            raise Refused(
                f"{path.name} was not written by `ace data inject` or `ace data amendments`: {error}",
                code="rows",
            ) from error
        files[path] = len(rows) + len(sets) - begun
    every: tuple[Row | SetRow, ...] = (*rows, *sets)
    if any(one.label not in LABELS or one.generator in {"none", "rules"} for one in every):
        raise Refused(
            "--injected accepts only rows of the known classes that language models or applicants wrote",
            code="rows",
        )
    return LlmRows(tuple(rows), tuple(sets), files)


def _edited(made: SetRow, real: Mapping[str, Origin]) -> Iterator[Row]:
    """A row for each claim that has a defect or, in a placebo, differs from the real claim."""
    for shown in made.inputs():
        origin = f"{made.origin}/{shown.number}"
        spans = tuple((one.start, one.end) for one in made.defects if one.claim == shown.number)
        changed = origin in real and real[origin][1].text != shown.text
        if not spans and not (made.label == PASS and changed):
            continue
        yield Row(
            split=made.split,
            family=made.family,
            source=made.source,
            number=shown.number,
            text=shown.text,
            ancestors=shown.ancestors,
            label=made.label,
            edit="llm_placebo" if made.label == PASS else "llm",
            generator=made.generator,
            spans=spans,
            origin=origin,
        )
