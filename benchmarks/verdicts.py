"""What rules, gatekeeper and cascade decide of mistakes that none of them was made for.

Reads real claim sets (not part of the project). Each unseen family of `ace_lab.held_out.mistakes` edits every
N-th granted set of the test families, of which neither training nor calibration has seen a claim. The edited
claim is judged with the analysis of its whole set, as the fast and slow queues do, with the structural
examiner as the expert and the record that is made for it. Beside them stand all claims of these sets as they
were granted, and the twins: sound edits of the same shapes. Columns:

  rules       share of mistakes with a reported finding that fails the claim
  gatekeeper  share that the gatekeeper fails (P_inv > P_valid)
  either      share that one or the other fails
  cascade     share that is failed in the end
  class       the same, with the family's class as the verdict's
  up          share escalated
  doubt       AUROC, over the gatekeeper's errors, mistakes and granted claims mixed, of the doubt by which
              claims go up to any other expert
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.analysis import AnalysedClaim, analyse
from ace.claims.model import ClaimSet
from ace.claims.taxonomy import LABELS
from ace.gatekeeper.engine import LoadedEngine
from ace.gatekeeper.facts import claim_facts
from ace.gatekeeper.loading import FOR_EXAMINER, SHIPPED_MODEL, load_engine
from ace.gatekeeper.probabilities import probabilities
from ace.routing.calibration import Calibration, record_file
from ace.routing.policy import Routing, doubt, route
from ace_lab.data.filed_sets import FiledSet, read_filed
from ace_lab.data.pools import SPLITS, split_of
from ace_lab.evaluation.judges import class_of_opinion
from ace_lab.experts.opinions import StructuralExpert
from ace_lab.held_out.mistakes import UNSEEN
from ace_lab.measures.metrics import auc
from benchmarks.claims import DATA
from benchmarks.figures import options_of, say

GRANTED = "granted"
TWIN = "twin"
LONG = 1_200
"""Characters from which a claim counts as long."""


@dataclass(frozen=True, slots=True)
class Judged:
    """N claims that were judged; every array has shape (N,) but `p`, which has (N, 6).

    `source` is the mistake's family, GRANTED or TWIN, `label` the index of its class, `length` in characters;
    `sure` is the confidence of the likeliest finding that fails the claim, `expert` the class that the
    structural examiner calls, and `doubt` that of the record for any other expert.
    """

    source: NDArray[np.str_]
    label: NDArray[np.intp]
    length: NDArray[np.intp]
    sure: NDArray[np.float64]
    expert: NDArray[np.intp]
    p: NDArray[np.float32]
    routing: Routing
    doubt: NDArray[np.float64]

    @property
    def final(self) -> NDArray[np.intp]:
        """The class decided in the end: the examiner's where escalated, else the fast path's."""
        routing = self.routing
        return np.where(routing.escalate, self.expert, np.where(routing.fail, routing.error_class, 0))


def cases(granted: Iterable[FiledSet], every: int) -> Iterator[tuple[str, int, AnalysedClaim]]:
    """The source, class and claim of each mistake and its twin, and of each claim as it was granted."""
    for at, filed in enumerate(granted):
        if at % 20 == 0:
            say(f"{at} sets")
        claims = filed.claims()
        analyses = analyse(claims)
        for claim in claims:
            yield GRANTED, 0, AnalysedClaim.of(claims.input_of(claim.number), analyses[claim.number])
        for family in (each for nth, each in enumerate(UNSEEN) if (at + nth) % every == 0):
            seed, label = f"{filed.family}/{family.name}", LABELS.index(family.error_class.value)
            if (defect := family.mistake(claims, Random(seed))) is not None:
                yield family.name, label, _judged_claim(defect.claims, defect.places[0].claim)
            if (twin := family.twin(claims, Random(seed))) is not None:
                yield TWIN, 0, _judged_claim(twin.claims, twin.places[0].claim)


def _judged_claim(claims: ClaimSet, number: int) -> AnalysedClaim:
    return AnalysedClaim.of(claims.input_of(number), analyse(claims)[number])


def judge(
    engine: LoadedEngine, for_examiner: Calibration, found: Iterable[tuple[str, int, AnalysedClaim]]
) -> Judged:
    """Every claim through the gatekeeper, the routing by the record `for_examiner`, and the structural
    examiner."""
    sources, labels, claims = zip(*found, strict=True)
    raw, facts = engine.logits(claims), claim_facts(claims)
    p = probabilities(raw, claims, for_examiner)
    sure = np.array([claim.analysis.sure for claim in claims])
    opinions = StructuralExpert().examine(claims, [0] * len(claims))
    return Judged(
        np.array(sources),
        np.array(labels),
        np.array([len(claim.text) for claim in claims]),
        sure,
        np.array([class_of_opinion(opinion, 0) for opinion in opinions]),
        p,
        route(p, for_examiner, sure.tolist(), facts),
        doubt(probabilities(raw, claims, engine.calibration), engine.calibration, facts),
    )


def figures(judged: Judged) -> dict[str, Any]:
    """All figures by name; see the module for what they mean."""
    mistaken, granted = judged.label > 0, judged.source == GRANTED
    rows = {"all": mistaken}
    rows |= {label: judged.label == at for at, label in enumerate(LABELS) if at}
    rows |= {f"shorter than {LONG}": mistaken & (judged.length < LONG)}
    rows |= {f"{LONG} and longer": mistaken & (judged.length >= LONG)}
    rows |= {GRANTED: granted, "sound twins": judged.source == TWIN}
    asked = mistaken | granted
    families = {family.name: judged.source == family.name for family in UNSEEN}
    return {
        "rows": {name: _shares(judged, chosen) for name, chosen in rows.items()},
        "by_family": {name: _shares(judged, chosen) for name, chosen in families.items()},
        "doubt_auroc": round(auc(judged.doubt[asked], (judged.routing.fail != mistaken)[asked]), 3),
        "sure_but_undisputed": int(_undisputed(judged).sum()),
    }


def _undisputed(judged: Judged) -> NDArray[np.bool_]:
    """Passed on the fast path beside a finding of nine in ten, and nobody says so."""
    passed = ~judged.routing.escalate & ~judged.routing.fail
    return passed & ~judged.routing.disputed & (judged.sure >= 0.9)


def _shares(judged: Judged, chosen: NDArray[np.bool_]) -> dict[str, Any]:
    rules, gatekeeper, final = judged.sure > 0, judged.routing.fail, judged.final
    columns = {
        "rules": rules,
        "gatekeeper": gatekeeper,
        "either": rules | gatekeeper,
        "cascade": final > 0,
        "class": (final > 0) & (final == judged.label),
        "up": judged.routing.escalate,
    }
    number = int(chosen.sum())
    shares = {
        name: round(float(seen[chosen].mean()), 3) if number else None for name, seen in columns.items()
    }
    return {**shares, "n": number}


def _table(shown: Mapping[str, Any]) -> Iterator[str]:
    names = ("rules", "gatekeeper", "either", "cascade", "class", "up")
    yield f"{'':36}{''.join(f'{name:>12}' for name in names)}{'n':>8}"
    for part in ("rows", "by_family"):
        for name, one in shown[part].items():
            shares = "".join(f"{'–' if one[key] is None else format(one[key], '.1%'):>12}" for key in names)
            yield f"{name:36}{shares}{one['n']:>8}"
    yield f"doubt {shown['doubt_auroc']}, undisputed beside a sure finding {shown['sure_but_undisputed']}"


def main() -> int:
    """`python -m benchmarks.verdicts`."""
    parser = options_of(__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="JSON lines of claim sets, plain or gzipped")
    parser.add_argument("--every", type=int, default=2, help="each family edits every N-th of these sets")
    parser.add_argument("--model", type=Path, default=SHIPPED_MODEL, help="a model directory")
    options = parser.parse_args()
    granted = (
        filed for filed in read_filed(options.data) if filed.granted and split_of(filed.family) == SPLITS[-1]
    )
    for_examiner = Calibration.load(record_file(options.model, FOR_EXAMINER))
    shown = figures(judge(load_engine(options.model), for_examiner, cases(granted, options.every)))
    print(json.dumps(shown) if options.json else "\n".join(_table(shown)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
