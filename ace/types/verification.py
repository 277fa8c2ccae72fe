"""The results of verifying a rationale, as the store, the API and the metrics use them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ace.types.rationale import StatedDefect


class Dispute(StrEnum):
    """Why a verdict should not be relied on."""

    UNPROVED = "unproved"  # Fail, without a finding whose words are in the claim; or quotes another text
    INCONSISTENT = "inconsistent"  # its findings, its checks or its own words say otherwise
    CONTRADICTED = "contradicted"  # Pass, but the rules find what is more likely a defect than not
    OVERRULED = "overruled"  # Pass, but the gatekeeper fails the claim
    INSTRUCTED = "instructed"  # the claim, or one that it depends on, gives orders to whoever examines it


class LocatedDefect(NamedTuple):
    """A defect that the expert stated. Its words are in the claim at text[start:end], in code points; it is
    unverified if `span` is None."""

    stated: StatedDefect
    span: tuple[int, int] | None


class Disagreement(NamedTuple):
    """Both sides of a dispute. They quote the claim, so they are stored beside it and never logged."""

    kind: Dispute
    expert: str
    against: str


@dataclass(frozen=True, slots=True)
class Verified:
    """A rationale's verdict, its findings with their places, and the disagreements with that verdict."""

    verdict: str
    findings: tuple[LocatedDefect, ...]
    disagreements: tuple[Disagreement, ...]

    @property
    def disputed(self) -> bool:
        """Whether there is a reason not to rely on the verdict."""
        return bool(self.disagreements)

    @property
    def why(self) -> str:
        """All disagreements, one on each line; "" if there are none."""
        return "\n".join(f"{each.kind}: {each.expert} {each.against}" for each in self.disagreements)

    @property
    def verified(self) -> tuple[LocatedDefect, ...]:
        """The findings whose words are in the claim."""
        return tuple(each for each in self.findings if each.span is not None)
