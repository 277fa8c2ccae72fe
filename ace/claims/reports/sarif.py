"""A report in the Static Analysis Results Interchange Format 2.1.0 (OASIS), for editors and build servers.

The section numbers below are those of the standard. All rules are listed, so that a reader of the file sees
what was checked, and behind them those of an earlier version that a stored finding names. A remark is a
result of the kind "informational" without a level (3.27.9, 3.27.10).
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Any, Final

from ace import __version__
from ace.claims.checks import RULES
from ace.claims.checks.remarks import RULES as REMARK_RULES
from ace.claims.findings import Finding, Fix, Remark
from ace.claims.model import Claim, Note
from ace.claims.reports.examiner_words import examiner_words, phrase_of
from ace.claims.reports.report import Report
from ace.claims.rules import Jurisdiction, Provision, RemarkRule, Rule, Severity
from ace.claims.taxonomy import REMARK
from ace.errors import Refused

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def as_sarif(report: Report, uri: str, *, plain: bool = True) -> dict[str, Any]:
    """The report as a log with one run over the artifact `uri` (3.4), which is percent-encoded.

    `plain` says that the artifact is the text that the claims were read from. A finding in a DOCX or XML
    file is located only by its claim.
    """
    lines = _LineIndex(report.claims.source if plain else None)
    applied = _applied(report.jurisdiction)
    known = {rule["id"] for rule in applied}
    retired = {each.rule_id: each for each in report.findings if each.rule_id not in known}
    applied += map(_retired, retired.values())
    places = {rule["id"]: place for place, rule in enumerate(applied)}
    location = {"uri": uri, "index": 0}
    notifications = [_notification(note, lines, location) for note in report.claims.notes]
    results = [
        _result(finding, report.claims[finding.claim], lines, location, places[finding.rule_id])
        for finding in report.findings
    ]
    results += [
        _remark(remark, report.claims[remark.claim], lines, location, places[remark.rule_id])
        for remark in report.remarks
    ]
    return _log(
        uri, applied, notifications, results, _asked(report.jurisdiction, report.threshold), successful=True
    )


def refused_as_sarif(
    refused: Refused, uri: str, *, jurisdiction: Jurisdiction, threshold: float
) -> dict[str, Any]:
    """A log with one run that failed, because the artifact `uri` was refused (3.20.14, 3.20.21)."""
    notification = {
        "level": Severity.ERROR.value,
        "message": {"text": refused.message},
        "descriptor": {"id": refused.code},
        "locations": [{"physicalLocation": _physical({"uri": uri, "index": 0}, None)}],
    }
    asked = _asked(jurisdiction, threshold)
    return _log(uri, _applied(jurisdiction), [notification], [], asked, successful=False)


def _applied(jurisdiction: Jurisdiction) -> list[dict[str, Any]]:
    """Every rule of the jurisdiction, those of remarks last."""
    found = ((rule, rule.provision(jurisdiction)) for rule in RULES)
    noted = ((rule, rule.law(jurisdiction)) for rule in REMARK_RULES)
    return [
        *(_rule(rule, provision, jurisdiction) for rule, provision in found if provision is not None),
        *(_remark_rule(rule, law) for rule, law in noted if law is not None),
    ]


def _asked(jurisdiction: Jurisdiction, threshold: float) -> dict[str, Any]:
    return {"jurisdiction": jurisdiction.value, "threshold": threshold}


def _log(
    uri: str,
    applied: list[dict[str, Any]],
    notifications: list[dict[str, Any]],
    results: list[dict[str, Any]],
    asked: dict[str, Any],
    *,
    successful: bool,
) -> dict[str, Any]:
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "ACE",
                        "semanticVersion": __version__,
                        "shortDescription": {"text": "Checks patent claims for defects of form and clarity."},
                        "rules": applied,
                    }
                },
                "columnKind": "unicodeCodePoints",
                "artifacts": [{"location": {"uri": uri}, "roles": ["analysisTarget"]}],
                "invocations": [
                    {
                        "executionSuccessful": successful,
                        "toolExecutionNotifications": notifications,
                    }
                ],
                "results": results,
                "properties": asked,
            }
        ],
    }


def _rule(rule: Rule, provision: Provision, jurisdiction: Jurisdiction) -> dict[str, Any]:
    """A reportingDescriptor (3.49); its help says what the defect draws, and in the US in which words."""
    drawn = f"Law: {provision.law}. Ground: {provision.ground.value}."
    if jurisdiction is Jurisdiction.US:
        phrase = phrase_of(rule.id, rule.error_class)
        words = phrase.words.format(claim="N", quote="…", explanation="…")
        drawn += f" An examiner's words ({phrase.source}): {words}"
    return _descriptor(rule.id, rule.what, rule.silent, drawn) | {
        "defaultConfiguration": {"level": provision.severity.value},
        "properties": {
            "tags": [rule.error_class.value, provision.ground.value],
            "law": provision.law,
            "ground": provision.ground.value,
        },
    }


def _retired(finding: Finding) -> dict[str, Any]:
    """The rule of a stored finding that this version no longer has, as far as the finding tells it."""
    what = "A rule of an earlier version."
    return _descriptor(finding.rule_id, what, "", f"Law: {finding.law}.") | {
        "defaultConfiguration": {"level": finding.severity.value},
        "properties": {
            "tags": [finding.error_class.value, finding.ground.value],
            "law": finding.law,
            "ground": finding.ground.value,
        },
    }


def _remark_rule(rule: RemarkRule, law: str) -> dict[str, Any]:
    return _descriptor(rule.id, rule.what, rule.silent, f"Law: {law}. No defect.") | {
        "defaultConfiguration": {"level": "none"},
        "properties": {"tags": [REMARK], "law": law},
    }


def _descriptor(rule_id: str, what: str, silent: str, law: str) -> dict[str, Any]:
    unflagged = f" Not flagged: {silent.rstrip('.')}." if silent else ""
    return {
        "id": rule_id,
        "name": "".join(word.capitalize() for word in rule_id.replace(".", "_").split("_")),
        "shortDescription": {"text": what},
        "fullDescription": {"text": f"{what}{unflagged}"},
        "help": {"text": f"{what} {law}{unflagged}"},
    }


def _result(
    finding: Finding, claim: Claim, lines: _LineIndex, location: dict[str, Any], place: int
) -> dict[str, Any]:
    """A result (3.27); `rank` (3.27.25) is the confidence in per cent."""
    result = _reported(finding, claim, lines, location, place)
    result |= {"level": finding.severity.value, "rank": round(finding.confidence * 100, 2)}
    result["properties"] |= {"ground": finding.ground.value}
    if (words := examiner_words(finding)) is not None:
        result["properties"] |= {"examiner": words}
    if finding.fix is not None and (replacement := _replacement(finding.fix, claim, lines)) is not None:
        change = {"artifactLocation": location, "replacements": [replacement]}
        result["fixes"] = [
            {
                "description": {"text": _advice(finding.fix)},
                "artifactChanges": [change],
            }
        ]
    return result


def _remark(
    remark: Remark, claim: Claim, lines: _LineIndex, location: dict[str, Any], place: int
) -> dict[str, Any]:
    return _reported(remark, claim, lines, location, place) | {"kind": "informational", "level": "none"}


def _reported(
    reported: Finding | Remark, claim: Claim, lines: _LineIndex, location: dict[str, Any], place: int
) -> dict[str, Any]:
    """What the results of findings and of remarks have in common."""
    region = lines.region(claim.source_span(reported.start, reported.end))
    result: dict[str, Any] = {
        "ruleId": reported.rule_id,
        "ruleIndex": place,
        "message": {"text": f"{reported.explanation} [{reported.law}]"},
        "locations": [
            {
                "physicalLocation": _physical(location, region),
                "logicalLocations": [_logical(reported.claim)],
            }
        ],
        "properties": {"law": reported.law, "quote": reported.quote},
    }
    if reported.also:
        same = "The same defect in the same words." if isinstance(reported, Finding) else "The same words."
        result["relatedLocations"] = [
            {"logicalLocations": [_logical(number)], "message": {"text": same}} for number in reported.also
        ]
    return result


def _advice(fix: Fix) -> str:
    return f"Write “{fix.replacement}”." if fix.replacement else "Delete it."


def _replacement(fix: Fix, claim: Claim, lines: _LineIndex) -> dict[str, Any] | None:
    """A replacement (3.57), or None if the span is not one unbroken run of the artifact."""
    span = claim.source_span(fix.start, fix.end)
    region = lines.region(span)
    if span is None or region is None or lines.text[span[0] : span[1]] != claim.text[fix.start : fix.end]:
        return None
    return {"deletedRegion": region, "insertedContent": {"text": fix.replacement}}


def _notification(note: Note, lines: _LineIndex, location: dict[str, Any]) -> dict[str, Any]:
    """A notification (3.58): what the reader did not understand."""
    region = lines.region((note.start, note.end)) if note.end > note.start else None
    where: dict[str, Any] = {"physicalLocation": _physical(location, region)}
    if note.claim is not None:
        where["logicalLocations"] = [_logical(note.claim)]
    return {
        "level": Severity.NOTE.value,
        "message": {"text": note.message},
        "descriptor": {"id": note.code},
        "locations": [where],
    }


def _physical(location: dict[str, Any], region: dict[str, Any] | None) -> dict[str, Any]:
    return {"artifactLocation": location, **({} if region is None else {"region": region})}


def _logical(number: int) -> dict[str, Any]:
    return {"name": str(number), "fullyQualifiedName": f"claim {number}", "kind": "claim"}


class _LineIndex:
    """The lines and columns of a text as 3.30 counts them: both from 1, the end column exclusive."""

    def __init__(self, text: str | None) -> None:
        self._known = text is not None
        self.text = text or ""
        lengths = (len(line) for line in self.text.split("\n"))
        self._starts = [0, *accumulate(length + 1 for length in lengths)][:-1]

    def region(self, span: tuple[int, int] | None) -> dict[str, Any] | None:
        """The region from span[0] to span[1], in code points of the text; None if there is none."""
        if span is None or not self._known:
            return None
        start, end = span
        first, last = (bisect_right(self._starts, offset) for offset in span)
        return {
            "startLine": first,
            "startColumn": start - self._starts[first - 1] + 1,
            "endLine": last,
            "endColumn": end - self._starts[last - 1] + 1,
            "charOffset": start,
            "charLength": end - start,
            "snippet": {"text": self.text[start:end]},
        }
