"""The word lists of the checks on form, by name: words that show where a sentence, a limb or a noun ends.

The words themselves, and what membership in each list means, stand in language/tables/form.toml.
"""

from __future__ import annotations

from ace.claims.language.tables import word_list
from ace.claims.language.words import root

ABBREVIATIONS = word_list("form", "abbreviations")
UNFINISHED = word_list("form", "unfinished")
KEEPING = word_list("form", "keeping")
PARTICLES = word_list("form", "particles")
NO_NOUN = word_list("form", "no_noun")
OPENERS = frozenset(word.capitalize() for word in word_list("form", "openers"))
MAY_REPEAT = word_list("form", "may_repeat")
LIST_BEGINS = word_list("form", "list_begins")
REFERS = word_list("form", "refers")
NO_ELEMENT = word_list("form", "no_element")
STEPS = word_list("form", "steps")
NO_STEP = word_list("form", "no_step")
SWITCHED = word_list("form", "switched")
AGENTS = word_list("form", "agents")
DESCRIBES = word_list("form", "describes")
COUNTED_TOGETHER = word_list("form", "counted_together")
CLAIM_WORDS = word_list("form", "claim_words")
RIGHTLY_SPELT = word_list("form", "rightly_spelt")
CHEMICAL_ENDINGS = tuple(word_list("form", "chemical_endings"))
GOVERNS_BASE = word_list("form", "governs_base")
NO_VERB = word_list("form", "no_verb")
DRAFTING = word_list("form", "drafting")
# What gives somebody something: "assigns the user a key", "makes the lid a seal".
TWO_OBJECTS = frozenset(map(root, word_list("form", "two_objects")))
