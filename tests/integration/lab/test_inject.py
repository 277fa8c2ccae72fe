"""`ace data inject` against simulated servers, whose models are good and bad ones."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

import ace_lab.cli.inject  # noqa: F401 puts the command into the app
from ace.cli import app
from ace_lab.data.pools import split_of
from ace_lab.data.rows import read_rows, read_sets
from ace_lab.llm import generator
from ace_lab.simulator.server import Simulator
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

PARTS = ("drum", "lever", "spring", "hook", "valve", "gasket", "shaft", "piston")
FAMILIES = list(islice((one for one in map("US{}".format, count()) if split_of(one) == "train"), 20))
RUN = "import ace_lab.cli.inject, ace.cli; ace.cli.main()"

Asked = dict[str, Any]
"""The body of a request."""

Step = dict[str, Any]
"""What it gets: a step of the simulator's script."""


def texts(family: str) -> dict[int, str]:
    """Seven sound claims, one independent."""
    first = f"A winch {family} comprising a frame, {', '.join(f'a {part}' for part in PARTS)} and a motor."
    more = [f"The winch {family} of claim 1, wherein the {part} is fixed to the frame." for part in PARTS[:6]]
    return dict(enumerate([first, *more], start=1))


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between tries are short."""
    monkeypatch.setattr(generator, "FIRST_WAIT_SECONDS", 0.01)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    path = tmp_path / "claims.jsonl"
    with path.open("w", encoding="utf-8") as lines:
        for family in FAMILIES:
            claims = [{"num": number, "text": text} for number, text in texts(family).items()]
            lines.write(json.dumps({"source": "ours", "patent": family, "claims": claims}) + "\n")
    return path


@dataclass
class Model:
    """A model behind a simulated server; `answer` says what each request gets, in any thread."""

    answer: Callable[[Asked], Step]
    simulator: Simulator

    @property
    def url(self) -> str:
        return self.simulator.url

    @property
    def asked(self) -> list[Asked]:
        return self.simulator.requests

    def sets_asked(self) -> Counter[str]:
        """How often each claim set was asked about."""
        return Counter(shown(asked)[1].split()[2] for asked in self.asked)


@contextmanager
def serving(answer: Callable[[Asked], Step], dialect: str = "openai") -> Iterator[Model]:
    simulator = Simulator(dialect=dialect, answer=lambda asked: model.answer(asked), kept_requests=100)
    model = Model(answer, simulator)
    with simulator.run():
        yield model


def shown(asked: Asked) -> dict[int, str]:
    """The claims that a request shows, read as a model would have to."""
    block = re.search(r"<<<claims (\w+)>>>\n(.*)\n<<<end \1>>>", asked["messages"][1]["content"], re.DOTALL)
    assert block is not None
    return {one["number"]: one["text"] for one in map(json.loads, block[2].splitlines())}


def edits_for(instructions: str) -> tuple[str, str]:
    """The words that a good model exchanges in claims 2 to 7, by what the instructions ask for."""
    if "antecedent basis away" in instructions:
        return r"the \w+ is", "the flywheel is"
    if "breaks the reference" in instructions:
        return "claim 1,", "claim 77,"
    if "contradict itself" in instructions:
        return "is fixed to the frame", "is longer than 9 cm and shorter than 5 cm"
    if "guesswork" in instructions:
        return "fixed", "preferably fixed"
    if "form of a claim" in instructions:
        return r"is fixed to the frame\.", "is fixed. The frame."
    assert "exactly as sound as it was" in instructions
    return "wherein the", "in which the"


def good(asked: Asked) -> dict[str, Any]:
    """What a model returns that does as it is told."""
    content = asked["messages"][1]["content"]
    claims = shown(asked)
    only = re.search(r"exactly one edit of this sort, in claim (\d+)", content)
    old, new = edits_for(content)
    numbers = [int(only[1])] if only else [number for number in claims if number > 1]
    changes = []
    for number in numbers:
        text, made = re.subn(old, new, claims[number], count=1)
        if not made:  # claim 1
            text, new = f"{claims[number][:-1]}, the frame being rigid.", "the frame being rigid"
        claims[number] = text
        changes.append({"claim": number, "quote": f"{new}{text.split(new)[1][:12]}", "explanation": "…"})
    return {
        "claims": [{"number": number, "text": text} for number, text in claims.items()],
        "changes": changes,
    }


def said(answer: dict[str, Any], finish_reason: str = "stop") -> Step:
    return {"content": json.dumps(answer), "finish_reason": finish_reason}


def obedient(asked: Asked) -> Step:
    return said(good(asked))


def command(sources: Path, out: Path, *models: str, more: Sequence[str] = ()) -> list[str]:
    named = [word for model in models for word in ("--model", model)]
    return ["data", "inject", str(sources), "--out", str(out), *named, "--attempts", "3", *more]


def inject(sources: Path, out: Path, *models: str, more: Sequence[str] = ()) -> Result:
    return CliRunner().invoke(app, command(sources, out, *models, more=[*more, "--json"]))


def test_sets_from_two_models_half_of_them_placebos(sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serving(obedient) as one, serving(obedient) as other:
        result = inject(sources, out, f"a/one={one.url}", f"b/two={other.url}/v1")
    summary = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert (summary["tasks"], summary["rows"], summary["rejected"]) == (20, 20, {})
    assert summary["labels"] == {
        "ambiguity": 2,
        "antecedent": 2,
        "dependency": 2,
        "logical": 2,
        "pass": 10,
        "syntax": 2,
    }
    assert summary["generators"] == {"a/one": 10, "b/two": 10}
    assert summary["run"]["asked"] == 20
    served = [model.simulator.stats()["completion_tokens"] for model in (one, other)]
    assert summary["run"]["completion_tokens"] == sum(served) > 0
    rows = read_sets(out / "llm.sets.jsonl")
    for row in rows:
        changed = {number for number, text in row.claims if text != texts(row.family)[number]}
        assert changed == {2, 3, 4, 5, 6, 7}
        assert {defect.claim for defect in row.defects} == (set() if row.label == "pass" else changed)
        assert row.edit == ("placebo" if row.label == "pass" else "injected")
        assert row.origin == row.family
    for model in (one, other):
        assert {each.path for each in model.simulator.received} == {"/v1/chat/completions"}
        assert all(0 < asked["max_tokens"] <= 16_384 for asked in model.asked)
        assert all(asked["response_format"]["type"] == "json_schema" for asked in model.asked)
        assert all("authorization" not in each.headers for each in model.simulator.received)
    assert json.loads((out / "llm.sets.manifest.json").read_text())["rows"] == 20


def test_one_defect_a_claim(sources: Path, tmp_path: Path) -> None:
    with serving(obedient) as model:
        result = inject(
            sources, tmp_path, f"a={model.url}", more=["--density", "single", "--class", "dependency"]
        )
    assert json.loads(result.stdout)["labels"] == {"dependency": 10, "pass": 10}
    rows = read_rows(tmp_path / "llm.jsonl")
    assert {row.origin for row in rows} == {f"{row.family}/{row.number}" for row in rows}
    for row in rows:
        if row.label == "pass":
            assert (row.edit, row.spans) == ("llm_placebo", ())
            continue
        [(start, end)] = row.spans
        assert (row.text[start:end], row.edit, row.generator) == ("77", "llm", "a")
        assert row.ancestors == ()  # claim 77 is not there


def test_concurrency_is_used_and_kept_to(sources: Path, tmp_path: Path) -> None:
    gate, lock, asking_now, most = threading.Barrier(4), threading.Lock(), 0, 0

    def together(asked: Asked) -> Step:
        nonlocal asking_now, most
        with lock:
            asking_now += 1
            most = max(most, asking_now)
        gate.wait(60)  # broken, and the test with it, where fewer than four questions are in flight
        with lock:  # before the answer leaves, so that the next question cannot come first
            asking_now -= 1
        return obedient(asked)

    with serving(together) as model:
        result = inject(sources, tmp_path, f"a={model.url}", more=["--concurrency", "4"])
    assert (result.exit_code, most) == (0, 4)


def lost(asked: Asked) -> Step:
    answer = good(asked)
    return said({**answer, "claims": answer["claims"][:-1]})


def renumbered(asked: Asked) -> Step:
    answer = good(asked)
    return said({**answer, "claims": [{**one, "number": one["number"] + 10} for one in answer["claims"]]})


def unchanged(asked: Asked) -> Step:
    claims = [{"number": number, "text": text} for number, text in shown(asked).items()]
    return said({**good(asked), "claims": claims})


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lost, "claim_lost"),
        (renumbered, "renumbered"),
        (unchanged, "unchanged"),
        (lambda asked: said(good(asked), "length"), "truncated"),
        (lambda asked: {"content": json.dumps(good(asked))[:-30]}, "unreadable"),
        (lambda _: {"content": "no"}, "unreadable"),
        (lambda _: {"status": 413}, "refused"),
    ],
)
def test_a_rejected_answer_is_kept_with_its_reason_and_not_asked_for_again(
    sources: Path, tmp_path: Path, answer: Callable[[Asked], Step], reason: str
) -> None:
    with serving(answer) as model:
        named = f"a={model.url}"
        first = json.loads(inject(sources, tmp_path, named, more=["--most", "3"]).stdout)
        assert (first["rows"], first["rejected"], len(model.asked)) == (0, {reason: 3}, 3)
        model.answer = obedient
        again = json.loads(inject(sources, tmp_path, named, more=["--most", "3"]).stdout)
        assert (again["rows"], again["rejected"], len(model.asked)) == (0, {reason: 3}, 3)
        retried = json.loads(inject(sources, tmp_path, named, more=["--most", "3", "--retry-failed"]).stdout)
        assert (retried["rows"], retried["rejected"], len(model.asked)) == (3, {}, 6)


def test_what_no_rule_sees_is_kept_only_on_request(sources: Path, tmp_path: Path) -> None:
    def mute(asked: Asked) -> Step:
        """Replaces words by others that are as good."""
        answer = good({**asked, "messages": [{}, {"content": asked["messages"][1]["content"]}]})
        claims = [
            {"number": number, "text": text.replace("fixed to the frame", "mounted upon the frame")}
            for number, text in shown(asked).items()
        ]
        changes = [{**one, "quote": "mounted upon"} for one in answer["changes"]]
        return said({"claims": claims, "changes": changes})

    more = ["--class", "logical", "--most", "4"]
    with serving(mute) as model:
        first = json.loads(inject(sources, tmp_path, f"a={model.url}", more=more).stdout)
        assert (first["labels"], first["unconfirmed"]) == ({"pass": 2}, 2)
        kept = json.loads(
            inject(sources, tmp_path, f"a={model.url}", more=[*more, "--keep-unconfirmed"]).stdout
        )
        assert kept["labels"] == {"logical": 2, "pass": 2}
        assert len(model.asked) == 4


def test_busy_and_broken_servers_are_asked_again(sources: Path, tmp_path: Path) -> None:
    with serving(obedient) as model:
        model.simulator.follow(
            {"status": 429, "headers": {"retry-after": "0"}}, {"fault": "reset"}, {"fault": "unavailable"}
        )
        result = inject(
            sources, tmp_path, f"a={model.url}", more=["--most", "2", "--concurrency", "1", "--attempts", "4"]
        )
    assert (result.exit_code, json.loads(result.stdout)["rows"], len(model.asked)) == (0, 2, 5)


def plain(asked: Asked) -> Step:
    """A model whose server knows no schema."""
    return {"fault": "validation"} if "response_format" in asked else obedient(asked)


@pytest.mark.parametrize(
    ("dialect", "answer", "form"), [("tgi", obedient, "json"), ("openai", plain, None)], ids=["tgi", "none"]
)
def test_servers_that_know_another_way_to_ask_for_json(
    sources: Path, tmp_path: Path, dialect: str, answer: Callable[[Asked], Step], form: str | None
) -> None:
    with serving(answer, dialect) as model:
        result = inject(sources, tmp_path, f"a={model.url}", more=["--most", "5", "--concurrency", "1"])
    assert json.loads(result.stdout)["rows"] == 5
    forms = [asked.get("response_format", {}).get("type") for asked in model.asked]
    assert forms[-5:] == [form] * 5
    assert len(forms) <= 7


def test_a_server_that_hangs_is_left_and_asked_by_the_next_run(sources: Path, tmp_path: Path) -> None:
    with serving(obedient) as model:
        model.simulator.follow({"n": 2, "fault": "hang"})
        more = ["--most", "3", "--timeout-seconds", "3", "--concurrency", "1"]
        result = inject(sources, tmp_path, f"a={model.url}", more=more)
        assert result.exit_code == 4
        assert "1 questions without an answer (1 timeout)" in result.stderr
        summary = json.loads(result.stdout)
        assert (summary["rows"], summary["unanswered"]) == (2, 1)
        result = inject(sources, tmp_path, f"a={model.url}", more=more)
    assert (result.exit_code, json.loads(result.stdout)["rows"]) == (0, 3)
    assert sorted(model.sets_asked().values()) == [1, 1, 2]


def test_a_server_that_is_down_is_given_up_and_the_other_goes_on(sources: Path, tmp_path: Path) -> None:
    more = ["--attempts", "1", "--concurrency", "1"]
    with serving(obedient) as model, serving(lambda _: {"fault": "incomplete"}) as down:
        result = inject(sources, tmp_path, f"a={model.url}", f"b={down.url}", more=more)
    summary = json.loads(result.stdout)
    assert (result.exit_code, summary["generators"], summary["unanswered"]) == (4, {"a": 10}, 10)
    assert (len(down.asked), summary["run"]["given_up"]) == (8, {"b": "incomplete"})


def test_a_token_is_sent_and_a_wrong_one_stops_the_run(sources: Path, tmp_path: Path) -> None:
    with serving(lambda _: {"fault": "unauthorised"}) as model:
        result = inject(sources, tmp_path, f"a={model.url}", more=["--token", "sesame", "--concurrency", "1"])
    assert (result.exit_code, len(model.asked)) == (2, 1)
    assert "ACE_GENERATOR_TOKEN" in result.stderr
    assert "sesame" not in result.output
    assert model.simulator.received[0].headers["authorization"] == "Bearer sesame"


def test_no_error_quotes_a_claim(sources: Path, tmp_path: Path) -> None:
    with serving(lambda asked: {"status": 500, "body": asked}) as model:
        result = inject(sources, tmp_path, f"a={model.url}", more=["--most", "2", "--attempts", "1"])
    assert result.exit_code == 4
    assert "winch" not in result.output


def test_a_killed_run_goes_on_and_asks_nothing_twice(sources: Path, tmp_path: Path) -> None:
    journal = tmp_path / "llm.journal.jsonl"
    with serving(obedient) as model:
        # Four answers, then silence: the process is killed with two questions in flight.
        model.simulator.follow({"n": 5, "times": 9, "fault": "hang"})
        words = command(sources, tmp_path, f"a={model.url}", more=["--concurrency", "2"])
        process = subprocess.Popen([sys.executable, "-c", RUN, *words], env=environment())
        wait_for(lambda: lines(journal) >= 4 and len(model.asked) == 6, "four answers and two questions")
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not (tmp_path / "llm.sets.jsonl").exists()
        answered = set(islice(model.sets_asked(), 4))
        with journal.open("ab") as file:
            file.write(b'{"key": "0123", "state": "go')
        model.simulator.follow()
        result = inject(sources, tmp_path, f"a={model.url}", more=["--concurrency", "2"])
    assert (result.exit_code, json.loads(result.stdout)["rows"]) == (0, 20)
    times = model.sets_asked()
    assert sum(times.values()) == 22
    assert {times[one] for one in answered} == {1}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "qwen"], "NAME=URL"),
        (["--model", "qwen=ftp://host"], "http://"),
        (["--model", "a=http://x", "--model", "a=http://y"], "twice"),
    ],
)
def test_wrong_usage(sources: Path, tmp_path: Path, words: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["data", "inject", str(sources), "--out", str(tmp_path), *words])
    assert result.exit_code == 2
    assert message in result.stderr


def test_sources_that_are_none(tmp_path: Path) -> None:
    result = inject(tmp_path / "none.jsonl", tmp_path, "a=http://127.0.0.1:9")
    assert (result.exit_code, "no such file" in result.stderr) == (2, True)
    (tmp_path / "empty.jsonl").write_text("")
    result = inject(tmp_path / "empty.jsonl", tmp_path, "a=http://127.0.0.1:9")
    assert (result.exit_code, "no claim set in which the rules find no defect" in result.stderr) == (2, True)


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("ACE_")}


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0
