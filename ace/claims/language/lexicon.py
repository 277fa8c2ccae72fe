"""The word lists of the noun-phrase reader and of antecedent basis, by name.

The words themselves, and what membership in each list means, stand in tables/*.toml.
"""

from __future__ import annotations

from ace.claims.language.tables import table, word_groups, word_list

DEFINITE = word_list("noun_phrases", "definite")
DEMONSTRATIVE = word_list("noun_phrases", "demonstrative")
INDEFINITE = word_list("noun_phrases", "indefinite")
CLOSED = word_list("noun_phrases", "closed") | DEFINITE | DEMONSTRATIVE | INDEFINITE
INNER = word_list("noun_phrases", "inner")
SUCH_MEASURES = word_list("noun_phrases", "such_measures")
NUMERALS = word_list("noun_phrases", "numerals")
EXACT: dict[str, int] = table("noun_phrases")["exact"]
"""Words that say how many there are."""
RANK: dict[str, int] = table("noun_phrases")["rank"]

COLLECTIVE_PLURAL = word_list("noun_phrases", "collective_plural")
COLLECTIVE = COLLECTIVE_PLURAL | word_list("noun_phrases", "collective")
QUANTIFIERS = word_list("noun_phrases", "quantifiers")
ARTICLES = word_list("noun_phrases", "articles")
OBJECT_OPENERS = ARTICLES | word_list("noun_phrases", "object_openers")
UNITS = word_list("noun_phrases", "measures")
ORDINALS = word_list("noun_phrases", "ordinals")
ADVERBS = word_list("noun_phrases", "adverbs")
AFTER_NOUN = word_list("noun_phrases", "after_noun")
CONSTANTS = word_list("noun_phrases", "constants")
PROVIDING = word_list("noun_phrases", "providing")
IRREGULAR = word_list("noun_phrases", "participles")
NOT_LY = word_list("noun_phrases", "no_adverbs")
NOUNS_ED = word_list("noun_phrases", "no_participles")
NOUNS_ING = word_list("noun_phrases", "nouns_ing")

TWOFOLD = word_list("qualifiers", "twofold")
PRESET = word_list("qualifiers", "preset")
EMPTY = word_list("qualifiers", "empty")
LIMITING = word_list("qualifiers", "limiting")
PRESUPPOSING = word_list("qualifiers", "presupposing")
COMPARING = word_list("qualifiers", "comparing")
ADJECTIVAL = tuple(word_list("qualifiers", "adjective_endings"))

COMPLEMENT = word_list("contexts", "complement")
RELATIVE = word_list("contexts", "relative")
ADVERBIAL = word_list("contexts", "adverbial")
LISTING = word_list("contexts", "listing")
GOVERNING = word_list("contexts", "governing")
PREDICATE = word_list("contexts", "predicate")
DISTRIBUTIVE = word_list("contexts", "distributive")
SHARING = word_list("contexts", "sharing")
PICKING = word_list("contexts", "picking")
NEGATING = word_list("contexts", "negating")
HOLDING = word_list("contexts", "holding")
SUBORDINATING = word_list("contexts", "subordinating")
JOINING = word_list("contexts", "joining")
SINGULAR_VERBS = word_list("contexts", "singular_verbs")
PHRASAL = word_list("contexts", "phrasal")
SPANNING = word_list("contexts", "spanning")

INHERENT = word_list("nouns", "inherent")
PROPERTIES = word_list("nouns", "properties")
NAMED_KINDS = word_list("nouns", "proper_names")
GENE_KINDS = word_list("nouns", "gene_kinds")
PUBLIC_KINDS = GENE_KINDS | word_list("nouns", "protein_kinds")
EPONYMOUS = word_list("nouns", "eponymous")
ANATOMY = word_list("nouns", "anatomy")
LIVING = word_list("nouns", "living")
ACTS = word_list("nouns", "acts")
CONCRETE = word_list("nouns", "concrete")
UNCOUNTABLE = word_list("nouns", "uncountable")
NOUN_ENDINGS = tuple(word_list("nouns", "noun_endings"))
ABSTRACT = tuple(word_list("nouns", "abstract_endings"))
ACT_NOUNS = word_groups("nouns", "act_nouns")
PRODUCT_NOUNS = word_groups("nouns", "product_nouns")

THINGS = word_list("things", "things")
CONFUSABLE = word_list("things", "confusable")

VERBS = word_list("verbs", "verbs")
NOUN_VERBS = word_list("verbs", "noun_verbs")


def third_person(verb: str) -> str:
    """The third person of a verb in its base form: "carries" of "carry"."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


FINITE = frozenset(map(third_person, VERBS)) | word_list("verbs", "third_persons")
"""Third persons that are hardly ever plural nouns."""

MAYBE_FINITE = frozenset(map(third_person, NOUN_VERBS)) - FINITE
"""Third persons that are as often plural nouns."""
