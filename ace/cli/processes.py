"""Commands that run processes: the whole stack on one machine, the demo, and each process on its own."""

import os
import signal
import sys
from typing import Annotated

import typer

from ace.cli.app import Data, Json, Listener, app, configured, examples, handed_over, settings_with, show
from ace.errors import Refused


@app.command(epilog=examples("ace up", "ace up --port 9000 --data /var/lib/ace", "ace up --new-key"))
def up(
    data: Data = None,
    port: Annotated[int | None, typer.Option(help="Port of the API (ACE_PORT).")] = None,
    gatekeepers: Annotated[int, typer.Option(min=1, help="Number of gatekeeper workers.")] = 1,
    experts: Annotated[int, typer.Option(min=1, help="Number of expert workers.")] = 1,
    new_key: Annotated[
        bool, typer.Option("--new-key", help="Revoke the key of the data folder and make another.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Run all of ACE on this machine: database, broker, workers, expert and API. Ctrl-C stops it."""
    from ace.local.embedded import require_servers
    from ace.local.stack import Stack
    from ace.processes import until_signalled
    from ace.telemetry import configure_logging

    settings = settings_with(data_dir=data, port=port)
    require_servers(settings)
    configure_logging(settings.log_level)
    stop = until_signalled()
    with Stack(settings, gatekeepers=gatekeepers, experts=experts, new_key=new_key) as stack:
        if as_json:
            sign_in = stack.sign_in_link()
            show({"url": stack.url, "key": stack.key, "sign_in": sign_in, "pid": os.getpid()})
        else:
            typer.echo(f"ACE is up at {stack.url}\nkey: {stack.key}")
            typer.echo(stack.expert_in_words())
            typer.echo(f"sign in (once, within an hour): {stack.sign_in_link()}\nCtrl-C stops it.")
        sys.stdout.flush()
        stop.wait()
    if not as_json:
        typer.echo("ACE has stopped.")


@app.command(epilog=examples("ace demo", "ace demo --keep", "ace demo --json --data /tmp/ace-demo"))
def demo(
    data: Data = None,
    keep: Annotated[
        bool,
        typer.Option("--keep", help="Leave the stack up, and print a link to its desk. Ctrl-C stops it."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Start a temporary stack, submit the sample claim sets and show the verdict on every claim."""
    from ace.cli.demo import run
    from ace.local.embedded import require_servers
    from ace.processes import until_signalled

    settings = settings_with(data_dir=data)
    require_servers(settings)

    def until_stopped() -> None:
        until_signalled().wait()

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # leaves no process behind
    wait = until_stopped if keep else None
    raise typer.Exit(run(settings, as_json=as_json, wait=wait))


@app.command(epilog=examples("ace serve", "ace serve --port 9000", "ACE_HOST=0.0.0.0 ace serve"))
def serve(
    port: Annotated[int | None, typer.Option(help="Port to listen on (ACE_PORT).")] = None,
    fd: Listener = None,
) -> None:
    """Serve the HTTP API, and the desk under the same address."""
    from ace.api.app import serve as serve_api
    from ace.desk.routes import install
    from ace.local.private import listen_tcp

    settings = configured("api", port=port)
    serve_api(settings, handed_over(fd) or [listen_tcp(settings.host, settings.port)], install=install)


@app.command(
    epilog=examples("ace dispatch", "ACE_EXPERT_SLOTS=32 ace dispatch", "ACE_POLL_SECONDS=1 ace dispatch")
)
def dispatch() -> None:
    """Run a dispatcher. Several may run side by side."""
    from ace.workers import dispatcher

    dispatcher.main(configured("dispatcher"))


@app.command(epilog=examples("ace worker fast", "ace worker slow", "ace worker webhooks"))
def worker(
    queue: Annotated[
        str,
        typer.Argument(
            help="`fast` for gatekeeper workers, `slow` for expert workers, `webhooks` for deliveries."
        ),
    ],
) -> None:
    """Run a worker for one of the queues."""
    if queue == "fast":
        from ace.workers.gatekeeper import PART, main
    elif queue == "slow":
        from ace.workers.expert import PART, main
    elif queue == "webhooks":
        from ace.workers.webhooks import PART, main
    else:
        raise Refused(f"unknown queue {queue!r}: use fast, slow or webhooks", code="unknown_queue")

    raise typer.Exit(main(configured(PART)))
