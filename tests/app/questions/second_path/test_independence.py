import ast
import re
from pathlib import Path

import pytest

from app.core.settings import PROJECT_ROOT

FOLDER = PROJECT_ROOT / "app/questions/second_path"
MODULES = sorted([*FOLDER.glob("*.py"), *PROJECT_ROOT.glob("app/benchmarks/*/second_path/**/*.py")])
OURS = re.compile(r"app\.(core|db|questions\.second_path|benchmarks\.\w+\.second_path)(\.|$)")


def test_there_are_modules() -> None:
    assert len(MODULES) > 5
    assert {path.parts[-3] for path in MODULES} >= {"gsqa", "urban_knowledge"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: "/".join(path.parts[-3:]))
def test_imports_only_core_and_database(module: Path) -> None:
    imported = []
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            imported += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where things come from"
            imported.append(node.module or "")
    ours = [
        name for name in imported if name.split(".")[0] in ("app", "osm_import", "workers", "sql_templates")
    ]
    assert [name for name in ours if not OURS.match(name)] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda path: "/".join(path.parts[-3:]))
def test_reads_whole_layers_by_plain_columns(module: Path) -> None:
    constants = [
        node.value
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    statements = " ".join(
        text for text in constants if re.search(r"\bselect \w|\bfrom \b|\bST_", text) and "\n" not in text
    )
    if module.name != "reading.py":
        assert "select " not in statements.lower()
        assert re.findall(r"ST_\w+\(", statements) == []
        return
    assert set(re.findall(r"ST_\w+\(", statements)) == {"ST_AsBinary("}
    # Layers are read whole, without WHERE; of the facts, one whole set.
    statements = statements.replace("where set_id = :set_id", "", 1)
    assert not re.search(
        r"\b(where|join|union|having|content_hash|area_m2|geog)\b", statements, re.IGNORECASE
    )
