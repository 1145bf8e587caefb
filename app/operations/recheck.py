"""The keys of a data set that others published computed again; its boards are told apart by what came of it."""

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, use_service_tables
from app.questions.rechecking import queries
from app.questions.rechecking.rechecking import recheck_keys, store_findings
from app.questions.rechecking.report import RecheckReport, read_recheck
from app.questions.versions import find_version
from app.scores.scoring import score_run


def recheck_dataset(settings: Settings, dataset: str) -> RecheckReport:
    """Recheck and store every key, and score the version's runs again, so that boards have the groups; all or nothing.

    Raises NotFound, and Conflict for a data set of ours, or of a format that has no checks.
    """
    with connect(settings, Role.WORKER) as connection:
        use_service_tables(connection)
        version = find_version(connection, dataset)
        store_findings(connection, version, recheck_keys(connection, version), SystemClock().now())
        # What a solver without knowledge scores is computed with the version's first run, for the new groups, too.
        connection.exec_driver_sql(queries.FORGET_EXPECTATIONS, {"version_id": version.id})
        for run_id in connection.exec_driver_sql(queries.RUNS, {"version_id": version.id}).scalars().all():
            score_run(connection, run_id)
        report = read_recheck(connection, version.reference)
        connection.commit()
    return report
