"""Further Pass rows of the training split: harmless edits of many kinds, and granted claims that judges fail.

Mistakes and defects teach an encoder to suspect the words that they are written in. So the same words have to
stand in sound claims about as often.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from ace.claims.analysis import AnalysedClaim, analyse
from ace.claims.taxonomy import PASS
from ace.gatekeeper.engine import LoadedEngine
from ace.gatekeeper.probabilities import probabilities
from ace.routing.scores import calls
from ace_lab.data.pools import Pool
from ace_lab.data.quotas import Quotas
from ace_lab.data.rows import Row
from ace_lab.data.single_rows import Distinct, row_of
from ace_lab.data.sources import SourceSet
from ace_lab.injectors import PLACEBO
from ace_lab.injectors.edits import Injection
from ace_lab.injectors.sound_edits import SOUND_EDITS

SURE = 0.9
"""Confidence of a finding from which a granted claim that is failed does not become a Pass row."""

_ROUNDS = 6


def sound_rows(pool: Pool, count: int, distinct: Distinct, rng: Random) -> Iterator[Row]:
    """Up to so many rows of placebos and sound edits, every kind about as often as its weight says."""
    kinds = (*((injector, 2) for injector, _ in PLACEBO), *SOUND_EDITS)
    quotas, origins = Quotas({PASS: kinds}, {PASS: count}, distinct), list(pool.claims)
    for at in range(_ROUNDS):
        rng.shuffle(origins)
        for member, claim in origins:
            if quotas.filled >= count:
                return
            made = quotas.take(member.claims, claim, rng, pool.lexicon, strict=at < _ROUNDS - 1)
            if made is not None:
                yield row_of(pool.split, (member, claim), made, made.claims, ())


def hard_rows(pool: Pool, engine: LoadedEngine, distinct: Distinct) -> Iterator[Row]:
    """The granted claims of a pool that the rules or a gatekeeper fail, unless the rules are SURE."""
    for member in pool.members:
        for number in _failed(member, engine) if member.granted else ():
            claim = member.claims[number]
            if not distinct.elsewhere(claim.text):
                real = Injection(member.claims, number, PASS, "none")
                yield row_of(pool.split, (member, claim), real, member.claims, ())


def _failed(member: SourceSet, engine: LoadedEngine) -> list[int]:
    analyses = analyse(member.claims)
    claims = [
        AnalysedClaim.of(member.claims.input_of(claim.number), analyses[claim.number])
        for claim in member.claims
    ]
    sure = np.array([claim.analysis.sure for claim in claims])
    failed = calls(probabilities(engine.logits(claims), claims, engine.calibration)) | (sure > 0)
    return [claim.number for claim, hard in zip(claims, failed & (sure < SURE), strict=True) if hard]
