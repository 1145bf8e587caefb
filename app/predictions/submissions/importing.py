"""Logs of other harnesses as answers: samples of lm-evaluation-harness (JSON Lines), logs of Inspect (.eval, .json).

Each gives pieces as a file of answers would; the line of a piece is the sample's place in its log.
Formats: as lm-evaluation-harness 0.4.13 (`--log_samples`) and Inspect 0.3.285 write them; also the first's of 2024,
lines or one array, whose samples have no `filter`.
"""

import json
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, BinaryIO, Literal
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import pyarrow as pa

from app.predictions.submissions.bytes_of import CHUNK, MOST_BYTES, TOO_LARGE, check_ratio, chunks_of
from app.predictions.submissions.faults import Unreadable
from app.predictions.submissions.pieces import Piece, pieces_of

Source = Literal["answers", "lm-eval", "inspect"]
MOST_OF_A_SAMPLE = 20_000_000
"""Bytes of one sample of Inspect, which holds its whole conversation."""
MOST_VALUES = 5_000_000
"""Commas and opening brackets of a log, wherever they stand."""
_ZIP = b"PK\x03\x04"
_ZSTD = 93
_LOCAL_HEADER = struct.Struct("<26xHH")
BROKEN = (
    BadZipFile,
    OSError,
    ValueError,
    EOFError,
    RuntimeError,
    struct.error,
    zlib.error,
    pa.ArrowException,
)
"""What the libraries raise for members that are damaged, encrypted, or not where the zip says."""
NO_SAMPLE = (
    "it is not a sample of lm-evaluation-harness: give the file samples_….jsonl that --log_samples writes"
)
NO_ID = "its doc has no id: run the task that `trigpoint export --format lm-eval` writes"
TWICE = "an object in it has the same name twice: take the log as it was written"
TWO_LOGS = (
    "its doc has other responses on an earlier line: submit the samples of one run, or number repeats by the task's"
    " `repeats`"
)
NO_TEXT = "its task compares likelihoods: only generated text (generate_until) is an answer"
NO_LOG = "it is not a log of Inspect: give the .eval file, or the .json that `inspect log dump` writes"


def read_answers(file: BinaryIO) -> Iterator[Piece]:
    """Answers in our own form."""
    return pieces_of(chunks_of(file))


def read_lm_eval(file: BinaryIO) -> Iterator[Piece]:
    """The first response of each sample, and its repeats; of several filters, the samples of the first.

    Logs before 2025 do not name the filter: a doc stands in them once for each, with the same responses.
    Raises Unreadable for what is no such file.
    """
    first_filter: list[Any] = []
    seen: dict[str, bytes] = {}
    for piece in pieces_of(chunks_of(file)):
        sample = _object(piece.raw, NO_SAMPLE, piece.line)
        doc, responses = sample.get("doc"), sample.get("resps")
        if not isinstance(doc, dict) or not isinstance(responses, list):
            raise Unreadable(NO_SAMPLE, piece.line)
        first_filter = first_filter or [sample.get("filter")]
        if sample.get("filter") != first_filter[0]:
            continue
        if "id" not in doc:
            raise Unreadable(NO_ID, piece.line)
        said = _texts(piece.line, responses)
        if "filter" not in sample and _said_before(seen, doc["id"], said, piece.line):
            continue
        for repeat, response in enumerate(said):
            yield _piece(piece.line, doc["id"], response, repeat)


def _texts(line: int, responses: list[Any]) -> list[str]:
    """The responses to one doc, one for each repeat. Raises Unreadable where they are no texts."""
    if len(responses) != 1 or not isinstance(responses[0], list):
        raise Unreadable(NO_TEXT, line)
    if not all(isinstance(response, str) for response in responses[0]):
        raise Unreadable(NO_TEXT, line)
    return responses[0]


def _said_before(seen: dict[str, bytes], name: Any, said: list[str], line: int) -> bool:
    """Whether the same responses to this doc were there already. Raises Unreadable where others were."""
    told = sha256(json.dumps(said).encode()).digest()
    before = seen.setdefault(json.dumps(name), told)
    if before != told:
        raise Unreadable(TWO_LOGS, line)
    return before is not told


def read_inspect(file: BinaryIO) -> Iterator[Piece]:
    """The completion of each sample; a sample that ended in an error has none. Raises Unreadable for what is no log."""
    is_zip = file.read(len(_ZIP)) == _ZIP
    file.seek(0)
    samples = _zipped_samples(file) if is_zip else _dumped_samples(file)
    for place, sample in enumerate(samples, start=1):
        epoch = sample.get("epoch")
        if "id" not in sample or not isinstance(epoch, int):
            raise Unreadable(NO_LOG, place)
        yield _piece(place, sample["id"], _completion(sample), epoch - 1, _used(sample))


READERS: Mapping[Source, Callable[[BinaryIO], Iterator[Piece]]] = {
    "answers": read_answers,
    "lm-eval": read_lm_eval,
    "inspect": read_inspect,
}


def _piece(
    line: int, name: Any, answer: str | None, repeat: int, more: Mapping[str, Any] | None = None
) -> Piece:
    told = {"id": name, "answer": answer, "repeat": repeat, **(more or {})}
    return Piece(line, json.dumps(told).encode())


def _used(sample: Mapping[str, Any]) -> dict[str, Any]:
    """The session of a sample whose agent called tools in one, and the tokens that the sample took."""
    metadata, usage = sample.get("metadata"), sample.get("model_usage")
    session = metadata.get("session") if isinstance(metadata, dict) else None
    if session is None:
        return {}
    counts = [one for one in usage.values() if isinstance(one, dict)] if isinstance(usage, dict) else []
    names = {"prompt_tokens": "input_tokens", "completion_tokens": "output_tokens"}
    stated = {ours: sum(_whole(one.get(theirs)) for one in counts) for ours, theirs in names.items()}
    return {"session": session, "usage": stated}


def _whole(given: Any) -> int:
    return given if isinstance(given, int) and given > 0 else 0


def _object(raw: bytes | None, said: str, line: int | None = None) -> dict[str, Any]:
    """What JSON text says. Raises Unreadable with `said` where it is not an object."""
    try:
        value = None if raw is None else json.loads(raw, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise Unreadable(said, line) from error
    if not isinstance(value, dict):
        raise Unreadable(said, line)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of which no name stands twice. NaN is taken: logs hold metrics that are none. Raises Unreadable."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise Unreadable(TWICE)
    return value


def _completion(sample: Mapping[str, Any]) -> str | None:
    output = sample.get("output")
    said = output.get("completion") if isinstance(output, dict) and not sample.get("error") else None
    if not isinstance(said, str) or not said:
        return None
    attached = sample.get("attachments")
    if said.startswith("attachment://") and isinstance(attached, dict):
        whole = attached.get(said.removeprefix("attachment://"))
        return whole if isinstance(whole, str) else said
    return said


def _dumped_samples(file: BinaryIO) -> Iterator[dict[str, Any]]:
    log = _object(_few_values(b"".join(chunks_of(file))), NO_LOG)
    samples = log.get("samples")
    if not isinstance(samples, list) or not all(isinstance(sample, dict) for sample in samples):
        raise Unreadable(NO_LOG)
    yield from samples


def _zipped_samples(file: BinaryIO) -> Iterator[dict[str, Any]]:
    try:
        members = ZipFile(file).infolist()
    except (BadZipFile, NotImplementedError, ValueError) as error:
        raise Unreadable(NO_LOG) from error
    total = 0
    for place, member in enumerate((one for one in members if one.filename.startswith("samples/")), start=1):
        raw = _unpacked(file, member, place)
        total += len(raw)
        if total > MOST_BYTES:
            raise Unreadable(TOO_LARGE)
        yield _object(raw, NO_LOG, place)


def _unpacked(file: BinaryIO, member: ZipInfo, place: int) -> bytes:
    """The bytes of a member; Inspect packs them by Zstandard, which the standard library does not unpack yet."""
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED, _ZSTD):
        raise Unreadable(NO_LOG, place)
    try:
        if member.compress_type != _ZSTD:
            with ZipFile(file).open(member) as stream:
                return _few_values(_read(stream, member))
        file.seek(member.header_offset)
        name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
        file.seek(name + extra, 1)
        packed = pa.BufferReader(file.read(min(member.compress_size, MOST_OF_A_SAMPLE)))
        with pa.CompressedInputStream(packed, "zstd") as stream:
            return _few_values(_read(stream, member))
    except BROKEN as error:
        raise Unreadable(NO_LOG, place) from error


def _few_values(raw: bytes) -> bytes:
    """JSON that fits into memory once it is read: a value may take twenty times its text. Raises Unreadable."""
    if raw.count(b",") + raw.count(b"[") + raw.count(b"{") > MOST_VALUES:
        raise Unreadable(f"it holds more than {MOST_VALUES:,} values: give the .eval file, or fewer samples")
    return raw


def _read(stream: Any, member: ZipInfo) -> bytes:
    unpacked = bytearray()
    while chunk := stream.read(CHUNK):
        unpacked += chunk
        check_ratio(member.compress_size, len(unpacked))
        if len(unpacked) > MOST_OF_A_SAMPLE:
            raise Unreadable(f"one of its samples is larger than {MOST_OF_A_SAMPLE:,} bytes")
    return bytes(unpacked)
