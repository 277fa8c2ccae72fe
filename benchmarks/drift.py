"""What drift detection and the audit notice, and how often they raise a false alarm, in simulated months.

A month is thirty days of `--claims` claims in filings of 5 to 35. Their doubt follows the shipped calibration
record's curve, and so does how often the gatekeeper is wrong about claims of that doubt; claims of one filing
resemble each other. Each month has a calibration split of its own of 4,000 such claims, so that what a split
leaves open raises false alarms here too. From day 16 on, something has changed:

- `strong`, `mild`: 30 or 10 per cent of the filings come from a new art: more doubtful, half as long again,
  more often called logical, and with twice as many wrong verdicts;
- `unseen`: all claims look as before, and twice as many verdicts are wrong.

`quiet` months have no shift: any alarm in them is false. `…_wrong` is the share of wrong fast verdicts after
the shift, and `tolerated` what the audit tolerates in the mean of the months.

`…_days` is the median of the days from the shift to the first alarm, counting the first shifted day as 1;
`…_found` the share of months in which there was one; `…_early` alarms before the shift. Of the quiet months,
`false_…` counts those with an alarm. The audit draws one in a hundred fast verdicts, and all are reviewed.

A shadow scores 5 per cent of the filings of a month, and says something else about 6 per cent of the claims:
`shadow_error` is how far the agreement that it reports is from the true one. A canary takes 10 per cent.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import NormalDist, fmean, median
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.flow.monitoring import agreement
from ace.flow.trials import in_share
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.audit import AuditedDay, audited, tolerated
from ace.routing.calibration import Calibration, CurvePoint
from ace.routing.drift import Characteristic, Day, design_effect, differences
from ace.routing.reference import Bins, Reference, counted
from benchmarks.figures import options_of, say, tell

DAYS: Final = 30
SHIFTED: Final = 15  # the first day of the shift, from 0
SPLIT: Final = 4_000
ALIKE: Final = 0.2  # correlation of claims of a filing
AUDITED: Final = 0.01
CLASSES: Final = np.array([0.55, 0.15, 0.04, 0.06, 0.12, 0.08])
NEW_CLASSES: Final = np.array([0.45, 0.15, 0.04, 0.2, 0.1, 0.06])

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shift:
    """The share of filings of the new art, and by how much more often verdicts are wrong on all claims."""

    new: float = 0.0
    worse: float = 1.0


@dataclass(frozen=True, slots=True)
class Month:
    """The days with an alarm, from 0, by what was watched; of the audit the first one. `wrong` is the
    share of wrong fast verdicts after the shift."""

    alarms: dict[str, list[int]]
    wrong: float
    tolerated: float


QUIET: Final = Shift()
SHIFTS: Final = {"strong": Shift(new=0.3), "mild": Shift(new=0.1), "unseen": Shift(worse=2.0)}


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims of shape (N,): the filing of each, its doubt, its size, its called class, whether that is
    wrong."""

    filing: NDArray[np.intp]
    doubt: Floats
    size: Floats
    called: NDArray[np.intp]
    wrong: NDArray[np.bool_]


@cache
def shapes() -> tuple[Floats, Floats, Floats, Floats]:
    """Of the shipped record: ranks and their doubts; the ends of steps of rank and how often verdicts there
    are wrong."""
    points = {point.escalation: point for point in Calibration.load(SHIPPED_MODEL / "calibration.json").curve}
    shares = sorted(points, reverse=True)
    ranks = np.array([0.0, *(1 - share for share in shares), 1.0])
    doubts = np.array([0.0, *(points[share].tau for share in shares), points[shares[-1]].tau + 0.05])
    kept = [(1 - share) * (1 - (points[share].accuracy or 0.0)) for share in shares]
    ends = 1 - np.array(shares)
    return ranks, doubts, ends, np.maximum(np.diff([0.0, *kept]) / np.diff([0.0, *ends]), 0.0)


@cache
def normal() -> tuple[Floats, Floats]:
    """A table of the normal distribution function."""
    at = np.linspace(-6, 6, 2_401)
    return at, np.array([NormalDist().cdf(each) for each in at])


def drawn(
    draw: np.random.Generator, filings: NDArray[np.intp], new: NDArray[np.bool_], worse: float = 1.0
) -> Claims:
    """Claims of filings with so many claims each, of which some are of the new art; verdicts are wrong
    `worse` times as often as the record says."""
    filing = np.repeat(np.arange(len(filings)), filings)
    art = new[filing]

    def rank() -> Floats:
        shared, own = draw.standard_normal(len(filings))[filing], draw.standard_normal(len(filing))
        found: Floats = np.interp(ALIKE**0.5 * shared + (1 - ALIKE) ** 0.5 * own, *normal())
        return found

    ranks, doubts, ends, errors = shapes()
    doubtful = np.where(art, rank() ** 0.5, rank())
    step = np.minimum(np.searchsorted(ends, doubtful), len(errors) - 1)
    sizes = np.exp(4.5 + 1.2 * (rank() - 0.5)) * np.where(art, 1.5, 1.0)
    mixes = np.cumsum([CLASSES, NEW_CLASSES], axis=1)
    return Claims(
        filing=filing,
        doubt=np.interp(doubtful, ranks, doubts),
        size=np.floor(sizes),
        called=(rank()[:, None] > mixes[art.astype(int)][:, :-1]).sum(axis=1),
        wrong=draw.random(len(filing)) < np.minimum(0.5, worse * errors[step] * np.where(art, 2, 1)),
    )


def calibrated(draw: np.random.Generator) -> Calibration:
    """A record fitted on a split of its own."""
    split = drawn(draw, np.ones(SPLIT, dtype=np.intp), np.zeros(SPLIT, dtype=np.bool_))
    tau = float(np.sort(split.doubt)[int(0.8 * SPLIT) - 1])
    share, right = float((split.doubt > tau).mean()), float(1 - split.wrong[split.doubt <= tau].mean())
    record = Calibration.load(SHIPPED_MODEL / "calibration.json")
    reference = Reference(
        score=Bins.of(split.doubt),
        length=Bins.of(split.size),
        classes=dict(zip(LABELS, np.bincount(split.called, minlength=len(LABELS)).tolist(), strict=True)),
    )
    curve = (CurvePoint(share, tau, right, None),)
    return replace(record, tau=tau, escalation=share, n=SPLIT, curve=curve, reference=reference)


def seen(record: Calibration, claims: Claims) -> Day:
    """The day as workers and database see it (`ace.store.monitoring.day_of`)."""
    reference = record.reference
    assert reference is not None  # noqa: S101  # `calibrated` gave it one
    doubtful = claims.doubt > record.tau
    high = {
        Characteristic.SHARE: doubtful,
        Characteristic.SCORE: claims.doubt >= reference.score.edges[len(reference.score.edges) // 2],
        Characteristic.LENGTH: claims.size >= reference.length.edges[len(reference.length.edges) // 2],
        Characteristic.CLASS: claims.called > 0,
    }
    return Day(
        claims=len(claims.doubt),
        doubtful=int(doubtful.sum()),
        decided=int((~doubtful).sum()),
        score=counted(claims.doubt, reference.score.edges),
        length=counted(claims.size, reference.length.edges),
        classes=dict(zip(LABELS, np.bincount(claims.called, minlength=len(LABELS)).tolist(), strict=True)),
        effects={which: effect(claims.filing, having) for which, having in high.items()},
    )


def effect(filing: NDArray[np.intp], having: NDArray[np.bool_]) -> float:
    """The design effect of a trait."""
    n, k = np.bincount(filing), np.bincount(filing, weights=having)
    share = having.mean()
    return design_effect(len(having), int(having.sum()), float(((k - share * n) ** 2).sum()))


def month(seed: int, claims: int, shift: Shift = QUIET) -> Month:
    """A month in which this shift begins on day 16."""
    draw = np.random.default_rng(seed)
    record = calibrated(draw)
    found: dict[str, list[int]] = {which.value: [] for which in Characteristic}
    audits, wrong, fast_after = list[AuditedDay](), 0, 0
    for at in range(DAYS):
        now = shift if at >= SHIFTED else QUIET
        filings = draw.integers(5, 36, claims // 20)
        of_day = drawn(draw, filings, draw.random(len(filings)) < now.new, now.worse)
        for one in differences(record, seen(record, of_day)):
            if one.drifts:
                found[one.characteristic.value].append(at)
        fast = of_day.wrong[of_day.doubt <= record.tau]
        if at >= SHIFTED:
            wrong, fast_after = wrong + int(fast.sum()), fast_after + len(fast)
        chosen = fast[draw.random(len(fast)) < AUDITED]
        labels = [(AUDITED, each) for each in chosen.tolist()]
        audits.append(AuditedDay(len(fast), len(labels), labels))
    bound = tolerated(record)
    alarm = audited(audits, bound).alarm_day
    return Month({**found, "audit": [] if alarm is None else [alarm]}, wrong / fast_after, bound)


def noticed(name: str, months: Sequence[Month]) -> dict[str, float]:
    """How soon and how surely a shift was noticed, by each watch and by any."""
    figures = {f"{name}_wrong": fmean(each.wrong for each in months)}
    for which in (*months[0].alarms, "any"):
        days = [
            [day for own in each.alarms.values() for day in own] if which == "any" else each.alarms[which]
            for each in months
        ]
        first = [
            min(after) - SHIFTED + 1 for each in days if (after := [day for day in each if day >= SHIFTED])
        ]
        figures[f"{name}_{which}_found"] = len(first) / len(months)
        if first:
            figures[f"{name}_{which}_days"] = float(median(first))
        figures[f"{name}_{which}_early"] = sum(day < SHIFTED for each in days for day in each)
    return figures


def tried(claims: int, seed: int) -> dict[str, float]:
    """How well a shadow's share tells of all claims, and which share a canary takes."""
    draw = np.random.default_rng(seed)
    filings = draw.integers(5, 36, DAYS * claims // 20)
    month = drawn(draw, filings, np.zeros(len(filings), dtype=np.bool_))
    other = np.where(
        draw.random(len(month.called)) < 0.06, draw.integers(0, len(LABELS), len(month.called)), -1
    )
    says = np.where(other >= 0, other, month.called)
    ids = [UUID(bytes=draw.bytes(16)) for _ in filings]
    shadow, canary = UUID(int=1), UUID(int=2)
    sampled = np.array([in_share(shadow, each, 5) for each in ids])[month.filing]
    return {
        "shadow_claims": int(sampled.sum()),
        "shadow_agreement": reported(month.called[sampled], says[sampled]),
        "shadow_error": reported(month.called[sampled], says[sampled]) - reported(month.called, says),
        "canary_share": sum(in_share(canary, each, 10) for each in ids) / len(ids),
    }


def reported(live: NDArray[np.intp], says: NDArray[np.intp]) -> float:
    """The agreement that `ace models compare` would report."""
    rows: list[dict[str, Any]] = [
        {
            "live_called": LABELS[a],
            "called": LABELS[b],
            "live_escalated": False,
            "escalated": False,
            "claims": n,
        }
        for (a, b), n in Counter(zip(live.tolist(), says.tolist(), strict=True)).items()
    ]
    return agreement(rows).agreement or 0.0


def measure(quiet: int, shifted: int, claims: int) -> dict[str, float | str]:
    """All figures by name."""
    figures: dict[str, float | str] = {
        "claims_per_day": claims,
        "quiet_months": quiet,
        "shifted_months": shifted,
    }
    for name, shift in SHIFTS.items():
        figures |= noticed(name, [month(seed, claims, shift) for seed in range(shifted)])
        say(f"{name}: {shifted} months")
    calm = [month(1_000 + seed, claims) for seed in range(quiet)]
    figures |= {f"false_{which}": sum(bool(each.alarms[which]) for each in calm) for which in calm[0].alarms}
    figures["false_any"] = sum(any(each.alarms.values()) for each in calm)
    figures["quiet_wrong"] = fmean(each.wrong for each in calm)
    figures["tolerated"] = fmean(each.tolerated for each in calm)
    return figures | tried(claims, seed=7)


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--quiet-months", type=int, default=100, help="months without a shift")
    parser.add_argument("--shifted-months", type=int, default=20, help="months with each shift")
    parser.add_argument("--claims", type=int, default=10_000, help="claims filed each day")
    options = parser.parse_args()
    tell(measure(options.quiet_months, options.shifted_months, options.claims), as_json=options.json)


if __name__ == "__main__":
    main()
