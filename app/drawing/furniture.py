"""Scale bar and licence line: drawn first, so that nothing lies on them."""

from typing import Any

from app.drawing.frame import Frame
from app.drawing.record import PixelBox
from app.drawing.sheet import PictureSheet
from app.drawing.stamps import Press, Stamp
from app.drawing.style import TEXTS

LICENCE = "© OpenStreetMap contributors"
LONGEST_BAR = 110
"""Pixels that the scale bar has at most."""
EDGE = 8
"""Pixels between them and the picture's edge."""
PLATE = 0.72
"""How much of what lies below them is white."""
INK = tuple(int(TEXTS["note"].fill[start : start + 2], 16) for start in (1, 3, 5))


def bar_of(metres_per_pixel: float) -> tuple[int, int]:
    """The scale bar: a round number of metres (1, 2 or 5 with noughts), and its pixels, rounded."""
    rounds = [factor * 10**power for power in range(7) for factor in (1, 2, 5)]
    metres = max((one for one in rounds if one / metres_per_pixel <= LONGEST_BAR), default=1)
    return metres, round(metres / metres_per_pixel)


def put_furniture(sheet: PictureSheet, press: Press) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw both; gives what the record says of bar and licence."""
    frame = sheet.frame
    metres, pixels = bar_of(frame.metres_per_pixel)
    said = f"{metres // 1000} km" if metres >= 1000 else f"{metres} m"
    bar = _put_note(sheet, press, said, at_left=True, least_width=pixels)
    _draw_bar(sheet, frame, pixels)
    licence = _put_note(sheet, press, LICENCE, at_left=False)
    return {"metres": metres, "pixels": pixels, "text": said, "box": bar}, {"text": LICENCE, "box": licence}


def _put_note(
    sheet: PictureSheet, press: Press, text: str, *, at_left: bool, least_width: int = 0
) -> PixelBox:
    """A line of text on a pale plate in a lower corner; gives the plate's box."""
    stamp = press.label("note", text)
    assert stamp, text
    width, height = max(least_width, stamp.size[0]) + 8, stamp.size[1] + 8
    right, bottom = (
        (EDGE + width, sheet.frame.height - EDGE) if at_left else (sheet.frame.width, sheet.frame.height)
    )
    box = (right - width, bottom - height, right, bottom)
    _draw_plate(sheet, box)
    x, y = _anchor_in_middle(stamp, box)
    sheet.put(stamp, x, y - 2 if at_left else y)
    sheet.take(box)
    return box


def _anchor_in_middle(stamp: Stamp, box: PixelBox) -> tuple[int, int]:
    width, height = stamp.size
    left, top, right, bottom = box
    return (left + right - width) // 2 - stamp.left, (top + bottom - height) // 2 - stamp.top


def _draw_plate(sheet: PictureSheet, box: PixelBox) -> None:
    left, top, right, bottom = box
    below = sheet.pixels[top:bottom, left:right].astype("uint16")
    share = round(PLATE * 255)
    sheet.pixels[top:bottom, left:right] = ((below * (255 - share) + 255 * share) // 255).astype("uint8")


def _draw_bar(sheet: PictureSheet, frame: Frame, pixels: int) -> None:
    left, bottom = EDGE + 4, frame.height - EDGE - 2
    sheet.pixels[bottom - 2 : bottom, left : left + pixels] = INK
    for end in (left, left + pixels - 2):
        sheet.pixels[bottom - 6 : bottom, end : end + 2] = INK
