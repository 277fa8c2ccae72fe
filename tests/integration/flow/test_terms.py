"""Workers obey the term list of the tenant whose claims they hold. They read it once for a message, and
analyses under different lists are kept apart."""

from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from ace import flow
from ace.claims.terms import TermKind
from ace.expert.prompt.rationale import Rationale
from ace.flow.analysing import RULES
from ace.store import filings, terms
from ace.store.database import transact
from ace.store.tables import Stage
from tests import factories, fakes
from tests.integration.flow.test_flow import DOUBTFUL, FAILING, LIMITS, examine, rows

THEM = "stranger"
ANALYSED = (
    "SELECT tenant, terms, claims FROM analyses a JOIN filings f ON f.id = a.filing_id ORDER BY tenant, a.at"
)


def put(db: Engine, term: str, tenant: str = factories.TENANT) -> str:
    """Adds a term to ignore; returns the digest of the list."""

    def work(connection: Connection) -> str:
        terms.add(connection, tenant, TermKind.IGNORE, term, actor="t", reason="")
        return terms.of_tenant(connection, tenant).digest

    return transact(db, work)


def found(row: Any, claim: int = 1) -> list[str]:
    return [one["subtype"] for one in row["claims"][str(claim)].get("findings", ())]


def dispatched(db: Engine) -> list[tuple[str, Any]]:
    broker = fakes.Broker()
    flow.dispatch(db, broker, LIMITS, actor="d")
    return [(stage, leased.token) for stage, leased in broker.sent]


def test_each_filing_is_analysed_under_the_list_of_its_tenant(db: Engine) -> None:
    digest = put(db, "hook")
    for tenant in (factories.TENANT, THEM):
        factories.submit(db, factories.new_filing([FAILING], tenant=tenant))

    for _, token in dispatched(db):
        factories.screen(db, token)

    ours, theirs = rows(db, ANALYSED)
    assert (ours["terms"], "no_basis" in found(ours)) == (digest, False)
    assert (theirs["terms"], "no_basis" in found(theirs)) == ("", True)


def test_a_changed_list_adds_an_analysis_that_the_expert_sees_and_keeps_the_earlier(db: Engine) -> None:
    # Given a filing that was screened and escalated, when its tenant changes the list
    factories.submit(db, factories.new_filing([DOUBTFUL, FAILING]))
    ((_, token),) = dispatched(db)
    factories.screen(db, token)
    digest = put(db, "the hook")

    # Then its expert reads an analysis under the new list, and both are kept
    ((stage, token),) = dispatched(db)
    assert stage == Stage.SLOW
    examine(db, token, Rationale(reasoning="Step 3 [Verdict]: it passes.", verdict="Pass"))
    before, after = rows(db, ANALYSED)
    assert [(row["terms"], "no_basis" in found(row, 2)) for row in (before, after)] == [
        ("", True),
        (digest, False),
    ]

    # And people see the one that obeys the list, if there is one
    (filing,) = rows(db, "SELECT id FROM filings")

    def contents(connection: Connection) -> filings.Contents:
        read = filings.contents(connection, factories.TENANT, filing["id"], RULES)
        assert read is not None
        return read

    shown = transact(db, contents)
    assert (shown.obeys, shown.analysis) == (True, after["claims"])
    put(db, "plate")
    shown = transact(db, contents)
    assert (shown.obeys, shown.current, shown.analysis) == (False, None, after["claims"])


@pytest.mark.parametrize("filed", [1, 5])
def test_the_lists_are_read_once_for_a_message(db: Engine, filed: int) -> None:
    put(db, "hook")
    factories.submit(db, *(factories.new_filing([FAILING] * 3, docket=f"D-{n}") for n in range(filed)))
    ((_, token),) = dispatched(db)
    asked: list[str] = []

    def heard(_conn: Any, _cursor: Any, sql: str, *_: Any) -> None:
        if "FROM terms" in sql:
            asked.append(sql)

    event.listen(db, "before_cursor_execute", heard)
    try:
        assert factories.screen(db, token) == 3 * filed
    finally:
        event.remove(db, "before_cursor_execute", heard)
    assert len(asked) == 1
