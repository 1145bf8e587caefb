"""Croissant: hashes and columns are those of the files; mlcroissant validates it and reads the questions by it."""

import hashlib
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from app.exports.croissant import croissant_files
from app.exports.exported import Export
from app.exports.writing import write_files
from tests.app.exports.conftest import DATASETS
from tests.support.peers import ask_peer

Read = Callable[..., Export]
READ = """
import json, logging, sys
import mlcroissant
logging.disable()
dataset = mlcroissant.Dataset(jsonld=sys.argv[1])
plain = lambda value: value.decode() if isinstance(value, bytes) else value
records = {
    one.uuid: [
        {key: [plain(item) for item in value] if isinstance(value, (list, tuple)) else plain(value) for key, value in row.items()}
        for row in dataset.records(one.uuid)
    ]
    for one in dataset.metadata.record_sets
}
print()
print(json.dumps({"errors": sorted(dataset.metadata.issues.errors), "license": dataset.metadata.license, "records": records}, default=list))
"""


def test_it_describes_the_files(read: Read) -> None:
    files = croissant_files(read("choices", with_gold=True))
    told = json.loads(files["croissant.json"])
    for file in told["distribution"]:
        content = files[file["contentUrl"]]
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
        assert f"{len(content)} B" == file["contentSize"]
    for records in told["recordSet"]:
        columns = pq.read_schema(BytesIO(files[f"data/{records['name']}-00000-of-00001.parquet"])).names
        fields = [field["source"]["extract"]["column"] for field in records["field"]]
        assert fields == [name for name in columns if name != "snapshots"]


@pytest.mark.long
@pytest.mark.parametrize("name", DATASETS)
def test_mlcroissant_reads_the_questions(read: Read, tmp_path: Path, name: str) -> None:
    exported = read(name, with_gold=True)
    write_files(croissant_files(exported), tmp_path)
    found = ask_peer(READ, str(tmp_path / "croissant.json"))
    assert found["errors"] == []
    assert exported.version.licence["url"] in found["license"]
    assert list(found["records"]) == list(exported.splits())
    for split, questions in exported.splits().items():
        got = found["records"][split]
        assert [row[f"{split}/id"] for row in got] == [one.id for one in questions]
        assert [row[f"{split}/text"] for row in got] == [one.text for one in questions]
        assert [row[f"{split}/options"] for row in got] == [one.options for one in questions]
        golds = [None if row[f"{split}/gold"] is None else json.loads(row[f"{split}/gold"]) for row in got]
        assert golds == [one.gold for one in questions]
