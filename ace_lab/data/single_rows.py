"""Rows with one defect each, and their sound twins.

The sound original of every defective claim is a Pass row of the same split, unchanged or as a placebo, so
that no technology and no claim belongs to one class only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from random import Random

from ace.claims.model import ClaimInput, ClaimSet
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace_lab.data import multiple_defects
from ace_lab.data.duplicates import NearDuplicates
from ace_lab.data.pools import Origin, Pool
from ace_lab.data.quotas import Quotas
from ace_lab.data.rows import Row, Span
from ace_lab.injectors import INJECTORS, PLACEBO
from ace_lab.injectors.edits import Injection, Lexicon

SEVERAL_DEFECTS_SHARE = 0.15
"""Share of the defective train rows with more defects of their class, in the claim or its chain."""


class Distinct:
    """Recognises edits that repeat a claim: one of this split, or nearly one of another split.

    Edits of different claims can give the same text, as when two break off after the same few words.
    """

    def __init__(self, others: NearDuplicates) -> None:
        self._others = others
        self._seen: set[ClaimInput] = set()

    def __call__(self, injection: Injection) -> bool:
        return self.is_new(injection.claims.input_of(injection.number, max_chain_characters=CHAIN_CHARACTERS))

    def is_new(self, shown: ClaimInput) -> bool:
        """Whether the claim is new, and records it."""
        if shown in self._seen or self.elsewhere(shown.text):
            return False
        self._seen.add(shown)
        return True

    def elsewhere(self, text: str) -> bool:
        """Whether another split has a near-duplicate of this text."""
        return self._others.has_near(text)


def single_rows(
    pool: Pool,
    asked: Mapping[str, int],
    distinct: Distinct,
    rng: Random,
    written: Sequence[tuple[Row, Origin]] = (),
) -> Iterator[Row]:
    """The requested number of rows of each label, as far as the claims allow.

    Each defective row is followed by its twin; half of the twins are placebos. Rows that a language model
    has `written`, each from a real claim, count towards the request: its defects come first, with twins
    like the others; its placebos serve as twins of rules' defects.
    """
    yield from _Builder(pool, asked, distinct, rng, written).rows()


class _Builder:
    """The rows of one split: which claims are left, and how many sound rows there are so far."""

    def __init__(
        self,
        pool: Pool,
        asked: Mapping[str, int],
        distinct: Distinct,
        rng: Random,
        written: Sequence[tuple[Row, Origin]],
    ) -> None:
        self._pool, self._distinct, self._rng = pool, distinct, rng
        self._written = [(row, origin) for row, origin in written if row.label != "pass"]
        self._placebos_written = {row.origin: row for row, _ in written if row.label == "pass"}
        self._left = list(pool.claims)
        rng.shuffle(self._left)
        if written:
            used = {row.origin for row, _ in self._written}
            self._left = _ordered(self._left, used, self._placebos_written.keys())
        had = Counter(row.label for row, _ in self._written)
        self._defects = Quotas(
            INJECTORS, {label: count - had[label] for label, count in asked.items()}, distinct
        )
        placebos = asked["pass"] // 2 - len(self._placebos_written)
        self._placebos = Quotas({"pass": PLACEBO}, {"pass": placebos}, distinct)
        self._pass_wanted, self._passed = asked["pass"], 0

    def rows(self) -> Iterator[Row]:
        for row, origin in self._written:
            yield row
            yield from self._twins([origin], strict=True)
        for strict in (True, False):
            yield from self._injected(strict=strict)
        yield from self._twins(self._left, strict=False)

    def _injected(self, *, strict: bool) -> Iterator[Row]:
        """Defects by rules in the claims that are left, each with its twin; the others stay left."""
        unused = []
        for origin in self._left:
            member, claim = origin
            if self._distinct.elsewhere(claim.text):
                continue
            injection = self._defects.take(member.claims, claim, self._rng, self._pool.lexicon, strict=strict)
            if injection is None:
                unused.append(origin)
                continue
            yield self._defective(origin, injection)
            yield from self._twins([origin], strict=strict)
        self._left = unused

    def _twins(self, origins: Iterable[Origin], *, strict: bool) -> Iterator[Row]:
        """A sound row of each claim, while sound rows are wanted."""
        for origin in origins:
            if self._passed >= self._pass_wanted:
                return
            self._passed += 1
            yield self._sound(origin, strict=strict)

    def _defective(self, origin: Origin, injection: Injection) -> Row:
        pool, rng = self._pool, self._rng
        alone = row_of(pool.split, origin, injection, injection.claims, ((injection.start, injection.end),))
        marked = multiple_defects.with_injection(multiple_defects.MarkedSet(origin[0].claims), injection)
        # None: the edit removed a claim that others refer to; such a set gets no further defect.
        if marked is None or pool.split != "train" or rng.random() >= SEVERAL_DEFECTS_SHARE:
            return alone
        marked = _with_more_defects(marked, injection, pool.lexicon, rng)
        here = (defect for defect in marked.defects if defect.claim == injection.number)
        spans = tuple(sorted((defect.start, defect.end) for defect in here))
        row = row_of(pool.split, origin, injection, marked.claims, spans)
        return alone if self._distinct.elsewhere(row.text) else row

    def _sound(self, origin: Origin, *, strict: bool) -> Row:
        member, claim = origin
        if made := self._placebos_written.get(member.origin(claim.number)):
            self._placebos.filled += 1
            return made
        placebo = None
        # Half of the Pass rows are placebos; scarce edits come first, so that they meet their twins.
        if self._placebos.filled < self._passed / 2:
            placebo = self._placebos.take(member.claims, claim, self._rng, self._pool.lexicon, strict=strict)
        injection = placebo or Injection(member.claims, claim.number, "pass", "none")
        return row_of(self._pool.split, origin, injection, injection.claims, ())


def _ordered(claims: Sequence[Origin], used: Set[str], first: Set[str]) -> list[Origin]:
    """The unused claims, those named in `first` at the front."""
    named = [(member.origin(claim.number), (member, claim)) for member, claim in claims]
    left = [(name not in first, origin) for name, origin in named if name not in used]
    return [origin for _, origin in sorted(left, key=lambda one: one[0])]


def _with_more_defects(
    marked: multiple_defects.MarkedSet, injection: Injection, lexicon: Lexicon, rng: Random
) -> multiple_defects.MarkedSet:
    """Adds one to four more defects of the same class, in the claim or in its ancestors."""
    places = (injection.number, *marked.claims.ancestors(injection.number))
    for _ in range(rng.randint(1, 4)):
        edited = multiple_defects.with_edit(
            marked, rng.choice(places), INJECTORS[injection.label], rng, lexicon
        )
        marked = edited or marked
    return marked


def row_of(
    split: str, origin: Origin, injection: Injection, claims: ClaimSet, spans: tuple[Span, ...]
) -> Row:
    member, claim = origin
    shown = claims.input_of(injection.number, max_chain_characters=CHAIN_CHARACTERS)
    return Row(
        split=split,
        family=member.family,
        source=member.source,
        number=shown.number,
        text=shown.text,
        ancestors=shown.ancestors,
        label=injection.label,
        edit=injection.subtype,
        generator="none" if injection.subtype == "none" else "rules",
        spans=spans,
        origin=member.origin(claim.number),
    )
