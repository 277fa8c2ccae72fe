"""Claim sets of our own with one defect each, and a twin without it that must stay silent."""

from typing import NamedTuple


class Row(NamedTuple):
    """`text` has one defect: exactly one finding, of rule `rule_id`, in claim number `claim`, whose
    quote is `quote`. `twin` has none."""

    name: str
    rule_id: str
    text: str
    claim: int
    quote: str
    twin: str
