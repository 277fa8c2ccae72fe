"""What the claims of a message draw if the gatekeeper fails them."""

import numpy as np

from ace.claims.analysis import ClaimAnalysis, analyse
from ace.claims.readers import read_text
from ace.claims.taxonomy import LABELS, Ground
from ace.flow.judging import _grounds
from ace.routing.policy import Routing

REJECTION, OBJECTION = Ground


def routed(*classes: str) -> Routing:
    """Fails of these classes."""
    zeros = np.zeros(len(classes))
    fail = np.ones(len(classes), dtype=np.bool_)
    indices = np.array([LABELS.index(each) for each in classes], dtype=np.intp)
    return Routing(
        u=zeros, h6=zeros, doubt=zeros, escalate=~fail, fail=fail, error_class=indices, disputed=~fail
    )


def test_without_rules_a_fail_draws_what_its_class_does() -> None:
    assert _grounds(routed("antecedent", "syntax"), None) == [REJECTION, OBJECTION]


def test_a_fail_draws_what_the_findings_of_its_claim_do() -> None:
    text = "1. A hook comprising a tip\n2. The hook of claim 1, wherein the lever is bent"
    period, lever = analyse(read_text(text)).values()
    routing = routed("syntax", "syntax", "logical")
    assert _grounds(routing, [period, lever, ClaimAnalysis()]) == [OBJECTION, REJECTION, REJECTION]
