"""What the rules find, kept: a digest for every fourth claim set of the shared data, and our own in full.

`python -m tests.unit.claims.snapshot` writes both anew, after a change that is meant; what changed in our
own sets is then read in the difference. Claims of the shared data are not ours to ship, digests of what is
found in them are.
"""

import hashlib
import importlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ace.claims.analysis import check_set
from ace.claims.checks import RULES
from ace.claims.findings import Finding
from ace.claims.model import ClaimSet
from ace.claims.readers import read_text
from ace.claims.rules import Jurisdiction
from ace.claims.taxonomy import ErrorClass
from ace.local import samples
from ace_lab.data.filed_sets import read_filed
from tests.shared import SHARED, shared_file

DATA = "data/us-claim-sets.jsonl.gz"
EVERY = 4  # all would take most of a minute
SHARED_SNAPSHOT = Path(__file__).with_name("snapshot_shared.txt")
OWN_SNAPSHOT = Path(__file__).with_name("snapshot_own.txt")


def found_in(claims: ClaimSet, jurisdiction: Jurisdiction = Jurisdiction.US) -> list[Finding]:
    """All findings, also those that are doubted."""
    return check_set(claims, jurisdiction=jurisdiction, threshold=0.0)


def line(finding: Finding) -> str:
    """A finding without its prose and its law, which may be reworded."""
    fix = finding.fix
    mended = "" if fix is None else f" → {fix.start}-{fix.end} {fix.replacement!r}"
    span = f"{finding.claim}:{finding.start}-{finding.end}"
    return f"{span} {finding.rule_id} {finding.confidence:.2f}{mended}"


def shared_lines() -> list[str]:
    """Totals by rule, then a digest of the findings of each set by its line in the data."""
    sets, totals = [], Counter[str]()
    for at, filed in islice(enumerate(read_filed(shared_file(DATA)), 1), 0, None, EVERY):
        found = found_in(filed.claims())
        totals.update(each.rule_id for each in found)
        digest = hashlib.sha256("\n".join(map(line, found)).encode()).hexdigest()
        sets.append(f"line {at}: {digest[:8]}")
    return [*(f"{rule}: {number}" for rule, number in sorted(totals.items())), *sets]


def own_lines() -> list[str]:
    """Every finding with the words it quotes; by the EPC only where that differs."""
    return [row for name, text in own_texts() for row in _told(name, text)]


def own_texts() -> Iterator[tuple[str, str]]:
    """Our own claim sets, each with a name."""
    for sample in samples.load():
        yield f"sample {sample.docket}", sample.text
    for error_class in ErrorClass:
        battery = importlib.import_module(f"tests.unit.claims.battery.{error_class.value}")
        for row in battery.ROWS:
            yield f"{row.rule_id} {row.name}", row.text
            yield f"{row.rule_id} {row.name}: twin", row.twin
    for rule in RULES:
        yield f"{rule.id} example", rule.example
        yield f"{rule.id} example: twin", rule.twin


def _told(name: str, text: str) -> Iterator[str]:
    claims = read_text(text, partial=True)
    us, epc = (
        [f"{line(each)} “{' '.join(each.quote.split())}”" for each in found_in(claims, jurisdiction)]
        for jurisdiction in Jurisdiction
    )
    if us:
        yield from (f"# {name}", *us)
    if epc != us:
        yield from (f"# {name} (EPC)", *epc)


def write() -> None:
    """Writes both snapshots; the shared one only where the data is."""
    OWN_SNAPSHOT.write_text("\n".join(own_lines()) + "\n", encoding="utf-8")
    if (SHARED / DATA).exists():
        SHARED_SNAPSHOT.write_text("\n".join(shared_lines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
