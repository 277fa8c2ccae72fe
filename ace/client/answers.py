"""The responses of the API, as the client returns them: frozen values, and errors with their problem."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Self

SETTLED: Final = frozenset({"decided", "failed", "cancelled"})
OF_EXPERT: Final = frozenset({"escalated", "examining"})  # states whose faults are the expert's


class ApiError(Exception):
    """The API rejected the request or failed; `problem` is its problem document (RFC 9457)."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.problem = problem
        self.status = int(problem.get("status", 0))
        self.errors: list[dict[str, Any]] = list(problem.get("errors") or [])
        super().__init__(_message(problem, self.errors))


class Unauthorised(ApiError):  # named after what happened, as the API names it
    """The key is missing, wrong or revoked."""


class Forbidden(Unauthorised):
    """The key is valid, but lacks the scope for this request."""


class NotFound(ApiError):
    """It does not exist, or belongs to another tenant."""


class Invalid(ApiError):
    """The request is invalid; `errors` name the fields and limits."""


class Unreachable(ApiError):
    """The API, or a part that it needs, could not be reached, even with retries."""


class TooMuch(Unreachable):
    """Too many requests with the key, or too many waiting claims of the tenant, even with retries."""


class NotSettled(TimeoutError):
    """A filing is not settled in time; `filing` is its last state."""

    def __init__(self, filing: "Filing", seconds: float) -> None:
        done = f"{filing.settled_count} of {len(filing.evaluations)}; {filing.waiting}"
        super().__init__(f"filing {filing.id} is not settled after {seconds:g} s: {done}")
        self.filing = filing


def error_of(status: int, problem: Mapping[str, Any]) -> ApiError:
    """The error for a response that is not a success."""
    full = {"status": status, "title": f"the API answered {status}", **problem}
    if status == 401:
        return Unauthorised(full)
    if status == 403:
        return Forbidden(full)
    if status == 404:
        return NotFound(full)
    if status == 429:
        return TooMuch(full)
    if status in {502, 503, 504}:
        words = f"the API is away: something before it answered {status}"
        return Unreachable(full if problem else {**full, "detail": words})
    return Invalid(full) if 400 <= status < 500 else ApiError(full)


def _message(problem: Mapping[str, Any], errors: Iterable[Mapping[str, Any]]) -> str:
    detail = str(problem.get("detail") or problem.get("title") or "the API failed")
    places = []
    for error in errors:
        where = error.get("pointer") or error.get("parameter") or error.get("header")
        if where:
            places.append(f"{where} {error.get('detail', '')}".strip())
    return f"{detail} ({'; '.join(places)})" if places else detail


@dataclass(frozen=True, slots=True)
class Reference:
    """The evaluation of one claim; a filing that lists it gives its state."""

    id: str
    claim: int
    state: str | None = None
    verdict: str | None = None
    disputed: bool = False
    ground: str | None = None  # of a Fail
    error: str | None = None  # kind of the latest fault


@dataclass(frozen=True, slots=True)
class Accepted:
    """A filing that the API stored, and its evaluations in the order filed."""

    id: str
    evaluations: tuple[Reference, ...]
    canceled: tuple[int, ...] = ()  # numbers of claims that are not evaluated
    notes: tuple[Mapping[str, Any], ...] = ()  # {code, message, claim}: what to look at in the claims

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From the response to a submission."""
        references = tuple(Reference(**own(Reference, one)) for one in body["evaluations"])
        return cls(body["filing"], references, tuple(body.get("canceled", ())), tuple(body.get("notes", ())))


@dataclass(frozen=True, slots=True)
class Result:
    """The result for one of many filings: `accepted`, or the `problem` with it."""

    line: int
    status: int
    accepted: Accepted | None
    problem: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class ListedFiling:
    """A filing as a list shows it, with its evaluations by state and by verdict."""

    id: str
    docket: str
    priority: int
    claims: int
    created_at: str
    updated_at: str | None
    states: Mapping[str, int]
    verdicts: Mapping[str, int]
    disputed: int
    settled: bool

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From its JSON in a page of filings."""
        return cls(**own(cls, body))


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim as it is stored; `text` is None if it was purged."""

    number: int
    text: str | None
    ancestors: tuple[int, ...]  # nearest first
    evaluation: str | None

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From its JSON in the claims of a filing."""
        return cls(**own(cls, {**body, "ancestors": tuple(body["ancestors"])}))


@dataclass(frozen=True, slots=True)
class Filing:
    """A filing, and how many of its evaluations are in each state."""

    id: str
    docket: str
    priority: int
    metadata: Mapping[str, Any]
    claims: int
    created_at: str
    states: Mapping[str, int]
    settled: bool
    evaluations: tuple[Reference, ...]

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From a filing's JSON."""
        references = tuple(Reference(**own(Reference, one)) for one in body["evaluations"])
        return cls(**own(cls, {**body, "evaluations": references}))

    @property
    def settled_count(self) -> int:
        """Evaluations that do not move by themselves any more."""
        return sum(self.states.get(state, 0) for state in SETTLED)

    @property
    def waiting(self) -> str:
        """What is not settled, and why if that is known: "3 escalated: expert unreachable"."""
        parts = []
        for state in sorted(self.states.keys() - SETTLED):
            faults = sorted({one.error for one in self.evaluations if one.state == state and one.error})
            by = "expert " if state in OF_EXPERT else ""
            why = f": {by}{' or '.join(faults)}" if faults else ""
            parts.append(f"{self.states[state]} {state}{why}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class ExpertFinding:
    """A defect as the expert states it; it quotes text[start:end] of the claim, in code points.

    `start` and `end` are None if the quoted words are not in the claim: the finding is unverified.
    """

    error_class: str | None
    quote: str
    law: str | None
    explanation: str | None
    start: int | None
    end: int | None

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From the JSON of a rationale's finding."""
        return cls(**own(cls, {**body, "error_class": body["class"]}))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A reason to doubt the expert's verdict: both sides."""

    kind: str
    expert: str
    against: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One run of ACE over one claim. u and h6 are in nats, times are RFC 3339.

    `ground` is what the claim of a Fail would draw, "rejection" or "objection"; None from an older server.
    `doubt` is the value of `score`, which was compared with `tau`. A `disputed` verdict stands: the
    `disagreements` give the reasons to doubt the expert's; the gatekeeper's is a Pass beside a likely
    finding, or a Fail without any, and `span` {start, end} the words of the claim that speak most for it. Of
    `opinions` answers of the expert, `agreeing` have that verdict.
    """

    id: str
    filing: str
    docket: str
    claim: int
    state: str
    verdict: str | None
    decided_by: str | None
    error_class: str | None
    probabilities: Mapping[str, float | None] | None
    u: float | None
    h6: float | None
    tau: float | None
    model: str | None
    calibration: str | None
    rationale: str | None
    expert_model: str | None
    prompt_version: str | None
    examined: int
    error: str | None
    moves: int
    created_at: str
    updated_at: str
    disputed: bool = False
    score: str | None = None
    doubt: float | None = None
    expert_findings: tuple[ExpertFinding, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    opinions: int | None = None
    agreeing: int | None = None
    cut: bool | None = None  # whether ancestors were left out of the question
    calls: int | None = None  # HTTP calls to the expert
    certain: float | None = None  # the confidence of a finding beside which the gatekeeper passes no claim
    span: Mapping[str, int] | None = None
    ground: str | None = None

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From an evaluation's JSON; the fields of its rationale lie beside its own."""
        expert = body["rationale"] or {}
        against = expert.get("disagreements") or ()
        flat = {
            "rationale": expert.get("reasoning"),
            "expert_model": expert.get("model"),
            "expert_findings": tuple(map(ExpertFinding.of, expert.get("findings") or ())),
            "disagreements": tuple(Disagreement(**own(Disagreement, one)) for one in against),
            "prompt_version": expert.get("prompt_version"),
        }
        return cls(**own(cls, {**expert, **body, **flat}))  # names that both have are the evaluation's

    def as_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Event:
    """One move of an evaluation."""

    number: int
    at: str
    move: str
    before: str | None
    after: str
    actor: str
    detail: str | None

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From an event's JSON."""
        return cls(**own(cls, body))

    def as_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Key:
    """A key in force, without its secret."""

    id: str
    label: str
    scopes: tuple[str, ...]
    requests_per_second: float | None
    created_at: str

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From a key's JSON."""
        return cls(**own(cls, {**body, "scopes": tuple(body["scopes"])}))


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just created: the only time that it is shown."""

    id: str
    key: str = field(repr=False)
    label: str
    scopes: tuple[str, ...]
    requests_per_second: float | None

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From a new key's JSON."""
        return cls(**own(cls, {**body, "scopes": tuple(body["scopes"])}))


def own(kind: Any, body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that `kind` has; a newer server may send others."""
    return {one.name: body[one.name] for one in fields(kind) if one.name in body}
