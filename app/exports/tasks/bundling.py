"""Our scorers as a package that stands alone: copies of the modules that judging answers needs, under another name.

What is copied follows from the modules' own imports, so that a task scores as this version of Trigpoint does.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import app
from app.scores.profiles import default_profile

PACKAGE = f"trigpoint_scoring_v{default_profile().version}"
"""Its name; the profile's version changes whenever a scorer does, so two versions can be loaded side by side."""
START = "app.exports.tasks.judging"
SCORERS = "app.scores.scorers"
_ROOT = Path(app.__file__).parent
_OWN_IMPORT = re.compile(r"^(?P<word> *(?:from|import)) app\.", re.MULTILINE)


def bundle(scorers: Iterable[str]) -> dict[str, bytes]:
    """File names and bytes of the package; of the scorers only those that are named."""
    named = sorted(set(scorers))
    modules = _closure([START, *(f"{SCORERS}.{name}" for name in named)])
    files = {_file_name(name): _renamed(_path(name).read_text(encoding="utf-8")) for name in modules}
    for folder in {parent for name in files for parent in Path(name).parents if parent != Path(".")}:
        files[f"{folder.as_posix()}/__init__.py"] = '"""Copied from Trigpoint."""\n'
    registering = f"from {PACKAGE}.scores.scorers import {', '.join(named)}\n\n__all__ = {named!r}\n"
    files[f"{PACKAGE}/scores/scorers/__init__.py"] = (
        f'"""The scorers that the task needs."""\n\n{registering}'
    )
    return {name: text.encode() for name, text in sorted(files.items())}


def _closure(start: Iterable[str]) -> list[str]:
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imported(name)
    return sorted(found)


def _imported(module: str) -> Iterator[str]:
    """Modules of ours that a module imports by `from`; packages hold nothing but what registers."""
    for node in ast.walk(ast.parse(_path(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("app."):
            if _path(node.module).is_file():
                yield node.module
            else:
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _path(module: str) -> Path:
    return _ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py")


def _file_name(module: str) -> str:
    return "/".join([PACKAGE, *module.split(".")[1:]]) + ".py"


def _renamed(text: str) -> str:
    return _OWN_IMPORT.sub(rf"\g<word> {PACKAGE}.", text)
