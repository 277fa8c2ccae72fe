"""Rows of one defect each, and their sound twins.

Every defective claim's sound original is a Pass row of the same split, as it is or as a placebo, so
that no technology and no claim belongs to one class alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
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
"""Share of the defective train rows that have further defects of their class, here or in the chain."""


class Distinct:
    """Tells edits whose claim was not made before: in this split, or nearly so in another.

    Distinct claims can meet in an edit, as two that break off after the same few words.
    """

    def __init__(self, others: NearDuplicates) -> None:
        self._others = others
        self._seen: set[ClaimInput] = set()

    def __call__(self, injection: Injection) -> bool:
        return self.is_new(injection.claims.input_of(injection.number, max_chain_characters=CHAIN_CHARACTERS))

    def is_new(self, shown: ClaimInput) -> bool:
        """Whether the claim was not made before; from now on it was."""
        if shown in self._seen or self.elsewhere(shown.text):
            return False
        self._seen.add(shown)
        return True

    def elsewhere(self, text: str) -> bool:
        """Whether another split has nearly this text."""
        return self._others.has_near(text)


def single_rows(
    pool: Pool,
    asked: Mapping[str, int],
    distinct: Distinct,
    rng: Random,
    written: Sequence[tuple[Row, Origin]] = (),
) -> Iterator[Row]:
    """The rows asked for by label, where the claims allow.

    After each defective row comes its twin; half of these are placebos. Rows that a model has `written`,
    each of a real claim, are of what is asked for: its defects come first, with twins as the others; its
    placebos are twins of rules' defects.
    """
    defective = [(row, origin) for row, origin in written if row.label != "pass"]
    sound = {row.origin: row for row, _ in written if row.label == "pass"}
    left = list(pool.claims)
    rng.shuffle(left)
    if written:
        left = _ordered(left, {row.origin for row, _ in defective}, sound.keys())
    had = Counter(row.label for row, _ in defective)
    defects = Quotas(INJECTORS, {label: count - had[label] for label, count in asked.items()}, distinct)
    placebos = Quotas({"pass": PLACEBO}, {"pass": asked["pass"] // 2 - len(sound)}, distinct)
    passed = 0

    def twin(origin: Origin, *, strict: bool) -> Row:
        if made := sound.get(origin[0].origin(origin[1].number)):
            placebos.filled += 1
            return made
        return _sound(pool, origin, placebos, passed, rng, strict=strict)

    for row, origin in defective:
        yield row
        if passed < asked["pass"]:
            passed += 1
            yield twin(origin, strict=True)
    for strict in (True, False):
        unused = []
        for member, claim in left:
            if distinct.elsewhere(claim.text):
                continue
            injection = defects.take(member.claims, claim, rng, pool.lexicon, strict=strict)
            if injection is None:
                unused.append((member, claim))
                continue
            yield _defective(pool, (member, claim), injection, distinct, rng)
            if passed < asked["pass"]:
                passed += 1
                yield twin((member, claim), strict=strict)
        left = unused
    for origin in left[: max(0, asked["pass"] - passed)]:
        passed += 1
        yield twin(origin, strict=False)


def _ordered(claims: Sequence[Origin], used: Set[str], first: Set[str]) -> list[Origin]:
    """The claims but for those that are used, some of them first."""
    named = [(member.origin(claim.number), (member, claim)) for member, claim in claims]
    left = [(name not in first, origin) for name, origin in named if name not in used]
    return [origin for _, origin in sorted(left, key=lambda one: one[0])]


def _defective(pool: Pool, origin: Origin, injection: Injection, distinct: Distinct, rng: Random) -> Row:
    alone = row_of(pool.split, origin, injection, injection.claims, ((injection.start, injection.end),))
    marked = multiple_defects.with_injection(multiple_defects.MarkedSet(origin[0].claims), injection)
    # None: the edit took away a claim that others refer to; nothing more is done to such a set.
    if marked is None or pool.split != "train" or rng.random() >= SEVERAL_DEFECTS_SHARE:
        return alone
    marked = _with_more_defects(marked, injection, pool.lexicon, rng)
    here = (defect for defect in marked.defects if defect.claim == injection.number)
    spans = tuple(sorted((defect.start, defect.end) for defect in here))
    row = row_of(pool.split, origin, injection, marked.claims, spans)
    return alone if distinct.elsewhere(row.text) else row


def _with_more_defects(
    marked: multiple_defects.MarkedSet, injection: Injection, lexicon: Lexicon, rng: Random
) -> multiple_defects.MarkedSet:
    """One to four more defects of the same class, in the claim or in what it depends on."""
    places = (injection.number, *marked.claims.ancestors(injection.number))
    for _ in range(rng.randint(1, 4)):
        edited = multiple_defects.with_edit(
            marked, rng.choice(places), INJECTORS[injection.label], rng, lexicon
        )
        marked = edited or marked
    return marked


def _sound(pool: Pool, origin: Origin, placebos: Quotas, passed: int, rng: Random, *, strict: bool) -> Row:
    member, claim = origin
    placebo = None
    # Half of the Pass rows; scarce edits first there too, so that they meet their mirrors.
    if placebos.filled < passed / 2:
        placebo = placebos.take(member.claims, claim, rng, pool.lexicon, strict=strict)
    injection = placebo or Injection(member.claims, claim.number, "pass", "none")
    return row_of(pool.split, origin, injection, injection.claims, ())


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
