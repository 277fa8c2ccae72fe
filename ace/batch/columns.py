"""The table of results: one row for each pending claim, and one for each row of the input that holds none.

No column holds words of a claim; places are offsets into its text.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ace.batch.scoring import Judged
from ace.claims.analysis import VERSION, analysis_of
from ace.claims.taxonomy import LABELS
from ace.gatekeeper.engine import Engine

SCHEMA_VERSION: Final = 1
"""Raised when a column changes its meaning or is taken away."""

_FINDING: Final = pa.struct(
    [
        ("rule", pa.string()),
        ("severity", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("confidence", pa.float32()),
    ]
)
SCHEMA: Final = pa.schema(
    [
        ("input", pa.string()),  # the file
        ("row", pa.int64()),  # in it, from 0
        ("docket", pa.string()),
        ("claim", pa.int32()),
        ("escalate", pa.bool_()),  # too doubtful for the gatekeeper: it has no verdict
        ("verdict", pa.string()),
        ("error_class", pa.string()),
        ("ground", pa.string()),
        ("disputed", pa.bool_()),
        *((f"p_{label}", pa.float32()) for label in LABELS),
        ("u", pa.float64()),
        ("h6", pa.float64()),
        ("doubt", pa.float64()),
        ("span_start", pa.int32()),
        ("span_end", pa.int32()),
        ("findings", pa.list_(_FINDING)),
        ("error", pa.string()),  # why there is nothing else
        ("model", pa.string()),
        ("calibration", pa.string()),
        ("rules", pa.string()),
    ]
)


def records(name: str, judged: Judged, gatekeeper: Engine) -> list[dict[str, Any]]:
    """The results of a window of the input file `name`, by column, in the order of the rows and of filing.
    Columns without a value are left out."""
    made_by = {"model": gatekeeper.revision, "calibration": gatekeeper.calibration.id, "rules": VERSION}
    prepared = judged.prepared
    ranks = {
        at: {each.number: rank for rank, each in enumerate(found)} for at, found in prepared.sets.items()
    }
    of_claims = zip(prepared.places, prepared.claims, _values(judged), strict=True)
    found = [(at, ranks[at][claim.number], {"claim": claim.number, **own}) for at, claim, own in of_claims]
    for (at, number), error in prepared.errors.items():
        rank = 0 if number is None else ranks[at][number]
        found.append((at, rank, {"claim": number, "error": error}))
    found.sort(key=lambda each: each[:2])
    return [
        {"input": name, "row": prepared.rows[at].index, "docket": prepared.rows[at].docket, **own, **made_by}
        for at, _, own in found
    ]


def table(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """The results as a table of SCHEMA."""
    return pa.Table.from_pylist(list(rows), schema=SCHEMA)


def _values(judged: Judged) -> list[dict[str, Any]]:
    """What was judged of each claim, by column."""
    judgement, routing = judged.judgement, judged.judgement.routing
    p, u, h6, doubt = (_numbers(each) for each in (judgement.p, routing.u, routing.h6, routing.doubt))
    found: list[dict[str, Any]] = []
    for at, claim in enumerate(judged.prepared.claims):
        escalate, fail = bool(routing.escalate[at]), bool(routing.fail[at])
        own: dict[str, Any] = {
            "escalate": escalate,
            **{f"p_{label}": p[at][index] for index, label in enumerate(LABELS)},
            "u": u[at],
            "h6": h6[at],
            "doubt": doubt[at],
            "findings": [
                {
                    "rule": each.rule_id,
                    "severity": each.severity.value,
                    "start": each.start,
                    "end": each.end,
                    "confidence": each.confidence,
                }
                for each in analysis_of(claim).reported()
            ],
        }
        if not escalate:
            own |= {"verdict": "Fail" if fail else "Pass", "disputed": bool(routing.disputed[at])}
        if not escalate and fail:
            span = judgement.spans[at] or (None, None)
            own |= {"error_class": LABELS[routing.error_class[at]], "ground": judgement.grounds[at].value}
            own |= {"span_start": span[0], "span_end": span[1]}
        found.append(own)
    return found


def _numbers(values: NDArray[np.floating[Any]]) -> Any:
    """Nested lists of floats, with None in place of NaN and infinities."""
    return np.where(np.isfinite(values), values, np.array(None)).tolist()
