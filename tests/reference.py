"""The moves of `ace.store` over again in plain Python: what the database is held against.

A method does what the move of its name promises and returns what that must answer. Which of the due
claims a dispatch takes is not predicted: `dispatched` says whether a choice was a legal one.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from ace.store.assignment import WaitingClaim
from ace.store.moves import Leased
from ace.store.tables import FINAL, MOVES, Stage, State

Move = tuple[str, State | None, State, str | None]  # name, from, to, detail
Outcome = tuple[str, UUID, str | None]  # endpoint, lease, error


@dataclass
class Claim:
    """What an evaluation must look like, and every move it made."""

    tenant: str
    filing: UUID
    priority: int
    size: int
    state: State = State.QUEUED
    lease: UUID | None = None
    tries: int = 0
    examined: int = 0
    outages: int = 0
    kept: int = 0  # examinations in the database
    due: bool = True
    verdict: str | None = None
    decided_by: str | None = None
    error: str | None = None
    failed_stage: str | None = None
    failed_at: str | None = None  # the endpoint of the last examination, where that failed
    chain: list[Move] = field(default_factory=lambda: [("submit", None, State.QUEUED, None)])

    def move(self, name: str, after: State, detail: str | None = None) -> None:
        """Every move ends here, and none that MOVES does not know."""
        assert (self.state, after) in MOVES[name], f"no legal move: {self.state} {name} {after}"
        self.chain.append((name, self.state, after, detail))
        self.state = after
        if after not in {State.SCREENING, State.EXAMINING}:
            self.lease = None


@dataclass
class Lease:
    """One message; taken up where it has a worker."""

    stage: Stage
    worker: str | None = None
    lapsed: bool = False
    endpoint: str | None = None


@dataclass
class Reference:
    """All of it."""

    max_tries: int
    claims: dict[UUID, Claim] = field(default_factory=dict)
    leases: dict[UUID, Lease] = field(default_factory=dict)
    issued: list[UUID] = field(default_factory=list)  # every token that ever was
    filings: dict[tuple[str, str], tuple[UUID, bytes]] = field(default_factory=dict)  # by tenant and key
    outcomes: list[Outcome] = field(default_factory=list)  # that no dispatcher has learned from yet
    learned: Counter[str] = field(default_factory=Counter)  # outcomes by endpoint

    def held(self, token: UUID) -> list[UUID]:
        """What carries this token."""
        return [id_ for id_, claim in self.claims.items() if claim.lease == token]

    def due(self, stage: Stage) -> dict[UUID, Claim]:
        """What a dispatch of this stage may take."""
        return {id_: claim for id_, claim in self.claims.items() if claim.state is stage.due and claim.due}

    def settled(self) -> set[UUID]:
        """What no longer moves by itself."""
        return {id_ for id_, claim in self.claims.items() if claim.state in FINAL}

    def state_counts(self) -> dict[tuple[str, str], int]:
        """Claims by state and by who decided."""
        return dict(Counter((str(claim.state), claim.decided_by or "") for claim in self.claims.values()))

    def backlog(self, tenant: str) -> int:
        """The tenant's claims that are not settled."""
        return sum(claim.tenant == tenant and claim.state not in FINAL for claim in self.claims.values())

    def room(self, bound: int) -> bool:
        """Whether another fast message may go out."""
        out = [one for one in self.leases.values() if one.stage is Stage.FAST]
        return sum(one.worker is None for one in out) < bound

    def dispatched(self, leased: Leased, *, budget: int, most: int, raced: bool) -> None:
        """Takes over a choice, unless it was none that a dispatcher may make.

        A dispatcher that was raced passes over what another one has locked, so only one that was
        alone must have taken the most urgent claims of every tenant that it took from.
        """
        due = self.due(Stage.FAST)
        taken = self._taken(leased, due)
        assert len(taken) <= most
        assert len(taken) == 1 or sum(claim.size for claim in taken.values()) <= budget
        assert len(taken) == 1 or not leased.alone, "a claim on its last try travels alone"
        if not raced:
            assert not list(_passed_over(taken, due)), "passed over what was more urgent"
        self._begin(leased, Stage.FAST, taken)

    def in_line(self, line: Sequence[WaitingClaim]) -> None:
        """The line of a dispatcher that was alone: all that is due, where there is not much."""
        due = self.due(Stage.SLOW)
        flying = Counter(claim.tenant for claim in self.claims.values() if claim.state is State.EXAMINING)
        assert {one.id for one in line} == due.keys()
        for one in line:
            claim = due[one.id]
            assert (one.tenant, one.filing, one.priority) == (claim.tenant, claim.filing, claim.priority)
            assert one.in_flight == flying[claim.tenant]
            assert one.failed_at == (claim.failed_at if claim.error else None)

    def examining(self, leased: Leased) -> None:
        """Takes over one claim that was dealt to an endpoint."""
        taken = self._taken(leased, self.due(Stage.SLOW))
        assert len(taken) == 1
        self._begin(leased, Stage.SLOW, taken)

    def _taken(self, leased: Leased, due: Mapping[UUID, Claim]) -> dict[UUID, Claim]:
        assert leased.evaluations
        assert len(set(leased.evaluations)) == len(leased.evaluations)
        assert leased.token not in self.leases
        assert set(leased.evaluations) <= due.keys(), "took what was not due"
        taken = {id_: due[id_] for id_ in leased.evaluations}
        assert leased.alone == any(0 < claim.tries == self.max_tries - 1 for claim in taken.values())
        return taken

    def _begin(self, leased: Leased, stage: Stage, taken: Mapping[UUID, Claim]) -> None:
        self.leases[leased.token] = Lease(stage, endpoint=leased.endpoint)
        self.issued.append(leased.token)
        for claim in taken.values():
            claim.move("dispatch", stage.running)
            claim.lease = leased.token

    def start(self, token: UUID, worker: str) -> bool:
        lease = self.leases.get(token)
        if lease is None or lease.worker is not None:
            return False
        lease.worker, lease.lapsed = worker, False
        return True

    def renew(self, tokens: Iterable[UUID], worker: str) -> None:
        for token in tokens:
            if token in self.leases and self.leases[token].worker == worker:
                self.leases[token].lapsed = False

    def spare(self, stage: Stage) -> None:
        for lease in self.leases.values():
            if lease.stage is stage and lease.worker is not None:
                lease.lapsed = False

    def release(self, tokens: Iterable[UUID], worker: str | None) -> int:
        moved = 0
        for token in tokens:
            if token in self.leases and self.leases[token].worker == worker:
                del self.leases[token]
                for id_ in self.held(token):
                    claim = self.claims[id_]
                    claim.move("release", _back(claim.state))
                    moved += 1
        return moved

    def expire(self, dead: Collection[UUID]) -> int:
        moved = 0
        for token in dead:
            lease = self.leases.pop(token)
            for id_ in self.held(token):
                self._lose(self.claims[id_], lease)
                moved += 1
        return moved

    def _lose(self, claim: Claim, lease: Lease) -> None:
        claim.tries += lease.worker is not None
        if claim.tries >= self.max_tries:
            claim.move("fail", State.FAILED, "poison")
            claim.error, claim.failed_stage = "poison", str(lease.stage)
        else:
            claim.move("expire", _back(claim.state), lease.worker)

    def screened(self, token: UUID, said: Mapping[UUID, str], actor: str) -> int:
        """`said` is "Pass", "Fail" or "escalate" of each claim that the worker speaks of."""
        moved = 0
        for id_, word in said.items():
            claim = self.claims.get(id_)
            live = token in self.leases and claim is not None and claim.lease == token
            if not live or claim is None or claim.state is not State.SCREENING:
                continue
            if word == "escalate":
                claim.move("escalate", State.ESCALATED)
            else:
                claim.move("decide", State.DECIDED)
                claim.verdict, claim.decided_by = word, "gatekeeper"
            claim.tries, claim.due, claim.error, claim.failed_stage = 0, True, None, None
            moved += 1
        self.release([token], actor)
        return moved

    def settle(self) -> None:
        """Every outcome is learned from once."""
        self.learned.update(endpoint for endpoint, *_ in self.outcomes)
        self.outcomes.clear()

    def examined(self, token: UUID, id_: UUID, verdict: str, endpoint: str | None) -> bool:
        claim = self._examination(token, id_, endpoint, None)
        if claim is None:
            return False
        claim.move("decide", State.DECIDED)
        claim.verdict, claim.decided_by, claim.error, claim.failed_stage = verdict, "expert", None, None
        claim.examined, claim.outages = claim.examined + 1, 0
        return True

    def deferred(
        self, token: UUID, id_: UUID, error: str, endpoint: str | None, *, later: bool, own: bool
    ) -> bool:
        claim = self._examination(token, id_, endpoint, error)
        if claim is None:
            return False
        claim.move("defer", State.ESCALATED, error)
        claim.error, claim.due = error, not later
        claim.examined, claim.outages = claim.examined + own, 0 if own else claim.outages + 1
        return True

    def failed(self, token: UUID, id_: UUID, error: str, endpoint: str | None) -> bool:
        claim = self._examination(token, id_, endpoint, error)
        if claim is None:
            return False
        claim.move("fail", State.FAILED, error)
        claim.error, claim.failed_stage = error, str(Stage.SLOW)
        claim.examined, claim.outages = claim.examined + 1, 0
        return True

    def _examination(self, token: UUID, id_: UUID, endpoint: str | None, error: str | None) -> Claim | None:
        """The claim, where this token may still say something about it; that ends the lease.

        What it tells of its endpoint is true whatever became of the claim.
        """
        if endpoint is not None:
            self.outcomes.append((endpoint, token, error))
        claim = self.claims.get(id_)
        if not self.held(token):
            self.leases.pop(token, None)  # all of it was cancelled meanwhile
        if token not in self.leases or claim is None or claim.lease != token:
            return None
        if claim.state is not State.EXAMINING:
            return None
        del self.leases[token]
        claim.tries, claim.kept = 0, claim.kept + 1
        claim.failed_at = endpoint if error is not None else None
        return claim

    def replay(self, tenant: str, ids: Sequence[UUID]) -> list[UUID]:
        moved = []
        for id_ in set(ids) & self.claims.keys():
            claim = self.claims[id_]
            if claim.tenant == tenant and claim.state is State.FAILED:
                after = State.QUEUED if claim.failed_stage == Stage.FAST else State.ESCALATED
                claim.move("replay", after, claim.error)
                claim.tries = claim.examined = claim.outages = 0
                claim.due = True
                moved.append(id_)
        return sorted(moved)

    def cancel(self, tenant: str, filing: UUID) -> list[UUID]:
        moved = []
        for id_, claim in self.claims.items():
            ours = claim.tenant == tenant and claim.filing == filing
            if ours and claim.state not in {State.DECIDED, State.CANCELLED}:
                claim.move("cancel", State.CANCELLED)
                moved.append(id_)
        return sorted(moved)


def _back(running: State) -> State:
    return State.QUEUED if running is State.SCREENING else State.ESCALATED


def _passed_over(taken: Mapping[UUID, Claim], due: Mapping[UUID, Claim]) -> Iterable[UUID]:
    """Due claims that were left although a less urgent one like them, of the same tenant, was taken."""
    for id_, claim in due.items():
        like = [one for one in taken.values() if (one.tenant, one.tries) == (claim.tenant, claim.tries)]
        if id_ not in taken and any(one.priority > claim.priority for one in like):
            yield id_
