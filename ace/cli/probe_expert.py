"""`ace expert probe`: which server is behind an expert's URL, and whether it enforces a schema."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ace.cli.app import EXIT_FAILED, EXIT_REFUSED, EXIT_UNAUTHORISED, EXIT_UNREACHABLE, Json, examples, show
from ace.cli.expert import expert
from ace.errors import ExpertPermanent, ExpertTransient, Refused

if TYPE_CHECKING:
    from ace.expert.client.probing import Probe

DIALECTS: Final = ("auto", "tgi", "vllm", "sglang", "llama.cpp", "openai")

_UNAUTHORISED: Final = "unauthorised"


@expert.command(
    "probe",
    epilog="""\b
Exit codes:
  0  the schema is enforced
  1  the schema is ignored or refused
  2  wrong usage, or a request that was refused
  4  the server cannot be reached or does not answer
  5  the token is missing or wrong

"""
    + examples(
        "ace expert probe http://127.0.0.1:8080",
        "ace expert probe https://llm.example.org/v1 --token $TOKEN --model llama-70b",
        "ace expert probe http://127.0.0.1:8080 --dialect llama.cpp --questions 10 --json",
    ),
)
def probe(
    url: Annotated[str, typer.Argument(help="URL of the server: its root, or its /v1.")],
    token: Annotated[
        str | None,
        typer.Option(help="Bearer token. ACE_EXPERT_TOKEN is sent to ACE_EXPERT_URL only."),
    ] = None,
    dialect: Annotated[str, typer.Option(help=f"One of {', '.join(DIALECTS)}.")] = "auto",
    model: Annotated[str | None, typer.Option(help="Model to request.")] = None,
    ca_file: Annotated[
        Path | None, typer.Option(help="PEM file of the authority that signed the server's certificate.")
    ] = None,
    questions: Annotated[int, typer.Option(min=1, max=100, help="Number of questions.")] = 3,
    timeout: Annotated[float, typer.Option(min=0.1, help="Maximum wait for one answer, in seconds.")] = 120.0,
    as_json: Json = False,
) -> None:
    """Show the server, model and limits behind URL, the time of a call, and whether a schema is enforced.

    The question asks for plain prose under a schema that allows only one odd word, so a server that
    ignores schemas is found out. No claim is sent.
    """
    from ace.expert.client.dialects import Dialect
    from ace.expert.client.probing import probe as probed

    _check(url, dialect)
    try:
        found = probed(
            url,
            token=token or _own_token(url),
            ca_file=ca_file,
            dialect="auto" if dialect == "auto" else Dialect(dialect),
            model=model,
            timeout_seconds=timeout,
            questions=questions,
        )
    except (ExpertTransient, ExpertPermanent) as fault:
        typer.echo(f"ace: {fault} [{fault.kind}]", err=True)
        raise typer.Exit(_exit_code(fault)) from None
    if as_json:
        show(asdict(found))
    else:
        _tell(found)
    raise typer.Exit(0 if found.schema_enforced else EXIT_FAILED)


def _check(url: str, dialect: str) -> None:
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if not (parts.hostname if parts.scheme in {"http", "https"} else parts.scheme == "unix" and parts.path):
        raise Refused(
            "URL must look like http://host:8080 or unix:///path", code="expert_url", pointer="/url"
        )
    if dialect not in DIALECTS:
        raise Refused(f"--dialect: one of {', '.join(DIALECTS)}", code="expert_dialect", pointer="/dialect")


def _own_token(url: str) -> str | None:
    """The token from the settings, for the server from the settings and no other."""
    from ace.settings import Settings

    settings = Settings()
    own = settings.expert_url is not None and settings.expert_url.rstrip("/") == url.rstrip("/")
    return settings.expert_token.get_secret_value() if own and settings.expert_token else None


def _exit_code(fault: ExpertTransient | ExpertPermanent) -> int:
    if fault.kind == _UNAUTHORISED:
        return EXIT_UNAUTHORISED
    return EXIT_UNREACHABLE if isinstance(fault, ExpertTransient) else EXIT_REFUSED


def _tell(found: Probe) -> None:
    version = f" {found.version}" if found.version else ""
    lines = {
        "dialect": f"{found.dialect.value}{version}",
        "model": found.model,
        "requests at once": found.max_concurrent,
        "prompt tokens": found.max_input_tokens,
        "prompt and answer": found.max_total_tokens,
        "schema": "enforced" if found.schema_enforced else "NOT enforced",
        "seconds per call": None if found.seconds is None else f"{found.seconds:.3f}",
    }
    for name, value in lines.items():
        typer.echo(f"{name:<18}{'not told' if value is None else value}")
