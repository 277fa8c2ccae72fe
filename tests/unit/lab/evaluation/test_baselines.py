"""What needs no fine-tuning: the bundled encoder tells claims apart by what they say."""

import numpy as np
import pytest

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace_lab.evaluation.baselines import frozen_encoder

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # torch's and transformers' own

THINGS = ("pump", "valve", "spring", "lid", "rotor", "hook", "bolt", "plate")


def claims(first: int) -> list[ClaimInput]:
    """Sound and unsound claims by turns, of four things."""
    things = THINGS[first : first + 4]
    texts = [
        words.format(thing) for thing in things for words in ("A {} of steel.", "Substantially, or some {}")
    ]
    return [ClaimInput(1, text) for text in texts]


def test_the_frozen_encoder_learns_from_some_claims_and_judges_others() -> None:
    labels = np.array([LABELS.index("pass"), LABELS.index("ambiguity")] * 4)

    judged = frozen_encoder(claims(0), labels, claims(4))

    assert judged.called.tolist() == labels.tolist()
    assert judged.invalid is not None
    assert (judged.invalid[1::2] > judged.invalid[::2]).all()
