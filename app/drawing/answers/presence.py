"""Whether something can be read in a picture: the base of questions that a picture does not answer."""

from typing import Literal

from app.drawing.answers.labels import folded
from app.drawing.record import Record

Presence = Literal["shown", "in_part", "hidden", "absent"]


def presence_of(record: Record, name: str) -> Presence:
    """How far a name is in a picture.

    `shown`: a label says it. `in_part`: a label contains it, or is part of it, so that somebody may take one for the
    other. `hidden`: the frame has something of that name, but no label says it. `absent`: none of these.
    """
    wanted = folded(name)
    texts = {folded(text) for one in record.labels for text in (one.text, one.name)}
    if wanted in texts:
        return "shown"
    if any(_contains(one, wanted) or _contains(wanted, one) for one in texts):
        return "in_part"
    others = [one.name for one in record.symbols if one.name]
    others += [one.name for one in record.roads] + [one.name for one in record.left_out]
    return "hidden" if wanted in map(folded, others) else "absent"


def _contains(text: str, part: str) -> bool:
    """Whether a text has a part as whole words; scripts without spaces between words: anywhere."""
    if not part.isascii():
        return part in text
    return f" {part} " in f" {text} "
