"""One bar on stderr that disappears when the work is done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import Progress

from app.cli import output


@contextmanager
def transient_bar(description: str, total: int | None = None) -> Iterator[Callable[[str, int, int], None]]:
    """A function that draws (what is done, how many are, how many there are) while the block runs."""
    with Progress(console=output.progress, transient=True) as bars:
        task = bars.add_task(description, total=total)

        def tell(what: str, done: int, total: int) -> None:
            bars.update(task, description=what, completed=done, total=total)

        yield tell
