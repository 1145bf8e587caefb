"""Places labels and symbols one by one, in a fixed order: each at the first of its positions that has room."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot

from app.drawing.candidates import Candidate
from app.drawing.record import DrawnLabel, DrawnSymbol, LeftOut, PixelBox
from app.drawing.road_lines import pieces_for, points_along
from app.drawing.sheet import PictureSheet
from app.drawing.stamps import Press, Stamp, symbol_stamp
from app.drawing.style import TEXTS

GAP = 2
"""Pixels between a symbol and its label."""
APART = {"road": 320, "stream": 400, "ref": 420}
"""Pixels between two labels of one text."""
MOST_OF_A_TEXT = 4
FIRST_WITH_LONE_SYMBOLS = 17
"""The first zoom at which a place with a name may have a symbol without a label."""


@dataclass
class Placing:
    """The state of one picture: what was drawn, what was left out for want of room."""

    sheet: PictureSheet
    press: Press
    labels: list[DrawnLabel] = field(default_factory=list)
    symbols: list[DrawnSymbol] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    _anchors: dict[tuple[str, str], list[tuple[float, float]]] = field(default_factory=dict)

    def place(self, ordered: Sequence[Candidate]) -> None:
        """Place all, in their order."""
        for one in ordered:
            if one.symbol:
                self._place_symbol(one)
            elif one.line and one.kind == "ref":
                self._place_number(one)
            elif one.line:
                self._place_along(one)
            else:
                self._place_text(one)

    def _place_symbol(self, one: Candidate) -> None:
        """A symbol with its label. Where only the label has no room, close maps show the symbol alone."""
        assert one.symbol
        stamp = symbol_stamp(one.symbol.name)
        room = self.sheet.has_room(stamp, one.x, one.y)
        label, spot = self._find_label(one, stamp.box_at(one.x, one.y)) if room else (None, None)
        if one.text and not label:
            self._leave_out(one)
            room = room and self.sheet.frame.zoom >= FIRST_WITH_LONE_SYMBOLS
        if not room:
            return
        box = self.sheet.put(stamp, one.x, one.y)
        if label and spot:
            self._put(one, label, *spot, (one.x, one.y))
        whole = self.sheet.frame.holds(box)
        self.symbols.append(
            DrawnSymbol(one.osm_key, one.symbol.name, one.klass, one.name, label is not None, box, whole)
        )

    def _find_label(self, one: Candidate, box: PixelBox) -> tuple[Stamp, tuple[int, int]] | tuple[None, None]:
        """The label of a place, and the first spot beside its symbol that has room; None for both if none has."""
        assert one.symbol
        label = self.press.label(f"place-{one.symbol.group}", one.text) if one.text else None
        if label:
            for x, y in _beside(label, box):
                if self.sheet.has_room(label, x, y):
                    return label, (x, y)
        return None, None

    def _place_text(self, one: Candidate) -> None:
        """The label of an area, a region or a house, with its middle at its point."""
        assert one.text
        stamp = self.press.label(one.kind, one.text)
        if stamp and self.sheet.has_room(stamp, one.x, one.y):
            self._put(one, stamp, one.x, one.y, (one.x, one.y))
        else:
            self._leave_out(one)

    def _place_number(self, one: Candidate) -> None:
        """The number of a road, upright on its lines."""
        assert one.line
        assert one.text
        stamp = self.press.label(one.kind, one.text)
        drawn = False
        for line in one.line.lines if stamp else ():
            assert stamp
            for x, y in points_along(line):
                if self._is_apart(one, (x, y)) and self.sheet.has_room(stamp, x, y):
                    self._put(one, stamp, x, y, (x, y))
                    drawn = True
        if not drawn:
            self._leave_out(one)

    def _place_along(self, one: Candidate) -> None:
        """A name along its lines, again after a while."""
        assert one.line
        assert one.text
        flat = self.press.label(one.kind if not TEXTS[one.kind].along else "note", one.text)
        drawn = False
        for line in one.line.lines if flat else ():
            assert flat
            for piece in pieces_for(line, flat.size[0]):
                middle = _middle(piece)
                if not self._is_apart(one, middle) or not self.sheet.is_free_along(piece):
                    continue
                stamp = self.press.along(one.kind, one.text, piece)
                if stamp and self.sheet.has_room(stamp, 0, 0, filled=False):
                    self._put(one, stamp, 0, 0, middle)
                    drawn = True
        if not drawn:
            self._leave_out(one)

    def _is_apart(self, one: Candidate, at: tuple[float, float]) -> bool:
        assert one.text
        others = self._anchors.get((one.kind, one.text), [])
        return len(others) < MOST_OF_A_TEXT and all(
            hypot(at[0] - x, at[1] - y) >= APART[one.kind] for x, y in others
        )

    def _put(self, one: Candidate, stamp: Stamp, x: int, y: int, at: tuple[float, float]) -> None:
        assert one.text
        box = self.sheet.put(stamp, x, y, filled=not (one.line and one.kind != "ref"))
        self._anchors.setdefault((one.kind, one.text), []).append(at)
        self.labels.append(
            DrawnLabel(
                one.osm_key,
                one.kind,
                one.klass,
                one.text,
                one.name or one.text,
                box,
                self.sheet.frame.holds(box),
                at,
            )
        )

    def _leave_out(self, one: Candidate) -> None:
        if one.name:
            self.left_out.append(LeftOut(one.osm_key, one.kind, one.klass, one.name, "room"))


def _beside(label: Stamp, box: PixelBox) -> Iterator[tuple[int, int]]:
    """Anchors for a label below, right of, left of and above a box."""
    left, top, right, bottom = box
    width, height = label.size
    middle_x, middle_y = (left + right - width) // 2, (top + bottom - height) // 2
    for x, y in (
        (middle_x, bottom + GAP),
        (right + GAP, middle_y),
        (left - GAP - width, middle_y),
        (middle_x, top - GAP - height),
    ):
        yield x - label.left, y - label.top


def _middle(line: Sequence[tuple[float, float]]) -> tuple[float, float]:
    xs, ys = zip(*line, strict=True)
    return round((min(xs) + max(xs)) / 2, 1), round((min(ys) + max(ys)) / 2, 1)
