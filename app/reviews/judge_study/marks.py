"""Reads a file of a person's marks, as the page saves it; a fault names the item. Pure: touches no database."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from app.core.errors import UsageError
from app.core.strict_json import read_json
from app.reviews.judge_study.responses import Key, Response
from app.solvers.judging.rubrics import ANSWER, Rubric

LARGEST_FILE = 20_000_000


class Marks(NamedTuple):
    """The points of one response by one rater."""

    rubric: Rubric
    reason: float
    answer: float
    parts: Mapping[str, float]

    @property
    def total(self) -> float:
        """The share of all points."""
        return (self.reason + self.answer) / self.rubric.total


@dataclass(frozen=True)
class MarksFile:
    """A person's marks by response, and the sample that they are of."""

    person: str
    path: Path
    run: int
    seed: int
    per_task: int
    items: Sequence[Mapping[str, Any]]


def read_file(path: Path) -> MarksFile:
    """The file {run, seed, per_task, items: [{item, marks: {part: points}}]}; the person is called as the file is.

    Raises UsageError at the first fault.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > LARGEST_FILE:
        raise UsageError(f"{path} is larger than {LARGEST_FILE // 1_000_000} MB: it is not a file of marks.")
    try:
        told = read_json(content.decode("utf-8-sig"))
    except ValueError as error:
        raise UsageError(f"{path} is no JSON file of marks: {error}.") from error
    numbers = ("run", "seed", "per_task")
    if not isinstance(told, dict) or told.keys() != {*numbers, "items"}:
        fail(path, "the file", f"it needs the keys {', '.join(numbers)} and items, and no other")
    if not all(type(told[name]) is int for name in numbers) or not isinstance(told["items"], list):
        fail(path, "the file", "run, seed and per_task are whole numbers, and items is a list")
    return MarksFile(path.stem, path, told["run"], told["seed"], told["per_task"], told["items"])


def fail(path: Path, place: str, fault: str) -> NoReturn:
    """Raise UsageError for a fault at a place of a file."""
    raise UsageError(f"{path}: {place}: {fault}. No mark was read.")


def marks_of(file: MarksFile, sample: Sequence[Response]) -> dict[Key, Marks]:
    """The marks by response; responses without any mark are left out. Raises UsageError at the first fault."""
    known = {one.key.text: one for one in sample}
    found: dict[Key, Marks] = {}
    for number, item in enumerate(file.items, start=1):
        place = f"item {number}"
        if (
            not isinstance(item, dict)
            or item.keys() != {"item", "marks"}
            or not isinstance(item["marks"], dict)
        ):
            fail(file.path, place, "an item is {item, marks}, and marks is an object")
        response = known.get(str(item["item"]))
        if response is None:
            fail(
                file.path,
                place,
                f"{str(item['item'])[:60]!r} is not in the sample of this run, seed and number",
            )
        if response.key in found:
            fail(file.path, place, f"{response.key.text} stands twice")
        given = {part: points for part, points in item["marks"].items() if points is not None}
        if given:
            found[response.key] = _marks(file.path, place, given, response.rubric)
    if not found:
        raise UsageError(f"{file.path}: no response has marks. No mark was read.")
    return found


def _marks(path: Path, place: str, given: Mapping[str, Any], rubric: Rubric) -> Marks:
    parts = rubric.parts()
    unknown = [part for part in given if part not in parts]
    missing = [part for part in parts if part not in given]
    if unknown:
        fail(path, place, f"the rubric {rubric.task} has no {unknown[0][:40]!r}")
    if missing:
        fail(path, place, f"{missing[0]} has no points, but other parts have")
    for part in parts:
        points, most = given[part], rubric.maximum_of(part)
        if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points <= most:
            fail(path, place, f"{part}: {str(points)[:40]} is not a number from 0 to {most:g}")
    points = {part: float(given[part]) for part in parts}
    reason = math.fsum(value for part, value in points.items() if part != ANSWER)
    return Marks(rubric, reason, points[ANSWER], points)
