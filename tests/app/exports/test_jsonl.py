"""JSON Lines: what one question's line holds, the licence, and folders that cannot be written."""

import json
from pathlib import Path

import pytest

from app.core.errors import UsageError
from app.exports.exported import Export, ExportedQuestion, ExportedVersion
from app.exports.jsonl import jsonl_files
from app.exports.writing import write_files
from app.questions.prompts import text_prompt
from app.questions.storing import LICENCE


def question(gold: dict[str, object] | None = None, text: str = "Which?") -> ExportedQuestion:
    return ExportedQuestion(
        "a1", "b2", "T5", 1, [{"snapshot": "x"}], text_prompt(text), None, "name", "public", gold
    )


def test_a_line_is_canonical() -> None:
    line = question({"names": ["B"]}, "Was ist “näher”?\u2028 {x} %s").line()
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    values = json.loads(line)
    assert list(values) == sorted(values)
    assert values["options"] is None
    assert "näher" in line, "letters stand as they are"
    assert "gold" not in json.loads(question().line())


def test_sources_may_look_like_code() -> None:
    recipe = {"snapshots": [{"snapshot": "{name} %s@2024", "checksum": "0" * 64}]}
    version = ExportedVersion("toy", 1, recipe, {}, "canary", LICENCE)
    files = jsonl_files(Export(version, [question()], with_gold=False))
    assert "{name} %s@2024 (SHA-256 000" in files["LICENSE"].decode()
    assert json.loads(files["dataset.json"])["questions"] == 1


def test_licences_of_facts_stand_beside_the_map_s() -> None:
    recipe = {"snapshots": [{"snapshot": "toy@2024", "checksum": "0" * 64}]}
    licence = {**LICENCE, "facts": [{"source": "wikidata", "credit": "Wikidata", "licence": "CC0-1.0"}]}
    text = ExportedVersion("toy", 1, recipe, {}, "canary", licence).licence_text
    assert "Open Database License (ODbL) 1.0" in text
    assert "Facts beyond the map, each under its own licence: Wikidata (CC0-1.0)." in text
    assert "Facts" not in ExportedVersion("toy", 1, recipe, {}, "x", LICENCE).licence_text


def test_files_are_replaced(tmp_path: Path) -> None:
    write_files({"a": b"1"}, tmp_path / "deep" / "down")
    write_files({"a": b"2"}, tmp_path / "deep" / "down")
    assert (tmp_path / "deep" / "down" / "a").read_bytes() == b"2"


def test_a_file_where_a_folder_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    with pytest.raises(UsageError, match=r"taken: cannot be written to: .*Choose another --to"):
        write_files({"a": b"1"}, tmp_path / "taken")
