"""Options of `ace` itself: its version and shell completion."""

import pytest
from typer.testing import CliRunner

import ace
from ace.cli import app


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
