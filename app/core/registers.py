"""Registers: tables of functions by benchmark and name. Engines own them, benchmarks' packages fill them."""

from typing import Generic, TypeVar

from app.core.packages import load_part

Entry = TypeVar("Entry")


class Register(Generic[Entry]):
    """What benchmarks bring of one kind, from one part of their packages.

    `part` is loaded when a benchmark is asked about for the first time; `what` is how messages call an entry.
    """

    def __init__(self, part: str, what: str) -> None:
        self.part, self.what = part, what
        self.added: dict[tuple[str, str], Entry] = {}
        """By benchmark and name, of the parts that are loaded so far."""

    def add(self, benchmark: str, name: str, entry: Entry) -> None:
        """Register an entry; raises ValueError where the benchmark has one of that name."""
        if (benchmark, name) in self.added:
            raise ValueError(f"{benchmark} has two of the kind {self.what} that are called {name}")
        self.added[benchmark, name] = entry

    def find(self, benchmark: str, name: str) -> Entry | None:
        """The entry of a benchmark; None where there is none."""
        load_part(benchmark, self.part)
        return self.added.get((benchmark, name))

    def entries(self, benchmark: str) -> list[Entry]:
        """What the benchmark has registered, by name."""
        return [self.added[benchmark, name] for name in self.names(benchmark)]

    def names(self, benchmark: str) -> list[str]:
        """What the benchmark has registered, sorted."""
        load_part(benchmark, self.part)
        return sorted(name for owner, name in self.added if owner == benchmark)


class VersionedRegister(Generic[Entry]):
    """As `Register`, where an entry holds from one version of its template on, until another one does."""

    def __init__(self, part: str, what: str) -> None:
        self._versions = Register[dict[int, Entry]](part, what)

    def add(self, benchmark: str, template: str, since: int, entry: Entry) -> None:
        """Register an entry; raises ValueError where there is one of that version."""
        versions = self._versions.added.setdefault((benchmark, template), {})
        if since in versions:
            raise ValueError(
                f"{template} of {benchmark} already has {self._versions.what}: {versions[since]!r}"
            )
        versions[since] = entry

    def find(self, benchmark: str, template: str, version: int | None = None) -> Entry | None:
        """The entry for a version of the template, or for its newest; None where there is none."""
        found = self._versions.find(benchmark, template) or {}
        fitting = [since for since in found if version is None or since <= version]
        return found[max(fitting)] if fitting else None

    def templates(self, benchmark: str) -> list[str]:
        """The templates of a benchmark of which there is one, sorted."""
        return self._versions.names(benchmark)
