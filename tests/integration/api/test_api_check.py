"""Checking claims without filing them: what is answered, in which forms, and that nothing is kept."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient

from ace.api.reports import CheckReport
from ace.store.scopes import Scope
from tests.files import MAKERS, plain

MARKER: Final = "zyzzyva"
CLEAN: Final = "A bracket comprising a plate and a hook that is fixed to the plate."
FLAWED: Final = f"The bracket of claim 1, wherein the {MARKER} is flat."
TEXT: Final = f"1. {CLEAN}\n2. {FLAWED}"
SARIF: Final = "application/sarif+json"


def check(api: TestClient, claims: Any, **more: Any) -> Any:
    answer = api.post("/v1/check", json={"claims": claims, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def quotes(report: Any) -> list[tuple[int, str, str]]:
    return [
        (one["number"], each["class"], each["quote"]) for one in report["claims"] for each in one["findings"]
    ]


@pytest.fixture(autouse=True)
def nothing_kept(stored: Callable[[], int], caplog: pytest.LogCaptureFixture) -> Any:
    """Whatever was checked: no row of it, and no word in a log."""
    caplog.set_level("DEBUG", logger="ace")
    yield
    assert stored() == 0
    assert MARKER not in caplog.text


@pytest.mark.parametrize("claims", [TEXT, [{"text": CLEAN}, {"text": FLAWED}]], ids=["text", "list"])
def test_findings_come_with_class_law_and_place(api: TestClient, claims: Any) -> None:
    report = check(api, claims)

    assert quotes(report) == [(2, "antecedent", f"the {MARKER}")]
    (finding,) = report["claims"][1]["findings"]
    assert FLAWED[finding["start"] : finding["end"]] == finding["quote"]
    assert "112" in finding["law"]
    assert finding["explanation"]
    assert report["jurisdiction"] == "US"
    assert report["counts"]["findings"] == 1
    assert report["claims"][1]["parents"] == [1]
    assert report["graph"] is None


def test_the_place_in_a_text_is_told_too(api: TestClient) -> None:
    (finding,) = check(api, TEXT)["claims"][1]["findings"]
    assert TEXT[finding["source"]["start"] : finding["source"]["end"]] == f"the {MARKER}"


@pytest.mark.parametrize("media", MAKERS)
def test_a_file_is_checked_like_its_text(api: TestClient, media: str) -> None:
    answer = api.post(
        "/v1/check?jurisdiction=EPC",
        content=MAKERS[media](CLEAN, FLAWED),
        headers={"Content-Type": media},
    )
    assert answer.status_code == 200
    assert quotes(answer.json()) == [(2, "antecedent", f"the {MARKER}")]
    assert answer.json()["jurisdiction"] == "EPC"


def test_the_answer_is_as_the_document_says(api: TestClient) -> None:
    report = check(api, TEXT, graph=True)
    parsed = CheckReport.model_validate(report)
    assert parsed.model_dump(mode="json", by_alias=True) == report


def test_the_law_is_that_of_the_jurisdiction(api: TestClient) -> None:
    astray = "1. A bracket comprising a plate.\n2. The bracket of claim 7, wherein a hook is flat."
    laws = {
        jurisdiction: check(api, astray, jurisdiction=jurisdiction)["claims"][1]["findings"][0]["law"]
        for jurisdiction in ("US", "EPC")
    }
    assert "U.S.C." in laws["US"] or "CFR" in laws["US"]
    assert "EPC" in laws["EPC"]


def test_the_threshold_leaves_out_what_is_less_sure(api: TestClient) -> None:
    certain = "1. A bracket.\n2. The bracket of claim 7, wherein a hook is flat."
    assert len(quotes(check(api, certain, threshold=0))) >= len(quotes(check(api, certain)))
    assert quotes(check(api, TEXT, threshold=1)) == []


def test_the_graph_comes_with_its_proofs(api: TestClient) -> None:
    graph = check(api, f"1. {CLEAN}\n2. The bracket of claim 1, wherein the hook is flat.", graph=True)[
        "graph"
    ]
    assert [(one["claim"], one["parents"]) for one in graph["dependencies"]] == [(2, [1])]
    proofs = {(proof["claim"], proof["quote"]): proof for proof in graph["proofs"]}
    assert proofs[2, "the hook"]["source"]["quote"] == "a hook"
    assert proofs[2, "the hook"]["source"]["claim"] == 1


def test_a_fault_that_claims_share_is_told_once_and_names_them(api: TestClient) -> None:
    report = check(api, f"{TEXT}\n3. {FLAWED.replace('flat', 'round')}")
    told = [(claim["number"], each["also"]) for claim in report["claims"] for each in claim["findings"]]
    assert told == [(2, [3])]


def test_a_set_that_would_take_long_is_refused(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ace.claim_work.CHECKED_SET_CHARACTERS", 100)
    answer = api.post("/v1/check", json={"claims": TEXT})
    assert answer.status_code == 413
    assert answer.json()["type"] == "/problems/set_too_long"


@pytest.mark.parametrize("media", ["application/json", "text/plain"])
def test_what_is_too_long_is_refused_before_it_is_read(
    api: TestClient, monkeypatch: pytest.MonkeyPatch, media: str
) -> None:
    monkeypatch.setattr("ace.claim_work.CHECKED_SET_CHARACTERS", 100)
    # what stands before the claims counts, since reading it takes the time
    long = f"{'Lamps shine. ' * 10}\nWhat is claimed is:\n1. A lamp."
    content = json.dumps({"claims": long}) if media == "application/json" else long
    answer = api.post("/v1/check", content=content, headers={"Content-Type": media})
    assert (answer.status_code, answer.json()["type"]) == (413, "/problems/set_too_long")


@pytest.mark.parametrize(
    ("media", "content"), [("text/plain", " \n"), ("application/json", '{"claims":" "}')]
)
def test_nothing_to_check_is_refused(api: TestClient, media: str, content: str) -> None:
    answer = api.post("/v1/check", content=content, headers={"Content-Type": media})
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/empty_set")


@pytest.mark.parametrize("media", MAKERS)
def test_places_are_told_in_what_was_sent_only(api: TestClient, media: str) -> None:
    sent = MAKERS[media](CLEAN, FLAWED)
    answer = api.post("/v1/check", content=sent, headers={"Content-Type": media})
    (finding,) = answer.json()["claims"][1]["findings"]
    if media == "text/plain":
        place = finding["source"]
        assert sent.decode()[place["start"] : place["end"]] == f"the {MARKER}"
    else:
        assert finding["source"] is None


def test_a_byte_order_mark_counts_as_one_character(api: TestClient) -> None:
    sent = f"\ufeff{TEXT}"
    answer = api.post("/v1/check", content=sent.encode(), headers={"Content-Type": "text/plain"})
    place = answer.json()["claims"][1]["findings"][0]["source"]
    assert sent[place["start"] : place["end"]] == f"the {MARKER}"


@pytest.mark.parametrize("claims", [TEXT, [{"text": CLEAN}, {"text": FLAWED}]], ids=["text", "list"])
def test_sarif_comes_to_who_asks_for_it(api: TestClient, claims: Any) -> None:
    answer = api.post("/v1/check", json={"claims": claims}, headers={"Accept": f"{SARIF}, */*;q=0.1"})
    assert answer.headers["content-type"] == SARIF
    log = answer.json()
    assert log["version"] == "2.1.0"
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["antecedent.no_basis"]


def test_what_is_not_understood_is_told_and_the_rest_checked(api: TestClient) -> None:
    # given two claims of one number, which no filing may have
    report = check(api, f"1. {CLEAN}\n2. {FLAWED}\n2. {FLAWED}")
    assert report["notes"]
    assert (2, "antecedent", f"the {MARKER}") in quotes(report)


def test_canceled_claims_are_read_and_have_no_findings(api: TestClient) -> None:
    report = check(api, f"1. {CLEAN}\n2. (Canceled)\n3. The bracket of claim 2, wherein a hook is flat.")
    assert [one["status"] for one in report["claims"]][1] == "canceled"
    assert ("dependency", "claim 2") in [(kind, quote) for _, kind, quote in quotes(report)]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/claims"),
        ({"claims": ""}, "/claims"),
        ({"claims": []}, "/claims"),
        ({"claims": TEXT, "jurisdiction": "DE"}, "/jurisdiction"),
        ({"claims": TEXT, "threshold": 2}, "/threshold"),
        ({"claims": TEXT, "threshold": "0.5"}, "/threshold"),
        ({"claims": TEXT, "graph": "yes"}, "/graph"),
        ({"claims": TEXT, "docket": "P-1"}, "/docket"),
    ],
)
def test_a_bad_body_names_the_field(api: TestClient, body: Any, pointer: str) -> None:
    answer = api.post("/v1/check", json=body)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    assert MARKER not in answer.text


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("jurisdiction=us", "jurisdiction"),
        ("threshold=1.1", "threshold"),
        ("threshold=nan", "threshold"),
        ("graph=1", "graph"),
        ("docket=P", "docket"),
    ],
)
def test_a_bad_parameter_is_named(api: TestClient, query: str, parameter: str) -> None:
    answer = api.post(f"/v1/check?{query}", content=plain(CLEAN), headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422
    assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]


def test_parameters_beside_json_are_refused(api: TestClient) -> None:
    answer = api.post("/v1/check?threshold=0.5", json={"claims": TEXT})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["parameter"] == "threshold"


def test_only_who_may_submit_may_check(anonymous: TestClient, new_key: Callable[..., str]) -> None:
    for scope, status in ((Scope.SUBMIT, 200), (Scope.READ, 403)):
        headers = {"Authorization": f"Bearer {new_key('office', scope)}"}
        assert anonymous.post("/v1/check", json={"claims": TEXT}, headers=headers).status_code == status


def test_a_body_beyond_the_limit_is_413(api: TestClient) -> None:
    answer = api.post("/v1/check", json={"claims": "A b" + "c" * 200_000})
    assert answer.status_code == 413
