"""What verification makes of the expert's answer is kept with the examination and with the verdict."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Engine, text

from ace.claims.taxonomy import ErrorClass
from ace.errors import ExpertTransient
from ace.expert.client.dialects import Dialect
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.opinions import Opinions
from ace.expert.prompt.copt import PROMPTS
from ace.expert.prompt.rationale import Rationale
from ace.store import counts, moves
from ace.store.database import transact
from ace.store.tables import Stage
from ace.types.rationale import CheckOutcome, StatedDefect
from ace_lab.simulator.server import Simulator
from tests import factories, fakes
from tests.integration.flow.examining import examine_by

CLAIM = "The bracket of claim 7, wherein the hook is red."  # and there are two claims
FAIL = partial(Rationale, reasoning="Step 3 [Verdict]: it fails.", verdict="Fail")
THE_HOOK = StatedDefect(ErrorClass.ANTECEDENT, "THE  hook", "35 U.S.C. 112(b)", "Nothing introduces it.")
MADE_UP = StatedDefect(ErrorClass.AMBIGUITY, "the lever")
PASS = Rationale(reasoning="Step 3 [Verdict]: it passes.", verdict="Pass")


def escalated(db: Engine) -> moves.Leased:
    """A claim of a filing that is leased for the expert."""
    factories.submit(db, factories.new_filing(["A bracket.", CLAIM]))
    fast = factories.lease(db, Stage.FAST)
    assert fast is not None
    said = factories.verdicts(fast.evaluations, escalate=True)
    transact(db, partial(moves.screened, token=fast.token, screened=said, actor="t"))
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET state = 'cancelled' WHERE claim_number = 1"))
    slow = factories.lease(db, Stage.SLOW)
    assert slow is not None
    return slow


def kept(db: Engine) -> Mapping[str, Any]:
    """The evaluation beside its last examination."""
    with db.connect() as connection:
        row = connection.execute(
            text("""
            SELECT e.verdict AS decided, e.disputed, x.* FROM evaluations e
            JOIN examinations x ON x.evaluation_id = e.id ORDER BY x.number DESC LIMIT 1""")
        ).mappings()
        return dict(row.one())


@pytest.mark.parametrize(
    ("answer", "spans", "kinds"),
    [
        (FAIL(findings=(THE_HOOK,)), [(32, 40)], []),
        (FAIL(findings=(MADE_UP, THE_HOOK)), [(None, None), (32, 40)], []),
        (FAIL(findings=(MADE_UP,)), [(None, None)], ["unproved"]),
        (FAIL(), [], ["unproved"]),
        (PASS, [], ["contradicted"]),
        (
            PASS.model_copy(update={"outcomes": ((ErrorClass.SYNTAX, CheckOutcome.DEFECT),)}),
            [],
            ["inconsistent", "contradicted"],
        ),
    ],
)
def test_findings_and_disputes_are_kept(
    db: Engine, answer: Rationale, spans: list[tuple[int | None, int | None]], kinds: list[str]
) -> None:
    assert examine_by(db, escalated(db).token, fakes.Expert([answer]))

    row = kept(db)
    assert (row["decided"], row["disputed"]) == (answer.verdict, bool(kinds))
    assert [(each["start"], each["end"]) for each in row["findings"]] == spans
    assert [each["quote"] for each in row["findings"]] == [told.quote for told in answer.findings]
    assert [each["kind"] for each in row["disagreements"]] == kinds
    assert all(each["expert"] and each["against"] for each in row["disagreements"])
    assert (row["opinions"], row["agreeing"], row["calls"], row["cut"]) == (1, 1, 1, False)
    assert transact(db, counts.disputes) == dict.fromkeys(kinds, 1)


def test_what_the_expert_tells_of_a_defect_is_kept_in_full(db: Engine) -> None:
    examine_by(db, escalated(db).token, fakes.Expert([FAIL(findings=(THE_HOOK, MADE_UP))]))

    assert kept(db)["findings"] == [
        {
            "class": "antecedent",
            "quote": "THE  hook",
            "law": "35 U.S.C. 112(b)",
            "explanation": "Nothing introduces it.",
            "start": 32,
            "end": 40,
        },
        {
            "class": "ambiguity",
            "quote": "the lever",
            "law": None,
            "explanation": None,
            "start": None,
            "end": None,
        },
    ]


def test_a_failed_examination_disputes_nothing(db: Engine) -> None:
    examine_by(db, escalated(db).token, fakes.Expert([ExpertTransient("schema", "no")]))

    row = kept(db)
    assert (row["disputed"], row["findings"], row["disagreements"], row["opinions"]) == (
        False,
        None,
        None,
        None,
    )
    assert transact(db, counts.disputes) == {}


def test_a_worker_that_is_too_late_keeps_and_counts_nothing(db: Engine) -> None:
    slow = escalated(db)

    class Slow(fakes.Expert):
        def examine(self, *asked: Any, **how: Any) -> Any:
            with db.begin() as connection:
                connection.execute(text("UPDATE evaluations SET state = 'cancelled', lease = NULL"))
            return super().examine(*asked, **how)

    assert not examine_by(db, slow.token, Slow([PASS]))

    assert transact(db, counts.disputes) == {}


def test_a_rule_that_breaks_holds_up_no_verdict(
    db: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> Any:
        raise RecursionError(CLAIM)

    monkeypatch.setattr("ace.claim_work.analyse_claim", broken)

    assert examine_by(db, escalated(db).token, fakes.Expert([PASS]))

    assert (kept(db)["decided"], kept(db)["disputed"]) == ("Pass", False)
    (told,) = (one for one in caplog.records if hasattr(one, "why"))
    assert told.message == "a claim could not be analysed"
    assert told.why.startswith("RecursionError at ")
    assert "hook" not in caplog.text


def test_the_majority_of_three_opinions_decides_with_all_that_they_cost(db: Engine) -> None:
    expert = fakes.Expert([FAIL(findings=(MADE_UP,)), FAIL(findings=(THE_HOOK,)), PASS])

    examine_by(db, escalated(db).token, expert, opinions=Opinions(3))

    row = kept(db)
    assert (row["decided"], row["disputed"], row["opinions"], row["agreeing"]) == ("Fail", True, 3, 2)
    assert (row["prompt_tokens"], row["completion_tokens"], row["calls"]) == (30, 15, 3)
    assert [each["quote"] for each in row["findings"]] == ["THE  hook"]
    assert [each["kind"] for each in row["disagreements"]] == ["unproved"]


@pytest.mark.parametrize("version", PROMPTS)
def test_the_examiner_behind_a_server_quotes_the_claim_and_is_not_disputed(db: Engine, version: str) -> None:
    prompt = PROMPTS[version]
    with Simulator(dialect=Dialect.VLLM).run() as server:
        expert = ExpertClient(server.url, dialect=Dialect.VLLM, model="m", prompt=prompt)
        examine_by(db, escalated(db).token, expert, opinions=Opinions(3))
        expert.close()

    row = kept(db)
    assert (row["decided"], row["disputed"], row["prompt_version"]) == ("Fail", False, prompt.version)
    found = [CLAIM[each["start"] : each["end"]] for each in row["findings"] if each["start"] is not None]
    assert "claim 7" in found


def test_disputes_are_counted_once_however_often_they_are_summed_up(db: Engine) -> None:
    for _ in range(3):
        examine_by(db, escalated(db).token, fakes.Expert([PASS]))
        transact(db, moves.compact_tallies)
        transact(db, moves.compact_tallies)

    assert transact(db, counts.disputes) == {"contradicted": 3}
    with db.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM disputes")).scalar_one() == 1
