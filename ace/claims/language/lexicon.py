"""The word lists of the noun-phrase reader and of antecedent basis, by name.

The words themselves, and what membership in each list means, stand in tables/*.toml.
"""

from __future__ import annotations

from typing import Final

from ace.claims.language.tables import table, word_groups, word_list

DEFINITE: Final = word_list("noun_phrases", "definite")
DEMONSTRATIVE: Final = word_list("noun_phrases", "demonstrative")
INDEFINITE: Final = word_list("noun_phrases", "indefinite")
CLOSED: Final = word_list("noun_phrases", "closed") | DEFINITE | DEMONSTRATIVE | INDEFINITE
INNER: Final = word_list("noun_phrases", "inner")
SUCH_MEASURES: Final = word_list("noun_phrases", "such_measures")
NUMERALS: Final = word_list("noun_phrases", "numerals")
EXACT: Final[dict[str, int]] = table("noun_phrases")["exact"]
"""Words that say how many there are."""
RANK: Final[dict[str, int]] = table("noun_phrases")["rank"]

COLLECTIVE_PLURAL: Final = word_list("noun_phrases", "collective_plural")
COLLECTIVE: Final = COLLECTIVE_PLURAL | word_list("noun_phrases", "collective")
QUANTIFIERS: Final = word_list("noun_phrases", "quantifiers")
ARTICLES: Final = word_list("noun_phrases", "articles")
OBJECT_OPENERS: Final = ARTICLES | word_list("noun_phrases", "object_openers")
UNITS: Final = word_list("noun_phrases", "measures")
ORDINALS: Final = word_list("noun_phrases", "ordinals")
ADVERBS: Final = word_list("noun_phrases", "adverbs")
AFTER_NOUN: Final = word_list("noun_phrases", "after_noun")
CONSTANTS: Final = word_list("noun_phrases", "constants")
PROVIDING: Final = word_list("noun_phrases", "providing")
IRREGULAR: Final = word_list("noun_phrases", "participles")
NOT_LY: Final = word_list("noun_phrases", "no_adverbs")
NOUNS_ED: Final = word_list("noun_phrases", "no_participles")
NOUNS_ING: Final = word_list("noun_phrases", "nouns_ing")

TWOFOLD: Final = word_list("qualifiers", "twofold")
PRESET: Final = word_list("qualifiers", "preset")
EMPTY: Final = word_list("qualifiers", "empty")
LIMITING: Final = word_list("qualifiers", "limiting")
PRESUPPOSING: Final = word_list("qualifiers", "presupposing")
COMPARING: Final = word_list("qualifiers", "comparing")
ADJECTIVAL: Final = tuple(word_list("qualifiers", "adjective_endings"))

COMPLEMENT: Final = word_list("contexts", "complement")
RELATIVE: Final = word_list("contexts", "relative")
ADVERBIAL: Final = word_list("contexts", "adverbial")
LISTING: Final = word_list("contexts", "listing")
GOVERNING: Final = word_list("contexts", "governing")
PREDICATE: Final = word_list("contexts", "predicate")
DISTRIBUTIVE: Final = word_list("contexts", "distributive")
SHARING: Final = word_list("contexts", "sharing")
PICKING: Final = word_list("contexts", "picking")
NEGATING: Final = word_list("contexts", "negating")
HOLDING: Final = word_list("contexts", "holding")
SUBORDINATING: Final = word_list("contexts", "subordinating")
JOINING: Final = word_list("contexts", "joining")
SINGULAR_VERBS: Final = word_list("contexts", "singular_verbs")
PHRASAL: Final = word_list("contexts", "phrasal")
SPANNING: Final = word_list("contexts", "spanning")

INHERENT: Final = word_list("nouns", "inherent")
PROPERTIES: Final = word_list("nouns", "properties")
GENE_KINDS: Final = word_list("nouns", "gene_kinds")
PUBLIC_KINDS: Final = GENE_KINDS | word_list("nouns", "protein_kinds")
EPONYMOUS: Final = word_list("nouns", "eponymous")
ANATOMY: Final = word_list("nouns", "anatomy")
LIVING: Final = word_list("nouns", "living")
ACTS: Final = word_list("nouns", "acts")
CONCRETE: Final = word_list("nouns", "concrete")
UNCOUNTABLE: Final = word_list("nouns", "uncountable")
NOUN_ENDINGS: Final = tuple(word_list("nouns", "noun_endings"))
ABSTRACT: Final = tuple(word_list("nouns", "abstract_endings"))
ACT_NOUNS: Final = word_groups("nouns", "act_nouns")

THINGS: Final = word_list("things", "things")
CONFUSABLE: Final = word_list("things", "confusable")

VERBS: Final = word_list("verbs", "verbs")
NOUN_VERBS: Final = word_list("verbs", "noun_verbs")


def third_person(verb: str) -> str:
    """The third person of a verb in its base form: "carries" of "carry"."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


FINITE: Final = frozenset(map(third_person, VERBS)) | word_list("verbs", "third_persons")
"""Third persons that are hardly ever plural nouns."""

MAYBE_FINITE: Final = frozenset(map(third_person, NOUN_VERBS)) - FINITE
"""Third persons that are as often plural nouns."""
