"""`ace calibrate`: fits the temperature and the threshold above which claims are escalated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ace.cli.app import Json, app, examples, show, table
from ace.errors import NotConfigured, Refused
from ace.prices import PAPER_USD_PER_CALL

if TYPE_CHECKING:
    from ace.routing.calibration import Calibration
    from ace_lab.calibration.calibration_run import Prices, Progress
    from ace_lab.calibration.thresholds import Policy
    from ace_lab.experts.opinions import Expert
    from ace_lab.measures.selective import Interval, Ranking


class PolicyName(StrEnum):
    """How tau is chosen."""

    QUANTILE = "quantile"
    BUDGET = "budget"
    F_LAMBDA = "f-lambda"
    RISK = "risk"
    AGREEMENT = "agreement"
    GAIN = "gain"
    PAYS = "pays"


class ScoreName(StrEnum):
    """What tau is compared with."""

    U = "u"
    H6 = "h6"
    MARGIN = "margin"
    LEARNED = "learned"
    ERROR = "error"
    GAIN = "gain"


class ErrorName(StrEnum):
    """Which errors the policy risk bounds."""

    ANY = "any"
    FALSE_PASS = "false-pass"  # noqa: S105


OPTIONS: Final[dict[PolicyName, frozenset[str]]] = {
    PolicyName.QUANTILE: frozenset({"escalation"}),
    PolicyName.BUDGET: frozenset({"usd_per_million", "calls_per_hour", "claims_per_hour"}),
    PolicyName.F_LAMBDA: frozenset({"lambda"}),
    PolicyName.RISK: frozenset({"alpha", "delta", "error"}),
    PolicyName.AGREEMENT: frozenset({"target", "delta"}),
    PolicyName.GAIN: frozenset({"value"}),
    PolicyName.PAYS: frozenset({"delta"}),
}
"""The options that only this policy accepts."""

PRICES: Final = frozenset({"usd_per_call", "usd_per_million_screened"})
"""Options that the figure of cost needs too, whatever the policy."""


@app.command(
    epilog=examples(
        "ace calibrate --model models/gatekeeper/int8 --data data",
        "ace calibrate --model MODEL --data data --expert http://tgi:8080",
        "ace calibrate --model MODEL --data data --expert http://tgi:8080 --policy agreement"
        " --target recall 0.9 --ask 400",
    )
)
def calibrate(
    model: Annotated[Path, typer.Option(help="Directory of the gatekeeper model.")],
    data: Annotated[Path, typer.Option(help="Directory that `ace data build` made.")],
    policy: Annotated[
        PolicyName | None, typer.Option(help="How tau is chosen [quantile; pays with --expert].")
    ] = None,
    score: Annotated[ScoreName | None, typer.Option(help="What tau is compared with [error].")] = None,
    escalation: Annotated[float | None, typer.Option(help="quantile: share to escalate [0.2].")] = None,
    alpha: Annotated[float | None, typer.Option(help="risk: maximum error rate [0.05].")] = None,
    delta: Annotated[
        float | None, typer.Option(help="risk, agreement, pays: probability that the bound fails [0.05].")
    ] = None,
    target: Annotated[
        tuple[str, float] | None,
        typer.Option(
            metavar="WHAT SHARE",
            help="agreement: accuracy, precision or recall, and the share that the expert would confirm.",
        ),
    ] = None,
    error: Annotated[ErrorName | None, typer.Option(help="risk: which errors count [any].")] = None,
    lambda_: Annotated[float | None, typer.Option("--lambda", help="f-lambda: price of escalation.")] = None,
    usd_per_million: Annotated[float | None, typer.Option(help="budget: dollars per million claims.")] = None,
    usd_per_call: Annotated[
        float | None,
        typer.Option(help=f"budget, gain, figures: dollars per examination [{PAPER_USD_PER_CALL}]."),
    ] = None,
    usd_per_million_screened: Annotated[
        float | None, typer.Option(help="budget, figures: cost of the gatekeeper per million claims [0].")
    ] = None,
    calls_per_hour: Annotated[
        float | None, typer.Option(help="budget: calls that the expert can handle per hour.")
    ] = None,
    claims_per_hour: Annotated[float | None, typer.Option(help="budget: claims filed per hour.")] = None,
    value: Annotated[
        float | None, typer.Option(help="gain: dollars that avoiding one wrong verdict is worth.")
    ] = None,
    expert: Annotated[
        str | None,
        typer.Option(
            help="structural, or the URL of an LLM server, to examine the whole split; recorded, for the"
            " strong reader whose answers are stored beside the labels; or recorded:FOLDER."
        ),
    ] = None,
    ask: Annotated[
        int | None, typer.Option(min=20, help="Ask the expert about so many claims of the split [all].")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="File to write the record to [MODEL/calibration.json].")
    ] = None,
    figures: Annotated[Path | None, typer.Option(help="Folder for figures (SVG).")] = None,
    as_json: Json = False,
) -> None:
    """Fit fusion, temperature and tau on the calibration families and write the record that workers load."""
    given = {
        "escalation": escalation,
        "alpha": alpha,
        "delta": delta,
        "target": target,
        "error": None if error is None else error.value,
        "lambda": lambda_,
        "usd_per_million": usd_per_million,
        "usd_per_call": usd_per_call,
        "usd_per_million_screened": usd_per_million_screened,
        "calls_per_hour": calls_per_hour,
        "claims_per_hour": claims_per_hour,
        "value": value,
    }
    policy, compared = _asked(policy, score, expert)
    wanted = _policy(policy, {name: one for name, one in given.items() if one is not None})
    _need_the_extra()
    from dataclasses import replace

    from ace.gatekeeper.loading import load_engine
    from ace_lab.calibration import calibration_run
    from ace_lab.calibration.fitting import fit
    from ace_lab.calibration.recorded_expert import RECORDED, RecordedExpert
    from ace_lab.calibration.reference import with_reference
    from ace_lab.experts.remote import expert_named

    split = calibration_run.Split.read(data)
    engine: Any = load_engine(model)  # both engines have logits, which serving does not need
    asked: Expert | None
    kind, _, folder = (expert or "none").partition(":")
    if kind == RECORDED:
        asked = recorded = RecordedExpert.of(split.rows, Path(folder) if folder else None)
        split = split.only(recorded.knows)
    else:
        asked = expert_named(expert or "none")
    if ask is not None:
        split = split.sample(ask)
    steps = len(split.lessons) + len(split.rows) * (1 if asked is None else 2)
    with _progress(steps) as progress:
        scored = calibration_run.score(split, engine, asked, progress)
    scored = replace(scored, expert_assumed=kind == RECORDED)
    try:
        record = fit(
            scored,
            policy=wanted,
            score=compared.value,
            model_revision=engine.revision,
            data_hash=split.data_hash,
        )
        record = calibration_run.with_measures(record, scored)
        record = with_reference(record, scored, split.rows)
        compared_on, rankings = calibration_run.ablation(scored)
    except ValueError as fault:
        raise Refused(str(fault), code="no_calibration") from fault
    written = out or model / "calibration.json"
    drawn: list[Path] = []
    prices = calibration_run.Prices(
        PAPER_USD_PER_CALL if usd_per_call is None else usd_per_call, usd_per_million_screened or 0.0
    )
    try:
        record.save(written)
        if figures is not None:
            asked_for = None if asked is None else asked.name
            drawn = calibration_run.draw(record, scored, figures, prices=prices, expert=asked_for)
    except OSError as fault:
        raise Refused(f"{fault.filename} cannot be written: {fault.strerror}", code="unwritable") from fault
    if as_json:
        show(_as_json(record, compared_on, rankings, written, drawn))
    else:
        if record.cascade:
            _show_cascade(record, prices)
        _show(record, compared_on, rankings, written, drawn)


def _asked(
    policy: PolicyName | None, score: ScoreName | None, expert: str | None
) -> tuple[PolicyName, ScoreName]:
    """Policy and score, with their defaults. Raises Refused if they, or the expert, do not fit."""
    if policy is None:
        policy = PolicyName.QUANTILE if expert is None or score is not None else PolicyName.PAYS
    of_gain = policy in {PolicyName.GAIN, PolicyName.PAYS}
    compared = score or (ScoreName.GAIN if of_gain else ScoreName.ERROR)
    if of_gain and compared is not ScoreName.GAIN:
        raise Refused(f"--policy {policy.value} needs --score gain", code="usage")
    if policy is PolicyName.AGREEMENT and expert is None:
        raise Refused(
            "--policy agreement needs --expert, because it promises what that expert says", code="usage"
        )
    if compared is ScoreName.GAIN and expert is None:
        raise Refused(
            "score gain needs --expert, because the gain depends on which expert is asked", code="usage"
        )
    return policy, compared


def _policy(name: PolicyName, given: dict[str, Any]) -> Policy:
    """The policy that the options ask for. Raises Refused if they do not belong to it."""
    from ace_lab.calibration import thresholds

    stray = set(given) - OPTIONS[name] - PRICES
    if stray:
        raise Refused(f"policy {name.value} does not accept --{min(stray).replace('_', '-')}", code="usage")
    try:
        if name is PolicyName.QUANTILE:
            return thresholds.Quantile(given.get("escalation", 0.2))
        if name is PolicyName.RISK:
            return thresholds.Risk(
                given.get("alpha", 0.05), given.get("delta", 0.05), given.get("error", "any")
            )
        if name is PolicyName.AGREEMENT:
            what, level = _needed(given, "target", name)
            return thresholds.Agreement(what, level, given.get("delta", 0.05))
        if name is PolicyName.PAYS:
            return thresholds.Pays(given.get("delta", 0.05))
        if name is PolicyName.F_LAMBDA:
            return thresholds.FLambda(_needed(given, "lambda", name))
        if name is PolicyName.GAIN:
            value = _needed(given, "value", name)
            return thresholds.Gain(value, given.get("usd_per_call", PAPER_USD_PER_CALL))
        return _budget(given)
    except ValueError as fault:
        raise Refused(f"policy {name.value}: {fault}", code="usage") from fault


def _budget(given: dict[str, Any]) -> Policy:
    """The policy of a budget in dollars or in calls. Raises Refused if the options give both, or too few."""
    from ace_lab.calibration import thresholds

    name = PolicyName.BUDGET
    if "calls_per_hour" in given or "claims_per_hour" in given:
        if "usd_per_million" in given:
            raise Refused("give a budget in dollars or in calls per hour, not both", code="usage")
        return thresholds.RateBudget(
            _needed(given, "calls_per_hour", name), _needed(given, "claims_per_hour", name)
        )
    return thresholds.MoneyBudget(
        _needed(given, "usd_per_million", name),
        given.get("usd_per_call", PAPER_USD_PER_CALL),
        given.get("usd_per_million_screened", 0.0),
    )


def _needed(given: dict[str, Any], option: str, name: PolicyName) -> Any:
    if option not in given:
        raise Refused(f"policy {name.value} needs --{option.replace('_', '-')}", code="usage")
    return given[option]


def _need_the_extra() -> None:
    from importlib.util import find_spec

    for module in ("sklearn", "scipy", "matplotlib"):
        if find_spec(module) is None:
            raise NotConfigured(f"ace calibrate needs {module}: install the extra 'train'")


@contextmanager
def _progress(rows: int) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("scoring", total=rows)
        yield lambda done: bar.advance(task, done)


def _show(
    record: Calibration, compared_on: int, rankings: dict[str, Ranking], target: Path, drawn: list[Path]
) -> None:
    columns = ["score", "AURC x1000", "E-AURC", "AUGRC", "difference from u", "Spearman with confidence"]
    if any(ranking.deferral for ranking in rankings.values()):
        columns += ["error with the expert", "difference from u"]
    rows = [
        (
            name,
            *map(_thousandths, (ranking.aurc, ranking.e_aurc, ranking.augrc, ranking.augrc_less_reference)),
            f"{ranking.spearman:.4f}",
            *map(_thousandths, filter(None, (ranking.deferral, ranking.deferral_less_reference))),
        )
        for name, ranking in rankings.items()
    ]
    table(rows, *columns)
    typer.echo(
        f"(lower is better; {compared_on} claims that no score was fitted on; 95 % intervals by family)\n\n"
        f"{record.id}: {record.method}\n"
        f"tau {record.tau:.6g} escalates {100 * record.escalation:.1f} % of {record.n} claims; "
        f"temperature {record.temperature:.4f}, ECE {record.measured['ece']:.4f}\n"
        f"{record.promise}\n{_told(record)}"
        f"written to {target}" + "".join(f"\n{path}" for path in drawn)
    )


def _show_cascade(record: Calibration, prices: Prices) -> None:
    """What gatekeeper and expert are worth together at every second share, and what that costs."""
    rows = []
    for point in record.cascade[::2]:
        p, r = point.precision, point.recall
        f1 = 2 * p * r / (p + r) if p and r else None
        shares = [None if share is None else f"{100 * share:.1f} %" for share in (p, r, f1)]
        rows.append((f"{100 * point.escalation:.1f} %", *shares, f"{prices.of(point.escalation):,.0f}"))
    table(rows, "to the expert", "precision", "recall", "F1", "dollars per million claims")


def _told(record: Calibration) -> str:
    """The expert that was asked, and what it called the claims of each class; "" without one."""
    if (asked := record.expert) is None:
        return ""
    share, each = f"{100 * asked.accuracy:.1f} %", f"{asked.seconds:.3g} s and {asked.tokens:.0f} tokens"
    lines = [f"{asked.name}: right on {share}, {each} a claim"]
    for label, called in asked.confusion.items():
        lines.append(f"  {label}: " + ", ".join(f"{name} {count}" for name, count in called.items()))
    return "\n".join([*lines, ""])


def _thousandths(one: Interval) -> str:
    return f"{1000 * one.value:.1f} ({1000 * one.low:.1f} to {1000 * one.high:.1f})"


def _as_json(
    record: Calibration, compared_on: int, rankings: dict[str, Ranking], target: Path, drawn: list[Path]
) -> dict[str, Any]:
    from dataclasses import asdict

    found = asdict(record)
    for part in ("curve", "learned", "fusion", "reference", "reliability"):
        del found[part]
    return {
        **found,
        "compared_on": compared_on,
        "scores": {name: asdict(ranking) for name, ranking in rankings.items()},
        "out": str(target),
        "figures": [str(path) for path in drawn],
    }
