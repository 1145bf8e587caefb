"""`trigpoint score-cases`: published scores of a file of cases, a line of JSON a case; needs no database."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.output import line
from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.scores.published.cases import read_cases, score_case

BENCHMARKS = ("gsqa",)
PROFILES = ("published",)


def score_cases(
    cases: Annotated[
        Path, typer.Argument(help="a file of cases, one line of JSON for each", show_default=False)
    ],
    benchmark: Annotated[str, typer.Option(help="the benchmark: gsqa")] = "gsqa",
    profile: Annotated[str, typer.Option(help="the benchmark's rules: published")] = "published",
) -> None:
    """Score answers as the benchmark's authors do: {"case", "text", "parsed"} for each case, null without a score."""
    _known("benchmark", benchmark, BENCHMARKS)
    _known("profile", profile, PROFILES)
    try:
        lines = cases.read_bytes().split(b"\n")
    except OSError as error:
        raise UsageError(f"{cases} cannot be read: {error.strerror}.") from error
    for case in read_cases(lines, str(cases)):
        line(canonical_json(score_case(case)))


def _known(what: str, name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        raise UsageError(f"There is no {what} {name!r} with published cases; there is {', '.join(names)}.")
