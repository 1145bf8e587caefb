"""What the Makefile promises: each target is one line that calls the script of the same name.

`make check`, which looks at style and types, is not run again here: `.ci/run` runs it first.
"""

from app.core.settings import PROJECT_ROOT


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
