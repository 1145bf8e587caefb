"""The maps that `--snapshot` and `--cities` name; those of cities are imported and cut where they are missing."""

from collections.abc import Sequence

from app.cli.bars import Bars
from app.cli.output import say
from app.cli.stopping import unwound_by_signals
from app.core.errors import UsageError
from app.core.settings import Settings
from app.operations.import_map import prepare_maps_of_cities


def named_maps(settings: Settings, snapshots: Sequence[str], cities: str | None) -> list[str]:
    """The snapshots, and one `name@timestamp` for each city that `berlin,paris` or `all` names.

    Raises UsageError where neither names any.
    """
    if cities is None:
        if not snapshots:
            raise UsageError("No map is named. Say --snapshot NAME, or --cities such as berlin,paris.")
        return list(snapshots)
    with unwound_by_signals(), Bars() as bars:
        return [*snapshots, *prepare_maps_of_cities(settings, cities, bars, say)]
