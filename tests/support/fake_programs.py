"""Programs of PostgreSQL made by tests: shell scripts under their names."""

from pathlib import Path

from app.db.programs import NEEDED


def make_programs(folder: Path, body: str) -> Path:
    folder.mkdir(parents=True)
    for name in NEEDED:
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return folder
