"""Options of `ace` itself: its version and shell completion."""

import pytest
from typer.testing import CliRunner

import ace
from ace.cli import app
from ace.workers import expert, gatekeeper


def test_the_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"ace {ace.__version__}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_for_each_shell(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    result = CliRunner().invoke(app, ["--show-completion", shell], prog_name="ace")
    assert result.exit_code == 0
    assert "_ACE_COMPLETE" in result.output


def test_completion_offers_commands() -> None:
    result = CliRunner().invoke(
        app,
        prog_name="ace",
        env={"_ACE_COMPLETE": "complete_bash", "COMP_WORDS": "ace che", "COMP_CWORD": "1"},
    )
    assert result.output.split() == ["check"]


@pytest.mark.parametrize(("queue", "status"), [("fast", 71), ("slow", 72), ("middle", 2)])
def test_a_worker_serves_one_of_two_queues(monkeypatch: pytest.MonkeyPatch, queue: str, status: int) -> None:
    # Given workers that end at once, each with a status of its own
    monkeypatch.setattr(gatekeeper, "main", lambda _: 71)
    monkeypatch.setattr(expert, "main", lambda _: 72)
    assert CliRunner().invoke(app, ["worker", queue]).exit_code == status
