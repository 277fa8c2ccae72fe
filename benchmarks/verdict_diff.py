"""Which labelled claims a change of the rules gained and lost, with the rule: `make verdict-diff`.

Analyses the labelled sets of training and calibration families twice, with the rules of a commit and with
those of the working tree, and prints each claim whose verdict by the rules changed: what the readers say, the
rule that came or went, and the words at fault. Test families stay closed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import Corpus, read_corpus
from ace_lab.readings.labels import Label, Place, claim_labels
from benchmarks.claims import DATA
from benchmarks.figures import options_of

ROOT = Path(__file__).parent.parent
SPLITS = ("train", "calibration")
RULES_OF_A_TREE = """
import json, sys
from ace.claims.analysis import analyse
from ace.claims.chains import kept_set
for line in sys.stdin:
    patent, claims = json.loads(line)
    found = analyse(kept_set([(number, text) for number, text in claims]))
    print(json.dumps([patent, {
        number: [[f.rule_id, f.quote] for f in one.reported() if f.fails] for number, one in found.items()
    }]), flush=True)
"""
"""Run in each tree with its own `ace`: claim sets in, findings out. It uses no more of `ace` than this."""

Findings = dict[Place, list[tuple[str, str]]]


def main() -> int:
    """`python -m benchmarks.verdict_diff`."""
    parser = options_of(__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="JSON lines of claim sets, plain or gzipped")
    parser.add_argument("--base", default="HEAD", help="the commit to compare the working tree with")
    parser.add_argument("--every", type=int, default=1, help="only every N-th set")
    options = parser.parse_args()
    corpus = read_corpus(options.data)
    labels = {
        place: label
        for place, label in claim_labels(corpus, Stored.load()).items()
        if corpus.sets[place[0]].split in SPLITS
    }
    patents = sorted({patent for patent, _ in labels})[:: options.every]
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        git = ("git", "-C", str(ROOT), "worktree")
        added = subprocess.run([*git, "add", "--detach", "--quiet", str(base), options.base], check=False)
        if added.returncode:
            parser.error(f"--base {options.base!r} is not a commit of this repository")
        try:
            first, second = (_start(tree, corpus, patents) for tree in (base, ROOT))
            before, after = _findings(first), _findings(second)
        finally:
            subprocess.run([*git, "remove", "--force", str(base)], check=True)
    shown = compare(labels, before, after)
    print(json.dumps(shown) if options.json else "\n".join(_lines(shown)))
    return 0


def compare(labels: Mapping[Place, Label], before: Findings, after: Findings) -> dict[str, Any]:
    """The claims whose verdict by the rules changed, and the counts by whether the readers agree."""
    changed = []
    for place, label in sorted(labels.items()):
        was, now = before.get(place, []), after.get(place, [])
        if bool(was) == bool(now):
            continue
        defect = label.defect
        changed.append(
            {
                "patent": place[0],
                "claim": place[1],
                "now": "Fail" if now else "Pass",
                "better": bool(now) == label.fails,
                "findings": now or was,
                "readers": None if defect is None else [defect.error_class, defect.quote, defect.why],
            }
        )
    better = sum(bool(entry["better"]) for entry in changed)
    return {"changed": changed, "better": better, "worse": len(changed) - better}


def _start(tree: Path, corpus: Corpus, patents: Iterable[str]) -> subprocess.Popen[str]:
    """Analyses the sets with the rules of a tree, in a process of its own."""
    sets = [
        json.dumps([patent, [[claim.number, claim.text] for claim in corpus.sets[patent].claims]]) + "\n"
        for patent in patents
    ]
    source = tempfile.TemporaryFile("w+")  # noqa: SIM115  (the child reads it; a pipe would fill)
    source.writelines(sets)
    source.seek(0)
    return subprocess.Popen(
        [sys.executable, "-c", RULES_OF_A_TREE],
        stdin=source,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
    )


def _findings(process: subprocess.Popen[str]) -> Findings:
    found: Findings = {}
    for line in process.stdout or ():
        patent, claims = json.loads(line)
        for number, findings in claims.items():
            found[patent, int(number)] = [(rule, quote) for rule, quote in findings]
    if process.wait():
        raise SystemExit("the rules of one of the trees could not be run")
    return found


def _lines(shown: Mapping[str, Any]) -> Iterator[str]:
    for entry in shown["changed"]:
        mark = "better" if entry["better"] else "WORSE "
        rules = "; ".join(f"{rule} “{quote}”" for rule, quote in entry["findings"])
        readers = "sound" if entry["readers"] is None else "{}: “{}” {}".format(*entry["readers"])
        yield f"{mark} {entry['patent']} claim {entry['claim']} now {entry['now']}: {rules}"
        yield f"       readers: {readers}"
    yield f"{shown['better']} better, {shown['worse']} worse"


if __name__ == "__main__":
    raise SystemExit(main())
