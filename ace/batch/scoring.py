"""From rows to judged claims: read, analysed and judged by the functions that API and workers use."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from ace.batch.rows import Row, worded
from ace.claim_work import CHECKED_SET_CHARACTERS, read
from ace.claims.analysis import AnalysedClaim, analysis_of
from ace.claims.model import ClaimInput, ClaimSet, kept_text
from ace.errors import AceError, ModelError, Refused, Stopped
from ace.flow.analysing import Checks, with_analyses
from ace.flow.judging import Judgement, judge
from ace.gatekeeper.engine import Engine
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace.store.reads import Held, Taken

_NUMBER_BITS: Final = 32

NOTHING_PENDING: Final = "nothing_pending: every claim is canceled"


@dataclass(frozen=True, slots=True)
class Prepared:
    """Rows, their claim sets, and the claims that can be judged, with their analyses.

    `errors` say by (place of the row, number of the claim) why a claim is not among them; the number is None
    if the whole row is not.
    """

    rows: Sequence[Row]
    sets: dict[int, ClaimSet]
    places: list[int] = field(default_factory=list)  # of each claim's row among the rows
    claims: list[ClaimInput] = field(default_factory=list)
    errors: dict[tuple[int, int | None], str] = field(default_factory=dict)

    def for_expert(self, at: int) -> AnalysedClaim:
        """Claim number `at` of `claims` with the longer chain that the expert sees."""
        claim = self.claims[at]
        whole = self.sets[self.places[at]].input_of(claim.number)
        return AnalysedClaim.of(whole, analysis_of(claim))


@dataclass(frozen=True, slots=True)
class Judged:
    """The claims of a window with their judgement, one entry for each of `prepared.claims`."""

    prepared: Prepared
    judgement: Judgement


def prepare(checks: Checks, rows: Sequence[Row]) -> Prepared:
    """Reads and analyses the claim sets of the rows. Each row counts as a tenant of its own: one that takes
    the rules too long costs no other."""
    errors: dict[tuple[int, int | None], str] = {}
    sets: dict[int, ClaimSet] = {}
    unread = {at: row.claims for at, row in enumerate(rows) if row.claims is not None}
    errors.update({(at, None): row.error for at, row in enumerate(rows) if row.error is not None})
    outcomes = checks.each(read, list(unread.values()), list(unread))
    for at, outcome in zip(unread, outcomes, strict=True):
        if isinstance(outcome, AceError):
            errors[at, None] = worded(outcome) if isinstance(outcome, Refused) else _code(outcome)
        elif not len(outcome.pending()):
            errors[at, None] = NOTHING_PENDING
        else:
            sets[at] = outcome
    return _analysed(checks, Prepared(rows, sets, errors=errors))


def judged(gatekeeper: Engine, prepared: Prepared) -> Judged:
    """The judgement of the claims. Raises ModelError once the engine can score nothing."""
    try:
        return Judged(prepared, judge(gatekeeper, prepared.claims, rules=True))
    except Exception as error:  # whatever a runtime raises once it is broken for every claim
        raise ModelError(f"the gatekeeper can no longer score anything: {type(error).__name__}") from None


def score(gatekeeper: Engine, checks: Checks, windows: Iterable[Sequence[Row]]) -> Iterator[Judged]:
    """The judgement of one window after the other; the next is prepared while one is judged."""
    coming = iter(windows)
    with ThreadPoolExecutor(1, thread_name_prefix="preparing") as beside:

        def begin() -> Iterator[Prepared]:
            for rows in coming:
                yield prepare(checks, rows)

        ready = begin()
        following = beside.submit(next, ready, None)
        while (prepared := following.result()) is not None:
            following = beside.submit(next, ready, None)
            yield judged(gatekeeper, prepared)


def _analysed(checks: Checks, prepared: Prepared) -> Prepared:
    """The same with the claims and their analyses, in the order of the rows and of filing."""
    waiting = [held for at, claims in prepared.sets.items() for held in _held(at, claims)]
    ready: dict[UUID, Held] = {}
    while waiting:
        found = with_analyses(checks, Taken(waiting, _sets(prepared.sets, waiting)))
        ready.update((held.evaluation_id, held) for held in found.ready)
        for held in waiting:
            if held.evaluation_id in found.stopped:
                where = held.filing_id.int, held.claim.number
                prepared.errors[where] = found.stopped[held.evaluation_id]
        settled = ready.keys() | found.stopped.keys()
        waiting = [held for held in waiting if held.evaluation_id not in settled]  # beside a stopped one
    for held in sorted(ready.values(), key=lambda held: held.filing_id.int):
        prepared.places.append(held.filing_id.int)
        prepared.claims.append(held.claim)
    return prepared


def _held(at: int, claims: ClaimSet) -> Iterator[Held]:
    """The pending claims of a row as a worker would hold them."""
    for claim in claims.pending():
        evaluation, filing = UUID(int=at << _NUMBER_BITS | claim.number), UUID(int=at)
        given = claims.input_of(claim.number, max_chain_characters=CHAIN_CHARACTERS)
        yield Held(evaluation, filing, str(at), 0, 0, given, len(claims))


def _sets(sets: dict[int, ClaimSet], held: Sequence[Held]) -> dict[UUID, list[tuple[int, str]]]:
    """The sets of the claims in hand, without those that are too long to be analysed at once."""
    wanted = dict.fromkeys(each.filing_id for each in held)
    kept = {filing: [(each.number, kept_text(each)) for each in sets[filing.int]] for filing in wanted}
    return {
        filing: claims
        for filing, claims in kept.items()
        if sum(len(text) for _, text in claims) <= CHECKED_SET_CHARACTERS
    }


def _code(error: AceError) -> str:
    return error.code if isinstance(error, Stopped) else f"unreadable: {error}"
