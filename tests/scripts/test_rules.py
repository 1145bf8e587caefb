"""Our own static rules find what they are for, and nothing in the project as it stands."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from app.core.settings import PROJECT_ROOT


@pytest.fixture(scope="module")
def rules() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lint_rules", PROJECT_ROOT / "scripts" / "lint_rules.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("path", "source", "found"),
    [
        ("app/core/long.py", "x = 1\n" * 501, ["module-size"]),
        ("app/core/fits.py", "x = 1\n" * 500, []),
        ("app/core/function.py", "def f():\n" + "    x = 1\n" * 80, ["function-size"]),
        ("workers/task.py", 'rows = run("select id from run where id = :id")\n', ["sql-at-edge"]),
        ("app/api/route.py", "from sqlalchemy import Connection, select\n", ["sql-at-edge"]),
        ("app/api/route.py", "from sqlalchemy import Connection\n", []),
        ("app/cli/words.py", 'say("update the tables with `make up`")\n', []),
        ("app/cli/words.py", '"""Select questions from a data set."""\n', []),
        ("app/scores/queries.py", 'SQL = "select id from run"\n', []),
        ("app/scores/reading/one.py", 'ONE = re.compile(r"a(?:bc?)*+d")\n', ["possessive-group"]),
        ("app/scores/reading/one.py", 'ONE = re.compile(r"a(?>(?:bc?)*)d[e]*+")\n', []),
        (
            "app/questions/second_path/reading.py",
            'SQL = "select osm_key from poi where name is null"\n',
            ["second-path"],
        ),
        (
            "app/questions/second_path/reading.py",
            'SQL = "select st_distance(a, b) from poi"\n',
            ["second-path"],
        ),
        ("app/questions/second_path/reading.py", 'SQL = "select ST_AsBinary(geom) as wkb from poi"\n', []),
        (
            "app/benchmarks/new/second_path/reading.py",
            'SQL = "select osm_key from poi where name is null"\n',
            ["second-path"],
        ),
        ("app/scores/scoring.py", 'IS_PUBLISHED = benchmark == "gsqa"\n', ["benchmark-name"]),
        (
            "app/core/settings.py",
            'FILE = ROOT / "sql_templates/urban_knowledge/x.toml"\n',
            ["benchmark-name"],
        ),
        ("app/jobs/kinds.py", 'FIELD = Field(examples=["gsqa"])\n', []),
        ("app/benchmarks/gsqa/rules.py", 'register("gsqa", "rules")\n', []),
    ],
)
def test_a_rule_finds_what_it_is_for(
    rules: ModuleType, tmp_path: Path, path: str, source: str, found: list[str]
) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(source)
    assert [fault.rule for fault in rules.check_file(tmp_path, file)] == found
    assert rules.main(tmp_path) == (1 if found else 0)
