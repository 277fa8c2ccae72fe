"""`ace submit`, `ace status` and `ace replay` against a scripted server: what is printed, and when."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from ace.cli import app, filings, submit
from tests.unit.client.test_client import ACCEPTED, EVALUATION, FINDING, FINDINGS, Server, filing, ok, problem

FILING = "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e0f"
ID = "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10"
WARNING = {"code": "unlike_claims", "message": "no claim has a word that claims have", "claim": None}

Run = Callable[..., Result]


@pytest.fixture
def ace(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command against answers in order."""

    def run(*arguments: str, answers: list[Any]) -> Result:
        server = Server(*answers)
        for commands in (filings, submit):
            monkeypatch.setattr(commands, "client", lambda *_: server.client())
        return CliRunner().invoke(app, arguments, input="1. A bracket.", env={"COLUMNS": "40"})

    return run


def test_the_filing_s_id_comes_before_the_verdicts(ace: Run) -> None:
    def wait(_: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt

    done = ace("submit", "-", "--wait", answers=[ok(ACCEPTED, 202), wait])

    assert done.exit_code == 130
    first, last = done.stderr.splitlines()
    assert first == "filing f-1: 1 claim"
    assert "ace status f-1" in last
    assert "ace cancel f-1" in last


def test_programs_get_one_object_with_the_id(ace: Run) -> None:
    page = ok({"evaluations": [EVALUATION], "next": None})
    found = ok({**FINDINGS, "findings": [FINDING]})
    answers = [ok(ACCEPTED, 202), filing(True, decided=1), page, found]
    done = ace("submit", "-", "--wait", "--json", answers=answers)
    told = json.loads(done.stdout)
    assert (told["filing"], [one["id"] for one in told["evaluations"]]) == ("f-1", ["e-1"])
    assert [one["quote"] for one in told["evaluations"][0]["findings"]] == ["the hook"]
    assert done.stderr == "filing f-1: 1 claim\n"


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        ("the hook", "claim 1: “the hook”: antecedent.no_basis: It has no basis. [35 U.S.C. 112(b)]"),
        (None, "claim 1: antecedent.no_basis: It has no basis. [35 U.S.C. 112(b)]"),
    ],
)
def test_the_words_that_fail_a_claim_are_shown_and_those_of_others_not_asked_for(
    ace: Run, quote: str | None, line: str
) -> None:
    said = {"class": "logical", "quote": "a hook", "law": None, "explanation": "E.", "start": 0, "end": 6}
    fail = {**EVALUATION, "rationale": {**EVALUATION["rationale"], "findings": [said]}}
    passed = {**EVALUATION, "id": "e-2", "claim": 2, "verdict": "Pass"}
    page = ok({"evaluations": [passed, fail], "next": None})
    found = ok({**FINDINGS, "findings": [{**FINDING, "quote": quote}]})
    done = ace("submit", "-", "--wait", answers=[ok(ACCEPTED, 202), filing(True, decided=2), page, found])
    assert done.stdout.splitlines()[-2:] == [line, "claim 1: “a hook”: logical, says the expert: E."]


def test_a_wait_that_ends_in_time_says_why(ace: Run) -> None:
    waiting = json.loads(filing(False, decided=1, escalated=1).content)
    waiting["evaluations"][1] |= {"state": "escalated", "error": "unreachable"}
    pause = {"id": "p-1", "kind": "stage", "name": "slow", "drain": False, "in_hand": 0, "by_operator": True}
    paused = ok({"pauses": [pause | {"actor": "cli", "reason": "a new model", "at": "2026-11-20T09:30:00Z"}]})
    done = ace("submit", "-", "--wait", "--timeout", "0", answers=[ok(ACCEPTED, 202), ok(waiting), paused])
    assert done.exit_code == 6
    assert "ace: paused since 2026-11-20 09:30 UTC: stage slow (a new model)\n" in done.stderr
    assert "filing f-1 is not settled after 0 s: 1 of 2; 1 escalated: expert unreachable" in done.stderr


def test_the_status_of_a_filing_shows_what_was_found_and_what_is_paused(ace: Run) -> None:
    fail = {**EVALUATION, "rationale": None}
    waiting = {**EVALUATION, "id": "e-2", "claim": 2, "verdict": None, "state": "escalated"}
    page = ok({"evaluations": [waiting, fail], "next": None})
    found, paused = ok({**FINDINGS, "findings": [FINDING]}), ok({"pauses": []})
    answers = [problem(404), filing(False, decided=1, escalated=1), page, found, paused]
    done = ace("status", FILING, "--verdict", "fail", answers=answers)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1].startswith("claim 1: “the hook”: antecedent.no_basis")


def test_a_timeout_without_a_wait_is_refused(ace: Run) -> None:
    done = ace("submit", "-", "--timeout", "5", answers=[])
    assert (done.exit_code, done.stderr) == (2, "ace: --timeout is for --wait\n")


def test_warnings_are_told_and_in_the_object(ace: Run) -> None:
    answer = ok({**ACCEPTED, "notes": [WARNING]}, 202)
    told = ace("submit", "-", answers=[answer])
    assert told.stdout == "filing f-1: 1 claim\n"
    assert told.stderr == f"ace: warning: {WARNING['message']}\n"
    assert json.loads(ace("submit", "-", "--json", answers=[answer]).stdout)["notes"] == [WARNING]


def test_no_table_cuts_an_id_however_narrow_the_terminal(ace: Run) -> None:
    one = {**EVALUATION, "id": ID, "filing": FILING, "docket": "d" * 100}
    done = ace("status", answers=[ok({"evaluations": [one], "next": None})])
    assert FILING in done.stdout
    assert ID in done.stdout


@pytest.mark.parametrize(
    ("arguments", "answers", "code"),
    [
        (["status", "bogus"], [problem(404), problem(404)], 2),
        (["cancel", "bogus"], [problem(401)], 5),
        (["submit", "gone.txt"], [], 2),
    ],
)
def test_a_failure_is_json_too(ace: Run, arguments: list[str], answers: list[Any], code: int) -> None:
    done = ace(*arguments, "--json", answers=answers)
    error = json.loads(done.stdout)["error"]
    assert (done.exit_code, error["exit"]) == (code, code)
    assert done.stderr == f"ace: {error['message']}\n"
    assert (error["problem"] or {}).get("status") == (answers[-1].status_code if answers else None)
    assert ace(*arguments, answers=answers).stdout == ""


def test_a_mistyped_error_names_the_known_ones(ace: Run) -> None:
    entry = {"pointer": "/filter/error", "code": "unknown_error", "detail": "must be one of poison, timeout"}
    answer = httpx.Response(422, json={"status": 422, "detail": "1 field does not fit", "errors": [entry]})
    done = ace("replay", "--error", "timeuot", answers=[answer])
    assert done.exit_code == 2
    assert "must be one of poison, timeout" in done.stderr
