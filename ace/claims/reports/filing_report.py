"""A filing as a report: its claims with their verdicts and everything that the rules report on each.

csv_table.py, html_page.py and docx_comments.py write it; JSON is written here. Unlike the report of a check,
it names a defect at every claim that has it, as the pages of the desk do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ace.claims.analysis import ClaimAnalysis
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import Finding, Remark
from ace.claims.model import Claim, ClaimSet
from ace.claims.reports.report import Report, as_json
from ace.claims.rules import Jurisdiction
from ace.claims.taxonomy import ErrorClass, Verdict

CLASS_WORDS: Final = {
    ErrorClass.ANTECEDENT: "antecedent basis",
    ErrorClass.DEPENDENCY: "dependency",
    ErrorClass.LOGICAL: "contradiction",
    ErrorClass.AMBIGUITY: "ambiguity",
    ErrorClass.SYNTAX: "form",
}
"""The classes of defects in words."""
NAMED_ANCESTORS: Final = 3
"""That a line names of the failed claims that a claim depends on."""


class Judged(NamedTuple):
    """What became of a claim: its verdict, which is None as long as there is none, and how it stands."""

    verdict: str | None
    ground: str | None
    disputed: bool
    state: str

    @property
    def words(self) -> str:
        """ "Fail: rejection, disputed"."""
        if self.verdict is None:
            return self.state
        ground = f": {self.ground}" if self.ground else ""
        return f"{self.verdict}{ground}{', disputed' if self.disputed else ''}"


@dataclass(frozen=True, slots=True)
class FilingReport:
    """A filing with the analysis of its claims. `filed` is a time in UTC, in ISO 8601."""

    docket: str
    filing: str
    filed: str
    claims: ClaimSet
    analyses: Mapping[int, ClaimAnalysis]
    judged: Mapping[int, Judged]

    def outcome(self, claim: Claim) -> str:
        """The verdict on a claim in words, and whether it depends on claims that fail."""
        found = self.judged.get(claim.number)
        return "not evaluated" if found is None else found.words + _resting(self.failed_ancestors(claim))

    def failed_ancestors(self, claim: Claim) -> list[int]:
        """The claims that a claim depends on and that fail, nearest first."""
        judged = ((number, self.judged.get(number)) for number in self.claims.ancestors(claim.number))
        return [number for number, found in judged if found is not None and found.verdict == Verdict.FAIL]

    def findings(self, claim: Claim) -> tuple[Finding, ...]:
        """What is reported on a claim, by position."""
        return self.analyses[claim.number].reported()

    def remarks(self, claim: Claim) -> tuple[Remark, ...]:
        """The remarks on a claim, by position."""
        return self.analyses[claim.number].remarks

    def counts(self) -> str:
        """The verdicts in words: "3 Pass, 1 Fail"."""
        verdicts = [each.verdict or "without a verdict" for each in self.judged.values()]
        return ", ".join(f"{verdicts.count(each)} {each}" for each in dict.fromkeys(sorted(verdicts)))

    def report(self) -> Report:
        """The findings as the report of a check."""
        return Report(
            self.claims,
            tuple(each for claim in self.claims for each in self.findings(claim)),
            Jurisdiction.US,
            DEFAULT_THRESHOLD,
            tuple(each for claim in self.claims for each in self.remarks(claim)),
        )

    def as_json(self) -> dict[str, Any]:
        """The report of a check, with docket and verdicts."""
        report = as_json(self.report(), begins=None)
        for claim in report["claims"]:
            found = self.judged.get(claim["number"])
            claim["text"] = self.claims[claim["number"]].text or None
            claim |= (
                Judged(None, None, False, "not evaluated")._asdict() if found is None else found._asdict()
            )
            claim["failed_ancestors"] = self.failed_ancestors(self.claims[claim["number"]])
        return {"filing": self.filing, "docket": self.docket, "filed": self.filed, **report}


def _resting(failed: Sequence[int]) -> str:
    """ "; depends on claims 4, 2, which fail"."""
    if not failed:
        return ""
    named = ", ".join(str(number) for number in failed[:NAMED_ANCESTORS])
    more = f" and {len(failed) - NAMED_ANCESTORS} more" if len(failed) > NAMED_ANCESTORS else ""
    one = len(failed) == 1
    return f"; depends on {'claim' if one else 'claims'} {named}{more}, which {'fails' if one else 'fail'}"
