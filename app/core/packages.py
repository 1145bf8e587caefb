"""Finds what a benchmark's own package brings: `app.benchmarks.NAME.PART`, loaded by name when first asked for."""

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

ROOT = "app.benchmarks"


def benchmark_packages() -> list[str]:
    """The names of all benchmarks that have a package, sorted."""
    return sorted(found.name for found in pkgutil.iter_modules(import_module(ROOT).__path__) if found.ispkg)


@cache
def load_part(benchmark: str, part: str) -> ModuleType | None:
    """The module or package PART of a benchmark, with every module in it loaded; None where there is none.

    An error while it loads is raised as it is: a part that exists and cannot be loaded is a fault.
    """
    name = f"{ROOT}.{benchmark}"
    if not benchmark.isidentifier() or find_spec(name) is None or find_spec(f"{name}.{part}") is None:
        return None
    module = import_module(f"{name}.{part}")
    for found in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{module.__name__}."):
        import_module(found.name)
    return module
