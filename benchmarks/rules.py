"""What the rules find of mistakes that they were not written for, and what they find where there is none.

Reads real claim sets (not part of the project). Each family of `ace_lab.held_out.mistakes` edits every N-th
granted set, so that all sets and all families have their turn: once with the mistake, once with its clean
twin. The columns:

  found     share of mistakes with a new finding of the right class that overlaps the place
  fails     the same, but only findings that fail the claim (no notes)
  any       share with a new finding of any class that overlaps the place
  alarms    share of twins with a new finding of the family's class that overlaps the place
  alarms*   share of twins with a new failing finding of any class that overlaps the place
  aside     `found` on the sets set aside before the rules were changed
  rest      `found` on the other granted sets, which those who write rules may read

Below are the findings per granted set as it is, by class; notes are counted apart. All at the default
threshold.
"""

import json
import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ace.claims.analysis import check_set
from ace.claims.findings import Finding
from ace.claims.model import ClaimSet
from ace.claims.taxonomy import ErrorClass
from ace_lab.data.filed_sets import FiledSet, read_filed, set_aside
from ace_lab.held_out.mistakes import FAMILIES, Family
from benchmarks.claims import DATA, shown_by, wilson
from benchmarks.figures import options_of, say

ASIDE, REST = "aside", "rest"
_EVERY = 8
_SHARES = ("found", "fails", "any", "alarms", "alarms*", "aside", "rest")


@dataclass
class Counts:
    """What happened to the edits of one family; `tried` and `twins` are their denominators."""

    tried: Counter[str] = field(default_factory=Counter)  # by part, ASIDE or REST
    found: Counter[str] = field(default_factory=Counter)
    fails: int = 0
    any_class: int = 0
    twins: int = 0
    alarms: int = 0
    failing_alarms: int = 0

    def figures(self) -> dict[str, Any]:
        """The columns of the table; None where nothing was tried."""
        tried, found = self.tried.total(), self.found.total()
        low, high = wilson(found, tried)
        return {
            "found": _share(found, tried),
            "low": round(low, 3),
            "high": round(high, 3),
            "fails": _share(self.fails, tried),
            "any": _share(self.any_class, tried),
            "alarms": _share(self.alarms, self.twins),
            "alarms*": _share(self.failing_alarms, self.twins),
            "aside": _share(self.found[ASIDE], self.tried[ASIDE]),
            "rest": _share(self.found[REST], self.tried[REST]),
            "tried": tried,
            "twins": self.twins,
        }


@dataclass
class Mirror:
    """What one pass over the granted sets showed."""

    counts: dict[Family, Counts] = field(default_factory=lambda: {each: Counts() for each in FAMILIES})
    sets: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Counter[str]] = field(default_factory=lambda: {ASIDE: Counter(), REST: Counter()})
    notes: dict[str, Counter[str]] = field(default_factory=lambda: {ASIDE: Counter(), REST: Counter()})
    crashes: int = 0


def mirrored(granted: Iterable[FiledSet], every: int = _EVERY, *, edits: bool = True) -> Mirror:
    """One pass over granted sets, each family at every `every`-th of them."""
    mirror = Mirror()
    for at, filed in enumerate(granted):
        if sys.stderr.isatty() and at % 50 == 0:
            say(f"{at} sets")
        part = ASIDE if set_aside(filed) else REST
        claims = filed.claims()
        before = _found(claims, mirror, "set")
        if before is None:
            continue
        mirror.sets[part] += 1
        for finding in before:
            kind = mirror.findings if finding.fails else mirror.notes
            kind[part][finding.error_class.value] += 1
        turn = [each for nth, each in enumerate(FAMILIES) if (at + nth) % every == 0] if edits else []
        for family in turn:
            _edit(mirror, family, claims, before, (part, filed.family))
    return mirror


def _edit(
    mirror: Mirror, family: Family, claims: ClaimSet, before: Sequence[Finding], where: tuple[str, str]
) -> None:
    """Counts the findings on the mistake and on its twin, both drawn with the same seed."""
    part, seed = where
    counts, drawn = mirror.counts[family], f"{seed}/{family.name}"
    defect, twin = family.mistake(claims, Random(drawn)), family.twin(claims, Random(drawn))
    if defect is not None and (found := _found(defect.claims, mirror, family.name)) is not None:
        shown = shown_by(defect, found, before)
        right = [each for each in shown if each.error_class is family.error_class]
        counts.tried[part] += 1
        counts.found[part] += bool(right)
        counts.fails += any(each.fails for each in right)
        counts.any_class += bool(shown)
    if twin is not None and (found := _found(twin.claims, mirror, family.name)) is not None:
        shown = shown_by(twin, found, before)
        counts.twins += 1
        counts.alarms += any(each.error_class is family.error_class for each in shown)
        counts.failing_alarms += any(each.fails for each in shown)


def _found(claims: ClaimSet, mirror: Mirror, what: str) -> list[Finding] | None:
    """The findings on a set; a crash is counted and told."""
    try:
        return check_set(claims)
    except Exception:
        mirror.crashes += 1
        say(f"{what}: {traceback.format_exc(limit=-3)}")
        return None


def figures(mirror: Mirror) -> dict[str, Any]:
    """All figures by name; see the module for what they mean."""
    by_class = {
        each.value: {family: one for family, one in mirror.counts.items() if family.error_class is each}
        for each in ErrorClass
    }
    return {
        "sets": dict(mirror.sets),
        "crashes": mirror.crashes,
        "families": len(mirror.counts),
        "all": _sum(mirror.counts.values()).figures(),
        "classes": {name: _sum(counts.values()).figures() for name, counts in by_class.items()},
        "by_family": {
            name: {family.name: one.figures() for family, one in counts.items()}
            for name, counts in by_class.items()
        },
        "findings_per_granted_set": _per_set(mirror.findings, mirror.sets),
        "notes_per_granted_set": _per_set(mirror.notes, mirror.sets),
    }


def _sum(counts: Iterable[Counts]) -> Counts:
    total = Counts()
    for one in counts:
        total.tried += one.tried
        total.found += one.found
        total.fails += one.fails
        total.any_class += one.any_class
        total.twins += one.twins
        total.alarms += one.alarms
        total.failing_alarms += one.failing_alarms
    return total


def _per_set(counts: Mapping[str, Counter[str]], sets: Counter[str]) -> dict[str, dict[str, float]]:
    """By part and in all: each class and their sum."""
    parts = {**{part: (counts[part], sets[part]) for part in counts}, "all": _joined(counts, sets)}
    return {
        part: {
            **{each.value: round(found[each.value] / max(1, number), 3) for each in ErrorClass},
            "all": round(found.total() / max(1, number), 3),
        }
        for part, (found, number) in parts.items()
    }


def _joined(counts: Mapping[str, Counter[str]], sets: Counter[str]) -> tuple[Counter[str], int]:
    total: Counter[str] = Counter()
    for each in counts.values():
        total.update(each)
    return total, sets.total()


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _table(shown: Mapping[str, Any]) -> Iterator[str]:
    sets = ", ".join(f"{number} {part}" for part, number in shown["sets"].items())
    yield f"granted sets: {sets}; crashes: {shown['crashes']}; families: {shown['families']}"
    yield ""
    yield f"{'':36}{''.join(f'{name:>9}' for name in _SHARES)}{'tried':>8}{'twins':>7}   95 % of found"
    for name, families in shown["by_family"].items():
        yield _line(name.upper(), shown["classes"][name])
        yield from (_line(f"  {family}", one) for family, one in families.items())
    yield _line("ALL", shown["all"])
    for kind in ("findings_per_granted_set", "notes_per_granted_set"):
        classes = list(shown[kind]["all"])
        yield ""
        yield f"{kind.replace('_', ' '):36}{''.join(f'{name:>12}' for name in classes)}"
        for part, found in shown[kind].items():
            yield f"  {part:34}{''.join(f'{found[name]:>12}' for name in classes)}"


def _line(name: str, one: Mapping[str, Any]) -> str:
    shares = "".join(f"{'–' if one[key] is None else format(one[key], '.1%'):>9}" for key in _SHARES)
    return f"{name:36}{shares}{one['tried']:>8}{one['twins']:>7}   {one['low']:.0%}–{one['high']:.0%}"


def main() -> int:
    """`python -m benchmarks.rules`."""
    parser = options_of(__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="JSON lines of claim sets, plain or gzipped")
    parser.add_argument("--every", type=int, default=_EVERY, help="each family edits every N-th granted set")
    options = parser.parse_args()
    granted = (filed for filed in read_filed(options.data) if filed.granted)
    shown = figures(mirrored(granted, options.every))
    print(json.dumps(shown) if options.json else "\n".join(_table(shown)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
