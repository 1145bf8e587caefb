"""How far long work is, told to whoever listens; the command line draws bars from it."""

from typing import Protocol


class Progress(Protocol):
    """Hears of each stage and of each step within it."""

    def start(self, stage: str, total: int | None) -> None:
        """A stage begins; `total` is its number of steps where known."""
        ...

    def advance(self, steps: int) -> None:
        """So many more steps of the stage are done."""
        ...


class Silent:
    """Nobody listens."""

    def start(self, stage: str, total: int | None) -> None:
        """Say nothing."""

    def advance(self, steps: int) -> None:
        """Say nothing."""
