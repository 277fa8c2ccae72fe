"""What prompt, examiner and verification have the rules do with a claim, once where it can be stopped."""

from ace.claims.model import ClaimInput
from ace.expert.prompt.evidence import evidence


def rehearse(asked: tuple[ClaimInput, int]) -> None:
    """All rules, and what each phrase rests on: on the claim, of so many in its set, and its chain."""
    claim, total = asked
    evidence(claim, total)
