"""`ace expert`: probe a server, or serve the structural examiner that comes with ACE."""

from __future__ import annotations

from typing import Annotated

import typer

from ace.cli.app import Listener, app, examples, group, handed_over

expert = group(
    "Probe or serve an expert.",
    examples(
        "ace expert serve",
        "ace expert probe http://127.0.0.1:8090",
        "ace expert probe https://llm.example.org/v1 --json",
    ),
)
app.add_typer(expert, name="expert")


@expert.command(
    "serve",
    epilog=examples(
        "ace expert serve",
        "ace expert serve --port 8090",
        "ACE_EXPERT_URL=http://127.0.0.1:8090 ace up",
    ),
)
def serve(
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8090,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    fd: Listener = None,
) -> None:
    """Serve the structural examiner (rules, not a language model) behind TGI's wire protocol."""
    import uvicorn

    from ace.expert.examiner.server import create_app
    from ace.settings import Settings
    from ace.telemetry import configure_logging

    configure_logging(Settings().log_level)
    config = uvicorn.Config(create_app(), host=host, port=port, log_config=None, access_log=False)
    uvicorn.Server(config).run(sockets=handed_over(fd))
