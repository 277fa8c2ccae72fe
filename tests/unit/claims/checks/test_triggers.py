"""Patterns that are searched only in claims with one of their words: no match may lack them."""

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

from ace.claims import checks
from ace.claims.checks.remarks import RULES as REMARK_RULES
from ace.claims.language.words import Triggered
from ace.claims.readers import read_text
from tests.unit.claims.snapshot import own_texts


def triggered() -> Iterator[tuple[str, Triggered]]:
    for module in pkgutil.walk_packages(checks.__path__, f"{checks.__name__}."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Triggered):
                yield f"{module.name}.{name}", value


def claims() -> Iterator[str]:
    remarked = (text for rule in REMARK_RULES for text in (rule.example, rule.twin))
    for text in (*remarked, *(text for _, text in own_texts())):
        yield from (claim.text for claim in read_text(text, partial=True))


def test_every_match_has_a_trigger() -> None:
    texts = list(claims())
    patterns = dict(triggered())
    assert patterns
    for name, each in patterns.items():
        matched = [text for text in texts if each.pattern.search(text)]
        assert matched, f"{name} matches none of our claims"
        assert all(each.search(text) for text in matched), name


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A far-field lens.", True),
        ("A FIELD lens.", True),
        ("A lens of a user’s field’s edge.", True),
        ("A battlefield lens.", False),
    ],
)
def test_a_trigger_is_a_whole_word_or_a_part_of_one_with_hyphens(text: str, found: bool) -> None:
    pattern = Triggered("field", re.IGNORECASE, triggers=("field",))
    assert (pattern.search(text) is not None) is found
    assert bool(list(pattern.finditer(text))) is found
