"""A benchmark's package is found by name, loaded once, and its faults are not hidden."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import app.benchmarks
from app.core.packages import load_part
from app.core.registers import Register, VersionedRegister


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A benchmark `small` beside ours."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.setattr(app.benchmarks, "__path__", [*app.benchmarks.__path__, str(tmp_path)])
    load_part.cache_clear()
    yield folder
    load_part.cache_clear()
    for name in [one for one in sys.modules if one.startswith("app.benchmarks.small")]:
        del sys.modules[name]


def test_a_part_that_is_missing_is_none(package: Path) -> None:
    assert load_part("small", "derivations") is None
    assert load_part("smaller", "derivations") is None
    assert load_part("../small", "derivations") is None


def test_every_module_of_a_part_is_loaded(package: Path) -> None:
    (package / "words").mkdir()
    (package / "words" / "__init__.py").touch()
    (package / "words" / "one.py").write_text("VALUE = 1\n")
    part = load_part("small", "words")
    assert part is not None
    assert part.one.VALUE == 1


def test_a_part_that_cannot_be_loaded_is_a_fault(package: Path) -> None:
    (package / "derivations.py").write_text("import nowhere_to_be_found\n")
    with pytest.raises(ModuleNotFoundError, match="nowhere_to_be_found"):
        load_part("small", "derivations")


def test_entries_are_of_one_benchmark() -> None:
    register = Register[int]("no_such_part", "number")
    register.add("gsqa", "one", 1)
    register.add("other", "one", 2)
    assert (register.find("gsqa", "one"), register.find("other", "one")) == (1, 2)
    assert register.find("another", "one") is None
    with pytest.raises(ValueError, match="gsqa has two of the kind number that are called one"):
        register.add("gsqa", "one", 3)


def test_an_entry_holds_from_its_version_on() -> None:
    register = VersionedRegister[str]("no_such_part", "rule")
    register.add("gsqa", "T1", 1, "old")
    register.add("gsqa", "T1", 3, "new")
    found = [register.find("gsqa", "T1", version) for version in (0, 1, 2, 3, 4, None)]
    assert found == [None, "old", "old", "new", "new", "new"]
    assert register.templates("gsqa") == ["T1"]
