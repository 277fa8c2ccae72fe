"""The rules of remarks, which rules.toml describes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ace.claims.rules import read_remark_rules

RULE: Final = read_remark_rules(Path(__file__).with_suffix(".toml"))
"""The remarks by kind."""
RULES: Final = tuple(RULE.values())
