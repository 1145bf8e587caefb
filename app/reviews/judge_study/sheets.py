"""The pages on which people mark responses: a file each, which asks nothing of any server and shows no judge's mark."""

import json
from collections.abc import Sequence
from pathlib import Path

from app.core import seeds
from app.core.errors import UsageError
from app.reviews.judge_study.responses import Response, StudiedRun
from app.reviews.sheets import environment

MOST_PEOPLE = 26


def write_pages(
    folder: Path, run: StudiedRun, sample: Sequence[Response], people: int, per_task: int, seed: int
) -> list[Path]:
    """A page for each person, with the responses in an order of its own; never over a file that is there.

    Raises UsageError where a file is there already or cannot be written.
    """
    paths = [folder / f"judge-study-{run.run}-person-{number}.html" for number in range(1, people + 1)]
    there = [path for path in paths if path.exists()]
    if there:
        raise UsageError(f"{there[0]} is there already and may hold marks. Choose another --to.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, path in enumerate(paths, start=1):
            with path.open("x", encoding="utf-8", newline="") as file:
                file.write(
                    as_page(run, seeds.shuffled(sample, seed, "person", number), number, per_task, seed)
                )
    except OSError as error:
        raise UsageError(f"--to {folder}: {error.strerror}. Choose another folder.") from error
    return paths


def as_page(run: StudiedRun, sample: Sequence[Response], person: int, per_task: int, seed: int) -> str:
    """One HTML file: responses with what is true, and a number to fill in for each criterion."""
    return environment.get_template("judge_study.html").render(
        run=run,
        sample=sample,
        person=person,
        per_task=per_task,
        seed=seed,
        pretty=lambda facts: json.dumps(facts, indent=1, ensure_ascii=False, sort_keys=True),
    )
