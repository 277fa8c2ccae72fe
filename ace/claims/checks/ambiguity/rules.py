"""The rules of ambiguity, which rules.toml describes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ace.claims.rules import read_rules
from ace.claims.taxonomy import ErrorClass

RULE: Final = read_rules(Path(__file__).with_suffix(".toml"), ErrorClass.AMBIGUITY)
"""The rules by subtype."""
RULES: Final = tuple(RULE.values())
