"""The results of the ACE paper in the form of our reports, with the data that they were measured on.

From its tables 1 and 2, figure 3 and appendices F to I. Its data sets are not published, so these numbers can
neither be checked nor compared with ours line by line. Shares are fractions of one.
"""

from typing import Any, Final

SOURCE: Final = (
    "the paper's numbers, on different data sets (ACE-40k; for real rejections ACE-Real112b), which are not"
    " published"
)


PAPER: Final[dict[str, Any]] = {
    "source": SOURCE,
    "main": [
        {"beside": "frozen", "accuracy": 0.6927, "macro_f1": 0.6812, "auc": 0.6620},
        {"beside": "tf-idf", "accuracy": 0.7338, "macro_f1": 0.7223, "auc": 0.8300},
        {"beside": "expert", "accuracy": 0.9480, "macro_f1": 0.9476, "auc": None},
        {"beside": "gatekeeper", "accuracy": 0.9165, "macro_f1": 0.9158, "auc": 0.9716},
        {"beside": "hybrid", "accuracy": 0.9505, "macro_f1": 0.9495, "auc": None},
    ],
    "classes": [
        {"label": "antecedent", "recall": 0.8277, "f1": 0.8141},
        {"label": "dependency", "recall": 0.9237, "f1": 0.9130},
        {"label": "logical", "recall": 0.8645, "f1": 0.8645},
        {"label": "ambiguity", "recall": 0.9075, "f1": 0.8985},
        {"label": "syntax", "recall": 0.7835, "f1": 0.8340},
    ],
}
"""`beside` is the beginning of the names of our corresponding judges."""

PAPER_REJECTIONS: Final[dict[str, Any]] = {
    "data": "ACE-Real112b, 204 rejected claims and no others: another data set, not comparable",
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
"""Section 5 and appendix G: 204 rejected claims, one per application, filed in 2016. That set holds no claims
that were not rejected, so "always Fail" would have a recall of 100 %."""

PAPER_REJECTION_JUDGES: Final = {
    "gatekeeper": "gatekeeper (PatentBERT)",
    "expert": "expert (Llama-3-70B, SFT and CoPT)",
    "hybrid": "hybrid (ACE)",
}
"""The row of the paper that is shown beside each of our judges."""
