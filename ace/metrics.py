"""Every metric of ACE: its name, kind, labels, meaning and objective. The docs' table is made from this one.

Labels are route templates, states, stages, classes and names from the settings: never ids, dockets or
anything that a client sent. A tenant is a label in one place, whose number of values is bounded.
"""

from enum import StrEnum
from typing import Final, NamedTuple


class Kind(StrEnum):
    """How a metric behaves, in Prometheus' words."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Named(NamedTuple):
    """A metric. `objective` is what it should keep to; a histogram has a bucket at each objective."""

    name: str
    meaning: str
    labels: tuple[str, ...] = ()
    kind: Kind = Kind.GAUGE
    objective: str = ""
    buckets: tuple[float, ...] = ()


API, DISPATCHER, WORKERS = "API", "dispatcher", "workers"

_REQUEST_SECONDS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60)
_WAIT_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400)
_BATCH_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_BATCH_CLAIMS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)

# Of requests, in each API process
REQUESTS: Final = Named(
    "ace_http_requests", "Answered requests.", ("method", "route", "status"), Kind.COUNTER
)
SECONDS: Final = Named(
    "ace_http_request_seconds",
    "Time to answer, including long polls.",
    ("method", "route"),
    Kind.HISTOGRAM,
    "99 % of `POST /v1/filings` within 1 s",
    _REQUEST_SECONDS,
)
BUFFERED: Final = Named(
    "ace_http_buffered_bytes", "Bytes of request bodies and uploads that this process holds."
)
DATABASE_UP: Final = Named("ace_database_up", "1 when the database answered this scrape.", objective="1")
BROKER_UP: Final = Named(
    "ace_broker_up", "1 when the broker took messages at this scrape; NaN without a broker.", objective="1"
)

# Of the database, the same in every API process
EVALUATIONS: Final = Named(
    "ace_evaluations", "Evaluations by state and decider, without those of tests.", ("state", "decided_by")
)
LEASES: Final = Named(
    "ace_leases", "Messages: waiting on the broker, or running in a worker.", ("stage", "phase")
)
OLDEST_DUE: Final = Named(
    "ace_oldest_due_seconds",
    "Waiting time of the evaluation that has been due longest.",
    ("stage",),
    objective="fast: 60 s; slow: 900 s",
)
SLOTS: Final = Named(
    "ace_expert_slots", "Concurrent examinations that an expert endpoint is given.", ("endpoint",)
)
IN_FLIGHT: Final = Named("ace_expert_in_flight", "Examinations in flight at an endpoint.", ("endpoint",))
BREAKER: Final = Named(
    "ace_expert_breaker_state", "1 for the current state of an endpoint's breaker.", ("endpoint", "state")
)
FAULTS: Final = Named(
    "ace_expert_faults", "Examinations that failed, by fault.", ("endpoint", "kind"), Kind.COUNTER
)
EXPERT_SECONDS: Final = Named(
    "ace_expert_seconds", "Time of an examination that succeeded.", ("endpoint",), Kind.HISTOGRAM
)
DISPUTES: Final = Named(
    "ace_expert_disputes",
    "Expert verdicts that were disputed when given, by kind.",
    ("kind",),
    Kind.COUNTER,
)

WEBHOOKS: Final = Named(
    "ace_webhooks", "Webhooks: active, failing, disabled by their owners, or given up.", ("state",)
)
DELIVERY_DUE: Final = Named(
    "ace_webhook_oldest_due_seconds",
    "Waiting time of the delivery that has been due longest, of webhooks that are not failing.",
)
OUTBOX: Final = Named("ace_outbox_oldest_seconds", "Waiting time of the oldest event without its number.")

# Of the work of one process, since its start
QUEUE_WAIT: Final = Named(
    "ace_queue_wait_seconds",
    "Time from when a claim was due until a worker took it up.",
    ("stage",),
    Kind.HISTOGRAM,
    "95 % of the fast stage within 1 s",
    _WAIT_SECONDS,
)
FILING_TO_VERDICT: Final = Named(
    "ace_filing_to_verdict_seconds",
    "Time from the filing of a claim to its verdict.",
    ("decided_by",),
    Kind.HISTOGRAM,
    "95 % by the gatekeeper within 5 s",
    _WAIT_SECONDS,
)
BATCH_SECONDS: Final = Named(
    "ace_gatekeeper_batch_seconds",
    "Time in which the gatekeeper judged a message, rules excluded.",
    kind=Kind.HISTOGRAM,
    buckets=_BATCH_SECONDS,
)
BATCH_CLAIMS: Final = Named(
    "ace_gatekeeper_batch_claims",
    "Claims of a message that the gatekeeper judged.",
    kind=Kind.HISTOGRAM,
    buckets=_BATCH_CLAIMS,
)
SCREENED: Final = Named(
    "ace_screened_claims",
    "Claims that the gatekeeper judged: `decided` or `escalated`, without those of tests.",
    ("outcome",),
    Kind.COUNTER,
    "share escalated near `ace_calibrated_escalation`",
)
DECISIONS: Final = Named(
    "ace_decisions",
    "Verdicts, by class of the defect (empty for a Pass or an unnamed class) and decider, without tests.",
    ("verdict", "error_class", "decided_by"),
    Kind.COUNTER,
)
FAILURES: Final = Named(
    "ace_failures",
    "Evaluations that a worker failed, by error; the dispatcher's `poison` is not among them.",
    ("error",),
    Kind.COUNTER,
)
DROPPED: Final = Named(
    "ace_dropped_messages",
    "Messages of a queue that were none of ACE's, and were dropped.",
    ("queue",),
    Kind.COUNTER,
    "0",
)
CALIBRATED: Final = Named(
    "ace_calibrated_escalation",
    "Share of claims that should escalate, by the calibration of this worker.",
    ("calibration",),
)
BACKLOG: Final = Named(
    "ace_backlog_claims",
    "Claims without a verdict, of the twenty tenants with the most; those of all others are under `other`.",
    ("tenant",),
)
DRIFT: Final = Named(
    "ace_drift_psi",
    "Population stability index of yesterday's filings against the calibration record of the standing model.",
    ("characteristic",),
    objective="below 0.1",
)
DRIFTS: Final = Named(
    "ace_drifts",
    "1 if yesterday's filings differ from the calibration record by more than chance, and enough to matter.",
    ("characteristic",),
    objective="0",
)
AUDIT: Final = Named(
    "ace_audit_error",
    "Share of wrong verdicts of the standing model in thirty days, from the audit sample: the `estimate`, the"
    " `low` bound, and what is `tolerated`.",
    ("bound",),
)
AUDIT_ALARM: Final = Named(
    "ace_audit_alarm", "1 if the lower bound of wrong verdicts has passed what is tolerated.", objective="0"
)
BUILD: Final = Named(
    "ace_build_info", "1, with the version of ACE, which is that of its rules.", ("version", "part")
)
MODEL: Final = Named("ace_model_info", "1, with the model of a gatekeeper worker.", ("model", "calibration"))

STORED: Final = (
    *(EVALUATIONS, LEASES, OLDEST_DUE, SLOTS, IN_FLIGHT, BREAKER),
    *(WEBHOOKS, DELIVERY_DUE, OUTBOX),
)  # gauges
OF_WORK: Final = (QUEUE_WAIT, FILING_TO_VERDICT, BATCH_SECONDS, BATCH_CLAIMS, SCREENED, DECISIONS, FAILURES)
SHOWN_BY: Final[dict[str, tuple[Named, ...]]] = {
    API: (
        REQUESTS,
        SECONDS,
        BUFFERED,
        DATABASE_UP,
        BROKER_UP,
        *STORED,
        FAULTS,
        EXPERT_SECONDS,
        DISPUTES,
        BUILD,
    ),
    WORKERS: (*OF_WORK, DROPPED, CALIBRATED, MODEL, BUILD),
    DISPATCHER: (BACKLOG, DRIFT, DRIFTS, AUDIT, AUDIT_ALARM, BUILD),
}
"""Which process shows which metrics."""

METRICS: Final = tuple(dict.fromkeys(one for shown in SHOWN_BY.values() for one in shown))
