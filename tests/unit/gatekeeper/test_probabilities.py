"""What the rules found and the encoder says, as probabilities."""

from dataclasses import replace

import numpy as np

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import ErrorClass
from ace.gatekeeper.facts import claim_facts
from ace.gatekeeper.probabilities import probabilities
from ace.routing.calibration import Calibration
from ace.routing.fusion import Fusion
from ace.routing.score import softmax

ROOT = "1. A lamp comprising a housing and a lens."
SOUND = ClaimInput(2, "The lamp of claim 1, wherein the lens is made of glass.", (ROOT,))
BARE = ClaimInput(2, "The lamp of claim 1, wherein the turbine blade is made of glass.", (ROOT,))
PLAIN = Calibration("cal-x", "by hand", "u", 0.3, 0.2, 2.0, "rev", "hash", 1, ())
FUSION = Fusion(0.5, dict.fromkeys(ErrorClass, 1.2), 0.4, dict.fromkeys(ErrorClass, -3.0))
RAW = np.array([[2.0, 1.0, 0.0, 0.0, 0.0, -1.0]] * 2, dtype=np.float32)


def test_probabilities_join_the_two_at_the_records_temperature() -> None:
    alone = probabilities(RAW, [SOUND, BARE], PLAIN)
    assert np.array_equal(alone, softmax(RAW, 2.0))
    joined = probabilities(RAW, [SOUND, BARE], replace(PLAIN, fusion=FUSION))
    assert np.array_equal(joined, softmax(FUSION.logits(RAW, claim_facts([SOUND, BARE])), 2.0))
    assert joined[1, 1] > joined[0, 1]
