"""Parquet in the Hugging Face layout: rows and columns, and what the card says."""

import json
from collections import Counter
from collections.abc import Callable
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from app.exports.card import card
from app.exports.exported import Export
from app.exports.parquet import parquet_files
from tests.app.exports.conftest import DATASETS

Read = Callable[..., Export]


def table(files: dict[str, bytes], split: str) -> pa.Table:
    return pq.read_table(BytesIO(files[f"data/{split}-00000-of-00001.parquet"]))


@pytest.mark.parametrize("name", DATASETS)
def test_rows_are_those_of_json_lines(read: Read, name: str) -> None:
    exported = read(name, with_gold=True)
    files = parquet_files(exported)
    rows = [row for split in ("public", "hidden") for row in table(files, split).to_pylist()]
    expected = {one.id: one for one in exported.questions}
    assert len(rows) == len(expected) == len({row["id"] for row in rows})
    for row in rows:
        one = expected[row["id"]]
        gold = None if row["gold"] is None else json.loads(row["gold"])
        assert (gold is None) == (row["split"] == "hidden")
        assert (gold, row["variant"]) == (one.gold, one.variant)
        common = {key: row[key] for key in one.values() if key not in ("gold", "variant")}
        assert common == {key: value for key, value in one.values().items() if key not in ("gold", "variant")}


def test_without_gold_there_is_no_such_column(read: Read) -> None:
    files = parquet_files(read("choices"))
    for split in ("public", "hidden"):
        assert "gold" not in table(files, split).column_names


def test_both_splits_have_one_schema(read: Read) -> None:
    files = parquet_files(read("open", with_gold=True))
    assert table(files, "public").schema.equals(table(files, "hidden").schema, check_metadata=True)


@pytest.mark.parametrize("name", DATASETS)
def test_the_card(read: Read, name: str) -> None:
    exported = read(name)
    text = parquet_files(exported)["README.md"].decode()
    _, front, body = text.split("---\n", 2)
    told = yaml.safe_load(front)
    assert told["license"] == "odbl"
    assert [one["split"] for one in told["configs"][0]["data_files"]] == ["public", "hidden"]
    counts = Counter(one.template for one in exported.questions)
    for template, report in exported.version.templates.items():
        row = next(line for line in body.splitlines() if line.startswith(f"| {template} v"))
        cells = [cell.strip().replace(",", "") for cell in row.strip("|").split("|")]
        refused = sum(report["refused"].values())
        assert cells[2:] == [
            str(number) for number in (counts[template], report["accepted"], refused, report["capacity"])
        ]
    assert ("## Options" in body) == (name == "choices")
    assert "## How to cite" in body
    assert f"Canary: `{exported.version.canary}`" in body


def test_where_keys_stand_counts_public_questions_alone(read: Read) -> None:
    everything = read("choices", True, True)
    public = [one for one in everything.questions if one.split == "public"]
    expected = Counter(
        one.gold["index"] for one in public if one.gold is not None and one.options is not None
    )
    assert read("choices").version.key_positions == expected
    text = card(everything, {})
    shares = [line for line in text.splitlines() if line.endswith(" % |")]
    assert sum(int(line.split("|")[2]) for line in shares) == len(public)
