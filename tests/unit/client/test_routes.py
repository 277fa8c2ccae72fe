"""The client against the OpenAPI document: a method for every route, a field for every field."""

import asyncio
import inspect
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, get_args

import httpx
import jsonschema
import pytest
from pydantic import BaseModel, TypeAdapter

from ace.bounded import Bounded
from patent_ace_client import AsyncClient, Client, Pages, literals
from patent_ace_client import administration as administered
from patent_ace_client import evaluations as evaluated
from patent_ace_client import filings as filed
from patent_ace_client import findings as found
from patent_ace_client import hooks as hooked
from patent_ace_client import notices as noticed
from patent_ace_client import operating as operated
from patent_ace_client import reviewing as reviewed
from patent_ace_client.model import Model, Note, Span
from tests.openapi import document

ID: Final = "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10"
CALLS: Final[dict[str, Callable[[Any], Any]]] = {
    "healthz": lambda api: api.alive(),
    "readyz": lambda api: api.ready(),
    "metrics": lambda api: api.metrics(),
    "describe_problem": lambda api: api.problem("not_found"),
    "submit_filing": lambda api: api.submit("P-1", "1. A bracket."),
    "submit_filings": lambda api: api.submit_many([{"docket": "P-1", "claims": "1. A bracket."}]),
    "check_claims": lambda api: api.check("1. A bracket."),
    "list_filings": lambda api: api.filings(
        docket="P",
        since="2026-11-20T00:00:00Z",
        until="2026-11-21T00:00:00Z",
        state="decided",
        verdict="Fail",
        decided_by="expert",
        error_class="syntax",
        error="timeout",
        disputed=True,
        model="a1b2c3",
        reviewed="disagree",
    ),
    "get_filing": lambda api: api.filing(ID),
    "list_claims": lambda api: api.claims(ID),
    "cancel_filing": lambda api: api.cancel(ID),
    "list_evaluations": lambda api: api.evaluations(
        state="decided",
        verdict="Fail",
        ground="rejection",
        decided_by="expert",
        error_class="syntax",
        error="timeout",
        disputed=True,
        docket="P",
        filing=ID,
        since="2026-11-20T00:00:00Z",
        until="2026-11-21T00:00:00Z",
    ),
    "get_evaluation": lambda api: api.evaluation(ID),
    "list_events": lambda api: api.events(ID),
    "list_findings": lambda api: api.findings(ID),
    "replay_evaluation": lambda api: api.replay(ID),
    "replay_many": lambda api: api.replay_where(error="timeout"),
    "list_experts": lambda api: api.experts(),
    "list_keys": lambda api: api.list_keys(),
    "make_key": lambda api: api.make_key("docketing", expires_in_seconds=3_600, test=True),
    "revoke_key": lambda api: api.revoke_key("5f0c2a9be411"),
    "get_report": lambda api: api.report(ID, "docx"),
    "record_review": lambda api: api.review(
        ID,
        "disagree",
        finding=reviewed.FindingRef(rule="antecedent.no_basis", start=34, end=42),
        label="antecedent",
        span=Span(start=34, end=42),
        reason="The lever is introduced nowhere.",
        blind=True,
        seconds=12.5,
    ),
    "list_reviews": lambda api: api.reviews(evaluation=ID, status="adjudicated"),
    "list_review_queue": lambda api: api.review_queue("doubtful"),
    "draw_audit_sample": lambda api: api.draw_sample(0.01, since="2026-11-01T00:00:00Z"),
    "list_terms": lambda api: api.terms(),
    "add_term": lambda api: api.add_term("operator", "ignore", reason="Whoever drives the machine."),
    "remove_term": lambda api: api.remove_term(ID),
    "list_notices": lambda api: api.notices(start="latest"),
    "stream_hints": lambda api: api.hints(filing=ID),
    "list_webhooks": lambda api: api.webhooks(),
    "make_webhook": lambda api: api.make_webhook(
        "https://docketing.example/ace", events=["filing.settled"], description="docketing"
    ),
    "get_webhook": lambda api: api.webhook(ID),
    "change_webhook": lambda api: api.change_webhook(
        ID,
        url="https://docketing.example/ace",
        events=["filing.settled"],
        description="docketing",
        enabled=True,
    ),
    "delete_webhook": lambda api: api.delete_webhook(ID),
    "rotate_webhook_secret": lambda api: api.rotate_webhook_secret(ID),
    "list_deliveries": lambda api: api.deliveries(ID, state="failed"),
    "replay_delivery": lambda api: api.replay_delivery(ID, ID),
    "replay_deliveries": lambda api: api.replay_deliveries(ID, since="2026-11-20T00:00:00Z"),
    "list_pauses": lambda api: api.pauses(),
    "pause": lambda api: api.pause("stage", "slow", reason="a new server", drain=True),
    "resume": lambda api: api.resume(ID, reason="the server is back"),
    "list_jobs": lambda api: api.jobs(),
    "order_job": lambda api: api.order_job(
        error="unreachable",
        docket="P",
        since="2026-11-20T00:00:00Z",
        until="2026-11-21T00:00:00Z",
        reason="the expert was away",
    ),
    "get_job": lambda api: api.job(ID),
    "count_job": lambda api: api.count_job(
        error="unreachable", docket="P", since="2026-11-20T00:00:00Z", until="2026-11-21T00:00:00Z"
    ),
    "reevaluate": lambda api: api.reevaluate(
        docket="P",
        filing=ID,
        verdict="Fail",
        decided_by="gatekeeper",
        error_class="syntax",
        model="a1b2c3",
        since="2026-11-20T00:00:00Z",
        until="2026-11-21T00:00:00Z",
        reason="a new model",
    ),
    "count_reevaluation": lambda api: api.count_reevaluation(filing=ID, model="a1b2c3"),
    "cancel_job": lambda api: api.cancel_job(ID, reason="the wrong error"),
    "list_models": lambda api: api.models(),
    "promote_model": lambda api: api.promote_model(ID, reason="a week as a canary", share=10),
    "shadow_model": lambda api: api.shadow_model(ID, reason="before it decides anything"),
    "retire_model": lambda api: api.retire_model(ID, reason="a better one is there"),
    "roll_back_model": lambda api: api.roll_back_model(reason="more disputes than before"),
    "list_acts": lambda api: api.acts(),
    "list_workers": lambda api: api.workers(),
    "list_backlogs": lambda api: api.backlogs(),
}
BULK_ANSWER: Final = (
    f'{{"line": 1, "status": 202, "filing": "{ID}", "test": false, "evaluations": [], "canceled": [],'
    ' "notes": []}\n'
)
MODELS: Final[dict[str, type[Model]]] = {
    "CheckReport": found.Report,
    "CheckedClaim": found.CheckedClaim,
    "CheckedFinding": found.CheckedFinding,
    "CheckedRemark": found.CheckedRemark,
    "CountsOut": found.Counts,
    "EvaluationFindings": found.Findings,
    "FindingOut": found.Finding,
    "FixOut": found.Fix,
    "RemarkOut": found.Remark,
    "ClaimText": filed.ClaimText,
    "EvaluationBrief": filed.Brief,
    "EvaluationRef": filed.Reference,
    "FilingAccepted": filed.Accepted,
    "FilingClaims": filed.FilingClaims,
    "FilingListed": filed.ListedFiling,
    "FilingOut": filed.Filing,
    "FilingPage": filed.FilingPage,
    "DisagreementOut": evaluated.Disagreement,
    "EvaluationOut": evaluated.Evaluation,
    "EvaluationPage": evaluated.EvaluationPage,
    "EventOut": evaluated.Event,
    "Events": evaluated.Events,
    "ExpertFinding": evaluated.ExpertFinding,
    "Rationale": evaluated.Rationale,
    "ExpertOut": administered.Expert,
    "Experts": administered.Experts,
    "KeyOut": administered.Key,
    "Keys": administered.Keys,
    "NewKey": administered.NewKey,
    "ProblemDescription": administered.ProblemDescription,
    "Ready": administered.Ready,
    "FindingRef": reviewed.FindingRef,
    "QueueOut": reviewed.ReviewQueue,
    "QueuedOut": reviewed.Queued,
    "ReviewOut": reviewed.Review,
    "ReviewPage": reviewed.ReviewPage,
    "TermList": reviewed.TermList,
    "TermOut": reviewed.Term,
    "NoticeData": noticed.NoticeData,
    "NoticeOut": noticed.Notice,
    "NoticePage": noticed.NoticePage,
    "AttemptOut": hooked.Attempt,
    "DeliveryOut": hooked.Delivery,
    "DeliveryPage": hooked.DeliveryPage,
    "NewSecret": hooked.NewSecret,
    "NewWebhook": hooked.NewWebhook,
    "SecretOut": hooked.Secret,
    "WebhookOut": hooked.Webhook,
    "Webhooks": hooked.Webhooks,
    "ModelOut": operated.GatekeeperModel,
    "Models": operated.GatekeeperModels,
    "RolledBack": operated.RolledBack,
    "ActOut": operated.Act,
    "Acts": operated.Acts,
    "BacklogOut": operated.Backlog,
    "Backlogs": operated.Backlogs,
    "JobOut": operated.Job,
    "Jobs": operated.Jobs,
    "PauseOut": operated.Pause,
    "Pauses": operated.Pauses,
    "WorkerOut": operated.Worker,
    "Workers": operated.Workers,
    "NoteOut": Note,
    "Span": Span,
}
# What the client takes apart at once, or only sends.
UNMODELLED: Final = {
    *("Alive", "BulkResult", "Cancelled", "Replayed", "Revoked", "Problem", "ProblemError"),
    *("DeliveriesReplayed", "Drawn", "Matched", "Recorded", "Resumed", "TermAdded"),
}
SENT: Final = {
    *("BulkLine", "CheckIn", "ClaimIn", "FilingIn", "KeyIn", "ReplayFilter", "ReplaysIn"),
    *(
        "FindingIn",
        "ReviewIn",
        "TermIn",
        "TermsIn",
        "SampleIn",
        "SpanIn",
        "DeliveriesReplay",
        "WebhookChange",
        "WebhookIn",
    ),
    *("CountIn", "JobIn", "PauseIn", "ReasonIn", "ShareIn"),
    *("ReevaluationCountIn", "ReevaluationFilter", "ReevaluationIn"),
}
WORDS: Final = {
    "Answer": literals.Answer,
    "Breaker": literals.Breaker,
    "DeliveryState": literals.DeliveryState,
    "DisabledBy": literals.DisabledBy,
    "Dispute": literals.Dispute,
    "ErrorClass": literals.ErrorClass,
    "ExportFormat": literals.ExportFormat,
    "Ground": literals.Ground,
    "JobKind": literals.JobKind,
    "JobState": literals.JobState,
    "ModelState": literals.ModelState,
    "Jurisdiction": literals.Jurisdiction,
    "NoticeKind": literals.NoticeKind,
    "PauseKind": literals.PauseKind,
    "Queue": literals.Queue,
    "ReviewStatus": literals.ReviewStatus,
    "Scope": literals.Scope,
    "Severity": literals.Severity,
    "Stage": literals.Stage,
    "State": literals.State,
    "Status": literals.Status,
    "TermKind": literals.TermKind,
    "Verdict": literals.Verdict,
}


@pytest.fixture(scope="module")
def openapi(rules: Bounded) -> dict[str, Any]:
    return document(rules)


@pytest.fixture(scope="module")
def operations(openapi: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Method, path and description of each operation."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, item in openapi["paths"].items()
        for method, operation in item.items()
    }


class Documented:
    """Answers each request, if its body fits, with the example of its operation; keeps what was asked."""

    def __init__(
        self, openapi: dict[str, Any], operations: dict[str, tuple[str, str, dict[str, Any]]]
    ) -> None:
        self.components, self.schemas = openapi["components"], openapi["components"]["schemas"]
        self.operations = operations
        self.asked: list[tuple[str, httpx.Request]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        for name, (method, path, operation) in self.operations.items():
            if request.method == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), request.url.path):
                self.asked.append((name, request))
                self._take(operation, request)
                return self._good(operation)
        raise AssertionError(f"no such route: {request.method} {request.url.path}")

    def _take(self, operation: dict[str, Any], request: httpx.Request) -> None:
        if request.headers.get("content-type") == "application/json":
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            whole = {**schema, "components": self.components}
            jsonschema.Draft202012Validator(whole).validate(json.loads(request.content))

    def _good(self, operation: dict[str, Any]) -> httpx.Response:
        status, answer = next(pair for pair in operation["responses"].items() if pair[0] < "300")
        if "content" not in answer:
            return httpx.Response(int(status))
        media, content = next(iter(answer["content"].items()))
        if media == "application/x-ndjson":
            return httpx.Response(int(status), text=BULK_ANSWER)
        if isinstance(example := content.get("example"), str):
            return httpx.Response(int(status), text=example)
        if example is not None:
            return httpx.Response(int(status), json=example)
        model = self.schemas[content["schema"]["$ref"].rpartition("/")[2]]
        example = model.get("examples", [{"status": "ok"}])[0]
        return httpx.Response(int(status), json=example)


def test_every_route_has_a_method_in_both_halves(
    openapi: dict[str, Any], operations: dict[str, tuple[str, str, dict[str, Any]]]
) -> None:
    assert CALLS.keys() == operations.keys(), "a new route needs a method of the client, and a call here"
    server = Documented(openapi, operations)
    with Client("http://ace", "k", transport=httpx.MockTransport(server)) as api:
        for name, call in CALLS.items():
            answer = call(api)
            if hasattr(answer, "__iter__") and not isinstance(answer, str | tuple | BaseModel):
                list(answer)
            assert server.asked[-1][0] == name

    async def run() -> None:
        async with AsyncClient("http://ace", "k", transport=httpx.MockTransport(server)) as api:
            for name, call in CALLS.items():
                answer = call(api)
                if inspect.isawaitable(answer):
                    await answer
                else:
                    [one async for one in answer]
                assert server.asked[-1][0] == name

    asyncio.run(run())


def test_every_query_parameter_can_be_given(
    openapi: dict[str, Any], operations: dict[str, tuple[str, str, dict[str, Any]]]
) -> None:
    server = Documented(openapi, operations)
    with Client("http://ace", "k", transport=httpx.MockTransport(server)) as api:
        for name, call in CALLS.items():
            method, _, operation = operations[name]
            parameters = operation.get("parameters", ()) if method == "GET" else ()
            if named := {one["name"] for one in parameters if one["in"] == "query"}:
                answer = call(api)
                if isinstance(answer, Iterator | Pages):
                    list(answer)
                assert {*server.asked[-1][1].url.params} | {"cursor"} == named | {"cursor"}, name


def test_every_model_of_the_api_is_known(openapi: dict[str, Any]) -> None:
    assert openapi["components"]["schemas"].keys() == {*MODELS, *WORDS, *UNMODELLED, *SENT}


def test_every_example_of_the_api_fits_its_schema(openapi: dict[str, Any]) -> None:
    wrong = []
    for name, schema in openapi["components"]["schemas"].items():
        whole = {"$ref": f"#/components/schemas/{name}", "components": openapi["components"]}
        validator = jsonschema.Draft202012Validator(whole)
        for example in schema.get("examples", ()):
            wrong += [f"{name}: {error.message}" for error in validator.iter_errors(example)]
    assert wrong == []


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_fields_of_the_api(openapi: dict[str, Any], name: str) -> None:
    theirs = openapi["components"]["schemas"][name]["properties"]
    ours = TypeAdapter(MODELS[name]).json_schema(mode="serialization")["properties"]
    assert ours.keys() == theirs.keys()
    for field, described in theirs.items():
        assert nullable(ours[field]) == nullable(described), field
        assert words(ours[field], {}) == words(described, openapi["components"]["schemas"]), field


@pytest.mark.parametrize("name", WORDS)
def test_a_literal_has_the_words_of_the_api(openapi: dict[str, Any], name: str) -> None:
    assert list(get_args(WORDS[name])) == openapi["components"]["schemas"][name]["enum"]


def test_words_without_a_name_of_their_own_are_those_of_the_api(
    openapi: dict[str, Any], operations: dict[str, tuple[str, str, dict[str, Any]]]
) -> None:
    label = openapi["components"]["schemas"]["ReviewIn"]["properties"]["label"]
    assert words(label, {}) == [*get_args(literals.Label)]
    parameters = {one["name"]: one["schema"] for one in operations["list_filings"][2]["parameters"]}
    assert words(parameters["reviewed"], {}) == [*get_args(literals.Reviewed)]


def nullable(schema: dict[str, Any]) -> bool:
    return any(one.get("type") == "null" for one in schema.get("anyOf", ()))


def words(schema: dict[str, Any], schemas: dict[str, Any]) -> list[str] | None:
    """The words that a string may be; None if it may be any."""
    for one in schema.get("anyOf", [schema]):
        at = schemas.get(one.get("$ref", "").rpartition("/")[2], one)
        if "enum" in at:
            return list(at["enum"])
    return None
