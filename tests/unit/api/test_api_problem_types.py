"""The registry of problem types against the code that raises them."""

import re
from pathlib import Path

import pytest

from ace.api.problem_types import SECTIONS, TYPES

ROOT = Path(__file__).parents[3] / "ace"
REGISTRY = ROOT / "api" / "problem_types.py"
BEHIND_THE_API = [
    *(ROOT / "api").glob("*.py"),
    *(ROOT / "claims" / "readers").glob("*.py"),
    *(ROOT / "flow").glob("*.py"),
    *(ROOT / "store" / "moves").glob("*.py"),
    ROOT / "claim_work.py",
    ROOT / "bounded.py",
    ROOT / "types" / "json_text.py",
]
SOURCE = "\n".join(path.read_text() for path in BEHIND_THE_API if path != REGISTRY)
RAISED = re.compile(r'(?:\bcode=|refusal\(\s*|\bproblem\(|_too_large\("[^"]+", )"(\w+)"')
# What no text that reaches these readers has: decoders and the JSON parser refuse it first.
NEVER_SENT = {"lone_surrogate"}


def test_every_refusal_is_registered() -> None:
    raised = set(RAISED.findall(SOURCE))
    assert len(raised) > 40
    assert raised - NEVER_SENT <= TYPES.keys()


@pytest.mark.parametrize("slug", TYPES)
def test_every_type_is_sent_from_somewhere(slug: str) -> None:
    assert f'"{slug}"' in SOURCE


def test_every_type_is_in_one_section_and_says_what_to_do() -> None:
    listed = [one for section in SECTIONS.values() for one in section]
    assert len(listed) == len(TYPES) == len({one.title for one in listed})
    for one in listed:
        assert re.fullmatch(r"[a-z0-9_]+", one.slug)
        assert 400 <= one.status < 600
        assert not one.title.endswith(".")
        assert one.meaning.endswith(".")
        assert one.remedy.endswith(".")
