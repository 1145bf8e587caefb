"""docs/faults.md names a test for each of the 13 faults, and each is there."""

import ast
import re

from app.core.settings import PROJECT_ROOT

PAGE = (PROJECT_ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(?P<file>tests/[\w/]+\.py)(?:::(?P<test>test_\w+))?`")
ROW = re.compile(r"^\| (?P<number>\d+)\. .*$", re.MULTILINE)


def functions_of(file: str) -> set[str]:
    tree = ast.parse((PROJECT_ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_fault_has_a_test() -> None:
    rows = list(ROW.finditer(PAGE))
    assert [int(row["number"]) for row in rows] == list(range(1, 14))
    for row in rows:
        assert any(match["test"] for match in NAMED.finditer(row[0])), row[0]


def test_every_test_that_is_named_is_there() -> None:
    missing = [
        match[0]
        for match in NAMED.finditer(PAGE)
        if not (PROJECT_ROOT / match["file"]).is_file()
        or (match["test"] and match["test"] not in functions_of(match["file"]))
    ]
    assert missing == []
