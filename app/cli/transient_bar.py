"""One bar on stderr that disappears when the work is done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import Progress

from app.cli import output


@contextmanager
def transient_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A function that draws (what is done, how many are, how many there are); the bar begins with its first call.

    So an error that comes before it stands on a line of its own.
    """
    bars = Progress(console=output.progress, transient=True)

    def tell(what: str, done: int, total: int) -> None:
        if not bars.tasks:
            bars.start()
            bars.add_task(what, total=total)
        bars.update(bars.tasks[0].id, description=what, completed=done, total=total)

    try:
        yield tell
    finally:
        if bars.tasks:
            bars.stop()
