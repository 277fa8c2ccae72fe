"""`ace expert simulate`: a server that answers like an LLM server and fails on demand."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ace.cli.app import Json, examples, show
from ace.cli.expert import expert
from ace.errors import Refused, Unavailable
from ace.wording import plural

if TYPE_CHECKING:
    from ace_lab.simulator.server import Simulator


@expert.command(
    "simulate",
    epilog=examples(
        "ace expert simulate --dialect vllm --slots 32 --queue 64 --latency lognormal:0.5,0.6",
        "ace expert simulate --fault overloaded=0.05 --fault hang=0.01 --seed 7",
        "ace expert simulate --faults-total 0.2 --answers canned --json",
    ),
)
def simulate(
    dialect: Annotated[str, typer.Option(help="tgi, vllm, sglang, llama.cpp or openai.")] = "tgi",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0: any.")] = 8091,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    slots: Annotated[int, typer.Option(min=0, help="Requests served at the same time.")] = 128,
    queue: Annotated[
        int | None, typer.Option(min=0, help="Requests that may wait [the dialect's default].")
    ] = None,
    latency: Annotated[
        str, typer.Option(help="Seconds before an answer: fixed:SECONDS or lognormal:MEDIAN,SIGMA.")
    ] = "fixed:0",
    tokens_per_second: Annotated[
        float | None, typer.Option(min=0.1, help="Speed of an answer after the latency.")
    ] = None,
    max_input_tokens: Annotated[int, typer.Option(min=1, help="Longer prompts are rejected.")] = 131_072,
    answers: Annotated[
        str,
        typer.Option(help="structural: ACE's rules answer; canned: the smallest JSON that fits the schema."),
    ] = "structural",
    enforce: Annotated[
        bool,
        typer.Option("--enforce/--no-enforce", help="Follow the schema, or accept it and answer in prose."),
    ] = True,
    fault: Annotated[
        list[str] | None, typer.Option(metavar="NAME=RATE", help="A fault and its share of requests.")
    ] = None,
    faults_total: Annotated[
        float, typer.Option(min=0, max=1, help="Total rate, spread over all temporary faults.")
    ] = 0.0,
    script: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="JSON lines that say what each request gets."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides faults and latencies.")] = 0,
    as_json: Json = False,
) -> None:
    """Serve the protocol of an LLM server until Ctrl-C. There is no model; rules answer.

    While it runs, POST /simulator/script and /simulator/down?seconds=30 change its behaviour, and
    GET /simulator/stats reports its counters.
    """
    import asyncio

    from ace.expert.client.dialects import Dialect
    from ace_lab.simulator.faults import read_script
    from ace_lab.simulator.server import Simulator

    _one_of(dialect, [each.value for each in Dialect], "/dialect")
    _one_of(answers, ["structural", "canned"], "/answers")
    simulator = Simulator(
        host=host,
        port=port,
        dialect=dialect,
        slots=slots,
        queue=queue,
        latency=latency,
        tokens_per_second=tokens_per_second,
        max_input_tokens=max_input_tokens,
        structural=answers == "structural",
        enforced=enforce,
        faults=_rates(fault or []),
        faults_total=faults_total,
        script=read_script(script.read_text(encoding="utf-8")) if script else (),
        seed=seed,
    )
    try:
        asyncio.run(_serve(simulator, as_json=as_json))
    except OSError as error:
        raise Unavailable(
            "expert", f"the simulator cannot listen at {host}:{port}: {error.strerror}"
        ) from error


async def _serve(simulator: Simulator, *, as_json: bool) -> None:
    import asyncio

    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)

    def ready() -> None:
        dialect = simulator.server.behaviour.dialect.value
        if as_json:
            show({"url": simulator.url, "pid": os.getpid(), "simulates": dialect})
        else:
            typer.echo(f"Simulating {dialect} at {simulator.url} (rules, no LLM). Ctrl-C stops it.")

    await simulator.serve(stopped, ready)
    if not as_json:
        stats = simulator.stats()
        typer.echo(
            f"{plural(stats['calls'], 'call')}, statuses {stats['statuses']}, faults {stats['faults']}"
        )


def _rates(given: list[str]) -> dict[str, float]:
    rates = {}
    for each in given:
        name, _, rate = each.partition("=")
        try:
            rates[name] = float(rate)
        except ValueError:
            raise Refused(f"{each!r} is not NAME=RATE", code="fault", pointer="/fault") from None
    return rates


def _one_of(given: str, known: list[str], pointer: str) -> None:
    if given not in known:
        raise Refused(f"{given!r} is none of {', '.join(known)}", code="usage", pointer=pointer)
