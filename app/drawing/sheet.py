"""A picture in the making: what is taken, what was put where."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from app.drawing.frame import Frame
from app.drawing.record import PixelBox
from app.drawing.stamps import Stamp, paste

ROOM = 2
"""Pixels that stay free around what is drawn."""


class PictureSheet:
    """Pixels (height x width x RGB, uint8), and which of them carry labels and symbols."""

    def __init__(self, frame: Frame, pixels: Any) -> None:
        self.frame = frame
        self.pixels = pixels
        self._taken = np.zeros(pixels.shape[:2], dtype=bool)

    def has_room(self, stamp: Stamp, x: int, y: int, filled: bool = True) -> bool:
        """Whether a stamp lies wholly in the picture, and on nothing that was put there: its whole box, or its ink."""
        left, top, right, bottom = box = stamp.box_at(x, y)
        if not self.frame.holds(box):
            return False
        taken = self._taken[top:bottom, left:right]
        return not bool((taken if filled else taken & (stamp.pixels[:, :, 3] > 0)).any())

    def is_free_along(self, line: Sequence[tuple[float, float]]) -> bool:
        """Whether the corners of a line, and the middles between them, are free: if not, letters on it have no room."""
        height, width = self._taken.shape
        middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(line)]
        for x, y in (*middles, *line[1:-1]):
            if 0 <= x < width and 0 <= y < height and self._taken[int(y), int(x)]:
                return False
        return True

    def put(self, stamp: Stamp, x: int, y: int, filled: bool = True) -> PixelBox:
        """Draw a stamp; from now on its place is taken: its whole box (`filled`), or its ink alone. Gives its box."""
        paste(self.pixels, stamp, x, y)
        left, top, *_ = box = stamp.box_at(x, y)
        if filled:
            self.take(box)
        else:
            rows, columns = np.nonzero(stamp.pixels[:, :, 3])
            for down in range(-ROOM, ROOM + 1):
                for along in range(-ROOM, ROOM + 1):
                    height, width = self._taken.shape
                    at_row = np.clip(rows + top + down, 0, height - 1)
                    self._taken[at_row, np.clip(columns + left + along, 0, width - 1)] = True
        return box

    def take(self, box: PixelBox) -> None:
        """Keep a box free from now on, with some room around it."""
        left, top, right, bottom = box
        self._taken[max(0, top - ROOM) : bottom + ROOM, max(0, left - ROOM) : right + ROOM] = True
