"""Our own static rules, those that no linter has: sizes, where SQL may live, what the second path may ask.

Reads Python files under app, osm_import, workers, migrations, scripts and perf; prints `file:line: rule: words`, exit 1
on any. usage: lint_rules.py [ROOT]
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDERS = ("app", "osm_import", "workers", "migrations", "scripts", "perf")
MODULE_LINES, FUNCTION_LINES = 500, 80
EDGES = ("app/api/", "app/dashboard/", "app/cli/", "workers/")
PROJECT = Path(__file__).parents[1]
BENCHMARKS = {file.parent.name for file in PROJECT.glob("sql_templates/*/benchmark.toml")}
MAY_NAME_BENCHMARKS = ("app/benchmarks/", "app/cli/", "migrations/", "scripts/", "perf/")
SECOND_PATH = re.compile(r"app/(questions|benchmarks/\w+)/second_path\b")
# Words that begin a statement and a clause that follows: "update the tables" is no SQL, "update run set" is.
STATEMENT = re.compile(
    r"^\s*(select\b.+\bfrom|insert\s+into|update\b.+\bset|delete\s+from|with\b.+\bas\s*\(|create\s+(table|view|index)|alter|drop)\s",
    re.IGNORECASE | re.DOTALL,
)
QUERY_BUILDERS = {"select", "insert", "update", "delete", "text"}
FORBIDDEN_IN_SECOND_PATH = re.compile(r"\bwhere\b(?! set_id = :set_id)|\bst_(?!asbinary\b)\w+", re.IGNORECASE)
# In Python 3.11.2 such a group may take back what it took last; an atomic group does the same, everywhere alike.
POSSESSIVE_GROUP = re.compile(r"\)(?:[?*+]|\{\d+,?\d*\})\+")


class Fault(NamedTuple):
    """One breach of a rule."""

    path: str
    line: int
    rule: str
    words: str


def strings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Every string constant but docstrings."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, holders) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node


def check_sizes(path: str, source: str, tree: ast.AST) -> Iterator[Fault]:
    """Modules and functions short enough to be read at one sitting."""
    lines = source.count("\n")
    if lines > MODULE_LINES:
        yield Fault(path, 1, "module-size", f"{lines} lines, at most {MODULE_LINES}: split it by concern")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES and not path.startswith("migrations/"):
                yield Fault(
                    path,
                    node.lineno,
                    "function-size",
                    f"{node.name} has {length} lines, at most {FUNCTION_LINES}",
                )


def check_edges(path: str, tree: ast.AST) -> Iterator[Fault]:
    """Routes, pages, commands and tasks delegate: no SQL, no query builder, no print."""
    if not path.startswith(EDGES):
        return
    for constant in strings(tree):
        if STATEMENT.match(str(constant.value)):
            yield Fault(
                path, constant.lineno, "sql-at-edge", "SQL belongs to a queries.py beside the stage it serves"
            )
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sqlalchemy":
            for name in sorted(QUERY_BUILDERS & {alias.name for alias in node.names}):
                yield Fault(
                    path,
                    node.lineno,
                    "sql-at-edge",
                    f"sqlalchemy.{name} belongs to the stage, not to its edge",
                )


def check_second_path(path: str, tree: ast.AST) -> Iterator[Fault]:
    """The second path reads whole layers by plain columns: no WHERE, no PostGIS function but ST_AsBinary."""
    if not SECOND_PATH.match(path):
        return
    for constant in strings(tree):
        value = str(constant.value)
        if STATEMENT.match(value) and (found := FORBIDDEN_IN_SECOND_PATH.search(value)):
            yield Fault(
                path, constant.lineno, "second-path", f"{found[0]!r} is not for the second path to use"
            )


def examples(tree: ast.AST) -> set[int]:
    """The ids of all nodes below an argument, or a key, that is called `examples`."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "examples":
            found.append(node)
        elif isinstance(node, ast.Dict):
            keys = (key.value if isinstance(key, ast.Constant) else None for key in node.keys)
            found += [value for key, value in zip(keys, node.values) if key == "examples"]
    return {id(node) for one in found for node in ast.walk(one)}


def check_benchmarks(path: str, tree: ast.AST) -> Iterator[Fault]:
    """No engine knows a benchmark's name: what only one benchmark needs is registered by its package."""
    if path.startswith(MAY_NAME_BENCHMARKS):
        return
    shown = examples(tree)
    for constant in strings(tree):
        named = BENCHMARKS.intersection(re.split(r"\W+", str(constant.value)))
        if named and id(constant) not in shown:
            yield Fault(
                path,
                constant.lineno,
                "benchmark-name",
                f"{min(named)} is named here: register what it needs from app/benchmarks/{min(named)}",
            )


def check_patterns(path: str, tree: ast.AST) -> Iterator[Fault]:
    """Regular expressions that every release of Python reads alike."""
    for constant in strings(tree):
        if found := POSSESSIVE_GROUP.search(str(constant.value)):
            yield Fault(
                path,
                constant.lineno,
                "possessive-group",
                f"write (?>(?:…)*) for a group with {found[0][1:]!r}",
            )


def check_file(root: Path, file: Path) -> list[Fault]:
    """Every fault of one file, by line."""
    path, source = file.relative_to(root).as_posix(), file.read_text()
    tree = ast.parse(source, filename=path)
    faults = [
        *check_sizes(path, source, tree),
        *check_edges(path, tree),
        *check_second_path(path, tree),
        *check_benchmarks(path, tree),
        *check_patterns(path, tree),
    ]
    return sorted(faults, key=lambda fault: (fault.line, fault.rule))


def main(root: Path) -> int:
    """Checks every file under the folders; 1 if anything is amiss."""
    files = sorted(file for folder in FOLDERS for file in (root / folder).rglob("*.py"))
    faults = [fault for file in files for fault in check_file(root, file)]
    for fault in faults:
        sys.stdout.write(f"{fault.path}:{fault.line}: {fault.rule}: {fault.words}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()))
