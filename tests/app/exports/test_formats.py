"""Every form of export: the same bytes each time, licence and canary in each file, hidden gold kept in."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from app.core.settings import Settings
from app.exports.exported import Export
from app.exports.formats import FORMATS, WITH_CARD, WITH_PLACES
from app.plotting.cards import card_pictures
from tests.app.exports.conftest import DATASETS
from tests.support.command_line import export

Read = Callable[..., Export]
GOLD_ONLY = {"lm-eval", "inspect", "geoparquet", "geojson"}
"""Forms that are of no use without gold."""


def texts_of(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """Each file as text: Parquet by its metadata and rows."""
    for name, content in files.items():
        if name.endswith(".parquet"):
            table = pq.read_table(BytesIO(content))
            marks = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
            rows = json.dumps(table.to_pylist(), ensure_ascii=False, default=str)
            yield name, json.dumps(marks, ensure_ascii=False) + rows
        else:
            yield name, content.decode()


@pytest.mark.parametrize("form", sorted(FORMATS))
@pytest.mark.parametrize("name", DATASETS)
def test_the_same_bytes_each_time(read: Read, name: str, form: str) -> None:
    one, other = (FORMATS[form](read(name, True, True)) for _ in range(2))
    assert one
    assert one == other


@pytest.mark.parametrize("form", sorted(FORMATS))
@pytest.mark.parametrize("name", DATASETS)
def test_licence_and_canary(read: Read, name: str, form: str) -> None:
    exported = read(name, True)
    files = FORMATS[form](exported)
    text = "".join(text for _, text in texts_of(files))
    assert exported.version.canary in text
    assert "© OpenStreetMap contributors" in text
    assert "town@2024-05-06T07:08:09Z" in text
    for file, content in texts_of(files):
        if file.endswith(".parquet"):
            assert exported.version.canary in content
            assert "ODbL-1.0" in content
    assert files["LICENSE"].decode() == exported.version.licence_text


@pytest.mark.parametrize("form", sorted(FORMATS))
@pytest.mark.parametrize("name", DATASETS)
def test_hidden_gold_stays_in(read: Read, name: str, form: str) -> None:
    everything = read(name, True, True)
    hidden = [one for one in everything.questions if one.split == "hidden"]
    assert len(hidden) > 3
    public = read(name, with_gold=True)
    kept_in = [one.gold for one in public.questions if one.split == "hidden"]
    assert kept_in == [None] * len(hidden)
    assert all(one.gold is None for one in read(name).questions)
    marked = [
        one if one.gold is None else type(one)(**{**vars(one), "gold": {**one.gold, "planted": one.id}})
        for one in everything.questions
    ]
    told = {one.id for one in hidden}
    shown = Export(everything.version, marked, True, everything.places)
    only_public = Export(
        everything.version,
        [type(one)(**{**vars(one), "gold": None}) if one.id in told else one for one in marked],
        True,
        everything.places,
    )
    texts = [text.replace("\\", "") for _, text in texts_of(FORMATS[form](only_public))]
    if form in WITH_PLACES:
        assert not any(number in text for number in told for text in texts)
        return
    assert any('"planted"' in text.replace("\\", "") for _, text in texts_of(FORMATS[form](shown)))
    assert not any(f'"planted":"{number}"' in text for number in told for text in texts)


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_by_the_command(datasets: Settings, read: Read, tmp_path: Path, form: str) -> None:
    options = ("--format", form, *(("--with-gold",) if form in GOLD_ONLY else ()))
    files = export(datasets, "choices", tmp_path, *options)
    exported = read("choices", form in GOLD_ONLY)
    pictures = card_pictures(exported) if form in WITH_CARD else []
    assert files == FORMATS[form](replace(exported, pictures=pictures))
