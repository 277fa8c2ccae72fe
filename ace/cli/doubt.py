"""The doubt of verdicts in the tables of commands: its rank, by the calibration records on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ace.cli.app import settings_in_force

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ace.routing.calibration import Calibration
    from patent_ace_client import Evaluation


def records(wanted: Iterable[str | None]) -> Mapping[str, Calibration]:
    """The calibration records that this machine has, by id: those beside the model of the settings, and the
    shipped ones. None are read if none is wanted."""
    if not any(wanted):
        return {}
    from ace.gatekeeper.loading import SHIPPED_MODEL
    from ace.routing.record_files import records_beside

    settings = settings_in_force()
    own = records_beside(settings.gatekeeper_model or SHIPPED_MODEL, settings.calibration)
    return {**records_beside(SHIPPED_MODEL), **own}


def doubt_cell(one: Evaluation, known: Mapping[str, Calibration]) -> str | None:
    """The share of claims that are less doubtful; without the record, the side of the bound."""
    if one.doubt is None or one.tau is None:
        return None
    from ace.routing.doubt_rank import rank_cell

    return rank_cell(known.get(one.calibration or ""), one.doubt, one.tau)


def doubt_legend(evaluations: Iterable[Evaluation], known: Mapping[str, Calibration]) -> str | None:
    """What the column of doubt means, and from where claims escalate; None if it is empty."""
    from ace.routing.doubt_rank import bound_words, words_of

    scored = {one.calibration or "" for one in evaluations if one.doubt is not None}
    if not scored:
        return None
    bounds = {
        id_: f"{words_of(known[id_]).legend}; {bound_words(known[id_])}"
        for id_ in sorted(scored & known.keys())
    }
    if not bounds:
        return (
            "Doubt is above or below the bound from which claims escalate: the record is not on this machine."
        )
    if len(set(bounds.values())) == 1:
        return f"Doubt is {next(iter(bounds.values()))}."
    return "\n".join(f"Doubt by {id_} is {words}." for id_, words in bounds.items())
