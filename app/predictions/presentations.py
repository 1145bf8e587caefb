"""Presentations: the ways in which a run shows a question. A rotated run shows one in every rotation of its options.

Each has a key of its own, by which steps and predictions are told apart. Without options there is one presentation.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.core.identity import digest

ROTATED: Mapping[str, Any] = {"rotate": True}
"""What the presentation of a rotated run says beside what else it says."""


IMAGE_DETAIL = "image_detail"
"""The name among what a run's presentation says of how closely its model is to look at pictures."""


CONTEXT = "question_context"
"""The name among what a run's presentation says of whether its questions are shown with their contexts."""
LEFT_OUT = "left out"


class Presentation(NamedTuple):
    """One way to show a question: its options turned by `rotation` places."""

    key: str
    rotation: int


def is_rotated(of_run: Mapping[str, Any]) -> bool:
    """Whether a run of that presentation asks each question in every rotation of its options."""
    return bool(of_run.get("rotate"))


def leaves_out_contexts(of_run: Mapping[str, Any]) -> bool:
    """Whether a run of that presentation asks questions without their contexts."""
    return of_run.get(CONTEXT) == LEFT_OUT


def presentations(of_run: Mapping[str, Any], options: int | None) -> list[Presentation]:
    """How a run of that presentation shows a question with so many options, or without any."""
    if not is_rotated(of_run):
        return [Presentation(digest(of_run), 0)]
    return [
        Presentation(digest({**of_run, "rotation": rotation}), rotation) for rotation in range(options or 1)
    ]
