"""Which model is asked for what: assigns claim sets to classes and models, the same in every run.

Half of what a model writes are placebos. If there were fewer, signs of a model would indicate a defect, and a
gatekeeper would learn the style of models instead of the law.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.claims.taxonomy import LABELS, PASS
from ace_lab.data.pools import Pools
from ace_lab.data.set_rows import LEAST_CLAIMS, MOST_CLAIMS
from ace_lab.data.sources import SourceSet
from ace_lab.llm.prompts import version

MAX_SET_CHARACTERS = 30_000
"""Maximum size of a set: a context of 32k tokens has to hold it twice."""

CLASSES = tuple(label for label in LABELS if label != PASS)


@dataclass(frozen=True, slots=True)
class Task:
    """One claim set, the class asked for ("pass": placebos) and the model that is asked.

    `number` is the claim that is to be edited, None for edits all over the set.
    """

    source: SourceSet
    label: str
    generator: str
    number: int | None

    @property
    def key(self) -> str:
        """16 hex digits of a digest of everything that the answer depends on, including the prompts."""
        texts = [(claim.number, claim.text) for claim in self.source.claims]
        asked = [self.source.name, texts, self.label, self.generator, self.number, version()]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]


def assign_tasks(
    pools: Pools,
    generators: Sequence[str],
    *,
    single: bool,
    seed: int,
    classes: Sequence[str] = CLASSES,
    most: int | None = None,
) -> list[Task]:
    """Uses each set at most once: classes in turn, a placebo after each, and the models in turn.

    At the paper's density a set consists of its claims in the pools, at most the first MOST_CLAIMS. With
    `single` it is complete, and one of its claims in the pools is to be edited. A larger `most` only adds
    tasks.
    """
    ways = cycle((label, name) for name in generators for one in classes for label in (one, PASS))
    sets = sorted(_single(pools) if single else _dense(pools), key=lambda one: _order(one[0], seed))
    tasks: list[Task] = []
    idle = 0
    while sets and idle < 2 * len(classes) * len(generators) and (most is None or len(tasks) < most):
        label, generator = next(ways)
        at = next((at for at, (_, claims) in enumerate(sets) if _fit(claims, label)), None)
        idle = 0 if at is not None else idle + 1
        if at is not None:
            source, claims = sets.pop(at)
            chosen = Random(_order(source, seed)).choice(_fit(claims, label)) if single else None
            tasks.append(Task(source, label, generator, chosen))
    return tasks


def _dense(pools: Pools) -> list[tuple[SourceSet, list[Claim]]]:
    return [
        (replace(source, claims=ClaimSet(tuple(claims[:MOST_CLAIMS]))), claims[:MOST_CLAIMS])
        for source, claims in _held(pools)
        if len(claims) >= LEAST_CLAIMS
    ]


def _single(pools: Pools) -> list[tuple[SourceSet, list[Claim]]]:
    return [
        (source, claims)
        for source, claims in _held(pools)
        if sum(len(claim.text) for claim in source.claims) <= MAX_SET_CHARACTERS
    ]


def _held(pools: Pools) -> Iterator[tuple[SourceSet, list[Claim]]]:
    """Each set with those of its claims that its pool holds, if any."""
    for pool in pools.by_split.values():
        held: dict[str, list[Claim]] = {}
        for source, claim in pool.claims:
            held.setdefault(source.name, []).append(claim)
        yield from ((source, held[source.name]) for source in pool.members if source.name in held)


def _fit(claims: Sequence[Claim], label: str) -> list[int]:
    """The claims that an edit of this class fits."""
    return [claim.number for claim in claims if label != "dependency" or claim.parents]


def _order(source: SourceSet, seed: int) -> str:
    return hashlib.sha256(f"{seed}/{source.name}".encode()).hexdigest()
