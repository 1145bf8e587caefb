"""`trigpoint run judge-study`: people mark a run's answers by the judge's rubric; how far people and judges agree."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.output import emit, write, write_file
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.reviews.judge_study.marks import read_file
from app.reviews.judge_study.models import JudgeStudy
from app.reviews.judge_study.report import as_markdown
from app.reviews.judge_study.responses import draw_responses, read_run
from app.reviews.judge_study.sheets import MOST_PEOPLE, write_pages
from app.reviews.judge_study.studying import study


def judge_study(
    run_id: Annotated[int, typer.Argument(metavar="RUN", help="the number of a complete run of answers")],
    people: Annotated[int, typer.Option(min=1, max=MOST_PEOPLE, help="with --to: how many people mark")] = 3,
    per_task: Annotated[
        int, typer.Option(min=1, max=1000, help="with --to: how many responses of each task")
    ] = 13,
    seed: Annotated[int, typer.Option(min=0, max=2**53 - 1, help="with --to: decides which responses")] = 0,
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="write a page for each person into this folder")
    ] = None,
    marks: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="a person's marks, as the page saves them; may be given again"),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.md", help="write the report here; an existing file is replaced"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Have people mark answers by a judge's rubric, then compare people and judges."""
    if to is not None:
        if marks or report:
            raise UsageError(
                "--to writes pages for people; --marks and --report read what they marked: give one."
            )
        _write_pages(run_id, to, people, per_task, seed, as_json)
        return
    files = [read_file(path) for path in marks or []]
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        found = study(connection, run_id, files)
    _tell(found, report, as_json)


def _write_pages(run_id: int, to: Path, people: int, per_task: int, seed: int, as_json: bool) -> None:
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        run = read_run(connection, run_id)
    sample = draw_responses(run.responses, per_task, seed)
    paths = write_pages(to, run, sample, people, per_task, seed)
    told = {
        "run": run_id,
        "seed": seed,
        "per_task": per_task,
        "responses": len(sample),
        "files": [str(path) for path in paths],
    }
    emit(
        told,
        as_json,
        f"{len(sample)} responses of run {run_id}, a page for each person: {', '.join(map(str, paths))}.",
    )


def _tell(found: JudgeStudy, report: Path | None, as_json: bool) -> None:
    content = as_markdown(found)
    if report is not None:
        write_file(report, content)
    if as_json:
        emit(found.model_dump(mode="json"), as_json)
    elif report is None:
        write(content)
    else:
        emit({}, as_json, f"The study of run {found.run} written to {report}.")
