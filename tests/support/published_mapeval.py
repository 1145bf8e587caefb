"""Files in the form of MapEval's release: a few invented items of every class, and pictures drawn here."""

import json
import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from tests.conftest import SHARED

RELEASE = SHARED / "published"
CONTEXT = """Information of <b>Old Mill</b>:
- Location: Mill Lane 1, Vaduz(47.1000, 9.5000).

Information of <b>New Bridge</b>:
- Location: Bridge Road 2, Vaduz(47.2000, 9.5000).
"""


def textual(
    number: int,
    question: str,
    options: list[str],
    correct: int,
    kind: str | None = "poi",
    context: str = CONTEXT,
) -> dict[str, Any]:
    """An item of dataset.json of the textual task."""
    return {
        "id": number,
        "question": question,
        "answer": {"type": "mcq", "options": options, "correct": correct},
        "context": context,
        "classification": kind,
    }


ITEMS = [
    textual(1, "What is the direction of New Bridge from Old Mill?", ["North", "East", "South", "West"], 0),
    textual(2, "What is the direction of Old Mill from New Bridge?", ["North", "East", "South", "West"], 1),
    textual(3, "Is Old Mill open on Sunday?", ["Yes", "No", "", ""], 1),
    textual(4, "Which way is the fastest?", ["Via A", " Via B", "Via B"], 1, "routing"),
    textual(5, "Will it rain at Old Mill?", ["Yes", "No"], -1, None),
]


def write_textual(folder: Path, items: list[Any] | None = None) -> Path:
    """dataset.json with these items, by default ITEMS: the second has a wrong key, the fourth one of two equal options."""
    path = folder / "dataset.json"
    path.write_text(json.dumps(ITEMS if items is None else items, indent=1), encoding="utf-8")
    return path


def visual(
    path: str = "Vdata/ID_1.PNG", options: str = "1)One\n2)Two", answer: str = "2", **more: Any
) -> dict[str, Any]:
    """An item of dataset.json of the visual task."""
    item = {
        "image_path": path,
        "question": "How many parks are there?",
        "option_count": "2",
        "options": options,
        "answer": answer,
        "classification": "counting",
    }
    return item | more


def picture(kind: str = "PNG", size: tuple[int, int] = (8, 6), **more: Any) -> bytes:
    """A picture of one colour."""
    buffer = BytesIO()
    Image.new("RGB", size, (10, 120, 30)).save(buffer, kind, **more)
    return buffer.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header says that it is that wide and high."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 64)), (b"IEND", b"")]
    told = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + told


def write_visual(
    folder: Path, items: list[Any], pictures: dict[str, bytes] | None = None
) -> tuple[Path, Path]:
    """dataset.json, and the folder in which VData lies with the pictures; by default ID_1.PNG alone."""
    root = folder / "release"
    for name, content in (pictures if pictures is not None else {"VData/ID_1.PNG": picture()}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    root.mkdir(exist_ok=True)
    path = folder / "dataset.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    return path, root
