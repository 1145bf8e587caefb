"""The quick parts of `make check`: style, formatting, import contracts, our own rules, template lint."""

import subprocess

import pytest

from app.core.settings import PROJECT_ROOT

BIN = PROJECT_ROOT / ".venv" / "bin"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["ruff", "check", "--quiet", "--output-format", "concise", "."], id="ruff"),
        pytest.param(["ruff", "format", "--check", "--quiet", "."], id="format"),
        pytest.param(["lint-imports", "--no-logo"], id="imports"),
        pytest.param(["python", "scripts/lint_rules.py"], id="rules"),
        pytest.param(["trigpoint", "templates", "check"], id="templates"),
    ],
)
def test_the_project_keeps_its_rules(command: list[str]) -> None:
    done = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=PROJECT_ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_make_targets_are_one_line_that_calls_their_script() -> None:
    lines = (PROJECT_ROOT / "Makefile").read_text().splitlines()
    targets = [line.removesuffix(":") for line in lines if line.endswith(":")]
    named = next(line for line in lines if line.startswith(".PHONY:")).split()[1:]
    assert targets == named
    for target in targets:
        position = lines.index(f"{target}:")
        assert lines[position + 1] == f"\t@scripts/{target}"
        script = PROJECT_ROOT / "scripts" / target
        assert script.stat().st_mode & 0o111, f"{script} cannot be run"
        assert script.read_text().startswith("#!/bin/sh\n")
