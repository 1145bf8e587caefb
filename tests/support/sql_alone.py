"""A benchmark without the templates that need a router: building one, and searching ways, takes too long for short tests."""

from dataclasses import replace

from app.templates.catalogue import Benchmark
from tests.support.town import benchmarks


def of_sql_alone(name: str) -> Benchmark:
    """The benchmark's templates that have no program."""
    whole = benchmarks()[name]
    kept = {id_: template for id_, template in whole.templates.items() if template.header.program is None}
    return replace(whole, templates=kept)
