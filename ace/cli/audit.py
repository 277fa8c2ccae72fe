"""`ace audit`: how often the gatekeeper is wrong, and everything that explains one evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Final
from uuid import UUID

import typer

from ace.cli.admin import with_database
from ace.cli.app import EXIT_FAILED, Json, app, examples, group, show
from ace.cli.models import DAYS, health
from ace.errors import Refused

audit_app = group(
    "Audits: random verdicts that people judge, and the record of single evaluations.",
    examples(
        "ace audit status", "ace audit status --days 90 --json", "ace audit export EVALUATION | jq .model"
    ),
)
app.add_typer(audit_app, name="audit")

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "claim": ("text", "ancestor_texts"),
    "analyses": ("claim",),
    "examinations": ("reasoning", "raw", "findings", "disagreements"),
    "reviews": ("reason",),
}
"""What holds words of a claim, or may quote them."""


@audit_app.command(
    "status",
    epilog=examples(
        "ace audit status", "ace audit status --days 90 --json", "ace audit status || echo alarm"
    ),
)
def status(
    days: Annotated[int, typer.Option(min=1, max=366, help="Days to look at, up to today (UTC).")] = DAYS,
    as_json: Json = False,
) -> None:
    """Show the share of wrong fast verdicts, from those drawn and reviewed. Exits with 1 on alarm."""
    from dataclasses import asdict

    found = health(days)
    audit = found.audit
    if as_json:
        show({"calibration": found.record.id, "days": days, **asdict(audit), "alarm": found.alarm})
    elif audit.estimate is None:
        typer.echo(f"{audit.drawn} verdicts were drawn, none reviewed yet: see the audit sample at the desk")
    else:
        above = "" if audit.high is None else f" and at most {100 * audit.high:.1f} %"
        typer.echo(
            f"{audit.labels} of {audit.drawn} drawn verdicts are reviewed: {100 * audit.estimate:.1f} % are"
            f" wrong, at least {100 * audit.low:.1f} %{above}; {100 * audit.tolerated:.1f} % are tolerated"
            + (f"\nalarm since {found.alarm}" if found.alarm else "")
        )
    if found.alarm is not None:
        raise typer.Exit(EXIT_FAILED)


@audit_app.command(
    "export",
    epilog=examples(
        "ace audit export 0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10",
        "ace audit export 0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10 --text > evaluation.json",
        "ace audit export 0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10 | jq .reviews",
    ),
)
def export(
    evaluation: Annotated[str, typer.Argument(help="The id of the evaluation.")],
    words: Annotated[
        bool, typer.Option("--text", help="Add the words: the claims, and what quotes them.")
    ] = False,
) -> None:
    """Write everything that explains an evaluation, and who reviewed it, as one JSON object."""
    from ace.store import monitoring

    try:
        id_ = UUID(evaluation)
    except ValueError:
        raise Refused("EVALUATION must be the id of an evaluation", code="no_evaluation") from None
    found = with_database(partial(monitoring.explained, evaluation=id_))
    if found is None:
        raise Refused("no such evaluation", code="no_evaluation")
    show(dict(found) if words else {name: _without_words(name, part) for name, part in found.items()})


def _without_words(name: str, part: Any) -> Any:
    hidden = WORDS.get(name, ())
    if isinstance(part, list):
        return [_without_words(name, each) for each in part]
    if isinstance(part, dict):
        return {key: value for key, value in part.items() if key not in hidden}
    return part
