"""`trigpoint templates check`: a template that names what its benchmark's package lacks is refused by file and line."""

import shutil
from pathlib import Path

import pytest

from app.core.errors import TemplateError
from app.questions.checking import check_provable
from app.templates.catalogue import TEMPLATES_FOLDER, load_benchmarks

LENGTH = "urban_knowledge/Query_Length.sql"


def refusal(folder: Path) -> str:
    templates = [one for found in load_benchmarks(folder).values() for one in found.templates.values()]
    with pytest.raises(TemplateError) as raised:
        any(map(check_provable, templates))
    return str(raised.value).removeprefix(f"{folder}/")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("gsqa", "urban_knowledge"):
        shutil.copytree(TEMPLATES_FOLDER / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("gsqa/T05.sql", "derive: nearest_name", "derive: nearest_star", "gsqa/T05.sql:12: derive: gsqa has no derivation 'nearest_star'."),
        ("gsqa/T05.sql", "derive: nearest_name", "derive: length_option", "gsqa/T05.sql:12: derive: gsqa has no derivation 'length_option'."),
        (LENGTH, "length_multiples", "guesses", f"{LENGTH}:11: urban_knowledge has no strategy 'guesses'; there are: alike, anywhere, connections, "),
        (LENGTH, "length_multiples", "pool", f"{LENGTH}:11: the strategy pool needs a pool file."),
        (LENGTH, "other_lengths", "alike", f"{LENGTH}:12: the strategy alike reads a pool of options: "),
        (LENGTH, "other_lengths", "length_multiples", f"{LENGTH}:12: the strategy length_multiples takes no pool file."),
    ],
)  # fmt: skip
def test_what_is_not_registered(folder: Path, path: str, old: str, new: str, expected: str) -> None:
    text = (folder / path).read_text()
    assert old in text
    (folder / path).write_text(text.replace(old, new))
    assert refusal(folder).startswith(expected)


def test_a_template_needs_a_second_path_of_its_own_benchmark(folder: Path) -> None:
    (folder / "gsqa").rename(folder / "others")
    toml = folder / "others" / "benchmark.toml"
    toml.write_text(toml.read_text().replace('name = "gsqa"', 'name = "others"'))
    assert refusal(folder).startswith("others/T01.sql:")
    assert "others has no derivation 'names_in_range'" in refusal(folder)
