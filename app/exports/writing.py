"""Writing an export's files into a folder."""

from pathlib import Path

from app.core.errors import UsageError


def write_files(files: dict[str, bytes], folder: Path) -> None:
    """Write an export's files; a file that is there is replaced. Names may lead into folders: `data/a`.

    Raises UsageError where the folder cannot be written.
    """
    try:
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written to: {error.strerror}. Choose another --to.") from error
