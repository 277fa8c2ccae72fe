"""The word lists of the checks on form, by name: words that show where a sentence, a limb or a noun ends.

The words themselves, and what membership in each list means, stand in language/tables/form.toml.
"""

from __future__ import annotations

from typing import Final

from ace.claims.language.tables import word_list
from ace.claims.language.words import root

ABBREVIATIONS: Final = word_list("form", "abbreviations")
UNFINISHED: Final = word_list("form", "unfinished")
KEEPING: Final = word_list("form", "keeping")
PARTICLES: Final = word_list("form", "particles")
NO_NOUN: Final = word_list("form", "no_noun")
OPENERS: Final = frozenset(word.capitalize() for word in word_list("form", "openers"))
MAY_REPEAT: Final = word_list("form", "may_repeat")
LIST_BEGINS: Final = word_list("form", "list_begins")
REFERS: Final = word_list("form", "refers")
NO_ELEMENT: Final = word_list("form", "no_element")
STEPS: Final = word_list("form", "steps")
NO_STEP: Final = word_list("form", "no_step")
SWITCHED: Final = word_list("form", "switched")
AGENTS: Final = word_list("form", "agents")
DESCRIBES: Final = word_list("form", "describes")
COUNTED_TOGETHER: Final = word_list("form", "counted_together")
CLAIM_WORDS: Final = word_list("form", "claim_words")
RIGHTLY_SPELT: Final = word_list("form", "rightly_spelt")
CHEMICAL_ENDINGS: Final = tuple(word_list("form", "chemical_endings"))
GOVERNS_BASE: Final = word_list("form", "governs_base")
NO_VERB: Final = word_list("form", "no_verb")
DRAFTING: Final = word_list("form", "drafting")
# What gives somebody something: "assigns the user a key", "makes the lid a seal".
TWO_OBJECTS: Final = frozenset(map(root, word_list("form", "two_objects")))
