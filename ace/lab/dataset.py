"""Labelled rows from real claim sets: half Pass (real and placebo), half one defect per claim.

`python -m ace.lab.dataset --claims FILE --out DIR` writes train, calibration and test rows and a
manifest. Splits are by patent family; everything follows from the seed.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.lab.edits import Injection, Injector, Lexicon
from ace.lab.injectors import INJECTORS, PLACEBO
from ace.lab.phrases import indefinite
from ace.lab.sources import SourceSet, is_sound, read_claim_sets

SPLITS = ("train", "calibration", "test")
MAX_ANCESTOR_CHARACTERS = 3_000


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled claim with its chain, and where the label comes from.

    start and end delimit the defect in `text`; both are 0 in Pass rows. `edit` is "none" for a
    real claim, else the name of the injector or placebo.
    """

    split: str
    family: str
    source: str
    number: int
    text: str
    ancestors: tuple[str, ...]
    label: str
    edit: str
    start: int
    end: int


def split_of(family: str) -> str:
    """train, calibration or test, 8:1:1, by a hash of the family: the same in every build."""
    bucket = int.from_bytes(hashlib.sha256(family.encode()).digest()[:4], "big") % 10
    return SPLITS[max(0, bucket - 7)]


def build(sets: Sequence[SourceSet], *, rows: int, seed: int) -> Iterator[Row]:
    """About `rows` rows: per split 8:1:1, half Pass, half the five classes in equal parts.

    Every defective claim's sound original is a Pass row of the same split, so that no technology
    and no claim belongs to one class alone. Of the Pass rows, half are placebos.
    """
    for split, share in zip(SPLITS, (0.8, 0.1, 0.1), strict=True):
        members = [member for member in sets if split_of(member.family) == split]
        yield from _build_split(split, members, round(rows * share), Random(f"{seed}/{split}"))


def _build_split(split: str, members: Sequence[SourceSet], rows: int, rng: Random) -> Iterator[Row]:
    lexicon = Lexicon(_nouns(members))
    pool = [
        (member, claim)
        for member in members
        for claim in member.claims
        if is_sound(member.claims, claim) and _chain_is_sound(member.claims, claim)
    ]
    if not pool:
        return
    rng.shuffle(pool)
    defects, placebos = Quotas(INJECTORS, rows // 2), Quotas({"pass": PLACEBO}, rows // 4)
    for strict in (True, False):
        left = []
        for member, claim in pool:
            injection = defects.take(member.claims, claim, rng, lexicon, strict=strict)
            if injection is None:
                left.append((member, claim))
                continue
            yield _row(split, member, injection)
            # Half of the Pass rows; scarce edits first there too, so that they meet their mirrors.
            placebo = None
            if placebos.filled < defects.filled / 2:
                placebo = placebos.take(member.claims, claim, rng, lexicon, strict=strict)
            real = Injection(member.claims, claim.number, "pass", "none")
            yield _row(split, member, placebo or real)
        pool = left


class Quotas:
    """How many rows of each injector are still wanted, and which to try first on a claim.

    Numeric logic fits few claims, a missing period fits all: the injector that succeeded least
    often so far is tried first, else the common ones would use up the claims of the scarce.
    """

    def __init__(self, injectors: Mapping[str, Sequence[tuple[Injector, int]]], rows: int) -> None:
        self._of_class = dict.fromkeys(injectors, rows // len(injectors))
        self._wanted: dict[Injector, int] = {}
        self._label: dict[Injector, str] = {}
        for label, choices in injectors.items():
            weights = sum(weight for _, weight in choices)
            for injector, weight in choices:
                self._wanted[injector] = round(self._of_class[label] * weight / weights)
                self._label[injector] = label
        self._tried = dict.fromkeys(self._wanted, 2)
        self._fitted = dict.fromkeys(self._wanted, 1)
        self.filled = 0

    def take(
        self, claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon, *, strict: bool
    ) -> Injection | None:
        """One wanted edit of the claim, or None; `strict` holds each injector to its own share."""
        for injector in self._order(rng, strict=strict):
            injection = injector(claims, claim, rng, lexicon)
            self._tried[injector] += 1
            if injection is not None:
                self._fitted[injector] += 1
                self._wanted[injector] -= 1
                self._of_class[self._label[injector]] -= 1
                self.filled += 1
                return injection
        return None

    def _order(self, rng: Random, *, strict: bool) -> list[Injector]:
        opened = [
            injector
            for injector, count in self._wanted.items()
            if self._of_class[self._label[injector]] > 0 and (count > 0 or not strict)
        ]
        rates = {one: self._fitted[one] / self._tried[one] + 0.1 * rng.random() for one in opened}
        return sorted(opened, key=rates.__getitem__)


def _row(split: str, member: SourceSet, injection: Injection) -> Row:
    shown = injection.claims.input_of(injection.number, max_chain_characters=MAX_ANCESTOR_CHARACTERS)
    return Row(
        split,
        member.family,
        member.source,
        shown.number,
        shown.text,
        shown.ancestors,
        injection.label,
        injection.subtype,
        injection.start,
        injection.end,
    )


def _chain_is_sound(claims: ClaimSet, claim: Claim) -> bool:
    ancestors = (claims.get(number) for number in claims.ancestors(claim.number))
    return all(item is not None and is_sound(claims, item) for item in ancestors)


def _nouns(members: Iterable[SourceSet]) -> tuple[str, ...]:
    counted = Counter(
        phrase.text.lower()
        for member in members
        for claim in member.claims
        for phrase in indefinite(claim.text)
        if len(phrase.words) <= 2 and phrase.text.isascii()
    )
    return tuple(sorted(noun for noun, count in counted.items() if count >= 2))


def file_hash(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_rows(path: Path) -> list[Row]:
    """The rows of a file that this module wrote."""
    with path.open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return [Row(**{**row, "ancestors": tuple(row["ancestors"])}) for row in found]


def write(rows: Iterable[Row], claims: Path, out: Path, *, asked: int, seed: int) -> None:
    """One JSONL file per split and manifest.json with counts and hashes."""
    out.mkdir(parents=True, exist_ok=True)
    by_split: dict[str, list[Row]] = {split: [] for split in SPLITS}
    for row in rows:
        by_split[row.split].append(row)
    manifest: dict[str, object] = {"seed": seed, "rows": asked, "claims_sha256": file_hash(claims)}
    for split, members in by_split.items():
        path = out / f"{split}.jsonl"
        with path.open("w", encoding="utf-8") as lines:
            lines.writelines(f"{json.dumps(asdict(row), ensure_ascii=False)}\n" for row in members)
        manifest[split] = {
            "rows": len(members),
            "families": len({row.family for row in members}),
            "labels": dict(sorted(Counter(row.label for row in members).items())),
            "edits": dict(sorted(Counter(f"{row.label}/{row.edit}" for row in members).items())),
            "sources": dict(sorted(Counter(row.source for row in members).items())),
            "sha256": file_hash(path),
        }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ace.lab.dataset", description=__doc__)
    parser.add_argument("--claims", type=Path, required=True, help="JSONL or JSONL.GZ claim sets")
    parser.add_argument("--out", type=Path, required=True, help="directory to write to")
    parser.add_argument("--rows", type=int, default=24_000, help="rows over all splits")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    sets = list(read_claim_sets(given.claims))
    rows = build(sets, rows=given.rows, seed=given.seed)
    write(rows, given.claims, given.out, asked=given.rows, seed=given.seed)
    print((given.out / "manifest.json").read_text(encoding="utf-8"), file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
