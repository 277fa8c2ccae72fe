"""The context in which a phrase is resolved: what its claim and that claim's ancestors introduce before it.

Also what the phrase itself says about whether it needs a basis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import Final

from ace.claims.language.lexicon import (
    ABSTRACT,
    ACT_NOUNS,
    ADVERBIAL,
    ANATOMY,
    COMPLEMENT,
    CONCRETE,
    EPONYMOUS,
    GENE_KINDS,
    GOVERNING,
    INHERENT,
    JOINING,
    LIMITING,
    LISTING,
    LIVING,
    NOUN_ENDINGS,
    ORDINALS,
    PREDICATE,
    PRESET,
    PROPERTIES,
    PUBLIC_KINDS,
    RELATIVE,
    SUBORDINATING,
    THINGS,
    TWOFOLD,
)
from ace.claims.language.noun_phrases import PARTICIPIAL, Determiner, Phrase, WordClass, word_class_of
from ace.claims.language.words import Word, is_plural, lemma
from ace.claims.references.ancestry import Cover
from ace.claims.references.claim_text_index import Occurrence, name_of
from ace.claims.references.graph import Basis, Mention, Proof, mention_of
from ace.claims.references.introductions import MAX_NAMES, Entry, Introductions

_MAX_CANDIDATES: Final = 8
_NO_NOUN: Final = frozenset({WordClass.CLOSED, WordClass.MARK})
_ARTICLES: Final = frozenset({"the", "said", "a", "an"})


class ResolutionContext:
    """One claim, its words, and what is known about the whole set."""

    def __init__(
        self, known: Introductions, number: int, text: str, words_of: Callable[[int], Sequence[Word]]
    ) -> None:
        self.known = known
        self.number = number
        self.text = text
        self.words_of = words_of
        self.words = words_of(number)
        self.own = known.ancestry.bit[number]
        self.behind = known.ancestry.possible[number]
        self.begin = self.words[0].start if self.words else 0
        self.referred = next((word.start for word in self.words if word.lower in {"claim", "claims"}), -1)

    def mention(self, phrase: Phrase, size: int = 0) -> Mention:
        """The mention that a phrase of this claim makes."""
        return mention_of(self.number, phrase, size)

    def after(self, phrase: Phrase) -> str:
        """The word or mark that follows a phrase; a period at the end."""
        return self.words[phrase.last].lower if phrase.last < len(self.words) else "."

    def plural(self, phrase: Phrase, size: int) -> bool:
        """Whether the first `size` words of a phrase mean more than one."""
        return phrase.several if size == len(phrase.words) else is_plural(phrase.words[size - 1])

    def cover(self, entry: Entry | None, before: int) -> Cover:
        """On how many paths a name is introduced before an offset of this claim."""
        if entry is None or not entry.bits:
            return Cover.NONE
        return self.known.cover(entry, self.number, before)

    def knows(self, words: tuple[str, ...], before: int) -> bool:
        """Whether these words name something introduced before, on at least one path."""
        return self.cover(self.known.entry(words), before) is not Cover.NONE

    def near(self, head: str, before: int) -> list[Entry]:
        """The names with this head that are introduced before, on at least one path."""
        return [entry for entry, _ in self.known.visible(head, self.number, before)]

    def place(self, entry: Entry, before: int) -> tuple[int, Occurrence]:
        """The nearest claim that introduces a name, and where it does."""
        return self.known.place(entry, self.number, before)

    def sources(self, entries: Iterable[Entry], before: int) -> tuple[Mention, ...]:
        """The mentions that introduce the first few of these names."""
        found = (self.place(entry, before) for entry in list(entries)[:_MAX_CANDIDATES])
        return tuple(mention_of(claim, place.phrase) for claim, place in found)

    def supported(
        self,
        phrase: Phrase,
        size: int,
        entry: Entry,
        basis: Basis,
        confidence: float,
        traits: tuple[str, ...] = (),
    ) -> Proof:
        """The proof that a phrase rests on this name; explicit becomes inherited in another claim."""
        claim, place = self.place(entry, phrase.start)
        if basis is Basis.EXPLICIT and claim != self.number:
            basis = Basis.INHERITED
        path = (claim,) if claim == self.number else self.known.ancestry.path_to(self.number, claim)
        source = mention_of(claim, place.phrase)
        return Proof(self.mention(phrase, size), basis, confidence, source, path, traits=traits)

    def elsewhere(self, words: tuple[str, ...]) -> bool:
        """Whether a claim that this one does not depend on introduces these words."""
        entry = self.known.entry(words)
        return entry is not None and bool(entry.new_bits & ~self.behind)

    def orphaned(self, entry: Entry, *, several: bool) -> bool:
        """Whether a name is introduced, in this number, and never taken up: another name may stand for it."""
        bits = entry.plural_bits if several else entry.singular_bits
        return bool(bits & self.behind) and self.known.is_orphan(entry, self.number)

    def repeated(self, phrase: Phrase, size: int, *, exact: bool) -> Proof | None:
        """The proof that an earlier phrase of this name, or this head, had no basis either."""
        name = name_of(phrase.words[:size])
        names = self.known.heads.get(name.head)
        if names is None:
            return None
        for entry in (
            ([names[name.key]] if name.key in names else []) if exact else islice(names.values(), MAX_NAMES)
        ):
            claim = self._unsupported_in(entry, phrase.start)
            if claim:
                repeats = mention_of(claim, entry.unsupported[claim].phrase)
                return Proof(self.mention(phrase, size), Basis.NONE, 0.5, repeats=repeats)
        return None

    def _unsupported_in(self, entry: Entry, before: int) -> int:
        """The claim that uses the name without basis before; 0 if there is none."""
        place = entry.unsupported.get(self.number)
        if place is not None and place.start < before:
            return self.number
        bits = entry.unsupported_bits & self.behind & ~self.own
        return self.known.ancestry.nearest(self.number, bits) if bits else 0

    def about(self, phrase: Phrase, size: int) -> tuple[str, ...]:
        """What a phrase and the word after it say about whether it needs a basis: stable words."""
        said = phrase.determiner is Determiner.SAID
        traits = (
            "said" if said else "such" if "such" in phrase.opening else "",
            "single" if size == 1 else "",
            self._continued(phrase, said) if size == len(phrase.words) else "",
            self._placed(phrase),
            "dependent" if self.behind != self.own else "",
            "proper" if self._is_proper(phrase, size) else "",
            self._sort(phrase, size, said),
        )
        return tuple(trait for trait in traits if trait)

    def which(self, phrase: Phrase, size: int) -> tuple[str, ...]:
        """What a phrase for one of several things says about whether it is clear which: stable words."""
        said = phrase.determiner is Determiner.SAID
        whole = size == len(phrase.words)
        traits = (self._continued(phrase, said) if whole else "", self._sort(phrase, size, said))
        return tuple(trait for trait in traits if trait and trait != "thing")

    def _continued(self, phrase: Phrase, said: bool) -> str:
        """How the sentence goes on: "the axis of", "the fact that", "the time when"."""
        after = self.after(phrase)
        if after in {"of", "thereof"} or (after in _JOINED_BY and self._shares_complement(phrase)):
            return "said_of" if said else "of"
        if self._shares_noun(phrase):
            return "elliptical"
        if said:
            return ""
        return next((trait for trait, words in _AFTER.items() if after in words), "")

    def _shares_noun(self, phrase: Phrase) -> bool:
        """Whether a phrase is but the first of several adjectives: "the washed, dried or ground husk"."""
        words = self.words[phrase.last : phrase.last + 2]
        return (
            len(words) > 1
            and words[0].lower in _LISTING_ADJECTIVES
            and all(word_class_of(each) in PARTICIPIAL for each in (*phrase.words, words[1].lower))
        )

    def _shares_complement(self, phrase: Phrase) -> bool:
        """Whether what two joined nouns are of stands after the second: "the growth and/or spread of a germ",
        "the heavy chain or light chain of the antibody"."""
        words = [word.lower for word in self.words[phrase.last : phrase.last + _WORDS_JOINED]]
        if "of" not in words:
            return False
        joined = [word for word in words[: words.index("of")] if word not in _JOINED_BY]
        if not joined or any(word_class_of(word) in _NOT_JOINED for word in joined):
            return False
        head = phrase.words[-1]
        return (head in _OF_MOLECULES and head in joined) or (
            _names_no_thing(head) and _names_no_thing(joined[-1])
        )

    def is_public(self, phrase: Phrase, size: int) -> bool:
        """Whether everybody knows what the words mean: "the human HER2 gene", "the gene HER2", "the Fourier
        transform", "the amino acid sequence GIVEQC", "the periodic table"."""
        words = phrase.words[:size]
        if words == _PERIODIC_TABLE:
            return True
        *before, last = (
            self.text[end - len(word) : end] for word, end in zip(words, phrase.ends, strict=False)
        )
        if not before or self.text.isupper():
            return False
        if words[-2] == "sequence":
            residues = not _CHAINED.isdisjoint(words) and len(last) >= _LEAST_RESIDUES
            return residues and last.isupper()
        if _is_of_nature(last, lemma(words[-2])):
            return True
        kind, names = lemma(words[-1]), [word for word in before if word not in _SPECIES]
        return bool(names) and (
            all(_is_of_nature(name, kind) for name in names)
            or (kind in EPONYMOUS and last.islower() and names[0].istitle() and len(names) == 1)
        )

    def _placed(self, phrase: Phrase) -> str:
        """What the phrase comes after: a list of elements ("comprising: the pin"), a word that opens a clause
        ("wherein the pin"), a preposition ("on the pin"), or a verb ("moving the pin")."""
        at = phrase.first - len(phrase.opening)
        before = self.words[at - 1].lower if at else "."
        if before in LISTING or (before == "and" and at > 1 and self.words[at - 2].lower == ";"):
            return "listed"
        found = next((trait for trait, words in _BEFORE.items() if before in words), "")
        return found or ("object" if word_class_of(before) in _ACTING else "")

    def _sort(self, phrase: Phrase, size: int, said: bool) -> str:
        """What sort of thing a phrase names: what a known thing has anyway, a general notion, a thing."""
        head = phrase.words[size - 1]
        noun = lemma(head)
        if size > 1 and noun in PROPERTIES and self._of_element(phrase, size):
            return "inherent_known"
        if head in INHERENT or noun in INHERENT:
            if said:
                return ""
            return "inherent" if size == 1 else self._of_known(phrase, size)
        if len(head) < 3 or (size == 1 and _is_abstract(noun)) or self._of_the_body(noun, phrase.start):
            return "general"
        return "thing" if noun in THINGS or self._is_abbreviation(phrase, size) else ""

    def _is_abbreviation(self, phrase: Phrase, size: int) -> bool:
        end = phrase.ends[size - 1]
        return self.text[end - len(phrase.words[size - 1]) : end].isupper()

    def _is_proper(self, phrase: Phrase, size: int) -> bool:
        """Whether a capital or a figure makes it a name: "the Kalman filter", "the gene UCP1"."""
        words = zip(phrase.words[:size], phrase.ends, strict=False)
        written = [self.text[end - len(word) : end] for word, end in words]
        cased = any(each != each.lower() for each in written) and not self.text.isupper()
        return cased or any(map(_is_symbol, written))

    def _of_element(self, phrase: Phrase, size: int) -> bool:
        """Whether a word before the head names an element that is introduced: "the motor torque"."""
        return any(
            word not in TWOFOLD
            and any(True for _ in self.known.visible(lemma(word), self.number, phrase.start))
            for word in phrase.words[: size - 1]
        )

    def _of_the_body(self, noun: str, before: int) -> bool:
        """Whether a noun names a part of a living body: a skin always, an arm if there is a user."""
        if noun not in ANATOMY:
            return False
        return noun not in THINGS or any(self.known.knows_word(word, self.number, before) for word in LIVING)

    def _of_known(self, phrase: Phrase, size: int) -> str:
        """Whether a part or property belongs to something known ("the shaft length"), or is one that every
        such thing has ("the outer surface"); a preset one is not known by itself."""
        words = [word for word in phrase.words[: size - 1] if word not in ORDINALS]
        if not PRESET.isdisjoint(words):
            return "preset"
        if any(word in LIMITING or word in TWOFOLD for word in words):
            return "inherent_part"
        known = any(self.known.knows_word(lemma(word), self.number, phrase.start) for word in words)
        return "inherent_known" if known else "general"


_LISTING_ADJECTIVES: Final = frozenset({",", "and", "or", "and/or", "/"})
_JOINED_BY: Final = frozenset({"and", "or", "/", "and/or"})
_WORDS_JOINED: Final = 8
_NOT_JOINED: Final = _NO_NOUN | {WordClass.VERB, WordClass.FINITE, WordClass.MAYBE_FINITE}
_OF_MOLECULES: Final = frozenset({"chain", "chains", "domain", "domains", "region", "regions", "terminus"})
_CHAINED: Final = frozenset({"acid", "nucleotide", "peptide", "polypeptide", "protein"})
_LEAST_RESIDUES: Final = 4
_PERIODIC_TABLE: Final = ("periodic", "table")
_SPECIES: Final = frozenset({"human", "mouse", "murine", "signaling", "signalling"})
_COMPOUND: Final = re.compile(r"(?:anti|non|pre|pro)-|.*-[a-z]{4,}$")
_ACTING: Final = frozenset(
    {WordClass.ING, WordClass.VERB, WordClass.NOUN_VERB, WordClass.FINITE, WordClass.MAYBE_FINITE}
)
_LOCATING: Final = frozenset({"for", "in", "into", "on", "over", "under", "upon", "within"})
_BEFORE: Final[dict[str, Collection[str]]] = {
    "stated": frozenset({"are", "be", "being", "is", "was", "were"}),
    "subject": SUBORDINATING - {"that"},
    "relative_subject": frozenset({"that", "which"}),
    "located": _LOCATING,
    "governed": GOVERNING,
    "joined_to": frozenset({",", "and", "and/or", "or"}),
}
"""What the word before a phrase makes of it, the first that fits."""

_AFTER: Final[dict[str, Collection[str]]] = {
    "relative": RELATIVE,
    "complement": COMPLEMENT,
    "adverbial": ADVERBIAL,
    "glossed": frozenset({"("}),
    "ended": frozenset({",", ".", ":", ";"}),
    "predicate": frozenset({each for each in PREDICATE if each.isalpha()} - JOINING - {"wherein"}),
}
"""How the sentence goes on after a phrase."""


def _is_symbol(written: str) -> bool:
    """Whether letters and figures make a name: "UCP1", "HB-11859", "gal1"."""
    return written[:1].isalpha() and any(map(str.isdigit, written))


def _is_of_nature(written: str, kind: str) -> bool:
    """Whether this is the name of a gene ("c-MAF", "HER2"), or of a protein, virus and so on (with a figure:
    "CD3", "SG33")."""
    if kind not in PUBLIC_KINDS or _COMPOUND.match(written):
        return False
    return _is_symbol(written) or (kind in GENE_KINDS and written[1:] != written[1:].lower())


def _names_no_thing(word: str) -> bool:
    noun = lemma(word)
    return noun in INHERENT or noun in ACT_NOUNS or _is_abstract(noun)


def _is_abstract(noun: str) -> bool:
    return noun.endswith(ABSTRACT) and noun not in CONCRETE


def ends_a_clause(here: ResolutionContext, phrase: Phrase) -> bool:
    """Whether the last word of a subject is its verb ("when the motor stalls"), or the verb of the noun that
    the phrase belongs to ("until the symptoms of the patient resolve")."""
    last = phrase.words[-1]
    noun = lemma(last)
    if noun in THINGS or noun in INHERENT or noun.endswith(NOUN_ENDINGS) or here.after(phrase).isalnum():
        return False
    words = here.words
    at = phrase.first - 1
    while at > 0 and words[at].start > phrase.start:
        at -= 1
    several = is_plural(phrase.words[-2])
    if at > 2 and words[at - 1].lower == "of":
        at -= 2
        several = is_plural(words[at].lower)
        least = max(0, at - 4)
        while at > least and word_class_of(words[at].lower) not in _NO_NOUN:
            at -= 1
        at += word_class_of(words[at].lower) in _NO_NOUN and words[at].lower not in _ARTICLES
    return at > 0 and words[at - 1].lower in SUBORDINATING and is_plural(last) is not several
