"""Logs of other harnesses, in the forms in which they write them."""

import json
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pyarrow as pa
import pytest

from app.core.errors import BadSubmission
from app.predictions.submissions.checking import Checker, SubmittedAnswer
from app.predictions.submissions.importing import NO_ID, NO_LOG, NO_SAMPLE, NO_TEXT, READERS, TWO_LOGS, Source

IDS = ["a", "b"]


def read(data: bytes, source: Source) -> list[SubmittedAnswer]:
    checker = Checker("toy@1", IDS)
    answers = list(checker.answers_of(READERS[source](BytesIO(data))))
    checker.finish()
    return answers


def refused(data: bytes, source: Source) -> tuple[int | None, str]:
    with pytest.raises(BadSubmission) as caught:
        read(data, source)
    return caught.value.faults[0]


def sample(name: str, responses: list[Any], filter_: str = "none", **doc: Any) -> dict[str, Any]:
    """A line as lm-evaluation-harness 0.4.13 writes it."""
    return {
        "doc_id": 0,
        "doc": {"id": name, "prompt": "?"} | doc,
        "target": "x",
        "arguments": {"gen_args_0": {"arg_0": ["?"], "arg_1": {"until": []}}},
        "resps": responses,
        "filtered_resps": ["filtered"],
        "filter": filter_,
        "metrics": ["score"],
        "doc_hash": "0",
        "prompt_hash": "0",
        "target_hash": "0",
        "score": 1.0,
    }


def as_lines(samples: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in samples).encode()


def inspected(name: Any, epoch: int, said: str | None, **more: Any) -> dict[str, Any]:
    """A sample as Inspect 0.3.285 writes it."""
    choices = [{"message": {"role": "assistant", "content": said}, "stop_reason": "stop"}]
    output: dict[str, Any] = {"model": "m", "choices": choices, "completion": said, "usage": {}}
    return {
        "id": name,
        "epoch": epoch,
        "input": "?",
        "target": "x",
        "output": output,
        "attachments": {},
    } | more


def zipped(samples: list[dict[str, Any]], compression: int = ZIP_DEFLATED) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", compression) as archive:
        archive.writestr("_journal/start.json", "{}")
        for one in samples:
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        archive.writestr("header.json", "{}")
    return file.getvalue()


def by_zstandard(samples: list[dict[str, Any]]) -> bytes:
    """A zip whose members are packed by Zstandard: stored ones, of which the method is changed afterwards."""
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for one in samples:
            packed = pa.compress(json.dumps(one).encode(), codec="zstd", asbytes=True)
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", packed)
    data = bytearray(file.getvalue())
    for signature, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        found = data.find(signature)
        while found >= 0:
            data[found + at] = 93
            found = data.find(signature, found + 4)
    return bytes(data)


def test_samples_of_lm_evaluation_harness_with_repeats_and_filters() -> None:
    samples = [sample(name, [["B", "C"]], which) for name in IDS for which in ("none", "letter")]
    assert read(as_lines(samples), "lm-eval") == [
        SubmittedAnswer(name, answer, repeat) for name in IDS for repeat, answer in enumerate("BC")
    ]


@pytest.mark.parametrize("in_array", [False, True], ids=["lines", "array"])
def test_samples_of_2024_that_name_no_filter_are_taken_once(in_array: bool) -> None:
    samples = [sample(name, [["B", "C"]]) for _ in ("strict-match", "flexible-extract") for name in IDS]
    for one in samples:
        del one["filter"]
    data = json.dumps(samples, indent=2).encode() if in_array else as_lines(samples)
    assert read(data, "lm-eval") == [
        SubmittedAnswer(name, answer, repeat) for name in IDS for repeat, answer in enumerate("BC")
    ]
    for odd in ([["B", "D"]], [["B", "\ud800"]]):
        samples[2]["resps"] = odd
        assert refused(as_lines(samples), "lm-eval") == (3, TWO_LOGS)
    samples[2]["resps"] = [["B", float("nan")]]
    assert refused(as_lines(samples), "lm-eval") == (3, NO_TEXT)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"nonsense\n", NO_SAMPLE),
        (as_lines([{"id": "a", "answer": "B"}]), NO_SAMPLE),
        (as_lines([{"doc": {"prompt": "?"}, "resps": [["B"]], "filter": "none"}]), NO_ID),
        (as_lines([sample("a", [[["-1.5", "True"]], [["-2.5", "False"]]])]), NO_TEXT),
        (as_lines([sample("a", [[["-1.5", "True"]]])]), NO_TEXT),
    ],
    ids=range(5),
)
def test_what_is_no_sample_of_it_is_refused(data: bytes, said: str) -> None:
    assert refused(data, "lm-eval") == (1, said)


@pytest.mark.parametrize("form", ["deflate", "zstandard", "json"])
def test_logs_of_inspect_with_epochs_errors_and_attachments(form: str) -> None:
    samples = [
        inspected("a", 1, "B"),
        inspected("a", 2, None, error={"message": "boom"}),
        inspected("b", 1, "attachment://1", attachments={"1": "a long answer"}),
        inspected("b", 2, ""),
    ]
    packed = {
        "deflate": lambda: zipped(samples),
        "zstandard": lambda: by_zstandard(samples),
        "json": lambda: json.dumps({"version": 2, "status": "success", "samples": samples}).encode(),
    }
    assert read(packed[form](), "inspect") == [
        SubmittedAnswer("a", "B", 0),
        SubmittedAnswer("a", None, 1),
        SubmittedAnswer("b", "a long answer", 0),
        SubmittedAnswer("b", None, 1),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"nonsense", NO_LOG),
        (b"{}", NO_LOG),
        (b"PK\x03\x04nonsense", NO_LOG),
        (zipped([inspected("a", 1, "B")], ZIP_LZMA), NO_LOG),
        (by_zstandard([inspected("a", 1, "B")])[:60] + by_zstandard([inspected("a", 1, "B")])[70:], NO_LOG),
        (zipped([inspected(1, 1, "B")]), "its id is missing or no text: take the ids from the export"),
        (b'{"samples": [' + b"[]," * 2_500_001, "it holds more than 5,000,000 values"),
        (zipped([inspected("a", 1, "B" * 5_000_000)]), "it unpacks to more than 100 times its size"),
    ],
    ids=range(8),
)
def test_what_is_no_log_of_it_is_refused(data: bytes, said: str) -> None:
    assert refused(data, "inspect")[1].startswith(said)
