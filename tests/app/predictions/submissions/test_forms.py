"""Files that are no answers in our form, as people have them: each is told what it is, in one sentence."""

import bz2
import gzip
import io
import json
import lzma
import pickle
import tarfile
import zipfile
from io import BytesIO
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather, parquet

from app.predictions.submissions import forms
from app.predictions.submissions.forms import foreign_form
from app.predictions.submissions.importing import Source

IDS = [f"{number:032x}" for number in range(3)]
GOOD = [{"id": name, "answer": "A"} for name in IDS]
TEXT = json.dumps(GOOD)
LINES = "\n".join(map(json.dumps, GOOD))
SAMPLE = {"doc_id": 0, "doc": {"id": IDS[0]}, "target": "A", "resps": [["A"]], "filtered_resps": ["A"]}
RESULTS = {"results": {"demo": {"score,none": 0.5}}, "group_subtasks": {}, "configs": {}, "versions": {}}
LOG = {"version": 2, "status": "success", "eval": {"task": "demo"}, "samples": [{"id": IDS[0], "epoch": 1}]}


def told(data: bytes, source: Source = "answers") -> str | None:
    file = BytesIO(data)
    said = foreign_form(file, source, frozenset(IDS))
    assert file.tell() == 0, "who reads next begins at the beginning"
    return said


def archive(**members: str) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return file.getvalue()


def tarred(mode: Any) -> bytes:
    file = BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as packed:
        member = tarfile.TarInfo("answers.jsonl")
        member.size = len(LINES)
        packed.addfile(member, io.BytesIO(LINES.encode()))
    return file.getvalue()


def table(write: Any) -> bytes:
    file = BytesIO()
    write(pa.table({"id": IDS, "answer": ["A"] * 3}), file)
    return file.getvalue()


def as_json(value: Any, indent: int | None = None) -> bytes:
    return json.dumps(value, indent=indent).encode()


@pytest.mark.parametrize(
    "data",
    [
        LINES.encode(),
        TEXT.encode(),
        as_json(GOOD, 2),
        b"\xef\xbb\xbf" + as_json(GOOD, 2),
        b"\n\n" + LINES.encode(),
        gzip.compress(LINES.encode()),
        as_json({"card": {"name": "mine", "tools": []}}) + b"\n" + LINES.encode(),
        as_json([{"card": {"name": "mine"}}, *GOOD], 2),
        as_json(GOOD[0]),
        b"",
        b"[]",
        b"nonsense",
    ],
    ids=range(12),
)
def test_answers_in_our_form_and_what_nobody_knows_go_on_to_their_reader(data: bytes) -> None:
    assert told(data) is None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (as_json(dict.fromkeys(IDS, "A"), 2), forms.BY_ID),
        (as_json(dict.fromkeys(IDS, "A")), forms.BY_ID),
        (as_json({name: {"answer": "A"} for name in IDS}, 4), forms.BY_ID),
        (gzip.compress(as_json(dict.fromkeys(IDS, "A"), 2)), forms.BY_ID),
        (as_json({"someone's": "A", "others": None}, 2), "it is one object with `someone's`, `others`"),
        (as_json({"answers": GOOD}, 2), "it is an object whose `answers` holds a list: send that list alone"),
        (as_json({"data": GOOD}), "it is an object whose `data` holds a list"),
        (b"\n".join(as_json(one, 2) for one in GOOD), "its objects go over several lines each"),
        (b"\n".join(as_json({"q": "x", "a": "A"}) for _ in IDS), "its objects have `q`, `a` and neither"),
        (as_json([{"question": "x", "prediction": "A"}], 1), "its objects have `question`, `prediction` and"),
        (as_json([["x", "A"]]), forms.LIST),
        (as_json(["A", "B"], 2), forms.LIST),
        (str(GOOD).encode(), forms.PYTHON),
        (str(GOOD[0]).encode(), forms.PYTHON),
        (f"id,answer\n{IDS[0]},A\n".encode(), forms.TABLE),
        (f'\ufeff"id";"answer"\n"{IDS[0]}";"A"\n'.encode(), forms.TABLE),
        (f"{IDS[0]}\tA\n{IDS[1]}\tB\n".encode(), forms.TABLE),
        (LINES.encode("utf-16"), forms.UTF_16),
        (LINES.encode("utf-16-be"), forms.UTF_16),
        (LINES.encode("utf-16-le"), forms.UTF_16),
        (LINES.encode("utf-32"), forms.UTF_32),
        (archive(**{"answers.jsonl": LINES}), forms.ZIP),
        (archive(**{"[Content_Types].xml": "<x/>", "xl/workbook.xml": "<x/>"}), forms.SHEET),
        (archive(**{"_journal/start.json": "{}", "samples/a_epoch_1.json": "{}"}), forms.INSPECT),
        (tarred("w"), forms.TAR),
        (tarred("w:gz"), forms.TAR),
        (bz2.compress(LINES.encode()), "it is packed with bzip2"),
        (lzma.compress(LINES.encode()), "it is packed with xz"),
        (pa.compress(LINES.encode(), codec="zstd", asbytes=True), "it is packed with Zstandard"),
        (table(parquet.write_table), "it is a Parquet file"),
        (table(feather.write_feather), "it is an Arrow file"),
        (pickle.dumps(GOOD), "it is pickled by Python"),
        (b"<!DOCTYPE html>\n<html></html>", forms.PAGE),
        (b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n' + LINES.encode(), forms.FORM_DATA),
        (as_json(SAMPLE), forms.LM_EVAL),
        (as_json([SAMPLE, SAMPLE], 2), forms.LM_EVAL),
        (as_json(RESULTS, 2), forms.RESULTS),
        (as_json(LOG, 2), forms.INSPECT),
        (as_json({"adapter_spec": {"method": "x"}, "request_states": []}, 2), forms.HELM),
        (as_json([{"instance_id": "id1", "predicted_text": "A"}], 2), forms.HELM),
        (as_json({"id": "b", "custom_id": IDS[0], "response": {}, "error": None}), forms.BATCH),
        (as_json({"id": IDS[0], "prompt_hash": "x", "template_version": 1, "text": "?"}), forms.PROMPTS),
    ],
    ids=range(42),
)
def test_what_it_is_and_what_to_do_is_one_sentence(data: bytes, said: str) -> None:
    sentence = told(data)
    assert sentence is not None
    assert sentence.startswith(said)
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("data", "source", "said"),
    [
        (as_json(SAMPLE), "lm-eval", None),
        (as_json([SAMPLE], 2), "lm-eval", None),
        (as_json(LOG), "inspect", None),
        (archive(**{"header.json": "{}", "samples/a_epoch_1.json": "{}"}), "inspect", None),
        (archive(**{"header.json": "{}"}), "lm-eval", forms.INSPECT),
        (as_json(LOG, 2), "lm-eval", forms.INSPECT),
        (as_json(RESULTS, 2), "lm-eval", forms.RESULTS),
        (as_json(RESULTS, 2), "inspect", forms.RESULTS),
        (as_json(SAMPLE), "inspect", forms.LM_EVAL),
        (LINES.encode("utf-16"), "lm-eval", forms.UTF_16),
    ],
    ids=range(10),
)
def test_a_log_is_known_whatever_form_was_said(data: bytes, source: Source, said: str | None) -> None:
    assert told(data, source) == said


@given(st.binary(max_size=300) | st.text(alphabet="[]{}\",:\\\n i'da", max_size=120).map(str.encode))
def test_whatever_comes_is_looked_at_without_a_failure(data: bytes) -> None:
    told(data)
