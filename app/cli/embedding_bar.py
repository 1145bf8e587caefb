"""The bar of `evaluate --embeddings`: how many texts have their embeddings."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.cli.output import progress, say
from app.operations.embed import TellEmbedded


@contextmanager
def embedding_bar() -> Iterator[TellEmbedded]:
    """A function that draws how far the embedding is; it says first how many texts there are."""
    columns = (TextColumn("embedding"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=progress, transient=True, disable=not progress.is_terminal)

    def tell(endpoint: str, done: int, total: int) -> None:
        if not bar.tasks:
            say(f"{total} texts are sent to {endpoint} for embeddings.")
            bar.start()
            bar.add_task("", total=total)
        bar.update(bar.tasks[0].id, completed=done)

    try:
        yield tell
    finally:
        if bar.tasks:
            bar.stop()
