"""MODEL_CARD.md: how a model was made, how it scored, and its limits.

Every number is taken from gatekeeper.json, the calibration records or an evaluation.
`python -m ace_lab.training.gatekeeper.card MODEL … --report FILE --labels FILE` writes the cards of models
again, with what `ace evaluate` and `ace evaluate labels` measured.
"""

import argparse
import json
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ace.errors import ModelError
from ace.gatekeeper.loading import FOR_EXAMINER
from ace.routing.calibration import Calibration, record_file
from ace_lab.data.rows import LABELLED
from ace_lab.reports.labels import summary

_SOURCES = {
    "boschresearch/Pap2Pat": "published applications, CC BY",
    "ReedJessen/IPStreetSemanticSearchValidation": "applications, MIT",
    "PatentsView/PatentsProcessor": "mostly granted, UC/AIR",
    "salmanjt/IP-patent-data-parsing": "granted, MIT",
    "Agewerc/data-wrangling": "granted, no licence stated",
    "jackindavao/patent-data-mining": "granted, no licence stated",
}

_SHOWN = ("gatekeeper", "hybrid", "structural only")
_SPLITS = (
    *("train", "calibration", "test", "held_out"),
    *(f"{split}.{LABELLED}" for split in ("train", "calibration")),
    *("calibration.sets", "test.sets"),
)


def summary_of(manifest: Mapping[str, Any], trained_on: str) -> dict[str, Any]:
    """What cards tell of the data that a model was trained on, the rows with the SHA-256 `trained_on` in its
    last stage, from the manifest of `ace data build`. Raises ModelError if they are not in it."""
    files = {
        split: {name: found[name] for name in ("rows", "families")} | {"pass": found["labels"].get("pass", 0)}
        for split in _SPLITS
        if (found := manifest["files"].get(f"{split}.jsonl"))
    }
    name = next((name for name, each in manifest["files"].items() if each["sha256"] == trained_on), None)
    if name is None:
        raise ModelError("the model was not trained on these data")
    train = manifest["files"][name]
    return {
        "trained_on": name,
        "files": files,
        "sources": train["sources"],
        "generators": train["generators"],
        "inputs": [given["sha256"] for given in manifest["inputs"]],
        "seed": manifest["options"]["seed"],
    }


def write_card(
    model_dir: Path, report: Mapping[str, Any] | None = None, labels: Mapping[str, Any] | None = None
) -> None:
    """Writes the card of a model directory.

    `report` is the report.json of `ace evaluate` on the same model in any format, or None before the first
    evaluation, and `labels` the labels.json of `ace evaluate labels`. Raises ModelError if the
    model does not say what data it was trained on.
    """
    about = json.loads((model_dir / "gatekeeper.json").read_text(encoding="utf-8"))
    if "data" not in about:
        raise ModelError(f"{model_dir} does not say what data it was trained on; release it again")
    recipe, data = about["stages"][-1], about["data"]
    sections = (
        _head(about),
        *([] if labels is None else [summary(labels)]),
        _made(about, recipe),
        _data(data, recipe["data_sha256"]),
        _calibrated(model_dir),
        _smoke(report),
        _weak(about, data, recipe),
        _licence(about),
    )
    beside = model_dir / "MODEL_CARD.md.tmp"
    beside.write_text("\n\n".join(sections) + "\n", encoding="utf-8")
    beside.replace(model_dir / "MODEL_CARD.md")


def _head(about: Mapping[str, Any]) -> str:
    weights = about.get("quantisation", "none")
    kept = "fp32" if weights == "none" else weights
    return f"""# A gatekeeper for patent claims

Six classes (pass, antecedent, dependency, logical, ambiguity, syntax) for one US patent claim with
its ancestors{" and what the rules of ACE report on it" if about.get("hints") else ""}. \
It is meant to decide clear cases at low cost and to tell how certain it is.
Revision `{about["revision"]}`; weights: {kept}."""


def _made(about: Mapping[str, Any], recipe: Mapping[str, Any]) -> str:
    if recipe["head"] == "tokens":
        head = (
            "Each token of the claim gets six logits; the claim's logit for a class is the largest among\n"
            "its own tokens. The loss is the cross-entropy over claims plus\n"
            f"{recipe['token_loss']:g} times the cross-entropy over tokens, "
            "with the recorded spans of the defects as targets."
        )
    else:
        head = "One head gives six logits per claim; the loss is their cross-entropy."
    stages = "\n".join(
        f"{at}. {stage['rows']:,} rows, {stage['steps']:,} of {stage['planned_steps']:,} updates "
        f"({stage['epochs']} epoch{'s' * (stage['epochs'] != 1)}), learning rate {stage['learning_rate']:g}, "
        f"{stage['warmup']:.0%} warm-up, then linear decay to zero; seed {stage['seed']}; {_ended(stage)}; "
        f"{stage['minutes']:g} minutes on {stage.get('device', 'cpu')}"
        for at, stage in enumerate(about["stages"], start=1)
    )
    batch = f"{recipe['batch_rows']} claims"
    if recipe["batch_tokens"] is not None:
        batch += f" or {recipe['batch_tokens']:,} padded tokens"
    return f"""## How it was made

Base: {about["base"]}, fine-tuned with `ace train gatekeeper`.
{head}

{stages}

AdamW, weight decay {recipe["weight_decay"]:g}; batches of up to {batch}; \
up to {recipe["max_tokens"]} tokens per claim; \
word embeddings {"frozen" if recipe["freeze_words"] else "trained"};
dropout {recipe["dropout"]:g} in the encoder, \
{recipe["head_dropout"]:g} before the head; precision {recipe["precision"]}.
{_kept(recipe)}"""


def _kept(recipe: Mapping[str, Any]) -> str:
    share = recipe.get("base_share")
    blended = (
        f"\nThe weights before this stage were blended in, with a share of {share:.0%}." if share else ""
    )
    return _whose(recipe) + blended


def _whose(recipe: Mapping[str, Any]) -> str:
    best = f"update {recipe['best_step']:,}, macro-F1 {recipe['macro_f1']:.4f}"
    if recipe.get("keep") == "last":
        return (
            "The weights are those of the last update, when the learning rate had come to zero: "
            f"macro-F1 {recipe['last_macro_f1']:.4f}\n"
            f"on held-out calibration rows; the best evaluation on them was that of {best}."
        )
    return f"The weights kept are those of the best evaluation on held-out calibration rows ({best})."


def _ended(stage: Mapping[str, Any]) -> str:
    why = {"done": "ran to its end", "time": "ended by its time limit", "patience": "stopped early"}
    return why[stage["ended"]]


def _data(data: Mapping[str, Any], train_sha256: str) -> str:
    rows = "\n".join(
        f"| {split} | {found['rows']:,} | {found['families']:,} | {found['pass']:,} |"
        for split, found in data["files"].items()
    )
    sources = "\n".join(
        f"- {name} ({_SOURCES.get(name, 'unknown')}): {count:,} training rows"
        for name, count in sorted(data["sources"].items())
    )
    trained_on = data.get("trained_on", "train.jsonl")
    rows_of = _LABELLED_ROWS if LABELLED in trained_on else _INJECTED_ROWS
    edits = ", ".join(
        f"{name} ({count:,})" for name, count in sorted(data["generators"].items()) if name != "none"
    )
    hashes = ", ".join(f"`{given}`" for given in data["inputs"])
    return f"""### Data

Real US claim sets, split by patent family, without near-duplicates across splits.
{rows_of}{f" Edited training rows by generator: {edits}." if edits else ""}

| file | rows | families | Pass rows |
|---|---|---|---|
{rows}

{sources}

SHA-256 of the source files: {hashes}; of {trained_on}: `{train_sha256}`; built with seed {data["seed"]}."""


_INJECTED_ROWS = """Pass rows are real claims in which programs find no visible fault, granted claims of the
same families, and harmless edits by programs. All other rows carry injected defects."""
_LABELLED_ROWS = """The last stage was trained on claims as filed that readers labelled, and on mistakes and
sound edits that writers made in them (docs/reference/labels.md). A claim counts as sound only if a reader
passed it. Earlier stages were trained on claims with injected defects."""


def _calibrated(model_dir: Path) -> str:
    calibration = Calibration.load(model_dir / "calibration.json")
    measured = ", ".join(f"{name} {value:.4f}" for name, value in calibration.measured.items())
    own = (
        f"`{calibration.id}`: {calibration.method}; temperature {calibration.temperature:.3f}, tau "
        f"{calibration.tau:.4f}, {calibration.escalation:.1%} of {calibration.n:,} calibration rows above "
        f"it. On those rows: {measured or 'not measured'}."
    )
    paragraphs = ["## Calibration", own]
    path = record_file(model_dir, FOR_EXAMINER)
    if path.is_file():
        record = Calibration.load(path)
        paragraphs.append(
            f"For the structural examiner: `{record.id}`, {record.method}, which asks it about "
            f"{record.escalation:.1%} of {record.n:,} rows."
        )
    return "\n\n".join(textwrap.fill(each, 120, break_on_hyphens=False) for each in paragraphs)


def _smoke(report: Mapping[str, Any] | None) -> str:
    if report is None:
        return "It has not been evaluated on a test split yet; run `ace evaluate`."
    rows = report.get("main", {}).get("rows", [])
    scores = ", ".join(f"{row['name']} {row['macro_f1']:.1%}" for row in rows if row["name"] in _SHOWN)
    notes = "\n".join(f"- {note}" for note in report.get("notes", []))
    return f"""## Smoke test: mistakes made by programs

Programs put mistakes into claims taken for sound: a smoke test of wordings, no measure of quality.
Macro-F1 over claims with one defect: {scores or "not measured"}.

{notes}""".rstrip()


def _weak(about: Mapping[str, Any], data: Mapping[str, Any], recipe: Mapping[str, Any]) -> str:
    train = data["files"]["train"]
    sound = train["pass"] / train["rows"]
    largest, count = max(data["sources"].items(), key=lambda source: source[1])
    hinted = (
        "- It reads what the rules report, and trusts them as far as they were right in its training\n"
        "  data. When the rules change, it must be trained again.\n"
        if about.get("hints")
        else "- It compares claim numbers and values by their word pieces and knows no arithmetic.\n"
    )
    return f"""## Limits

- Its defects are synthetic, and no examiner has confirmed its labels. Its figures say how well it finds the
  defects that our rules put in, not how well it agrees with an examiner. Some of its Pass rows come from
  applications that were never examined.
- Training and test defects come from the same rules. It finds defects of other forms less often: the rows of
  injectors held out of training measure the difference.
- {1 - sound:.0%} of its training rows are defective. Filed claims are defective less often, so at the same
  tau more of its alarms are false, and it escalates another share of them than of the calibration split.
- It reads {recipe["max_tokens"]} tokens, the claim first; of a longer claim, the beginning and the end.
{hinted}- {count / train["rows"]:.0%} of its training rows come from one source, {largest}. It knows other
  fields of technology and other drafting styles less well."""


def _licence(about: Mapping[str, Any]) -> str:
    minilm = " (Apache-2.0)" if about["base"] == "sentence-transformers/all-MiniLM-L6-v2" else ""
    return f"""## Licence

Weights derived from {about["base"]}{minilm}. This directory contains no claim of the training data."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ace_lab.training.gatekeeper.card", description=__doc__)
    parser.add_argument("models", type=Path, nargs="+", metavar="MODEL", help="directory of a model")
    parser.add_argument("--report", type=Path, required=True, help="report.json of `ace evaluate`")
    parser.add_argument("--labels", type=Path, help="labels.json of `ace evaluate labels`")
    given = parser.parse_args(arguments)
    read = [each and json.loads(each.read_text(encoding="utf-8")) for each in (given.report, given.labels)]
    for model in given.models:
        write_card(model, *read)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
