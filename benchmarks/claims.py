"""How many defects of claim sets the checks find, how often they cry wolf, and how fast they are.

Reads real claim sets (not part of the project). Time is that of one complete set on one thread: its text
read as a file would be, and all checks. False alarms are findings on granted claims as they are, though a
few of those are true defects; on applications, which nobody has examined, more are. Recall is over single
defects injected into granted sets of the held-out split, by injectors that the confidences were not
fitted on; a finding counts if it is of the defect's class, overlaps a place where the defect shows, and
was not there before. All at the default threshold; "certain" counts findings beside which no Pass may stand
undisputed. `doubled_ratio` is the processor time of sets with each claim twice, the copies with numbers of
their own and references to copies, over that of the same sets once: 2 if time is linear.
"""

import json
import math
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ace import claim_work
from ace.claims.analysis import check_set
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import CERTAIN, Finding
from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of
from ace.claims.taxonomy import ErrorClass
from ace_lab.data.filed_sets import FiledSet, read_filed, split_of
from ace_lab.held_out import INJECTORS, Defect, Injector
from benchmarks.figures import options_of, percentile, say

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "us-claim-sets.jsonl.gz"
_WARM_UP = 5
_DOUBLED_EVERY = 5
_NUMBER = re.compile(r"[0-9]+")
_Z = 1.959963984540054


@dataclass
class Tally:
    """Found and injected, of one injector or one class."""

    found: int = 0
    injected: int = 0
    certain: int = 0

    def figures(self) -> dict[str, float]:
        """Recall with its 95 % Wilson interval."""
        low, high = wilson(self.found, self.injected)
        recall = self.found / self.injected if self.injected else math.nan
        certain = self.certain / self.injected if self.injected else math.nan
        return {"recall": recall, "low": low, "high": high, "certain": certain, "injected": self.injected}


@dataclass
class Measured:
    """What one pass over the sets showed."""

    milliseconds: list[float] = field(default_factory=list)
    cpu_milliseconds: list[float] = field(default_factory=list)
    single_seconds: float = 0.0  # of the sets that were also doubled
    doubled_seconds: float = 0.0
    sets: int = 0
    crashes: int = 0
    read_otherwise: int = 0
    applications: int = 0
    on_applications: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    unfitted_claims: int = 0  # granted, of the splits that the confidences were not fitted on
    certain_claims: int = 0  # of them, with a certain finding
    findings: dict[str, Counter[str]] = field(default_factory=dict)
    rules: Counter[str] = field(default_factory=Counter)
    recall: dict[ErrorClass, dict[str, Tally]] = field(default_factory=dict)


def wilson(found: int, tried: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share; (0, 1) where nothing was tried."""
    if not tried:
        return 0.0, 1.0
    share, square = found / tried, _Z * _Z
    middle = share + square / (2 * tried)
    reach = _Z * math.sqrt(share * (1 - share) / tried + square / (4 * tried * tried))
    whole = 1 + square / tried
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def timed(filed: FiledSet) -> tuple[ClaimSet, list[Finding], float, float]:
    """The set as its reader sees it in a plain text file, its findings, and the milliseconds that it took:
    by the clock, and of this thread's processor time, which does not count what others do meanwhile."""
    text = "\n".join(f"{number}. {text}" for number, text in filed.texts)
    began, cpu_began = time.perf_counter(), time.thread_time()
    claims = read_text(text, partial=True)
    found = check_set(claims)
    took, cpu_took = time.perf_counter() - began, time.thread_time() - cpu_began
    return claims, found, took * 1_000, cpu_took * 1_000


def again(claims: ClaimSet, spaces: int, shift: int = 0) -> Iterator[Claim]:
    """The claims with their numbers and references moved by `shift`. Spaces before them keep what was read of
    the same words before from serving them."""
    reading = Reading(claims)
    for claim in claims:
        text = claim.text
        for each in reversed(reading.references(claim.number)):
            moved = _NUMBER.sub(lambda written: str(int(written[0]) + shift), text[each.start : each.end])
            text = f"{text[: each.start]}{moved}{text[each.end :]}"
        number, text = claim.number + shift, " " * spaces + text
        yield Claim(number, text, parents_of(text, number))


def cpu_seconds(claims: Iterable[Claim]) -> float:
    """Processor seconds of the checks of these claims as a set."""
    whole = ClaimSet(tuple(claims))
    began = time.thread_time()
    check_set(whole)
    return time.thread_time() - began


def _double(claims: ClaimSet, measured: Measured) -> None:
    shift = max(claim.number for claim in claims)
    measured.single_seconds += cpu_seconds(again(claims, 1))
    measured.doubled_seconds += cpu_seconds((*again(claims, 2), *again(claims, 3, shift)))


def injected(claims: ClaimSet, injector: Injector, seed: str) -> Defect | None:
    """The same defect for the same seed, which names the patent."""
    return injector(claims, Random(f"{seed}/{injector.__name__}"))


def shown_by(defect: Defect, found: Sequence[Finding], before: Sequence[Finding]) -> list[Finding]:
    """The findings that overlap the defect and were not there without it."""
    known = {_identity(finding) for finding in before}
    return [
        finding
        for finding in found
        if _identity(finding) not in known
        and any(
            finding.claim == place.claim and finding.start < place.end and place.start < finding.end
            for place in defect.places
        )
    ]


def hits(
    defect: Defect, error_class: ErrorClass, found: Sequence[Finding], before: Sequence[Finding]
) -> bool:
    """Whether a finding of the class overlaps the defect and was not there without it."""
    return any(finding.error_class is error_class for finding in shown_by(defect, found, before))


def measure(data: Path, every: int, *, defects: bool = True) -> Measured:
    """One pass over every `every`-th set, in file order."""
    measured = Measured()
    for at, filed in enumerate(_some(data, every)):
        if at < _WARM_UP:
            timed(filed)
        if sys.stderr.isatty() and at % 50 == 0:
            say(f"{at} sets")
        try:
            claims, found, milliseconds, cpu_milliseconds = timed(filed)
        except Exception:
            measured.sets += 1
            measured.crashes += 1
            say(f"set {at * every}: {traceback.format_exc(limit=-3)}")
            continue
        measured.sets += 1
        if filed.complete:
            measured.milliseconds.append(milliseconds)
            measured.cpu_milliseconds.append(cpu_milliseconds)
        if filed.complete and not filed.granted:
            measured.applications += 1
            measured.on_applications.update(each.error_class.value for each in found)
        measured.read_otherwise += [claim.number for claim in claims] != [number for number, _ in filed.texts]
        if filed.granted:
            _count_granted(filed, claims, found, measured, defects=defects)
        if filed.complete and at % _DOUBLED_EVERY == 0:
            _double(claims, measured)
    return measured


def _count_granted(
    filed: FiledSet, claims: ClaimSet, found: Sequence[Finding], measured: Measured, *, defects: bool
) -> None:
    split = split_of(filed.family)
    measured.splits[split] += 1
    measured.findings.setdefault(split, Counter()).update(each.error_class.value for each in found)
    measured.rules.update(each.rule_id for each in found)
    if split != "fit":
        measured.unfitted_claims += len(claims)
        measured.certain_claims += len(_certain_claims(found))
    if defects and split == "held_out":
        _inject(filed, measured)


def _inject(filed: FiledSet, measured: Measured) -> None:
    claims = filed.claims()
    before = check_set(claims)
    for error_class, injectors in INJECTORS.items():
        tallies = measured.recall.setdefault(error_class, {})
        for injector in injectors:
            tally = tallies.setdefault(injector.__name__, Tally())
            defect = injected(claims, injector, filed.family)
            if defect is None:
                continue
            tally.injected += 1
            try:
                found = check_set(defect.claims)
                tally.found += hits(defect, error_class, found, before)
                tally.certain += hits(defect, error_class, list(filter(_is_certain, found)), before)
            except Exception:
                measured.crashes += 1
                say(f"{injector.__name__}: {traceback.format_exc(limit=-3)}")


def _is_certain(finding: Finding) -> bool:
    return finding.fails and finding.confidence >= CERTAIN


def _certain_claims(found: Sequence[Finding]) -> set[int]:
    sure = [finding for finding in found if _is_certain(finding)]
    return {number for finding in sure for number in (finding.claim, *finding.also)}


def _some(data: Path, every: int) -> Iterator[FiledSet]:
    yield from (filed for at, filed in enumerate(read_filed(data)) if at % every == 0)


def _identity(finding: Finding) -> tuple[int, str, str]:
    return finding.claim, finding.rule_id, finding.quote


def figures(measured: Measured) -> dict[str, Any]:
    """All figures by name; see the module for what they mean."""
    granted = sum(measured.splits.values())
    total: Counter[str] = sum(measured.findings.values(), Counter())
    held_out = measured.findings.get("held_out", Counter())
    return {
        "sets": measured.sets,
        "granted_sets": granted,
        "crashes": measured.crashes,
        "sets_read_otherwise": measured.read_otherwise,
        "ms_per_set_p50": percentile(measured.milliseconds, 0.5),
        "ms_per_set_p99": percentile(measured.milliseconds, 0.99),
        "cpu_ms_per_set_p50": percentile(measured.cpu_milliseconds, 0.5),
        "cpu_ms_per_set_p99": percentile(measured.cpu_milliseconds, 0.99),
        "doubled_ratio": measured.doubled_seconds / measured.single_seconds
        if measured.single_seconds
        else math.nan,
        "threshold": DEFAULT_THRESHOLD,
        "certain": CERTAIN,
        "unfitted_granted_claims": measured.unfitted_claims,
        "certain_granted_claims": measured.certain_claims,
        "antecedent_findings_per_granted_set": _per(total, granted)["antecedent"],
        "findings_per_granted_set": _per(total, granted),
        "findings_per_held_out_set": _per(held_out, measured.splits["held_out"]),
        "application_sets": measured.applications,
        "findings_per_application_set": _per(measured.on_applications, measured.applications),
        "findings_by_rule": dict(measured.rules.most_common()),
        "split": dict(measured.splits),
        "recall": {
            error_class.value: {
                **_sum(tallies).figures(),
                "by_injector": {name: tally.figures() for name, tally in tallies.items()},
            }
            for error_class, tallies in measured.recall.items()
        },
    }


def _per(counts: Mapping[str, int], sets: int) -> dict[str, float]:
    return {each.value: counts.get(each.value, 0) / max(1, sets) for each in ErrorClass}


def _sum(tallies: Mapping[str, Tally]) -> Tally:
    return Tally(
        sum(each.found for each in tallies.values()),
        sum(each.injected for each in tallies.values()),
        sum(each.certain for each in tallies.values()),
    )


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return (None if math.isnan(value) else round(value, 3)) if isinstance(value, float) else value


def _table(shown: Mapping[str, Any]) -> Iterator[str]:
    for name, value in shown.items():
        if name == "recall":
            yield "recall on single injected defects (95 % interval, injected)"
            for error_class, recall in value.items():
                yield _recall_line(error_class, recall)
                yield from (_recall_line(f"  {one}", each) for one, each in recall["by_injector"].items())
        elif isinstance(value, dict):
            yield name
            yield from (f"  {one:38}{each:>10}" for one, each in value.items())
        else:
            yield f"{name:40}{value:>10}"


def _recall_line(name: str, recall: Mapping[str, float]) -> str:
    return f"  {name:38}{recall['recall']!s:>10}  {recall['low']}–{recall['high']}  {recall['injected']}"


def main() -> int:
    """`python -m benchmarks.claims`."""
    parser = options_of(__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="JSON lines of claim sets, plain or gzipped")
    parser.add_argument("--every", type=int, default=1, help="only every N-th set")
    options = parser.parse_args()
    claim_work.warm()
    shown = _rounded(figures(measure(options.data, options.every)))
    print(json.dumps(shown) if options.json else "\n".join(_table(shown)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
