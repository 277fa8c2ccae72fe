"""The query box: what its words mean."""

from datetime import UTC, datetime, timedelta

import pytest

from ace.desk.search import NotUnderstood, understood
from ace.store.filings import FilingFilter

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("", FilingFilter()),
        ("P-2041-US", FilingFilter(docket="P-2041-US")),
        ('docket:"two words"', FilingFilter(docket="two words")),
        ('"two words"', FilingFilter(docket="two words")),
        ("state:FAILED error:timeout", FilingFilter(state="failed", error="timeout")),
        (
            "verdict:fail class:syntax by:expert",
            FilingFilter(verdict="Fail", error_class="syntax", decided_by="expert"),
        ),
        ("disputed:yes", FilingFilter(disputed=True)),
        ("since:7d", FilingFilter(since=NOW - timedelta(days=7))),
        ("since:24h", FilingFilter(since=NOW - timedelta(hours=24))),
        ("since:2026-11-20", FilingFilter(since=datetime(2026, 11, 20, tzinfo=UTC))),
        ("since:2026-11-20T09:00:00+02:00", FilingFilter(since=datetime(2026, 11, 20, 7, tzinfo=UTC))),
    ],
)
def test_words_select(query: str, meant: FilingFilter) -> None:
    assert understood(query, NOW) == meant


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("colour:red", "There is no qualifier colour"),
        ("verdict:maybe", "verdict: must be one of"),
        ("since:yesterday", "since: must be a date"),
        ("disputed:no", "disputed: must be yes"),
        ("P-1 P-2", "docket: can be given only once"),
        ('docket:"P-1', "not closed"),
        ('"a"b', "not closed"),
        ("a\x00b", "printable"),
        ("a" * 501, "printable"),
    ],
)
def test_a_query_without_meaning_says_why(query: str, why: str) -> None:
    with pytest.raises(NotUnderstood, match=why):
        understood(query, NOW)
