"""How a program uses the client, as mypy sees it; `test_typing.py` runs mypy, and nobody runs this."""

from collections.abc import Iterator
from typing import Any, assert_type

from patent_ace_client import (
    AsyncClient,
    AsyncPages,
    Client,
    Delivery,
    Evaluation,
    Filing,
    Finding,
    ListedFiling,
    NoticePage,
    Pages,
    Report,
    Result,
    Submission,
)
from patent_ace_client.literals import DecidedBy, ErrorClass, State, Verdict


def synchronous(api: Client) -> None:
    """Every kind of answer, once."""
    submission = api.submit("P-1", "1. A bracket.", metadata={"client": "Orchard"})
    assert_type(submission, Submission)
    assert_type(submission.wait(60), list[Evaluation])
    assert_type(submission.watch(), Iterator[Filing])
    for one in api.evaluations(verdict="Fail", decided_by="expert", limit=10):
        assert_type(one, Evaluation)
        assert_type(one.state, State)
        assert_type(one.verdict, Verdict | None)
        assert_type(one.decided_by, DecidedBy | None)
        assert_type(one.error_class, ErrorClass | None)
        assert_type(api.findings(one.id).findings, tuple[Finding, ...])
    assert_type(api.filings(state="failed"), Pages[ListedFiling])
    assert_type(api.filings().pages(), Iterator[tuple[ListedFiling, ...]])
    assert_type(api.check(["A bracket."], jurisdiction="EPC"), Report)
    assert_type(api.submit_many([{"docket": "P-1", "claims": "1. A bracket."}]), Iterator[Result])
    assert_type(api.check_sarif("1. A bracket."), dict[str, Any])
    assert_type(api.review("e-1", "disagree", label="antecedent"), str)
    assert_type(api.notices(wait_seconds=60), Iterator[NoticePage])
    assert_type(api.deliveries("w-1"), Pages[Delivery])


async def asynchronous(api: AsyncClient) -> None:
    """The same with asyncio."""
    submission = await api.submit("P-1", "1. A bracket.")
    assert_type(await submission.wait(60), list[Evaluation])
    async for found in submission.watch():
        assert_type(found.settled, bool)
    assert_type(api.evaluations(), AsyncPages[Evaluation])
    assert_type([one.id async for one in api.filings()], list[str])


def mistaken(api: Client) -> None:
    """What a type checker refuses: each of these comments is needed, or mypy complains of it."""
    api.evaluations(state="lost")  # type: ignore[arg-type]
    api.evaluations(verdict="Maybe")  # type: ignore[arg-type]
    api.check("1. A bracket.", jurisdiction="FR")  # type: ignore[arg-type]
    api.make_key("docketing", scopes=["everything"])  # type: ignore[list-item]
    api.review("e-1", "maybe")  # type: ignore[arg-type]
    api.submit("P-1", 5)  # type: ignore[arg-type]
    if api.evaluation("e-1").state == "lost":  # type: ignore[comparison-overlap]
        pass
