"""What a file is that is not answers in the form that was said: one sentence for each kind, with what to do.

Only its beginning is looked at; what is not known here goes on to the reader, which tells faults by line.
"""

import json
import re
from collections.abc import Callable, Collection, Sequence
from typing import BinaryIO, NamedTuple

from app.predictions.submissions.bytes_of import chunks_of
from app.predictions.submissions.faults import Unreadable
from app.predictions.submissions.importing import Source

LOOKED_AT = 1 << 16
MOST_KEYS = 4
WRITE = 'write {"id": "…", "answer": "…"} for each question, one a line'
_BOM = b"\xef\xbb\xbf"

PACKED: Sequence[tuple[bytes, str]] = (
    (b"BZh", "it is packed with bzip2: unpack it, or pack it with gzip"),
    (b"\xfd7zXZ\x00", "it is packed with xz: unpack it, or pack it with gzip"),
    (b"\x28\xb5\x2f\xfd", "it is packed with Zstandard: unpack it, or pack it with gzip"),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive: unpack it, and send the file of answers in it"),
    (b"Rar!\x1a\x07", "it is a RAR archive: unpack it, and send the file of answers in it"),
    (b"PAR1", f"it is a Parquet file: read it, and {WRITE}"),
    (b"ARROW1", f"it is an Arrow file: read it, and {WRITE}"),
    (b"FEA1", f"it is a Feather file: read it, and {WRITE}"),
    (b"SQLite format 3\x00", f"it is an SQLite database: read it, and {WRITE}"),
    (b"\x89HDF\r\n", f"it is an HDF5 file: read it, and {WRITE}"),
    (b"\x93NUMPY", f"it is a NumPy file: read it, and {WRITE}"),
    (b"\xd0\xcf\x11\xe0", f"it is an old Excel or Word document: read it, and {WRITE}"),
    (b"%PDF", f"it is a PDF document: {WRITE}"),
    (b"{\\rtf", "it is an RTF document: save it as plain text"),
)
"""What files begin with that are no text."""
_PICKLED = re.compile(rb"\x80[\x02-\x05][\x95\]}(c]", re.DOTALL)
_TAR = slice(257, 262)
UTF_16 = "it is UTF-16: save the file as UTF-8"
UTF_32 = "it is UTF-32: save the file as UTF-8"
TAR = "it is a tar archive: unpack it, and send the file of answers in it"
SHEET = f"it is an Excel, Word or OpenDocument file: save the table as text, and {WRITE}"
ZIP = "it is a zip archive: unpack it, and send the file of answers in it, packed with gzip or not"
INSPECT = "it is a log of Inspect: submit it with `--format inspect`"
LM_EVAL = "it holds samples of lm-evaluation-harness: submit it with `--format lm-eval`"
RESULTS = (
    "it is the summary of lm-evaluation-harness, which holds no answers: run with --log_samples, and submit the file"
    " samples_….jsonl with `--format lm-eval`"
)
HELM = f"it is a file of HELM: take the text of each completion, and {WRITE}"
BATCH = f"it is a file of a batch of chat requests: take the text of each response, and {WRITE}"
PROMPTS = (
    "it holds questions and no answers: add what the model said as `answer`, and leave all but `id` away"
)
BY_ID = f"it is one object from ids to answers: {WRITE}"
LIST = f"it is a list of values without ids: {WRITE}"
PYTHON = "it is written as Python prints it, in single quotes: write JSON, by json.dumps"
TABLE = f"it is a table (CSV): {WRITE}"
PAGE = "it is a web page or XML: send the file of answers itself"
FORM_DATA = "it is sent as a form (`curl -F`): send the file itself as the body (`curl --data-binary @FILE`)"
_COLUMNS = frozenset("id question_id questionid question answer prediction response output label".split())
_BY_KEYS: Sequence[tuple[frozenset[str], str, Source | None]] = (
    (frozenset({"doc", "resps"}), LM_EVAL, "lm-eval"),
    (frozenset({"doc", "filtered_resps"}), LM_EVAL, "lm-eval"),
    (frozenset({"results", "configs"}), RESULTS, None),
    (frozenset({"results", "versions"}), RESULTS, None),
    (frozenset({"results", "config"}), RESULTS, None),
    (frozenset({"eval", "status"}), INSPECT, "inspect"),
    (frozenset({"eval", "samples"}), INSPECT, "inspect"),
    (frozenset({"adapter_spec", "request_states"}), HELM, None),
    (frozenset({"instance_id", "predicted_text"}), HELM, None),
    (frozenset({"instance_id", "stats"}), HELM, None),
    (frozenset({"custom_id", "response"}), BATCH, None),
    (frozenset({"custom_id", "body"}), BATCH, None),
    (frozenset({"prompt_hash", "template_version", "text"}), PROMPTS, None),
)
"""Keys that tell a kind, and the form under which it is taken."""


class Outline(NamedTuple):
    """The beginning of a JSON text: its first two objects by their keys, and what the first key of the first holds."""

    in_array: bool
    objects: list[list[str]]
    first_value: str
    is_one: bool
    """Whether the first object is still open where its first line ends, or is alone in the file."""


def foreign_form(file: BinaryIO, source: Source, ids: Collection[str]) -> str | None:
    """What `file` is, where it can be told not to be `source`; None where it may be. `ids` are those of the questions.

    The file is read from its beginning again.
    """
    file.seek(0)
    start = file.read(LOOKED_AT)
    file.seek(0)
    said = _archive(file, start, source)
    if said is None and not start.startswith(b"PK"):
        said = _text(_unpacked_head(file), source, ids.__contains__)
    file.seek(0)
    return said


def _unpacked_head(file: BinaryIO) -> bytes:
    """The beginning of what is unpacked; what cannot be is told by the reader."""
    head = b""
    try:
        for chunk in chunks_of(file):
            head += chunk
            if len(head) >= LOOKED_AT:
                break
    except Unreadable:
        return b""
    return head[:LOOKED_AT]


def _archive(file: BinaryIO, start: bytes, source: Source) -> str | None:
    if not start.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _binary(start)
    file.seek(max(0, file.seek(0, 2) - LOOKED_AT))
    names = start + file.read()  # names of members stand before each of them, and all again at the end
    if b"_journal/start.json" in names or b"header.json" in names:
        return None if source == "inspect" else INSPECT
    if b"[Content_Types].xml" in names or b"mimetypeapplication/vnd.oasis" in names:
        return SHEET
    return None if source == "inspect" else ZIP


def _binary(start: bytes) -> str | None:
    """What bytes are that are no text in UTF-8, by how they begin."""
    if start.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return UTF_32
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) or _is_half_empty(start[:400]):
        return UTF_16
    if _PICKLED.match(start):
        return f"it is pickled by Python: {WRITE}"
    if start[_TAR] == b"ustar":
        return TAR
    return next((said for signature, said in PACKED if start.startswith(signature)), None)


def _is_half_empty(few: bytes) -> bool:
    """Whether every other byte is NUL, as in UTF-16 without its mark."""
    shares = [half.count(0) / len(half) for half in (few[0::2], few[1::2]) if half]
    return len(shares) == 2 and max(shares) > 0.8 and min(shares) < 0.2


def _text(head: bytes, source: Source, is_question: Callable[[str], bool]) -> str | None:
    if (said := _binary(head)) is not None:
        return said
    text = head.removeprefix(_BOM).decode(errors="replace").lstrip()
    if text.startswith("--") and "content-disposition:" in text[:2000].lower():
        return FORM_DATA
    if text.startswith("<"):
        return PAGE
    if text.startswith(("{'", "[{'", "[['")):
        return PYTHON
    if not text.startswith(("{", "[")):
        return TABLE if _is_table(text.partition("\n")[0], is_question) else None
    if text[0] == "[" and text[1:].lstrip()[:1] in {*'"[-0123456789tfn'}:
        return LIST
    outline = outline_of(text)
    return None if not outline.objects else _json(outline, source, is_question)


def _is_table(first_line: str, is_question: Callable[[str], bool]) -> bool:
    cells = [cell.strip().strip("\"'") for cell in re.split(r"[,;\t|]", first_line)]
    return len(cells) > 1 and (
        is_question(cells[0]) or len(_COLUMNS.intersection(cell.lower() for cell in cells)) > 1
    )


def _json(outline: Outline, source: Source, is_question: Callable[[str], bool]) -> str | None:
    keys = outline.objects[0]
    if keys == ["card"] and len(outline.objects) > 1:
        keys = outline.objects[1]
    for telling, said, taken_as in _BY_KEYS:
        if telling <= set(keys):
            return None if source == taken_as else said
    if source != "answers" or not keys or {"id", "answer"} & set(keys) or keys == ["card"]:
        return _not_a_line(outline, source)
    if is_question(keys[0]):
        return BY_ID
    named = ", ".join(f"`{ascii(key[:30])[1:-1]}`" for key in keys[:MOST_KEYS])
    if not outline.in_array and outline.is_one and outline.first_value == "[":
        return f"it is an object whose {named} holds a list: send that list alone, as answers: {WRITE}"
    if len(outline.objects) > 1 or outline.in_array:
        return f"its objects have {named} and neither `id` nor `answer`: {WRITE}"
    return f"it is one object with {named}, and no answers: {WRITE}"


def _not_a_line(outline: Outline, source: Source) -> str | None:
    """What is said of answers that are right but for their line ends."""
    if source != "answers" or outline.in_array or not outline.is_one or len(outline.objects) < 2:
        return None
    return (
        "its objects go over several lines each: write each on one line (`jq -c .` does), or all as one array"
    )


_TOKEN = re.compile(r'"((?>(?:[^"\\]++|\\.)*))"|[][{}:,]|\n', re.DOTALL)


def outline_of(text: str) -> Outline:
    """The first two objects of JSON Lines, of one document, or of an array of them; `text` may break off anywhere."""
    in_array = text.startswith("[")
    depth, outer = 0, int(in_array)
    objects: list[list[str]] = []
    last, first_value = "", ""
    is_one, awaits_value = False, False
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign == "\n":
            is_one = is_one or (len(objects) == 1 and depth > outer)
            continue
        if awaits_value and not first_value:
            first_value = sign[0]
        awaits_value = False
        if sign in "{[":
            depth += 1
            if sign == "{" and depth == outer + 1:
                if len(objects) == 2:
                    break
                objects.append([])
        elif sign in "}]":
            depth -= 1
        elif sign == ":" and depth == outer + 1 and objects and len(objects[-1]) < 100:
            objects[-1].append(_key(last))
            awaits_value = len(objects) == 1 and len(objects[0]) == 1
        last = found[1] or ""
    is_alone = len(objects) == 1 and len(text.strip().splitlines()) == 1
    return Outline(in_array, objects, first_value, is_one or is_alone)


def _key(raw: str) -> str:
    try:
        return str(json.loads(f'"{raw}"', strict=False))
    except ValueError:
        return raw
