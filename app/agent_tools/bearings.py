"""Names of directions. Degrees clockwise from true north; sectors are half open and wrap at north."""

from typing import Literal

Names = Literal[4, 8, 16]
DIRECTIONS = (
    "north",
    "north-northeast",
    "northeast",
    "east-northeast",
    "east",
    "east-southeast",
    "southeast",
    "south-southeast",
    "south",
    "south-southwest",
    "southwest",
    "west-southwest",
    "west",
    "west-northwest",
    "northwest",
    "north-northwest",
)


def name_direction(degrees: float, names: Names) -> str:
    """The direction in which `degrees` lies, of 4, 8 or 16 names."""
    sector = int(((degrees + 180 / names) % 360) // (360 / names))
    return DIRECTIONS[sector * (16 // names)]


def read_direction(said: str) -> float | None:
    """The degrees of a direction by its name, or by its letters such as NNE; None for another word."""
    plain = said.lower().replace(" ", "").replace("-", "")
    for number, name in enumerate(DIRECTIONS):
        if plain in (name.replace("-", ""), _letters(name)):
            return number * 22.5
    return None


def _letters(name: str) -> str:
    return "".join(
        letters
        for part in name.split("-")
        for word, letters in (("north", "n"), ("south", "s"), ("east", "e"), ("west", "w"))
        for _ in range(part.count(word))
    ).lower()
