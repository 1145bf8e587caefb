"""The fonts of drawn maps: which there are, in which order they are tried, and what of a name they can set."""

import hashlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import category, normalize

from app.core.scripts import script

FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts")
JOINERS = "\u200c\u200d"
"""Invisible signs that say whether letters join: Persian and Indian names need them."""
MOST_MARKS = 3
"""Marks that may stand on one letter; more leave the line."""
MOST_LETTERS = 80
"""A longer name is not drawn."""


@dataclass(frozen=True)
class Face:
    """A face of a font file."""

    face: str
    file: str
    script: str | None = None


@dataclass(frozen=True)
class Fonts:
    """All faces that a picture may be set in."""

    faces: Sequence[Face]
    han: Sequence[Face]
    italic: Face
    bold: Face

    @property
    def files(self) -> list[str]:
        """The files, each once, by name."""
        return sorted({one.file for one in (*self.faces, *self.han, self.italic, self.bold)})

    def fontsets(self) -> dict[str, list[str]]:
        """By the name of a fontset its faces, in the order in which they are tried."""
        variants = {"": [], "-italic": [self.italic.face], "-bold": [self.bold.face]}
        others = [one.face for one in self.faces]
        sets = {}
        for variant, first in variants.items():
            for one in self.han:
                sets[f"{one.script}{variant}"] = [*first, others[0], one.face, *others[1:]]
        return sets

    def fontset_of(self, text: str) -> str:
        """The fontset for a text: Chinese, Japanese and Korean write the same characters in different ways."""
        scripts = (script(text) or "").split("+")
        return next((one.script or "" for one in self.han if one.script in scripts), "Han")


@cache
def load_fonts() -> Fonts:
    """What fonts.toml lists."""
    told: dict[str, Any] = tomllib.loads((Path(__file__).parent / "fonts.toml").read_text(encoding="utf-8"))
    return Fonts(
        faces=[Face(**one) for one in told["faces"]],
        han=[Face(**one) for one in told["han"]],
        italic=Face(**told["italic"]),
        bold=Face(**told["bold"]),
    )


@cache
def find_font_files() -> dict[str, Path]:
    """Where the files are; those that are not there are left out."""
    wanted = set(load_fonts().files)
    there: dict[str, Path] = {}
    for folder in FOLDERS:
        for path in sorted(folder.rglob("Noto*")) if folder.is_dir() else ():
            if path.name in wanted:
                there.setdefault(path.name, path)
    return there


def missing_fonts() -> list[str]:
    """The names of files that are not there."""
    return sorted(set(load_fonts().files) - set(find_font_files()))


@cache
def hash_fonts() -> dict[str, str]:
    """The SHA-256 of each file that is there, by its name."""
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in sorted(find_font_files().items())
    }


def readable(name: str | None) -> str | None:
    """What of a name a picture shows, in one line; None where nothing is left, or the name is too long.

    Control characters, signs that turn the direction of writing, and characters of no font (such as most emoji) are
    left out. A name in which a letter has no glyph is not drawn at all: the rest would be another name.
    """
    if not name or len(name) > 2 * MOST_LETTERS:
        return None
    kept, marks = [], 0
    for one in normalize("NFC", name):
        kind = category(one)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind.startswith("Z") or kind == "Cc":
            kept.append(" ")
        elif one in JOINERS or (not kind.startswith("C") and marks <= MOST_MARKS and has_glyph(one)):
            kept.append(one)
        elif kind.startswith("L"):
            return None
    text = " ".join("".join(kept).split()).strip(JOINERS)
    return text if any(category(one)[0] in "LN" for one in text) and len(text) <= MOST_LETTERS else None


@cache
def has_glyph(character: str) -> bool:
    """Whether one of the fonts can draw it."""
    return any(font.get_char_index(ord(character)) for font in _open_fonts())


@cache
def _open_fonts() -> list[Any]:
    from matplotlib.ft2font import FT2Font  # a third of a second, which only drawing needs

    there = find_font_files()
    fonts = load_fonts()
    files = dict.fromkeys(one.file for one in (*fonts.faces, *fonts.han))
    return [FT2Font(str(there[file])) for file in files if file in there]
