"""A sample to be marked: one page that saves its marks itself, or a CSV sheet. Pure but for the writing."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.core.words import in_page
from app.reviews.marks import COLUMNS, LONGEST_NOTE, MARKS
from app.reviews.storing import SampledQuestion

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    finalize=in_page,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def write_sheet(path: Path, dataset: str, seed: int, size: int, questions: Sequence[SampledQuestion]) -> None:
    """Write the sheet that the file's name asks for; never over a file that is there, which may hold marks.

    Raises UsageError for another ending, and where the file is there or cannot be written.
    """
    kinds = {".html": as_page, ".csv": as_csv}
    kind = path.suffix.lower()
    if kind not in kinds:
        raise UsageError(f"--to {path}: the name must end in .html (a page) or .csv (a sheet).")
    content = kinds[kind](dataset, seed, size, questions)
    try:
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(content)
    except FileExistsError as error:
        raise UsageError(f"{path} is there already and may hold marks. Choose another --to.") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Choose another --to.") from error


def as_csv(dataset: str, seed: int, size: int, questions: Sequence[SampledQuestion]) -> str:
    """A line a question, the columns `mark` and `note` empty."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in questions:
        gold = "" if one.gold is None else canonical_json(one.gold)
        shown = (one.template, one.split, one.snapshot, one.text, "\n".join(lettered(one)), gold)
        writer.writerow([dataset, seed, size, one.id, *shown, "", ""])
    return buffer.getvalue()


def as_page(
    dataset: str, seed: int, size: int, questions: Sequence[SampledQuestion], part: str | None = None
) -> str:
    """One HTML file with everything in it: it asks nothing of any server and can be printed.

    `part` is the name of the batch that the questions are of; without it they are a sample.
    """
    return environment.get_template("sheet.html").render(
        dataset=dataset,
        seed=seed,
        size=size,
        questions=questions,
        part=part,
        marks=MARKS,
        longest_note=LONGEST_NOTE,
        lettered=lettered,
        pretty=lambda gold: json.dumps(gold, indent=1, ensure_ascii=False, sort_keys=True),
    )


def lettered(question: SampledQuestion) -> list[str]:
    """The options with their letters."""
    return [f"{letter}. {option}" for letter, option in zip(LETTERS, question.options or ())]
