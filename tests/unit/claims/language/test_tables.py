"""The word lists: well formed, in order, without contradictions, and each explained in its file."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from ace.claims.checks.ambiguity import terms
from ace.claims.language import tables
from ace.claims.language.tables import table, word_list

FILES = sorted(Path(tables.__file__).parent.glob("*.toml"))

EXCLUSIVE = [
    (("verbs", "verbs"), ("verbs", "noun_verbs")),
    (("noun_phrases", "definite"), ("noun_phrases", "indefinite")),
    (("noun_phrases", "definite"), ("noun_phrases", "demonstrative")),
    (("noun_phrases", "no_participles"), ("noun_phrases", "participles")),
    (("noun_phrases", "numerals"), ("noun_phrases", "ordinals")),
    (("form", "steps"), ("form", "no_step")),
    (("form", "no_noun"), ("form", "no_element")),
    (("nouns", "inherent"), ("things", "things")),
    (("claim_categories", "method"), ("claim_categories", "apparatus")),
    (("claim_categories", "method"), ("claim_categories", "composition")),
    (("claim_categories", "apparatus"), ("claim_categories", "composition")),
    (("claim_categories", "open"), ("claim_categories", "sure_things")),
    (("morphology", "unchanged"), ("morphology", "irregular_plurals")),
]
"""Lists of which a word may stand in only one."""

OWN_ORDER = {"wordings", "counts", "names", "reasons", "symbols"}
"""Tables whose entries are sorted by meaning: units and counts by size, reasons by nothing."""


def lists(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Every list of a file, by its place in it."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from lists(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from lists(value, (*path, str(index)))
    elif path[-1] in {"words", "first", "then"} and isinstance(node, str):
        yield path, [term.strip() for term in re.split(r"[|\n]", node.strip())]
    elif isinstance(node, str) and path[-1] not in {"subtype", "reason", "why", "use", "follows", "precedes"}:
        yield path, node.split()


def members(name: str, key: str) -> frozenset[str]:
    """The words of a list, or the entries of a table."""
    value = table(name)[key]
    return frozenset(value) if isinstance(value, dict) else word_list(name, key)


def test_every_list_is_lower_case_sorted_and_without_duplicates() -> None:
    wrong = []
    for file in FILES:
        for path, words in lists(table(file.stem)):
            if path[0] in OWN_ORDER:
                continue
            if words != sorted(set(words)) or any(word != word.lower() for word in words):
                wrong.append((file.stem, *path))
    assert not wrong


def test_the_entries_of_a_table_are_in_order() -> None:
    for file in FILES:
        for key, value in table(file.stem).items():
            if isinstance(value, dict) and key not in OWN_ORDER:
                assert list(value) == sorted(value), (file.stem, key)


def test_no_word_stands_in_two_lists_that_contradict_each_other() -> None:
    both = {(one, other): members(*one) & members(*other) for one, other in EXCLUSIVE}
    assert not {pair: words for pair, words in both.items() if words}


def test_no_term_of_ambiguity_and_no_unit_is_entered_twice() -> None:
    words = [word for group in table("ambiguity")["terms"] for word in terms._words(group)]
    units = [
        f"{section} {name}"
        for section in ("names", "symbols")
        for lines in table("units")[section].values()
        for names in lines
        for name in names.split()
    ]
    assert not [word for word, count in Counter(words + units).items() if count > 1]


def test_every_file_says_what_it_holds_where_it_comes_from_and_how_to_add_to_it() -> None:
    for file in FILES:
        header = file.read_text(encoding="utf-8").split("\n\n")[0]
        assert re.search(r"^# Sources?: ", header, re.MULTILINE), file.name
        assert re.search(r"^# To add an? \w+: ", header, re.MULTILINE), file.name


def test_every_list_says_what_membership_means() -> None:
    for file in FILES:
        lines = file.read_text(encoding="utf-8").splitlines()
        for before, line in pairwise(lines):
            if re.match(r"\w+ = '(?:''|[^']*')$|\[\w+\]$", line) and not before:
                raise AssertionError(f"{file.name}: no comment above {line}")
