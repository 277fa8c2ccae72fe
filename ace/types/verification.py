"""What verification makes of a rationale, as the store, the API and metrics know it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ace.types.rationale import StatedDefect


class Dispute(StrEnum):
    """Why a verdict is not to be taken as it stands."""

    UNPROVED = "unproved"  # Fail, and no finding whose words stand in the claim
    INCONSISTENT = "inconsistent"  # Pass, beside a finding or a check with a defect
    CONTRADICTED = "contradicted"  # Pass, where the rules are sure of a defect


class LocatedDefect(NamedTuple):
    """A defect that the expert stated. Its words stand in the claim at text[start:end], in code points; it is
    unverified if `span` is None."""

    stated: StatedDefect
    span: tuple[int, int] | None


class Disagreement(NamedTuple):
    """Both sides of a dispute. They quote the claim, so they belong beside it and in no log."""

    kind: Dispute
    expert: str
    against: str


@dataclass(frozen=True, slots=True)
class Verified:
    """A rationale's verdict, its findings as checked, and what is to be said against that verdict."""

    verdict: str
    findings: tuple[LocatedDefect, ...]
    disagreements: tuple[Disagreement, ...]

    @property
    def disputed(self) -> bool:
        """Whether the verdict is kept but not to be relied on."""
        return bool(self.disagreements)

    @property
    def why(self) -> str:
        """All disagreements, a line each; "" where there is none."""
        return "\n".join(f"{each.kind}: {each.expert} {each.against}" for each in self.disagreements)

    @property
    def verified(self) -> tuple[LocatedDefect, ...]:
        """The findings whose words stand in the claim."""
        return tuple(each for each in self.findings if each.span is not None)
