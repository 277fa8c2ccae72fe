"""What the ACE paper reports, in the shapes of a report of ours: numbers, and on which data.

From its tables 1 and 2, figure 3 and appendices F to I. Its data sets are not published, so none of these
numbers can be checked, or held against ours line by line. Shares are fractions of one.
"""

from typing import Any, Final

SOURCE: Final = (
    "the paper's numbers, on different data sets (ACE-40k; for real rejections ACE-Real112b), which are not"
    " published"
)


def _row(
    name: str, accuracy: float, f1: float, auc: float | None, seconds: float | str, usd: float | str
) -> dict[str, Any]:
    return {
        "name": name,
        "accuracy": accuracy,
        "macro_f1": f1,
        "auc": auc,
        "seconds_per_claim": seconds,
        "usd_per_million": usd,
    }


PAPER: Final[dict[str, Any]] = {
    "source": SOURCE,
    "main": [
        _row("BERT, as it comes", 0.4960, 0.6625, 0.5093, 0.12, 100),
        _row("Longformer, as it comes", 0.7552, 0.7311, 0.4726, 0.42, 350),
        {**_row("frozen BERT + logistic regression", 0.6927, 0.6812, 0.6620, 0.08, 67), "beside": "frozen"},
        {
            **_row("TF-IDF + logistic regression", 0.7338, 0.7223, 0.8300, "< 0.01 s", "< $1"),
            "beside": "tf-idf",
        },
        _row("Legal-BERT, as it comes", 0.6970, 0.6886, 0.4630, 0.12, 100),
        _row("PatentBERT, as it comes", 0.7725, 0.7659, 0.5116, 0.12, 100),
        _row("Llama-3-70B, zero-shot", 0.7010, 0.6775, None, 7.31, 6_092),
        _row("Llama-3-70B, few-shot", 0.6000, 0.3485, None, 3.32, 2_767),
        _row("Llama-3-70B, tuned", 0.9460, 0.9463, None, 11.85, 9_875),
        {**_row("Llama-3-70B, tuned, CoPT", 0.9480, 0.9476, None, 6.88, 5_733), "beside": "expert"},
        {**_row("PatentBERT, tuned", 0.9165, 0.9158, 0.9716, 0.12, 100), "beside": "gatekeeper"},
        {**_row("hybrid", 0.9505, 0.9495, None, 1.50, 1_247), "escalated": 0.203, "beside": "hybrid"},
    ],
    "classes": [
        {"label": "antecedent", "recall": 0.8277, "f1": 0.8141},
        {"label": "dependency", "recall": 0.9237, "f1": 0.9130},
        {"label": "logical", "recall": 0.8645, "f1": 0.8645},
        {"label": "ambiguity", "recall": 0.9075, "f1": 0.8985},
        {"label": "syntax", "recall": 0.7835, "f1": 0.8340},
    ],
    "sensitivity": [
        {"escalation": 0.1, "recall": 0.608, "usd_per_million": 673},
        {"escalation": 0.2, "recall": 0.657, "usd_per_million": 1_247},
        {"escalation": 0.3, "recall": 0.721, "usd_per_million": 1_820},
        {"escalation": 0.4, "recall": 0.789, "usd_per_million": 2_393},
        {"escalation": 0.5, "recall": 0.863, "usd_per_million": 2_967},
    ],
    "cross_validation": {"sigma_aurc": "< 0.002", "gamma": "20 % ± 1.5"},
    "mixes": [
        {"mix": "1:1", "escalated": 0.203, "usd_per_million": 1_247},
        {"mix": "9:1", "escalated": 0.082, "usd_per_million": 600},
    ],
}
"""`beside` is how the names of our judges begin that do the same. The sensitivity is that on its
ACE-Real112b, 204 claims that were all rejected."""

PAPER_REJECTIONS: Final[dict[str, Any]] = {
    "data": "ACE-Real112b, 204 rejected claims and no others: another data set, figures do not compare",
    "recall": {
        "Llama-3-8B, zero-shot": 0.132,
        "Llama-3-70B, zero-shot": 0.083,
        "GPT-4o, zero-shot": 0.180,
        "gatekeeper (PatentBERT)": 0.564,
        "expert (Llama-3-70B, SFT and CoPT)": 0.652,
        "hybrid (ACE)": 0.662,
    },
    "recall_by_escalation": {str(row["escalation"]): row["recall"] for row in PAPER["sensitivity"]},
}
"""Section 5 and appendix G: 204 rejected claims, one per application, filed in 2016. That set holds no claims
that were not rejected, so "always Fail" would have a recall of 100 %."""

PAPER_REJECTION_JUDGES: Final = {
    "gatekeeper": "gatekeeper (PatentBERT)",
    "expert": "expert (Llama-3-70B, SFT and CoPT)",
    "hybrid": "hybrid (ACE)",
}
"""The row of the paper that is shown beside each of our judges."""
