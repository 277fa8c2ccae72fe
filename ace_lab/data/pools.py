"""The claims that rows are made from: sound, split by family, without near-duplicates between splits."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ace.claims.model import Claim
from ace_lab.data.duplicates import NearDuplicates
from ace_lab.data.sources import SourceSet, sound_claims
from ace_lab.injectors.edits import Lexicon
from ace_lab.injectors.phrases import indefinite

SPLITS = ("train", "calibration", "test")
SHARES = {"train": 0.8, "calibration": 0.1, "test": 0.1}

Origin = tuple[SourceSet, Claim]
"""A sound claim and the set that it stands in."""


@dataclass(frozen=True, slots=True)
class Pool:
    """One split's sets, their sound and unique claims, and nouns to borrow."""

    split: str
    members: tuple[SourceSet, ...]
    claims: tuple[Origin, ...]
    lexicon: Lexicon


@dataclass(frozen=True, slots=True)
class Pools:
    """A pool per split, and how many duplicate claims were removed, by what they repeat."""

    by_split: Mapping[str, Pool]
    removed: Mapping[str, int]


def split_of(family: str) -> str:
    """train, calibration or test, 8:1:1, by a hash of the family: the same in every build."""
    bucket = int.from_bytes(hashlib.sha256(family.encode()).digest()[:4], "big") % 10
    return SPLITS[max(0, bucket - 7)]


def pools(sets: Sequence[SourceSet]) -> Pools:
    """The sets by split, without duplicates: test loses none, train loses what either other split has.

    A claim is removed together with the claim that it depends on, so that no removed text returns in a chain.
    Within a split the first of identical texts stays.
    """
    members = {split: [one for one in sets if split_of(one.family) == split] for split in SPLITS}
    removed: Counter[str] = Counter()
    known: dict[str, NearDuplicates] = {}
    found: dict[str, Pool] = {}
    for split in reversed(SPLITS):
        claims = []
        seen: set[str] = set()
        for member in members[split]:
            gone: set[int] = set()
            for claim in sound_claims(member.claims):
                other = next((name for name, texts in known.items() if texts.has_near(claim.text)), None)
                if other is None and gone.intersection(member.claims.ancestors(claim.number)):
                    other = "a claim with its parent"
                if other is None and claim.text in seen:
                    other = f"{split} itself"
                if other is None:
                    seen.add(claim.text)
                    claims.append((member, claim))
                else:
                    gone.add(claim.number)
                    removed[f"{split}: repeats {other}"] += 1
        found[split] = Pool(split, tuple(members[split]), tuple(claims), Lexicon(_nouns(members[split])))
        if split != SPLITS[0]:  # nothing is compared with the last split
            known[split] = NearDuplicates(claim.text for member in members[split] for claim in member.claims)
    return Pools({split: found[split] for split in SPLITS}, dict(sorted(removed.items())))


def _nouns(members: Iterable[SourceSet]) -> tuple[str, ...]:
    counted = Counter(
        phrase.text.lower()
        for member in members
        for claim in member.claims
        for phrase in indefinite(claim.text)
        if len(phrase.words) <= 2 and phrase.text.isascii()
    )
    return tuple(sorted(noun for noun, count in counted.items() if count >= 2))
