"""Whole data sets on four real maps, in both registers: every question is read and solved by the reader."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.settings import PROJECT_ROOT, Settings
from tests.readers.dataset import import_with_facts, make_questions, open_atlas
from tests.readers.trying import REGISTERS, check_all_read
from tests.support.turns import WHOLE

pytestmark = pytest.mark.long


def find_map(extracts: Path, name: str) -> Path:
    """The file of a map: of Helsinki where `scripts/extract` puts it, which may be absent; else of the real extracts."""
    if name != "Helsinki":
        return extracts / f"{name}.osm.pbf"
    file = PROJECT_ROOT / ".local" / "extracts" / f"{name}.osm.pbf"
    if not file.is_file():
        pytest.skip(f"{file} is absent: scripts/extract fetches it")
    return file


@pytest.mark.parametrize(
    ("name", "size", "options", "least"),
    [
        ("liechtenstein-2022-07-24", 25, (), (675, 650)),
        ("liechtenstein-2022-07-24", 12, ("--choose", "semantics=intersects"), (320, 310)),
        ("baltimore-2015-02-27", 25, (), (500, 500)),
        ("manhattan-part-2020-01-15", 25, (), (550, 550)),
        ("Helsinki", 25, (), (525, 525)),
    ],
    ids=["liechtenstein", "intersects", "baltimore", "manhattan", "helsinki"],
)
def test_a_whole_data_set_is_read_and_solved(
    make_database: Callable[[], Settings],
    extracts: Path,
    tmp_path: Path,
    name: str,
    size: int,
    options: tuple[str, ...],
    least: tuple[int, int],
) -> None:
    """`least` is how many questions there must be: precise and everyday. Twice as many where all are to be told."""
    size = 2 * size if WHOLE else size
    imported = import_with_facts(make_database(), find_map(extracts, name), "map", tmp_path)
    bank = ("--bank", str(size), "--per-template", str(size))
    made = {register: make_questions(imported, register, register, *bank, *options) for register in REGISTERS}
    atlas = open_atlas(imported)
    for questions, fewest in zip(made.values(), least, strict=True):
        assert len(questions) >= fewest
        check_all_read(atlas, questions)
