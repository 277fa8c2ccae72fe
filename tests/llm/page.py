"""What experts made of the measured claims, and the page that says so: docs/models/llm.md."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from sqlalchemy import Engine as Database

from ace.claims.taxonomy import Verdict
from ace.expert.prompt.copt import Prompt
from ace.expert.prompt.verification import verify
from docs.generate import put, table
from tests.llm.engines import ROOT
from tests.llm.labelled import Labelled
from tests.llm.slow_queue import rows

PAGE: Final = ROOT / "docs" / "models" / "llm.md"
HEAD: Final = (
    "weights", "prompt", "verdicts", "right", "defects found", "false alarms", "examinations", "faults",
    "quotations verified", "tokens in, out", "seconds",
)  # fmt: skip
_FIRST_CELLS: Final = re.compile(r"^\| (.+?) \| (v\d) \|.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Measured:
    """One run over labelled claims, known by their docket.

    `verdicts` has those of the expert; a claim whose examinations failed has none. `answers` are the accepted
    ones, `faults` counts the failed examinations by kind. `seconds` and tokens are those of each answer.
    """

    claims: Mapping[str, Labelled]
    verdicts: Mapping[str, str]
    answers: Sequence[str]
    faults: Mapping[str, int]
    quotes: int
    verified: int
    tokens_in: Sequence[int]
    tokens_out: Sequence[int]
    seconds: Sequence[float]

    def row(self, weights: str, prompt: str) -> tuple[str, ...]:
        """The row of the table; a claim without a verdict is not called right."""
        defective = {docket for docket, each in self.claims.items() if each.defective}
        failed = {docket for docket, verdict in self.verdicts.items() if verdict == Verdict.FAIL}
        passed = self.verdicts.keys() - failed
        right = len(failed & defective) + len(passed - defective)
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(self.faults.items()))
        return (
            weights,
            prompt,
            f"{len(self.verdicts)} of {len(self.claims)}",
            f"{right} of {len(self.claims)}",
            f"{len(failed & defective)} of {len(defective)}",
            f"{len(failed - defective)} of {len(self.claims) - len(defective)}",
            str(len(self.answers) + sum(self.faults.values())),
            faults or "none",
            f"{self.verified} of {self.quotes}",
            f"{fmean(self.tokens_in or [0]):,.0f}, {fmean(self.tokens_out or [0]):,.0f}",
            f"{fmean(self.seconds or [0]):.1f}",
        )


def measured(db: Database, claims: Mapping[str, Labelled], prompt: Prompt) -> Measured:
    """What the store holds of the examinations of these claims."""
    decided = rows(
        db,
        "SELECT f.docket, e.verdict FROM evaluations e JOIN filings f ON f.id = e.filing_id"
        " WHERE e.decided_by = 'expert'",
    )
    examined = rows(
        db,
        "SELECT f.docket, x.error, x.raw, x.prompt_tokens, x.completion_tokens, x.seconds"
        " FROM examinations x JOIN evaluations e ON e.id = x.evaluation_id"
        " JOIN filings f ON f.id = e.filing_id",
    )
    answered: list[Any] = [each for each in examined if each.error is None]
    held = [verify(prompt.parse(each.raw, "stop"), claims[each.docket].row.claim()) for each in answered]
    return Measured(
        claims=claims,
        verdicts={each.docket: each.verdict for each in decided},
        answers=[each.raw for each in answered],
        faults=Counter(each.error for each in examined if each.error is not None),
        quotes=sum(len(each.findings) for each in held),
        verified=sum(len(each.verified) for each in held),
        tokens_in=[each.prompt_tokens for each in answered],
        tokens_out=[each.completion_tokens for each in answered],
        seconds=[each.seconds for each in answered],
    )


def keep_row(row: tuple[str, ...]) -> None:
    """Puts a row into the page's table, in the place of the row of the same weights and prompt."""
    page = PAGE.read_text(encoding="utf-8")
    kept = {found.groups(): tuple(found[0].strip("| ").split(" | ")) for found in _FIRST_CELLS.finditer(page)}
    kept[row[:2]] = row
    PAGE.write_text(put("claims", table(HEAD, *kept.values()), page), encoding="utf-8")


def keep_lines(name: str, lines: str) -> None:
    """Puts lines between the marks of that name."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(put(name, lines, page), encoding="utf-8")
