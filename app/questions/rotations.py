"""Options in a rotation: which of them stands where when a question is shown with its options turned. Pure.

Places count from 0. A rotation of r shows the option of place r first, and those before it at the end.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def turned(options: Sequence[T], rotation: int) -> list[T]:
    """The options as they are shown."""
    return [*options[rotation:], *options[:rotation]]


def place_shown(place: int, rotation: int, count: int) -> int:
    """Where the option of that place is shown, of `count` options."""
    return (place - rotation) % count


def own_place(shown: int, rotation: int, count: int) -> int:
    """The place of the option that is shown there, of `count` options."""
    return (shown + rotation) % count
