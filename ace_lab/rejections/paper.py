"""What the ACE paper reports on its own file of real rejections, ACE-Real112b (section 5, appendix G).

204 rejected claims, one an application, filed in 2016: another data set than any read here, and without
claims that were not rejected, so that "always Fail" would have a recall of 100 %.
"""

from __future__ import annotations

from typing import Any, Final

PAPER: Final[dict[str, Any]] = {
    "data": "ACE-Real112b, 204 rejected claims and no others: another data set, figures do not compare",
    "recall": {
        "Llama-3-8B, zero-shot": 0.132,
        "Llama-3-70B, zero-shot": 0.083,
        "GPT-4o, zero-shot": 0.180,
        "gatekeeper (PatentBERT)": 0.564,
        "expert (Llama-3-70B, SFT and CoPT)": 0.652,
        "hybrid (ACE)": 0.662,
    },
    "recall_by_escalation": {"0.1": 0.608, "0.2": 0.657, "0.3": 0.721, "0.4": 0.789, "0.5": 0.863},
}

JUDGES: Final = {
    "gatekeeper": "gatekeeper (PatentBERT)",
    "expert": "expert (Llama-3-70B, SFT and CoPT)",
    "hybrid": "hybrid (ACE)",
}
"""The paper's row that stands beside each of our judges."""
