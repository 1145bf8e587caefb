"""Facts files: every line checked, a fault named by file and line, nothing loaded then; the same file twice is one."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.facts.files import read_facts
from app.facts.storing import count_facts
from tests.support.command_line import trigpoint

NOW = datetime(2026, 1, 2, tzinfo=UTC)
GOOD = {"subject": "n1", "attribute": "architect", "value": "Hans Meier"}


def write(folder: Path, *lines: object, name: str = "facts.jsonl") -> Path:
    file = folder / name
    file.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines))
    return file


def test_both_forms_hold_the_same_facts(tmp_path: Path) -> None:
    lines = [
        {**GOOD, "names": ["H. Meier"], "source_url": "https://example.org/1", "licence": "CC-BY-4.0"},
        {"subject": "node/2", "attribute": "height", "value": 12.5, "credit": "the town's register"},
        {"subject": "Q42", "attribute": "start_year", "value": "1984-05-06"},
    ]
    csv = (
        "subject,attribute,value,names,credit,source_url,licence\n"
        "n1,architect,Hans Meier,H. Meier,,https://example.org/1,CC-BY-4.0\n"
        "n2,height,12.5,,the town's register,,\n"
        "Q42,start_year,1984,,,,\n"
    )
    one = read_facts(write(tmp_path, *lines, name="same.jsonl"), NOW)
    (tmp_path / "same.csv").write_text(csv)
    assert one == read_facts(tmp_path / "same.csv", NOW)
    assert [fact.value.value for fact in one] == ["Hans Meier", "12.5", "1984"]
    assert one[0].value.names == ("Hans Meier", "H. Meier")
    assert [fact.credit for fact in one] == ["same", "the town's register", "same"]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "not JSON"),
        ("[" * 100_001, "longer"),
        ("[" * 5_000, "not JSON"),
        ("[1]", "not a JSON object"),
        ({"subject": "n1", "attribute": "architect"}, "value is missing"),
        ({**GOOD, "value": ""}, "value is missing"),
        ({**GOOD, "value": None}, "value is missing"),
        ({**GOOD, "value": True}, "value is missing"),
        ({**GOOD, "value": "nan"}, "says nothing"),
        ({**GOOD, "attribute": "height", "value": float("inf")}, "is not a number"),
        ('{"subject": "n1", "attribute": "height", "value": NaN}', "NaN is not a number of JSON"),
        ('{"subject": "n1", "attribute": "height", "value": 1e400}', "the number 1e400 is too large"),
        ({**GOOD, "value": "A;B"}, "several values"),
        ({**GOOD, "value": "\ud800"}, "no text has"),
        ({**GOOD, "subject": "Vaduz"}, "neither like Q42"),
        ({**GOOD, "subject": "Q2147483648"}, "neither like Q42"),
        ({**GOOD, "subject": "n0"}, "neither like Q42"),
        ({**GOOD, "attribute": "colour"}, "no attribute 'colour'"),
        ({**GOOD, "when": 1}, "no field 'when'"),
        ({**GOOD, "names": "H. Meier"}, "not a list"),
        ({**GOOD, "attribute": "height", "value": 3, "names": ["x"]}, "takes no names"),
        ({**GOOD, "source_url": "file:///etc/passwd"}, "not an http"),
        ({**GOOD, "source_url": "http://[::1"}, "not an http"),
        ({**GOOD, "credit": "x" * 81}, "credit"),
        ({**GOOD, "value": "Anna Beck"}, "has another architect .'Hans Meier'. on line 1"),
    ],
)
def test_a_fault_names_file_and_line(tmp_path: Path, line: object, fault: str) -> None:
    file = write(tmp_path, GOOD, "", line)
    with pytest.raises(UsageError, match=fault) as caught:
        read_facts(file, NOW)
    assert str(caught.value).startswith(f"{file}:3: ")


@pytest.mark.parametrize(
    ("content", "number", "fault"),
    [
        (b"subject,attribute,value\nn1,architect\n", 2, "columns"),
        (b"subject,attribute,value\nn1,architect,A,B\n", 2, "columns"),
        (b'subject,attribute,value\nn1,architect,"A\n', 2, "CSV"),
        (b"subject,attribute,value\nn1,architect,A\xff\n", 2, "UTF-8"),
        (b"subject,attribute,value\nn1,architect,A\0\n", 2, "NUL"),
        (b"a,b,c\nn1,architect,A\n", 2, "no field 'a'"),
    ],
)
def test_a_fault_of_a_table_names_file_and_line(
    tmp_path: Path, content: bytes, number: int, fault: str
) -> None:
    file = tmp_path / "facts.csv"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=fault) as caught:
        read_facts(file, NOW)
    assert str(caught.value).startswith(f"{file}:{number}: ")


def test_an_empty_file_and_an_absent_one_are_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no fact in this file"):
        read_facts(write(tmp_path), NOW)
    with pytest.raises(UsageError, match="cannot be read"):
        read_facts(tmp_path / "absent.jsonl", NOW)


def stored(settings: Settings) -> list[tuple[object, ...]]:
    with connect(settings, Role.WORKER) as connection:
        rows = connection.execute(
            text("select subject, attribute, value, retrieved_at from fact order by subject, attribute")
        )
        return [tuple(row) for row in rows]


def test_loading_is_all_or_nothing_and_the_same_twice_is_once(database: Settings, tmp_path: Path) -> None:
    two = [GOOD, {"subject": "Q42", "attribute": "capacity", "value": 120}]
    done = trigpoint(database, "facts", "load", str(write(tmp_path, *two)), "--json")
    assert done.status == 0, done.err
    assert done.json == {
        "added": 2,
        "changed": 0,
        "file": "facts.jsonl",
        "snapshot": None,
        "unchanged": 0,
    }
    before = stored(database)
    assert [row[:3] for row in before] == [("Q42", "capacity", "120"), ("n1", "architect", "Hans Meier")]
    again = trigpoint(database, "facts", "load", str(tmp_path / "facts.jsonl"), "--json")
    assert again.json["unchanged"] == 2
    assert stored(database) == before
    bad = write(tmp_path, {**GOOD, "value": "Anna Beck"}, {**GOOD, "subject": "n2", "value": "nan"})
    refused = trigpoint(database, "facts", "load", str(bad))
    assert refused.status == 2
    assert f"{bad}:2: architect: 'nan' says nothing. Nothing was loaded." in refused.err
    assert stored(database) == before
    mended = trigpoint(
        database, "facts", "load", str(write(tmp_path, {**GOOD, "value": "Anna Beck"})), "--json"
    )
    assert mended.json["changed"] == 1
    assert stored(database)[1][2] == "Anna Beck"
    with connect(database, Role.WORKER) as connection:
        counted = count_facts(connection)
    assert [(row["source"], row["attribute"], row["facts"]) for row in counted] == [
        ("file", "architect", 1),
        ("file", "capacity", 1),
    ]
    listed = trigpoint(database, "facts", "list")
    assert listed.status == 0
    assert "architect" in listed.out
