"""What processes make of claims; that it comes through the API is tested with the API."""

import json

import pytest

from ace import claim_work
from ace.claim_work import ReportAsked, Unread
from ace.claims.rules import Jurisdiction
from ace.errors import Refused

TEXT = (
    "1. A bracket comprising a plate.\n2. The bracket of claim 1, wherein the hook is flat.\n"
    "3. The bracket of claim 9, wherein the lever is flat."
)


def asked(sent: str | bytes, media: str = "") -> ReportAsked:
    claims = Unread(sent, media, partial=True)
    return ReportAsked(claims, Jurisdiction.US, threshold=0.1, graph=False, sarif=False)


def test_more_findings_than_anybody_reads_are_cut_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = json.loads(claim_work.report_on(asked(TEXT)))
    monkeypatch.setattr(claim_work, "MAX_FINDINGS", 1)
    cut = json.loads(claim_work.report_on(asked(TEXT)))

    assert whole["counts"]["findings"] > cut["counts"]["findings"] == 1
    assert cut["notes"][-1]["code"] == "too_many_findings"


def test_a_file_that_turns_out_too_long_is_refused_once_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim_work, "CHECKED_SET_CHARACTERS", 50)
    with pytest.raises(Refused) as refused:
        claim_work.report_on(asked(TEXT.encode(), "text/plain"))
    assert (refused.value.code, refused.value.limit) == ("set_too_long", 50)
