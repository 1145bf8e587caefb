"""`trigpoint score-cases`: published scores of a file of cases, a line of JSON a case; needs no database."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.output import line
from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.scores.paper_rules import PROFILE, benchmarks_with_rules, find_rules


def score_cases(
    cases: Annotated[
        Path, typer.Argument(help="a file of cases, one line of JSON for each", show_default=False)
    ],
    benchmark: Annotated[str, typer.Option(help="the benchmark: gsqa or mapeval")] = "gsqa",
    profile: Annotated[str, typer.Option(help="the benchmark's rules: published")] = "published",
) -> None:
    """Score answers as the benchmark's authors do, a JSON object for each case (docs/scoring.md)."""
    rules = find_rules(benchmark)
    if rules is None:
        raise _unknown("benchmark", benchmark, benchmarks_with_rules())
    if profile != PROFILE:
        raise _unknown("profile", profile, [PROFILE])
    try:
        lines = cases.read_bytes().split(b"\n")
    except OSError as error:
        raise UsageError(f"{cases} cannot be read: {error.strerror}.") from error
    for scores in rules.score_cases(lines, str(cases)):
        line(canonical_json(scores))


def _unknown(what: str, name: str, known: list[str]) -> UsageError:
    return UsageError(f"There is no {what} {name!r} with published cases; there is {', '.join(known)}.")
