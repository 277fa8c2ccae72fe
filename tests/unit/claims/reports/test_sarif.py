"""The SARIF log: against what the standard's schema allows, and its places against the text."""

from typing import Any

import jsonschema
import pytest

from ace.claims.checks import RULES
from ace.claims.checks.remarks import RULES as REMARK_RULES
from ace.claims.findings import Finding, Fix
from ace.claims.model import Claim, ClaimSet, Note
from ace.claims.readers import read_text
from ace.claims.reports.report import Report, checked
from ace.claims.reports.sarif import as_sarif, refused_as_sarif
from ace.claims.rules import Jurisdiction, Severity
from ace.claims.taxonomy import ErrorClass
from ace.errors import Refused


def closed(required: str, **properties: Any) -> dict[str, Any]:
    """An object with these properties and no others; those in `required` must be there."""
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "required": required.split(),
    }


def listed(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


TEXT = {"type": "string"}
BAG = {"type": "object"}
MESSAGE = closed("text", text=TEXT)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
FROM_ZERO = {"type": "integer", "minimum": 0}
FROM_ONE = {"type": "integer", "minimum": 1}
PLACE = closed(
    "uri", uri={"type": "string", "pattern": r"^[A-Za-z0-9._~!$&'()*+,;=:@%/-]*$"}, index=FROM_ZERO
)
REGION = closed(
    "startLine startColumn endLine endColumn charOffset charLength",
    startLine=FROM_ONE,
    startColumn=FROM_ONE,
    endLine=FROM_ONE,
    endColumn=FROM_ONE,
    charOffset=FROM_ZERO,
    charLength=FROM_ZERO,
    snippet=MESSAGE,
)
LOGICAL = listed(closed("", name=TEXT, fullyQualifiedName=TEXT, kind=TEXT))
LOCATION = closed(
    "physicalLocation",
    physicalLocation=closed("artifactLocation", artifactLocation=PLACE, region=REGION),
    logicalLocations=LOGICAL,
)
RELATED = closed("message", message=MESSAGE, logicalLocations=LOGICAL)
FIX = closed(
    "artifactChanges",
    description=MESSAGE,
    artifactChanges=listed(
        closed(
            "artifactLocation replacements",
            artifactLocation=PLACE,
            replacements=listed(
                closed("deletedRegion", deletedRegion=REGION, insertedContent=MESSAGE), minItems=1
            ),
        ),
        minItems=1,
    ),
)
RULE = closed(
    "id",
    id=TEXT,
    name=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    defaultConfiguration=closed("level", level=LEVEL),
    properties=BAG,
)
RESULT = closed(
    "message ruleId ruleIndex",
    ruleId=TEXT,
    ruleIndex=FROM_ZERO,
    kind={"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
    level=LEVEL,
    message=MESSAGE,
    locations=listed(LOCATION),
    relatedLocations=listed(RELATED, minItems=1),
    rank={"type": "number", "minimum": 0, "maximum": 100},
    fixes=listed(FIX, minItems=1),
    properties=BAG,
)
NOTIFICATION = closed(
    "message", level=LEVEL, message=MESSAGE, descriptor=closed("id", id=TEXT), locations=listed(LOCATION)
)
RUN = closed(
    "tool results",
    tool=closed(
        "driver",
        driver=closed("name", name=TEXT, semanticVersion=TEXT, shortDescription=MESSAGE, rules=listed(RULE)),
    ),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    artifacts=listed(closed("", location=closed("uri", uri=TEXT), roles=listed(TEXT))),
    invocations=listed(
        closed(
            "executionSuccessful",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=listed(NOTIFICATION),
        )
    ),
    results=listed(RESULT),
    properties=BAG,
)
LOG = closed("version runs", **{"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": listed(RUN)})
"""What ACE uses of the schema of the standard, closed against anything else as that one is."""

SOURCE = "1. A plate.\n2. The plate of claim 1,\n wherein 🔩 and the lever turn.\n"
CLAIMS = ClaimSet(
    (
        Claim(1, "A plate.", pieces=((0, 3, 8),)),
        Claim(2, SOURCE[15:-1], (1,), pieces=((0, 15, len(SOURCE) - 16),)),
    ),
    notes=(Note("odd", "A line was not understood.", 2, 12, 14), Note("odd", "Something else was not.")),
    source=SOURCE,
)


def finding(quote: str, **changed: Any) -> Finding:
    start = CLAIMS[2].text.index(quote)
    given: dict[str, Any] = {
        "claim": 2,
        "error_class": ErrorClass.ANTECEDENT,
        "subtype": "no_basis",
        "law": "35 U.S.C. 112(b)",
        "severity": Severity.ERROR,
        "start": start,
        "end": start + len(quote),
        "quote": quote,
        "explanation": "Nothing introduces it.",
        "confidence": 0.87654,
    }
    return Finding(**(given | changed))


def log_of(*findings: Finding, **options: Any) -> dict[str, Any]:
    log = as_sarif(Report(CLAIMS, findings, Jurisdiction.US, 0.5), "my%20claims.txt", **options)
    jsonschema.validate(log, LOG)
    return log


def test_a_result_says_which_rule_where_and_how_surely() -> None:
    (result,) = log_of(finding("the lever"))["runs"][0]["results"]
    assert (result["ruleId"], result["level"], result["rank"]) == ("antecedent.no_basis", "error", 87.65)
    assert result["message"]["text"] == "Nothing introduces it. [35 U.S.C. 112(b)]"
    (location,) = result["locations"]
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "claim 2"
    # given a sign outside the first plane before it, columns count code points
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "my%20claims.txt", "index": 0},
        "region": {
            "startLine": 3,
            "startColumn": 16,
            "endLine": 3,
            "endColumn": 25,
            "charOffset": SOURCE.index("the lever"),
            "charLength": 9,
            "snippet": {"text": "the lever"},
        },
    }


def test_other_claims_with_the_same_fault_are_related() -> None:
    (result,) = log_of(finding("the lever", also=(4, 5)))["runs"][0]["results"]
    related = [place["logicalLocations"][0]["fullyQualifiedName"] for place in result["relatedLocations"]]
    assert related == ["claim 4", "claim 5"]


def test_a_result_over_two_lines_ends_on_the_second() -> None:
    (result,) = log_of(finding("claim 1,\n wherein"))["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert [region[key] for key in ("startLine", "startColumn", "endLine", "endColumn")] == [2, 17, 3, 9]


def test_a_fix_changes_the_artifact() -> None:
    start = CLAIMS[2].text.index("the lever")
    (result,) = log_of(finding("the lever", fix=Fix(start, start + 3, "a")))["runs"][0]["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    begin = replacement["deletedRegion"]["charOffset"]
    after = begin + replacement["deletedRegion"]["charLength"]
    mended = SOURCE[:begin] + replacement["insertedContent"]["text"] + SOURCE[after:]
    assert mended == SOURCE.replace("the lever", "a lever")


def test_a_fix_across_what_the_reader_left_out_is_not_offered() -> None:
    # given a claim whose two pieces stand apart in the source
    claims = ClaimSet(
        (Claim(1, "A plate and the lever.", pieces=((0, 0, 12), (12, 20, 10))),),
        source="A plate and \n-- 7 --the lever.",
    )
    apart = finding("the lever", claim=1, start=8, end=21, fix=Fix(8, 15, "and a"))
    log = as_sarif(Report(claims, (apart,), Jurisdiction.US, 0.5), "claims.txt")
    jsonschema.validate(log, LOG)
    assert "fixes" not in log["runs"][0]["results"][0]


def test_in_a_file_that_is_no_text_a_finding_stands_in_its_claim_alone() -> None:
    (result,) = log_of(finding("the lever", fix=Fix(0, 3, "A")), plain=False)["runs"][0]["results"]
    (location,) = result["locations"]
    assert "region" not in location["physicalLocation"]
    assert location["logicalLocations"][0]["name"] == "2"
    assert "fixes" not in result


def test_a_file_that_was_refused_is_a_run_that_failed() -> None:
    refused = Refused("the file is encrypted", code="encrypted")
    log = refused_as_sarif(refused, "my%20claims.docx", jurisdiction=Jurisdiction.EPC, threshold=0.5)
    jsonschema.validate(log, LOG)
    (run,) = log["runs"]
    (invocation,) = run["invocations"]
    (told,) = invocation["toolExecutionNotifications"]
    assert (invocation["executionSuccessful"], run["results"]) == (False, [])
    assert (told["level"], told["message"]["text"]) == ("error", "the file is encrypted")
    assert told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "my%20claims.docx"


def test_notes_are_notifications() -> None:
    (invocation,) = log_of()["runs"][0]["invocations"]
    first, second = invocation["toolExecutionNotifications"]
    assert first["descriptor"] == {"id": "odd"}
    assert first["message"]["text"] == "A line was not understood."
    assert first["locations"][0]["physicalLocation"]["region"]["snippet"]["text"] == SOURCE[12:14]
    assert first["locations"][0]["logicalLocations"][0]["name"] == "2"
    assert "region" not in second["locations"][0]["physicalLocation"]


@pytest.mark.parametrize("jurisdiction", Jurisdiction)
def test_rules_are_those_of_the_jurisdiction_with_its_levels(jurisdiction: Jurisdiction) -> None:
    log = as_sarif(checked(read_text(SOURCE), jurisdiction=jurisdiction), "claims.txt")
    jsonschema.validate(log, LOG)
    told = {
        rule["id"]: rule["defaultConfiguration"]["level"]
        for rule in log["runs"][0]["tool"]["driver"]["rules"]
    }
    known = {
        rule.id: provision.severity.value
        for rule in RULES
        if (provision := rule.provision(jurisdiction)) is not None
    }
    known |= {rule.id: "none" for rule in REMARK_RULES if rule.law(jurisdiction) is not None}
    assert told == known


def test_a_finding_says_what_it_draws_and_a_remark_is_informational() -> None:
    text = "1. A crate comprising a floor and means for locking the lid."
    run = as_sarif(checked(read_text(text)), "claims.txt")["runs"][0]
    jsonschema.validate({**log_of(), "runs": [run]}, LOG)
    found, remark = run["results"]
    assert found["properties"]["ground"] == "rejection"
    assert found["properties"]["examiner"].startswith("Claim 1 recites the limitation “the lid”.")
    assert (remark["ruleId"], remark["kind"], remark["level"]) == (
        "remark.means_plus_function",
        "informational",
        "none",
    )
    rules = run["tool"]["driver"]["rules"]
    assert "Ground: rejection. An examiner's words (form paragraph 7.34.05): " in rules[0]["help"]["text"]
    assert rules[0]["properties"]["ground"] == "rejection"
    assert "No defect." in rules[remark["ruleIndex"]]["help"]["text"]


def test_every_result_points_at_its_rule() -> None:
    text = "1. A plate.\n2. The plate of claim 7, wherein the lever turns"
    run = as_sarif(checked(read_text(text)), "claims.txt")["runs"][0]
    assert len(run["results"]) >= 2
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_schema_breach_would_be_noticed() -> None:
    log = log_of(finding("the lever"))
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] = 0
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(log, LOG)
