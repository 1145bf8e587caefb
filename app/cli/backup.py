"""`trigpoint backup` and `trigpoint restore`: everything in one file, and back into an empty database."""

from pathlib import Path
from typing import Annotated

import typer

from app.backups.manifest import Manifest
from app.backups.reproving import Reproved, reprove
from app.backups.restoring import restore as fill
from app.backups.writing import backup as write
from app.cli.bars import Bars
from app.cli.output import emit
from app.cli.stopping import unwound_by_signals
from app.core.clock import SystemClock
from app.core.settings import Role, Settings

AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the file to write; it must not exist yet")],
    as_json: AsJson = False,
) -> None:
    """Write all data sets, runs, scores and maps to one file, as they are at one moment."""
    with unwound_by_signals(), Bars() as bars:
        manifest = write(Settings.load(), file, SystemClock(), bars)
    size = file.stat().st_size
    emit(
        {"backup": str(file), "bytes": size, **_described(manifest)},
        as_json,
        f"{file}: {_counted(manifest)}, {size / 1e6:,.1f} MB.",
        "It holds hidden gold: keep it where only you can read it.",
    )


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a file that `trigpoint backup` wrote")],
    no_verify: Annotated[
        bool, typer.Option("--no-verify", help="do not prove the published versions again")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Fill an empty database from a backup, compare everything, prove every version again. Exit 1 if a proof fails."""
    settings = Settings.load()
    settings.role_url(
        Role.MAINTAINER
    )  # what proves the versions must not be found missing when all is restored
    with unwound_by_signals(), Bars() as bars:
        manifest = fill(settings, file, bars)
        versions = reprove(settings, manifest, bars, with_proofs=not no_verify)
    emit(
        {"restored": str(file), **_described(manifest), "versions": [one._asdict() for one in versions]},
        as_json,
        f"{file} of {manifest.made_at}: {_counted(manifest)}; all as the backup says.",
        *(_line(one) for one in versions),
    )
    return 0 if all(one.sound for one in versions) else 1


def _described(manifest: Manifest) -> dict[str, object]:
    return {
        "made_at": manifest.made_at,
        "revision": manifest.revision,
        "tables": len(manifest.measured.tables),
        "rows": manifest.rows,
        "snapshots": manifest.maps,
        "versions": list(manifest.versions),
        "dump_sha256": manifest.dump_sha256,
    }


def _counted(manifest: Manifest) -> str:
    counts = {
        "map": len(manifest.maps),
        "published version": len(manifest.versions),
        "table": len(manifest.measured.tables),
        "row": manifest.rows,
    }
    return ", ".join(f"{count:,} {what}{'' if count == 1 else 's'}" for what, count in counts.items())


def _line(one: Reproved) -> str:
    said = {True: "same bytes", False: "its export has OTHER bytes", None: "made by another Trigpoint"}[
        one.identical
    ]
    if one.questions is None:
        return f"{one.reference}: {said}; not proved again (--no-verify)"
    verdict = f"{one.questions} questions " + (
        "proved" if one.sound else f"NOT proved, {one.failures} failures (`trigpoint verify {one.reference}`)"
    )
    return f"{one.reference}: {said}; {verdict}"
