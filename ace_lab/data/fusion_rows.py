"""Rows for fitting the fusion of rules and encoder, and the learned doubt: granted claims of the calibration
families, and edits of them by injectors that made no training row; then studied mistakes in them, and their
sound twins.

On defects of the kinds that it was trained on, the encoder needs no rules; what each is worth beside the
other shows only on kinds that are new to both. Claims count as sound here because an office granted them,
whatever rules or programs say, so that false alarms of the rules have their true weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from ace.claims.analysis import ClaimAnalysis, analyse, as_json
from ace.claims.taxonomy import PASS
from ace_lab.data.held_out_rows import REPORTED_APART, held_out_injectors
from ace_lab.data.mistake_rows import row_of_edit, shown_in_a_claim
from ace_lab.data.pools import Pool
from ace_lab.data.rows import Row
from ace_lab.data.single_rows import row_of
from ace_lab.injectors.edits import Injection

SPLIT = "fusion"


def fusion_rows(pool: Pool, rng: Random) -> Iterator[Row]:
    """Every claim of the granted sets of a pool, and the edit by each injector, each studied mistake and each
    twin of one, where the set has a place for it, all with the analyses of their whole sets."""
    for member in pool.members:
        if not member.granted:
            continue
        as_granted = analyse(member.claims)
        for claim in member.claims:
            real = Injection(member.claims, claim.number, "pass", "none")
            yield _with(as_granted, row_of(SPLIT, (member, claim), real, member.claims, ()))
        for injectors in held_out_injectors().values():
            for name, injector in injectors:
                made = injector(member.claims, member.claims.claims[0], rng, pool.lexicon)
                if made is not None and name not in REPORTED_APART:
                    origin = member, made.claims[made.number]
                    row = row_of(SPLIT, origin, made, made.claims, ((made.start, made.end),))
                    yield _with(analyse(made.claims), row)
        for family in shown_in_a_claim():
            seed = rng.random()
            edits = (
                (family.mistake(member.claims, Random(seed)), family.error_class.value),
                (family.twin(member.claims, Random(seed)), PASS),
            )
            for edit, label in edits:
                found = edit and row_of_edit(pool, member, edit, label, family.name)
                if edit and found:
                    yield _with(analyse(edit.claims), replace(found, split=SPLIT))


def _with(analyses: Mapping[int, ClaimAnalysis], row: Row) -> Row:
    return replace(row, analysis=as_json(analyses[row.number]))
