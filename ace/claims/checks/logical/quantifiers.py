"""Of how many things a statement holds: "each arm has a hook" against "at least one arm has none"; "each of
the lids is coated" against "only one of the lids is coated".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.counting import counted_things, had
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.statements import Statement, at_times, statements
from ace.claims.checks.logical.subjects import DETERMINERS, alternatives
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import VERBS
from ace.claims.language.opposites import POLES, unnegated
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_EXCLUDE = {
    frozenset({("all", True), ("all", False)}),
    frozenset({("all", True), ("some", False)}),
    frozenset({("all", False), ("some", True)}),
    frozenset({("all", True), ("only", True)}),
    frozenset({("all", False), ("only", True)}),
}
"""Of how many things, and whether it is affirmed: what cannot hold together."""


@dataclass(frozen=True, slots=True)
class Quantified:
    """What is said, of how many of the things of one name, and whether it is what they have."""

    said: tuple[object, ...]
    scope: str
    affirmed: bool
    had: bool
    start: int
    end: int

    def excludes(self, other: Quantified) -> bool:
        """Whether both cannot hold."""
        pair = frozenset({(self.scope, self.affirmed), (other.scope, other.affirmed)})
        if self.had and self.scope == other.scope:
            return False  # what all have and none has is for possessions.py to say
        return self.said == other.said and pair in _EXCLUDE


def opposed_quantifiers(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Statements on all, some or none of the things of one name that exclude what was said before."""
    own = quantified(reading, claim.text)
    if not own:
        return
    before: list[Quantified] = []
    ancestors = nearest_ancestors(reading, claim)
    for each in own:
        for holder, others in (
            (claim, before),
            *((held, quantified(reading, held.text)) for held in ancestors),
        ):
            other = next((other for other in others if each.excludes(other)), None)
            if other is None or (holder is claim and alternatives(claim.text, other.end, each.start)):
                continue
            where = "the claim itself" if holder is claim else f"claim {holder.number}"
            why = f"This contradicts {where}, which says “{holder.text[other.start : other.end]}”."
            signals = ("quantifier", "same_claim" if holder is claim else "inherited")
            yield Flaw(CONTRADICTION, each.start, each.end, why, signals=signals)
            break
        before.append(each)


@kept_with_set
def quantified(reading: Reading, text: str) -> tuple[Quantified, ...]:
    """The statements of a text that say of how many things they hold, with no condition."""
    found = (
        _quantified(said)
        for said in statements(reading, text)
        if said.scope and not said.open_end and not said.frequency and not at_times(text, said)
    )
    return tuple(islice(found, MAX_STATEMENTS))


def _quantified(said: Statement) -> Quantified:
    complement = said.complement
    for_what = complement[1:2] == ("to",) and not VERBS.isdisjoint(complement[2:3])
    if said.verb == "be" and for_what and complement[0] in POLES:
        complement = complement[:1]  # "are threaded to receive bolts"
    words = tuple(lemma(word) for word in complement if word not in DETERMINERS and word not in _ANY)
    denied = said.negated
    if said.complement[:1] == ("no",):
        denied = not denied
    plain = unnegated(words[0]) if said.verb == "be" and len(words) == 1 else None
    if plain is not None:
        denied, words = not denied, (plain,)
    what: tuple[object, ...] = (said.subject.words, said.subject.of, said.verb, words)
    having, lacks = had(said)
    thing = counted_things(having, lacks=lacks) if having is not None else None
    if thing is not None:
        what = (said.subject.words, said.subject.of, thing.thing)
        denied = thing.high == 0
    return Quantified(what, said.scope, not denied, having is not None, said.start, said.end)


_ANY = frozenset({"any", "no"})
