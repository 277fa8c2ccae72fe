"""A term list through the whole of ACE: real processes, the shipped model, the structural examiner."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ace.local.stack import Stack
from ace.settings import Settings
from patent_ace_client import Client, Evaluation, Findings

pytestmark = pytest.mark.slow

CLAIMS = [
    "A bracket comprising a plate and a hook fixed to the plate.",
    "The bracket of claim 1, wherein the lever is made of steel.",
]


@pytest.fixture
def api(data_dir: Path) -> Iterator[Client]:
    settings = Settings(data_dir=Path(tempfile.mkdtemp(dir=data_dir)), port=0)
    with Stack(settings, quiet=True) as running, Client(running.url, running.key) as client:
        yield client


def judged(api: Client, docket: str) -> tuple[Evaluation, Findings]:
    """The verdict on the second claim, and what the rules stored of it."""
    evaluation = api.submit(docket, CLAIMS).wait(300)[1]
    return evaluation, api.findings(evaluation.id)


def test_a_filing_is_judged_under_the_list_that_its_tenant_has_then(api: Client) -> None:
    before, found = judged(api, "before")
    assert (before.verdict, before.error_class, before.disputed) == ("Fail", "antecedent", False)
    assert [each.quote for each in found.findings] == ["the lever"]

    term = api.add_term("the levers", reason="every bracket has one")
    listed = api.terms()
    after, obeying = judged(api, "after")

    assert (obeying.origin, obeying.findings, obeying.terms) == ("stored", (), listed.digest)
    assert after.error_class != "antecedent" or after.disputed
    assert after.rationale is None or not after.rationale.findings
    assert api.findings(before.id).findings == ()
    assert api.evaluation(before.id).verdict == "Fail"
    assert [(each.act, each.target) for each in api.acts()] == [("add term", f"ignore {term}")]

    assert api.remove_term(term)
    assert not api.remove_term(term)
    assert [each.quote for each in api.findings(after.id).findings] == ["the lever"]
