"""The keys of a data set that others published computed again; its boards are told apart by what came of it."""

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, use_service_tables
from app.questions.rechecking import queries
from app.questions.rechecking.on_map import answer_on_map, store_on_map
from app.questions.rechecking.rechecking import recheck_keys, store_findings
from app.questions.rechecking.report import RecheckReport, read_recheck
from app.questions.versions import find_version
from app.scores.scoring import score_run


def recheck_dataset(settings: Settings, dataset: str, on_map: str | None = None) -> RecheckReport:
    """Recheck and store every key, and score the version's runs again, so that boards have the groups.

    With `on_map`, the name of a snapshot, what that map says now is stored, too. Findings are stored together, then
    each run is scored by itself. After a stop, the same call goes on with the runs that lack groups. Raises NotFound,
    and Conflict for a data set of ours, of a format that has no checks, or of which the map has no place: then nothing
    is stored.
    """
    with connect(settings, Role.WORKER) as connection:
        use_service_tables(connection)
        version = find_version(connection, dataset)
        now = SystemClock().now()
        store_findings(connection, version, recheck_keys(connection, version), now)
        if on_map is not None:
            snapshot, found = answer_on_map(connection, version, on_map)
            store_on_map(connection, version, snapshot, found, now)
        left = connection.exec_driver_sql(queries.UNGROUPED_RUNS, {"version_id": version.id}).scalars().all()
        connection.commit()
        for run_id in left:
            score_run(connection, run_id)
            connection.commit()
        return read_recheck(connection, version.reference)
