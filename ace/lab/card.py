"""MODEL_CARD.md from what was measured. Prose is ours, every number is an argument."""

from collections.abc import Mapping
from typing import Any

from ace.routing.calibration import Calibration

_SOURCES = {
    "boschresearch/Pap2Pat": "published applications, CC BY",
    "ReedJessen/IPStreetSemanticSearchValidation": "applications, MIT",
    "PatentsView/PatentsProcessor": "mostly granted, UC/AIR",
    "salmanjt/IP-patent-data-parsing": "granted, MIT",
    "Agewerc/data-wrangling": "granted, no licence stated",
    "jackindavao/patent-data-mining": "granted, no licence stated",
}


def card(
    about: Mapping[str, Any],
    manifest: Mapping[str, Any],
    calibration: Calibration,
    measured: Mapping[str, Any],
) -> str:
    """The card as Markdown."""
    sections = (
        _made(about, manifest),
        _scores(calibration, measured),
        _weak(measured),
        _LICENCE,
    )
    return "\n".join(sections)


def _made(about: Mapping[str, Any], manifest: Mapping[str, Any]) -> str:
    recipe = about["stages"][-1]
    words = "frozen" if recipe["freeze_words"] else "learnt"
    stages = "\n".join(
        f"{at}. {stage['rows']} rows, {stage['epochs']} pass(es), learning rate "
        f"{stage['learning_rate']:g} with {stage['warmup']:.0%} warm-up and linear decay"
        f"{_cut_short(stage)}, seed {stage['seed']}"
        for at, stage in enumerate(about["stages"], start=1)
    )
    rows = "\n".join(
        f"| {split} | {manifest[split]['rows']} | {manifest[split]['families']} | "
        f"{manifest[split]['labels']['pass']} |"
        for split in ("train", "calibration", "test")
    )
    sources = "\n".join(
        f"- {name} ({_SOURCES.get(name, 'unknown')}): {count} training rows"
        for name, count in sorted(manifest["train"]["sources"].items())
    )
    return f"""# The default gatekeeper

Six classes (pass, antecedent, dependency, logical, ambiguity, syntax) for one US patent claim with
its ancestors. A modest first model: it is meant to clear plain cases cheaply and to know its doubt.

## How it was made

Base: {about["base"]} (Apache-2.0), fine-tuned. Each token of the claim gets
six logits; a claim's logit of a class is the largest among its own tokens. The loss is the
cross-entropy over claims plus one over tokens (weight {recipe["token_loss"]:g}), for which the \
injectors' recorded
spans are the targets. Weights are then stored in eight bits.

Stages, each from the weights of the one before:

{stages}

In all of them: AdamW, weight decay {recipe["weight_decay"]:g}, {recipe["budget_tokens"]} padded \
tokens a batch, at most {about["max_tokens"]} tokens
a claim, word embeddings {words}, \
{"bfloat16 autocast" if recipe["bf16"] else "fp32"}.

Data: real US claim sets, split by patent family 8:1:1. Half of the rows are Pass: real claims that
show no dirt to a program, and placebos (label-preserving edits by the same machinery). The other
half carry one defect each, put in by rules. Each defective claim's sound original is a Pass row of
the same split.

| split | rows | families | of them Pass |
|---|---|---|---|
{rows}

{sources}

SHA-256 of the source file: `{manifest["claims_sha256"]}`; rows built with seed {manifest["seed"]}.
"""


def _cut_short(stage: Mapping[str, Any]) -> str:
    planned = stage.get("planned_epochs", stage["epochs"])
    return "" if planned == stage["epochs"] else f" (stopped; planned for {planned} passes)"


def _scores(calibration: Calibration, measured: Mapping[str, Any]) -> str:
    int8, fp32 = measured["int8"], measured["fp32"]
    names = {
        "accuracy": "accuracy, six classes",
        "macro_f1": "macro-F1, six classes",
        "binary_accuracy": "accuracy, Pass against Fail",
        "binary_f1": "F1 of Fail",
        "auc": "AUC of P_inv",
        "ece": "ECE of P_inv, calibrated",
        "escalated": "escalated at tau",
        "retained_accuracy": "accuracy on the fast path",
        "retained_f1": "F1 of Fail on the fast path",
        "false_alarms_retained": "false alarms among sound claims on the fast path",
    }
    lines = "\n".join(f"| {name} | {int8[key]:.4f} | {fp32[key]:.4f} |" for key, name in names.items())
    classes = "\n".join(
        f"| {label} | {entry['n']} | {entry['recall']:.3f} | {entry['f1']:.3f} | "
        f"{entry['caught']:.3f} | {fp32['classes'][label]['recall']:.3f} |"
        for label, entry in int8["classes"].items()
    )
    return f"""## What it scores

Calibration `{calibration.id}`: temperature {calibration.temperature:.3f}, tau
{calibration.tau:.4f} nats, {calibration.escalation:.1%} of {calibration.n} calibration rows above it.
Before temperature scaling the ECE on the test split is {measured["uncalibrated_ece"]:.4f}.

Test split, {int8["n"]} rows, half Pass; int8 is what is shipped, fp32 the same weights unquantised
at a temperature and tau of their own:

| measure | int8 | fp32 |
|---|---|---|
{lines}

"Recall" is the share given the right one of six classes, "called Fail" the share with
P_inv > P_valid (for pass: the false alarms).

| class | rows | recall | F1 | called Fail | recall fp32 |
|---|---|---|---|---|---|
{classes}
"""


def _weak(measured: Mapping[str, Any]) -> str:
    edits = "\n".join(
        f"| {name} | {entry['n']} | {entry['called_invalid']:.3f} | {entry['escalated']:.3f} |"
        for name, entry in measured["edits"].items()
    )
    probes = measured["probes"]
    masked = ", ".join(f"{label} {value:.3f}" for label, value in probes["masked_span"].items())
    return f"""## Where it is bad

- Its defects are synthetic and its truth was examined by nobody: the numbers above say how well it
  finds what our rules put in, not how well it agrees with an examiner. The applications among its
  Pass rows are unexamined too.
- Train and test defects come from the same rules and word lists. A term of degree that is not in
  the list, or a contradiction of another form, is found less often than the table says.
- Half of its rows are defective. Filed claims are defective less often, so at the same tau more of
  its alarms are false, and the share escalated differs from the calibration split's.
- It sees 256 tokens, the claim first. A basis in a far ancestor that was cut looks missing.
- The injectors find noun phrases by word endings: elements named by a word in -ing (a housing, a
  spring) were never the ones to lose their basis in training.
- The data leans to the life sciences.
- It compares claim numbers and values by their word pieces, and knows no arithmetic.

Every injector and placebo (pass/...) on the test split, at few rows each:

| class/edit | rows | called Fail | escalated |
|---|---|---|---|
{edits}

Leak probes, AUC against "is defective" (0.5 is none). Lengths and counts alone, without a word:
{probes["text_free"]:.3f}. The model on defective claims whose defect was cut out: {masked}.
The model on claims with their words shuffled: {probes["shuffled_words"]:.3f}. Cutting a span is
itself an edit that can leave a broken sentence; defects of relation (a contradicted range, a
missing parent) leave their other half behind.
"""


_LICENCE = """## Licence

Weights derived from sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0); released with ACE under
ACE's licence. No claim of the training data is contained in this directory.
"""
