"""Files of marks: what is read, and the place and field that each fault names."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import UsageError
from app.reviews.marks import MARKS, Mark, read_marks
from app.reviews.sheets import as_csv
from app.reviews.storing import SampledQuestion

SAMPLE = {"dataset": "toy@1", "seed": 3, "size": 2}
HEAD = "dataset,seed,size,id,mark,note\n"


def as_file(folder: Path, marks: Any, **more: Any) -> Path:
    path = folder / "marks.json"
    path.write_text(json.dumps({**SAMPLE, "marks": marks, **more}))
    return path


def csv_file(folder: Path, content: str | bytes) -> Path:
    path = folder / "marks.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_json_and_csv_say_the_same(tmp_path: Path) -> None:
    one = read_marks(as_file(tmp_path, [{"id": "q1", "mark": "wrong", "note": "a,\n“b”"}, {"id": "q2"}]))
    other = read_marks(csv_file(tmp_path, HEAD + 'toy@1,3,2,q1, wrong ,"a,\n“b”"\ntoy@1,3,2,q2,,\n'))
    assert one[1:4] == other[1:4] == ("toy@1", 3, 2)
    assert one.marks == [Mark("mark 1", "q1", "wrong", "a,\n“b”")]
    assert other.marks == [Mark("line 2", "q1", "wrong", "a,\n“b”")]


def test_a_sheet_that_was_filled_in(tmp_path: Path) -> None:
    questions = [
        SampledQuestion(f"q{i}", "T1", "public", "x@1", 'Which, "said"\nhe?', ["A, b", "c"], {"names": ["Ä"]})
        for i in range(2)
    ]
    sheet = as_csv("toy@1", 3, 2, questions)
    assert sheet.count(",,\r\n") == 2
    marked = sheet.replace(",,\r\n", ',ambiguous,"so, so"\r\n', 1)
    assert read_marks(csv_file(tmp_path, "\ufeff" + marked)).marks == [
        Mark("line 2", "q0", "ambiguous", "so, so")
    ]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "line 1: column 'dataset' is missing"),
        ("dataset,seed,size,id,note\n", "line 1: column 'mark' is missing"),
        ("dataset,seed,size,id,mark,verdict\n", "line 1: column 'verdict' is unknown"),
        ("dataset,seed,size,id,mark,mark\n", "line 1: column 'mark' is unknown or stands twice"),
        (HEAD, "there is no question in this file"),
        (HEAD + "toy@1,3,2,q1,,\n", "no question has a mark"),
        (HEAD + "toy@1,3,2,q1,right,\n", "line 2: mark 'right' is none of natural, ambiguous, wrong"),
        (HEAD + "toy@1,3,2,q1,wrong,\ntoy@1,3,2,q1,wrong,\n", "line 3: id 'q1' stands at line 2 already"),
        (HEAD + 'toy@1,3,2,q1,wrong,"a\nb"\ntoy@1,3,2,,wrong,\n', "line 4: id is missing or no text"),
        (HEAD + "toy@1,3,2,q1,wrong,\ntoy@1,4,2,q2,wrong,\n", "line 3: dataset, seed or size differs"),
        (HEAD + "toy@1,3.5,2,q1,wrong,\n", "line 2: seed is missing or no whole number"),
        (HEAD + "toy@1,3,-,q1,wrong,\n", "line 2: size is missing or no whole number"),
        (HEAD + "toy@1,3,²,q1,wrong,\n", "line 2: size is missing or no whole number"),
        (HEAD + "toy@1,99999999999999999999,2,q1,wrong,\n", "line 2: seed is missing or no whole number"),
        (HEAD + "toy@1,3,2,q1,,unsure\n", "line 2: note without a mark"),
        (HEAD + f"toy@1,3,2,q1,wrong,{'x' * 2001}\n", "line 2: note is longer than 2,000"),
        (HEAD + "toy@1,3,2,q1\n", "line 2: the line does not have the 6 columns"),
        (HEAD + "toy@1,3,2,q1,wrong,,,\n", "line 2: the line does not have the 6 columns"),
        (HEAD + 'toy@1,3,2,q1,wrong,"open\n', "line 2: the line is not CSV"),
        (HEAD.encode() + b"toy@1,3,2,q1,wrong,\xff\n", "line 2: the file is not UTF-8"),
        (HEAD + "toy@1,3,2,q1,wrong,\0\n", "line 2: the line holds a NUL"),
    ],
)
def test_faults_of_a_csv_file(tmp_path: Path, content: str | bytes, fault: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_marks(csv_file(tmp_path, content))
    assert fault in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "marks.csv"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1: the file is not JSON"),
        ('{"dataset":\n nope}', "line 2: the file is not JSON"),
        ("[" * 100_000, "line 1: the file is not JSON"),
        ("[]", "line 1: the file is not a JSON object with a list 'marks'"),
        ('{"marks": 3}', "line 1: the file is not a JSON object with a list 'marks'"),
        ('{"marks": [3]}', "mark 1: this is not a JSON object"),
        ('{"marks": [{"id": "q"}]}', "mark 1: dataset is missing"),
        ('{"marks": [], "by": "me"}', "line 1: there is no field 'by'"),
        ('{"dataset": "a@1", "seed": true, "size": 1, "marks": [{"id": "q"}]}', "mark 1: seed is missing"),
        ('{"dataset": "a@1", "seed": 1, "size": 1, "marks": [{"id": "q", "mark": 1}]}', "mark 1: mark is"),
        ('{"dataset": "a@1", "seed": 1, "size": 1, "marks": [{"id": "q", "seed": 2}]}', "no field 'seed'"),
        ('{"dataset": "a@1", "seed": 1, "size": 1, "marks": [{"id": "\\ud800"}]}', "mark 1: id holds"),
    ],
)
def test_faults_of_a_json_file(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "marks.json").write_text(text)
    with pytest.raises(UsageError) as caught:
        read_marks(tmp_path / "marks.json")
    assert fault in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_marks(tmp_path / "absent.csv")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_marks(tmp_path)


@given(st.binary(max_size=200), st.sampled_from(["csv", "json"]))
def test_rubbish_is_refused_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, ending: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"rubbish.{ending}"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="rubbish"):
        read_marks(path)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("", *MARKS)),
            st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30),
        ),
        min_size=1,
    )
)
def test_what_was_marked_comes_back(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    marks = [
        {"id": f"q{i}", "mark": mark, "note": note if mark else ""} for i, (mark, note) in enumerate(said)
    ]
    expected = [(one["id"], one["mark"], one["note"].strip()) for one in marks if one["mark"]]
    path = as_file(folder, marks)
    if not expected:
        with pytest.raises(UsageError, match="no question has a mark"):
            read_marks(path)
    else:
        assert [one[1:] for one in read_marks(path).marks] == expected
