"""What a definite phrase may rest on when nothing of its name is introduced.

It may be part of what is known (MPEP 2173.05(e)), made of a verb, an abbreviation, misspelt, told only
in another claim or further on; or it has no basis.
"""

from __future__ import annotations

from ace.claims.language.lexicon import (
    ACT_NOUNS,
    ACTS,
    CONCRETE,
    LIMITING,
    NOUN_ENDINGS,
    PREDICATE,
    PRESET,
    PRODUCT_NOUNS,
    THINGS,
)
from ace.claims.language.noun_phrases import Kind, Phrase, kind_of
from ace.claims.language.words import is_superlative, lemma
from ace.claims.references.graph import Basis, Mention, Proof
from ace.claims.references.resolution_context import Standpoint, mention_of

_SELF_EXPLAINING = frozenset({"inherent", "inherent_part", "inherent_known", "limiting"})
_AGENTS = ("er", "or")
_ACT_ENDINGS = ("tion", "sion", "ment", "ance", "ence")
_LONGEST_ABBREVIATION = 6


def without_name(here: Standpoint, phrase: Phrase, size: int) -> Proof:
    """The proof of a phrase, cut to `size` words, whose head nothing introduces."""
    repeated = here.repeated(phrase, size, exact=False)
    if repeated is not None:
        return repeated
    words, start, known, number = phrase.words[:size], phrase.start, here.known, here.number
    mention = here.mention(phrase, size)
    if all(word in LIMITING or kind_of(word) is Kind.ORDINAL for word in words):
        return Proof(mention, Basis.INHERENT, 0.9, traits=("pronoun",))
    short = _abbreviation(here, phrase, size)
    if short is not None:
        return short
    traits = [*here.about(phrase, size), *_more_about(here, phrase, size)]
    head = mention.head
    if _tells(here, PRODUCT_NOUNS.get(head, ()), start):
        traits.append("product")
    elif _tells(here, ACT_NOUNS.get(head, ()) or _verb_of(head), start):
        return Proof(mention, Basis.DERIVED, 0.8, traits=("act",))
    if known.knows_word(head, number, start):
        free = known.knows_free(head, number, start)
        if free and kind_of(head) is Kind.ING:
            return Proof(mention, Basis.DERIVED, 0.8, traits=("act",))
        traits.append("word_known" if free else "modifier_known")
    elif not head.endswith(_AGENTS) and known.knows_root(head, number, start):
        if head.endswith("ing") or (head in ACTS and size > 1) or _is_act(here, words, start):
            return Proof(mention, Basis.DERIVED, 0.8, traits=("act",))
        traits.append("root_known")
    elif _SELF_EXPLAINING.isdisjoint(traits):
        meant = known.like(head, number, start)
        if meant is not None:
            candidates = here.sources(here.near(meant, start), start)
            return Proof(mention, Basis.TYPO, 0.8, candidates=candidates, meant=meant)
    if head in ACTS and size > 1 and known.knows_root(words[-2], number, start):
        return Proof(mention, Basis.DERIVED, 0.8, traits=("act",))
    return _wanting(here, mention, traits)


def _tells(here: Standpoint, verbs: tuple[str, ...], before: int) -> bool:
    """Whether one of these verbs stands before, in any of its forms."""
    return any(here.known.knows_root(verb, here.number, before) for verb in verbs)


def _verb_of(noun: str) -> tuple[str, ...]:
    """The verb that a noun in -ure or -ison may be made of: "exposure", "comparison"."""
    if noun in CONCRETE or noun in THINGS:
        return ()
    if noun.endswith("ure") and len(noun) > 6:
        return (noun[:-3] + "e",)
    return (noun[:-4] + "e",) if noun.endswith("ison") and len(noun) > 7 else ()


def _is_act(here: Standpoint, words: tuple[str, ...], before: int) -> bool:
    """Whether a noun made of a verb tells the act and no thing: "the rotation", "the shaft rotation"."""
    noun = lemma(words[-1])
    return (
        noun.endswith(_ACT_ENDINGS)
        and noun not in CONCRETE
        and noun not in THINGS
        and all(here.known.knows_word(lemma(word), here.number, before) for word in words[:-1])
    )


def _abbreviation(here: Standpoint, phrase: Phrase, size: int) -> Proof | None:
    """ "the BPF" after "a band pass filter"."""
    last = phrase.words[size - 1]
    end = phrase.ends[size - 1]
    if not 2 <= len(last) <= _LONGEST_ABBREVIATION or not here.text[end - len(last) : end].isupper():
        return None
    meant = here.known.abbreviated(last, here.number, phrase.start)
    return (
        None
        if meant is None
        else here.supported(phrase, size, meant, Basis.ABBREVIATION, 0.7, ("abbreviation",))
    )


def _more_about(here: Standpoint, phrase: Phrase, size: int) -> list[str]:
    traits = []
    qualifiers = phrase.words[: size - 1]
    if any((word in LIMITING and word not in PRESET) or is_superlative(word) for word in qualifiers):
        traits.append("limiting")
    after = here.after(phrase)
    if after not in PREDICATE and after not in {"of", "that", "which"}:
        cuts = (cut for cut in range(1, size) if not phrase.words[cut].endswith(NOUN_ENDINGS))
        if any(here.knows(phrase.words[:cut], phrase.start) for cut in cuts):
            traits.append("prefix_known")
    return traits


def _wanting(here: Standpoint, mention: Mention, traits: list[str]) -> Proof:
    """Weakly supported, told elsewhere, or without basis."""
    entry = here.known.entry(mention.words)
    basis = Basis.NONE
    candidates: tuple[Mention, ...] = ()
    if not _SELF_EXPLAINING.isdisjoint(traits) or ("of" in traits and "said" not in traits):
        basis = Basis.INHERENT
    elif "root_known" in traits:
        basis = Basis.DERIVED
    elif entry is not None and entry.bits:
        own = entry.places.get(here.number)
        basis = Basis.LATER if own is not None else Basis.SIBLING_ONLY
        claim, place = (here.number, own) if own is not None else next(iter(entry.places.items()))
        candidates = (mention_of(claim, place.phrase),)
    return Proof(mention, basis, 0.5, candidates=candidates, traits=tuple(traits))
