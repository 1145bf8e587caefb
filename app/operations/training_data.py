"""Writing training data for models that write GeoFlow graphs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.training import queries
from app.exports.training.compiling import graph_of_plan
from app.exports.training.examples import collect_examples, join_shared_ground
from app.exports.training.files import training_files
from app.exports.training.splitting import Split, split_examples
from app.exports.versions import read_published
from app.exports.writing import write_files
from app.questions.versions import find_version
from app.solvers.agents.prompts import load_prompts
from app.solvers.flows.planning import instructions_for


class WrittenTraining(NamedTuple):
    """What was written where."""

    folder: Path
    files: Sequence[str]
    split: Split

    def as_json(self) -> dict[str, Any]:
        """As `geoflow training-data --json` prints it."""
        return {
            "folder": str(self.folder),
            "files": list(self.files),
            "train": len(self.split.train),
            "test": len(self.split.test),
            "between": self.split.between,
            "test_regions": list(self.split.test_regions),
            "test_templates": list(self.split.test_templates),
        }


def write_training_data(
    settings: Settings, datasets: Sequence[str], folder: Path, test_regions: Sequence[str], seed: int
) -> WrittenTraining:
    """Write the public questions of published versions with their graphs, and with graphs that are broken.

    A question that is hidden in any published version is left out. Maps that share ground count as one region.

    Prompts are those of the solver `geoflow` without templates and examples. Raises NotFound, UsageError.
    """
    with connect(settings, Role.MAINTAINER) as connection:
        versions = dict.fromkeys(find_version(connection, one) for one in datasets)
        exports = [read_published(connection, one, with_gold=True, include_hidden=False) for one in versions]
        ids = [question.id for export in exports for question in export.questions]
        hidden = frozenset(connection.exec_driver_sql(queries.HIDDEN_ANYWHERE, {"ids": ids}).scalars())
        collected = collect_examples(exports, graph_of_plan, hidden)
        regions = sorted({region for one in collected.examples for region in one.regions})
        shared = connection.exec_driver_sql(queries.SHARED_GROUND, {"regions": regions}).all()
    collected = collected._replace(
        examples=join_shared_ground(collected.examples, [(row.region, row.other) for row in shared])
    )
    split = split_examples(collected.examples, test_regions, seed)
    told = instructions_for(load_prompts("geoflow"), with_templates=False)
    files = training_files([one.version for one in exports], collected, split, told, seed)
    write_files(files, folder)
    return WrittenTraining(folder, sorted(files), split)
