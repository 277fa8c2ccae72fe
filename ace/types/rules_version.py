"""What an analysis was made with."""

from typing import NamedTuple


class RulesVersion(NamedTuple):
    """The version of the rules, and the jurisdiction whose law they apply."""

    rules: str
    jurisdiction: str
