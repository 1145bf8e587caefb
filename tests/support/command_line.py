"""The command line in tests: `trigpoint …` with its streams, and the commands that make and prove data sets."""

import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from app.cli.local_worker import worker_environment
from app.core.settings import Settings
from tests.support.town import Imported

UNCHANGED = worker_environment(Settings.load())
TRIGPOINT = Path(sys.executable).parent / "trigpoint"


@dataclass(frozen=True)
class Done:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on stdout."""
        (line,) = self.out.splitlines()
        return json.loads(line)


def environment(settings: Settings) -> dict[str, str]:
    """The process's own, with those settings that a test changed."""
    changed = {
        name: value for name, value in worker_environment(settings).items() if UNCHANGED.get(name) != value
    }
    return {**os.environ, **changed, "TRIGPOINT_LOG_LEVEL": "error"}


def trigpoint(settings: Settings, *arguments: str, **variables: str) -> Done:
    """`trigpoint …` in this process: main() itself, with its environment, arguments and streams."""
    from app.cli.main import main
    from app.cli.output import progress, results

    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name, value in (environment(settings) | variables).items():
            patch.setenv(name, value)
        if "COLUMNS" in variables:
            # A process would have read it when it began.
            for console in (results, progress):
                patch.setattr(console, "width", int(variables["COLUMNS"]))
        patch.setattr(sys, "argv", ["trigpoint", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    return Done(int(ended.value.code or 0), out.getvalue(), err.getvalue())


def generate(settings: Settings, benchmark: str, snapshot: str, out: str, *more: str) -> Done:
    """`trigpoint generate`: the data set `out` of one snapshot."""
    return trigpoint(settings, "generate", benchmark, "--snapshot", snapshot, "--out", out, "--json", *more)


def export(settings: Settings, dataset: str, folder: Path, *more: str) -> dict[str, bytes]:
    """The files that `trigpoint export` writes, by name."""
    done = trigpoint(settings, "export", dataset, "--to", str(folder), "--json", *more)
    assert done.status == 0, done.err
    return {name: (folder / name).read_bytes() for name in done.json["files"]}


def lines(files: dict[str, bytes]) -> list[dict[str, Any]]:
    """The questions of an export."""
    return [json.loads(line) for line in files["questions.jsonl"].decode().splitlines()]


def proved(map_: Imported, bank: int, per_template: int) -> tuple[dict[str, Any], int]:
    """Both benchmarks generated and verified; gives reports by template and the number of questions."""
    options = ("--bank", str(bank), "--per-template", str(per_template))
    reports: dict[str, Any] = {}
    total = 0
    for benchmark in ("gsqa", "urban_knowledge"):
        done = generate(map_.settings, benchmark, map_.name, f"real_{benchmark}", *options)
        assert done.status == 0, done.err
        reports |= done.json["templates"]
        checked = trigpoint(map_.settings, "verify", f"real_{benchmark}", "--json")
        assert (checked.status, checked.json["failures"]) == (0, [])
        assert (
            checked.json["stored_sql"]
            == checked.json["second_path"]
            == {"agree": checked.json["questions"], "differ": 0}
        )
        total += checked.json["questions"]
    for report in reports.values():
        filled = report["accepted"] == bank
        assert filled or report["accepted"] + sum(report["refused"].values()) == report["capacity"]
        assert "second_path_disagrees" not in report["refused"]
    return reports, total
