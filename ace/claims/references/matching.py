"""How a definite noun phrase is matched with what is introduced: by its full name, then by its head.

A phrase is tried whole, then cut where a verb may begin. Phrases that no name supports go on to unmatched.py;
number_agreement.py judges whether those that one supports mean as many things.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ace.claims.language.lexicon import (
    ADJECTIVAL,
    INHERENT,
    JOINING,
    ORDINALS,
    PICKING,
    PREDICATE,
    PROPERTIES,
    SPANNING,
    TWOFOLD,
)
from ace.claims.language.noun_phrases import PARTICIPIAL, Determiner, Phrase, WordClass, word_class_of
from ace.claims.language.words import is_plural, lemma
from ace.claims.references.ancestry import Cover
from ace.claims.references.claim_text_index import name_of
from ace.claims.references.graph import Basis, Proof
from ace.claims.references.introductions import Entry
from ace.claims.references.number_agreement import in_number
from ace.claims.references.qualification import QualifiedPhrase
from ace.claims.references.resolution_context import ResolutionContext, ends_a_clause
from ace.claims.references.unmatched import without_name

WANTING: Final = frozenset(
    {Basis.NONE, Basis.AMBIGUOUS, Basis.SIBLING_ONLY, Basis.SOME_PATHS, Basis.LATER, Basis.TYPO}
)
"""A phrase with one of these certainly or possibly has no basis."""

_UNSETTLED: Final = frozenset({Basis.NONE, Basis.AMBIGUOUS, Basis.SIBLING_ONLY, Basis.INHERENT})
"""With "the same" nothing is referred to then: two things have one in common ("in the same room"). Nor does a
formula that is given need one."""

# Python 3.11 is slow to reach a member of an enum by name.
_ALL: Final = Cover.ALL
_HAVING: Final = frozenset({"by", "has", "have", "having", "with"})
_LETTERS_OF_A_LABEL: Final = 4
_VERBS: Final = frozenset({WordClass.VERB, WordClass.NOUN_VERB})
_MEASURING: Final = frozenset({"as", "that"})
_CONSISTING: Final = frozenset({"composed", "consisting", "formed", "selected"})
_JOINING: Final = JOINING | SPANNING


def prove(here: ResolutionContext, phrase: Phrase, following: Phrase | None) -> Proof:
    """The proof of one definite phrase, which later phrases then take into account.

    The phrases of a claim must be proved in order, after those of the claims that it depends on.
    """
    sizes = (len(phrase.words), *phrase.cuts)
    proof = (
        _so_great(here, phrase)
        or _by_name(here, phrase, sizes)
        or _of_members(here, phrase)
        or _by_reference(here, phrase)
        or _shared_head(here, phrase, following)
        or _by_head(here, phrase, likely := _likely(here, phrase, sizes))
        or _shorter(here, phrase)
        or without_name(here, phrase, likely[0])
    )
    if proof.basis in _UNSETTLED and (phrase.words[0] == "same" or _gives_a_formula(here, phrase)):
        return Proof(proof.mention, Basis.INHERENT, 0.7, traits=("pronoun",))
    if proof.basis in WANTING:
        here.known.add_unsupported(here.number, proof.mention.words, phrase)
    else:
        here.known.add_supported(here.number, proof.mention.words, phrase)
    return proof


def _by_name(here: ResolutionContext, phrase: Phrase, sizes: Sequence[int]) -> Proof | None:
    """Introduced under exactly this name, on every path."""
    for size in sizes:
        entry = here.known.entry(phrase.words[:size])
        if entry is not None and here.cover(entry, phrase.start) is _ALL:
            if size < len(phrase.words) and _goes_beyond(here, phrase, size, entry):
                continue
            return in_number(here, phrase, size, entry)
    return None


def _goes_beyond(here: ResolutionContext, phrase: Phrase, size: int, entry: Entry) -> bool:
    """Whether a cut phrase repeats all the words by which the name was introduced, and adds to them: "the
    growth hormone releasing peptide" after "a growth hormone releasing"."""
    introduced = here.place(entry, phrase.start)[1].phrase.words
    return size < len(introduced) < len(phrase.words) and phrase.words[: len(introduced)] == introduced


def _so_great(here: ResolutionContext, phrase: Phrase) -> Proof | None:
    """ "Such conditions that": a measure, which "that" gives; "such pins" are known ones."""
    measured = "such" in phrase.opening and here.after(phrase) in _MEASURING
    return Proof(here.mention(phrase), Basis.INHERENT, 0.9, traits=("pronoun",)) if measured else None


def _of_members(here: ResolutionContext, phrase: Phrase) -> Proof | None:
    """ "The group consisting of": its members follow."""
    group = phrase.words == ("group",) and phrase.determiner is Determiner.THE
    if group and here.after(phrase) in _CONSISTING:
        return Proof(here.mention(phrase), Basis.INHERENT, 0.9, traits=("pronoun",))
    return None


def _gives_a_formula(here: ResolutionContext, phrase: Phrase) -> bool:
    """Whether a formula follows or is named: "a compound having the formula", "of the formula I"."""
    at = phrase.first - len(phrase.opening)
    labelled = len(phrase.words) == 2 and len(phrase.words[1]) <= _LETTERS_OF_A_LABEL
    named = phrase.words[0] == "formula" and (labelled or len(phrase.words) == 1)
    return named and phrase.determiner is Determiner.THE and here.words[at - 1].lower in _HAVING


def _by_reference(here: ResolutionContext, phrase: Phrase) -> Proof | None:
    """ "The pump of claim 1", "the method as claimed in claim 2": what that claim is about."""
    reach = 12 if phrase.start == here.begin else 6
    for word in here.words[phrase.last : phrase.last + reach]:
        if word.lower in {"claim", "claims"}:
            return Proof(here.mention(phrase), Basis.INHERITED, 0.9, traits=("opening",))
        if word.lower in {",", ";", ":", "wherein", "comprising"}:
            break
    return None


def _shared_head(here: ResolutionContext, phrase: Phrase, following: Phrase | None) -> Proof | None:
    """ "the first and second seals", "the physical and chemical properties", "the inner and the outer ring":
    the noun stands further on."""
    if following is None or following.first - phrase.last > 2:
        return None
    if len(phrase.words) > 2 or here.after(phrase) not in _JOINING:
        return None
    last = phrase.words[-1]
    if len(following.words) == 1 and last not in TWOFOLD:
        return None
    if following.definite:
        return _with_head_of(here, phrase, following)
    if following.determiner is not Determiner.NONE:
        return None
    return _with_head_of(here, phrase, following) or _with_head_like(here, phrase, following)


def _with_head_like(here: ResolutionContext, phrase: Phrase, following: Phrase) -> Proof | None:
    """Known, or explaining itself, with the noun of the following phrase."""
    last = phrase.words[-1]
    words = (*phrase.words, following.words[-1])
    near = here.near(lemma(words[-1]), phrase.start)
    if near and last in ORDINALS:
        whole = phrase._replace(words=words, ends=(*phrase.ends, following.end))
        proof = QualifiedPhrase(here, whole, len(words), near).proof()
        return proof._replace(traits=(*proof.traits, "joined"))
    if near and (last in TWOFOLD or here.known.knows_word(lemma(last), here.number, phrase.start)):
        return here.supported(phrase, len(phrase.words), near[0], Basis.HEAD_MATCH, 0.7, ("shared_head",))
    if len(phrase.words) == 1 and last.endswith(ADJECTIVAL):
        if not near and words[-1] not in INHERENT and words[-1] not in PROPERTIES:
            whole = phrase._replace(words=words, ends=(*phrase.ends, following.end), last=following.last)
            return without_name(here, whole, len(words))
        return Proof(here.mention(phrase), Basis.INHERENT, 0.5, traits=("shared_head",))
    return None


def _with_head_of(here: ResolutionContext, phrase: Phrase, following: Phrase) -> Proof | None:
    """Introduced under the name that a phrase has with the noun of the following one."""
    for size in (len(following.words), *following.cuts):
        entry = here.known.entry((*phrase.words, following.words[size - 1]))
        if entry is not None and here.cover(entry, phrase.start):
            return here.supported(phrase, len(phrase.words), entry, Basis.EXPLICIT, 0.9, ("shared_head",))
    return None


def _likely(here: ResolutionContext, phrase: Phrase, sizes: Sequence[int]) -> Sequence[int]:
    """The sizes, the likeliest first: cut before a word that is more likely a verb than a noun."""
    after = here.after(phrase)
    for size in reversed(sizes[1:]):
        kind = word_class_of(phrase.words[size])
        last = size == len(phrase.words) - 1
        governs = last and after.isalpha() and after not in PREDICATE and after != "of"
        if kind is WordClass.MAYBE_FINITE or kind is WordClass.VERB or (kind in PARTICIPIAL and governs):
            return (size, *(each for each in sizes if each != size))
    return sizes


def _by_head(here: ResolutionContext, phrase: Phrase, sizes: Sequence[int]) -> Proof | None:
    """Introduced under another name with the same head."""
    for size in sizes:
        if size > sizes[0] and word_class_of(phrase.words[size - 1]) is WordClass.ING:
            continue
        name = name_of(phrase.words[:size])
        near = here.near(name.head, phrase.start)
        if near:
            more = [entry for entry in near if name.qualifiers <= entry.name.qualifiers]
            uncertain = here.repeated(phrase, size, exact=True) or _some_paths(
                here, phrase, size, more or near
            )
            if uncertain is not None or more:
                return uncertain or _less_said(here, phrase, size, more)
            return QualifiedPhrase(here, phrase, size, near).proof()
    return None


def _some_paths(here: ResolutionContext, phrase: Phrase, size: int, entries: list[Entry]) -> Proof | None:
    """Introduced along some paths, and missing along others."""
    bits = 0
    for entry in entries:
        own = entry.places.get(here.number)
        if own is not None and own.start < phrase.start:
            return None
        bits |= entry.bits
    bits &= ~here.own
    if here.known.ancestry.cover(here.number, bits) is _ALL:
        return None
    proof = here.supported(phrase, size, entries[0], Basis.SOME_PATHS, 0.8, here.about(phrase, size))
    missing = here.known.ancestry.paths_without(here.number, bits)
    return proof._replace(missing=missing)


def _less_said(here: ResolutionContext, phrase: Phrase, size: int, entries: list[Entry]) -> Proof:
    """ "the shaft" after "a drive shaft"; ambiguous after "a first shaft" and "a second shaft"."""
    distinct = [entry for entry in entries if entry.new_bits & here.behind] or entries
    least = min(distinct, key=lambda entry: len(entry.name.qualifiers))
    one = (
        here.plural(phrase, size)
        or (size == len(phrase.words) and here.after(phrase) == "of")
        or not PICKING.isdisjoint(phrase.words[: size - 1])
        or not all(entry.name.qualifiers & ORDINALS for entry in distinct)
        or all(least.name.qualifiers <= entry.name.qualifiers for entry in distinct)
    )
    if one:
        return in_number(here, phrase, size, least, Basis.HEAD_MATCH, distinct)
    candidates = here.sources(distinct, phrase.start)
    traits = ("counted", *here.which(phrase, size))
    return Proof(here.mention(phrase, size), Basis.AMBIGUOUS, 0.5, candidates=candidates, traits=traits)


def _shorter(here: ResolutionContext, phrase: Phrase) -> Proof | None:
    """What is left when the last words are a verb that no list has: "the unit subtracts"."""
    for size in range(len(phrase.words) - 1, 0, -1):
        if not _ends_in_a_verb(here, phrase, size):
            continue
        entry = here.known.entry(phrase.words[:size])
        if entry is not None and (entry.bits or entry.unsupported):
            cover = here.cover(entry, phrase.start)
            if cover is _ALL:
                return in_number(here, phrase, size, entry)
            return (
                _some_paths(here, phrase, size, [entry]) if cover else here.repeated(phrase, size, exact=True)
            )
        unheard = not here.known.knows_word(lemma(phrase.words[size]), here.number, phrase.start)
        proof = _by_head(here, phrase, (size,)) if unheard and size + 1 == len(phrase.words) else None
        if proof is not None:
            return proof
    return None


def _ends_in_a_verb(here: ResolutionContext, phrase: Phrase, size: int) -> bool:
    """Whether words[size] may be the verb of the words before it: "the unit subtracts", "the arm and the leg
    connect to"."""
    last, after = size + 1 == len(phrase.words), here.after(phrase)
    if is_plural(phrase.words[size]):
        return not last or after not in PREDICATE or ends_a_clause(here, phrase)
    return last and (ends_a_clause(here, phrase) or _is_joint_verb(here, phrase))


def _is_joint_verb(here: ResolutionContext, phrase: Phrase) -> bool:
    at = phrase.first - len(phrase.opening)
    joined = at > 0 and here.words[at - 1].lower == "and"
    return joined and word_class_of(phrase.words[-1]) in _VERBS and here.after(phrase) not in PREDICATE
