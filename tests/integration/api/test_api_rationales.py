"""What the expert wrote over HTTP: its findings, what is to be said against its verdict, how many agree."""

from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import text

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import ErrorClass
from ace.expert.prompt.rationale import Rationale
from ace.expert.prompt.verification import verify
from ace.types.rationale import StatedDefect
from ace.types.verification import Verified


def filed(api: TestClient, docket: str = "P-1", claims: int = 1) -> list[str]:
    """Ids of the evaluations of a new filing."""
    body = {"docket": docket, "claims": [{"text": "A bracket with 0 holes."}] * claims}
    return [one["id"] for one in api.post("/v1/filings", json=body).json()["evaluations"]]


def listed(api: TestClient, **params: Any) -> list[str]:
    """Ids of all that a list has, page after page."""
    ids: list[str] = []
    while True:
        page = api.get("/v1/evaluations", params=params).json()
        ids.extend(one["id"] for one in page["evaluations"])
        if page["next"] is None:
            return ids
        params["cursor"] = page["next"]


def verified(verdict: str, *quotes: str) -> Verified:
    """An answer about "A bracket with 0 holes.", held against that claim."""
    told = tuple(StatedDefect(ErrorClass.AMBIGUITY, quote, "", "It is vague.") for quote in quotes)
    rationale = Rationale.model_validate({"reasoning": "Step 1.", "verdict": verdict, "findings": told})
    return verify(rationale, ClaimInput(1, "A bracket with 0 holes."))


DISPUTED = verified("Fail", "the lever")


def test_experts_verdict_comes_with_its_rationale(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    work.escalate()
    work.examine(
        model="test-expert",
        prompt_tokens=900,
        cut=True,
        calls=2,
        verified=verified("Pass"),
        opinions=1,
        agreeing=1,
    )
    found = api.get(f"/v1/evaluations/{id_}").json()
    assert (found["decided_by"], found["verdict"], found["examined"]) == ("expert", "Pass", 1)
    assert not found["disputed"]
    assert found["rationale"] == {
        "reasoning": "a plate is introduced",
        "findings": [],
        "disagreements": [],
        "opinions": 1,
        "agreeing": 1,
        "model": "test-expert",
        "prompt_version": "copt-v1-test",
        "cut": True,
        "calls": 2,
        "seconds": 0.5,
        "prompt_tokens": 900,
        "completion_tokens": None,
    }


def test_a_disputed_verdict_comes_with_both_sides(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    work.escalate()
    work.examine(verdict="Fail", verified=verified("Fail", "the lever"), opinions=3, agreeing=2)
    found = api.get(f"/v1/evaluations/{id_}").json()
    assert (found["verdict"], found["disputed"]) == ("Fail", True)
    rationale = found["rationale"]
    assert rationale["findings"] == [
        {
            "class": "ambiguity",
            "quote": "the lever",
            "law": None,
            "explanation": "It is vague.",
            "start": None,
            "end": None,
        }
    ]
    assert rationale["disagreements"] == [
        {
            "kind": "unproved",
            "expert": "The expert fails the claim and quotes 'the lever'.",
            "against": "The claim has no such words.",
        }
    ]
    assert (rationale["opinions"], rationale["agreeing"]) == (3, 2)
    filing = api.get(f"/v1/filings/{found['filing']}").json()
    assert [one["disputed"] for one in filing["evaluations"]] == [True]


def test_a_verified_finding_has_its_place(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    work.escalate()
    work.examine(verdict="Fail", verified=verified("Fail", "0 Holes"))
    found = api.get(f"/v1/evaluations/{id_}").json()
    (finding,) = found["rationale"]["findings"]
    assert "A bracket with 0 holes."[finding["start"] : finding["end"]] == "0 holes"
    assert not found["disputed"]


def test_what_was_decided_before_answers_were_verified_says_so(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    work.escalate()
    work.examine()
    with work.db.begin() as connection:
        connection.execute(
            text(
                "UPDATE examinations SET findings = NULL, disagreements = NULL, opinions = NULL,"
                " agreeing = NULL, cut = NULL, calls = NULL"
            )
        )
    found = api.get(f"/v1/evaluations/{id_}").json()
    assert not found["disputed"]
    for name in ("findings", "disagreements", "opinions", "agreeing", "cut", "calls"):
        assert found["rationale"][name] is None


def test_the_disputed_are_found_among_all(api: TestClient, work: Any) -> None:
    fine = filed(api, "P-1", claims=3)
    work.escalate()
    work.examine(verified=verified("Pass"))
    disputed = filed(api, "P-2", claims=3)
    work.escalate()
    work.examine(verdict="Fail", verified=DISPUTED)
    for params, expected in [
        ({"disputed": "true"}, disputed[::-1]),
        ({"disputed": "true", "limit": 1}, disputed[::-1]),
        ({"disputed": "true", "state": "decided"}, disputed[::-1]),
        ({"disputed": "true", "verdict": "Fail", "docket": "P-2"}, disputed[::-1]),
        ({"disputed": "true", "verdict": "Pass"}, []),
        ({"disputed": "true", "docket": "P-1"}, []),
        ({}, [*disputed[::-1], *fine[::-1]]),
    ]:
        assert listed(api, **params) == expected, params
    for word in ("false", "yes", ""):
        assert api.get("/v1/evaluations", params={"disputed": word}).status_code == 422
