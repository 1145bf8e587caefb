"""Proofs by pictures: the answer follows from the record of what was drawn, and the picture is drawn again."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.identity import canonical_json
from app.drawing.answers.labels import Unclear
from app.drawing.edges import FrameRefusal
from app.drawing.record import read_record
from app.questions.pictures.drawn import Picture, draw_picture
from app.questions.pictures.registers import drawn_of
from app.questions.prompts import StoredPrompt, images_of
from app.questions.records import SnapshotRef
from app.questions.tool_plans import is_answer

DRAWING = "drawing"
"""The kind of the solutions that say what a picture shows."""


class Seen(NamedTuple):
    """A question about a picture, as far as the picture must answer it."""

    benchmark: str
    template: str
    parameters: Mapping[str, Any]
    options: Sequence[str] | None


def as_solution(benchmark: str, template: str, picture: Picture) -> dict[str, Any]:
    """What is kept with gold of a picture: its frame, and of its record what the answer needs."""
    needs = drawn_of(benchmark, template).needs
    return {"frame": picture.frame, "record": picture.record_with(needs)}


def drawing_fault(seen: Seen, solutions: Mapping[str, Any], gold: Mapping[str, Any]) -> str | None:
    """Why the answer does not follow from what was drawn, a sentence; None where it does."""
    if DRAWING not in solutions:
        return "there is no record of a picture"
    record = read_record(solutions[DRAWING]["record"])
    answer = drawn_of(seen.benchmark, seen.template).read(record, seen.parameters, seen.options)
    if isinstance(answer, Unclear):
        return f"the picture does not tell it ({answer.reason})"
    return None if is_answer(answer, gold) else f"the picture leads to {dict(answer)}"


class Redrawing:
    """Draws the pictures of stored questions again, each once a map."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._drawn: dict[int, dict[str, Picture | FrameRefusal]] = {}

    def find_fault(
        self,
        seen: Seen,
        snapshot: SnapshotRef,
        prompt: StoredPrompt,
        solutions: Mapping[str, Any],
        binds: Mapping[str, Any],
    ) -> str | None:
        """How a picture that is drawn again differs from what is stored of it; None where it does not."""
        stored = solutions.get(DRAWING)
        if stored is None:
            return "there is no record of a picture"
        drawn = self._drawn.setdefault(snapshot.id, {})
        picture = draw_picture(self._connection, snapshot, stored["frame"], drawn)
        if isinstance(picture, FrameRefusal):
            return picture.sentence
        shown = [part.sha256 for part in images_of([prompt])]
        if shown != [picture.part.sha256]:
            return f"drawn again, it is {picture.part.sha256}"
        if canonical_json(as_solution(seen.benchmark, seen.template, picture)) != canonical_json(stored):
            return "drawn again, it shows something else than was recorded"
        told = {name: value for name, value in picture.binds.items() if name in binds}
        if any(binds[name] != value for name, value in told.items()):
            return "the binds of the SQL are not what was drawn"
        return None
