"""`trigpoint run rescore`: score a finished run again, or with another geocoder under a profile of its own."""

from typing import Annotated

import typer
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from app.cli import output
from app.core.clock import SystemClock
from app.core.errors import Held
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.map_tools.nominatim import NominatimClient, nominatim_base
from app.predictions.scoring_lock import only_one
from app.scores.rescoring import GAZETTEER, Rescored, check_finished
from app.scores.rescoring import rescore as rescore_run


def rescore(
    run_id: Annotated[int, typer.Argument(help="the run's number")],
    geocoder: Annotated[
        str,
        typer.Option(help="gazetteer (the question's map), nominatim (of the settings), or a server's URL"),
    ] = GAZETTEER,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Score a finished run again from its stored answers; another geocoder's scores stand beside the first ones."""
    settings = Settings.load()
    nominatim = (
        None if geocoder == GAZETTEER else NominatimClient(settings, nominatim_base(settings, geocoder))
    )
    with connect(settings, Role.WORKER) as connection:
        check_finished(connection, run_id)
        with only_one(connection, run_id) as alone:
            if not alone:
                raise Held(
                    f"Run {run_id} is being scored just now; run the same command again when it is done."
                )
            with Bars(console=output.progress, transient=True) as bars:
                task = bars.add_task(f"run {run_id}", total=None)
                found = rescore_run(
                    connection,
                    run_id,
                    nominatim,
                    SystemClock(),
                    lambda what, done, total: bars.update(
                        task, description=what, completed=done, total=total
                    ),
                )
    output.emit(found.as_json(), as_json, _table(found))


def _table(found: Rescored) -> Table:
    table = Table(title=Text(f"run {found.run}, profile {found.profile}"), show_header=False)
    table.add_row("answers scored", str(found.answers))
    table.add_row("geocoder", Text(found.geocoder))
    if found.locations is not None:
        for name, number in found.locations._asdict().items():
            table.add_row(f"answers with a location: {name.replace('_', ' ')}", str(number))
    if found.geocoded is not None:
        for name, number in found.geocoded.as_json().items():
            table.add_row(f"addresses: {name}", str(number))
    return table
