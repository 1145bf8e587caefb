"""Benchmarks and templates with SQL and documentation: those of the checkout, and what made published questions."""

from functools import cache

from sqlalchemy import Connection

from app.core.errors import NotFound
from app.published import queries
from app.published.models import (
    BenchmarkEntry,
    BenchmarkPage,
    StoredTemplate,
    TemplateDetail,
    TemplateEntry,
)
from app.templates.catalogue import Benchmark, load_benchmarks
from app.templates.templates import Template


@cache
def _benchmarks() -> dict[str, Benchmark]:
    """Read once: a server's templates are those of the checkout that it was started from."""
    return load_benchmarks()


def list_benchmarks() -> list[BenchmarkEntry]:
    """Every benchmark, by name."""
    return [BenchmarkEntry(**_about(one)) for one in _benchmarks().values()]


def read_benchmark(name: str) -> BenchmarkPage:
    """A benchmark with its page. Raises NotFound."""
    found = _find(name)
    folder = next(iter(found.templates.values())).path.parent
    return BenchmarkPage(**_about(found), readme=(folder / "README.md").read_text())


def list_templates(benchmark: str | None, after: tuple[str, int] | None, limit: int) -> list[TemplateEntry]:
    """At most `limit` templates behind the one at place `after`, by benchmark and in its order. Raises NotFound."""
    chosen = [_find(benchmark)] if benchmark is not None else list(_benchmarks().values())
    placed = [
        (found.name, place, one) for found in chosen for place, one in enumerate(found.templates.values())
    ]
    return [_entry(one) for name, place, one in placed if after is None or (name, place) > after][:limit]


def titles_of(benchmark: str) -> dict[str, str]:
    """What each template of a benchmark asks, in a few words; empty for a benchmark that there is not."""
    found = _benchmarks().get(benchmark)
    return {} if found is None else {name: one.header.title for name, one in found.templates.items()}


def place_of(entry: TemplateEntry) -> tuple[str, int]:
    """Where a template stands in the list."""
    return entry.benchmark, list(_find(entry.benchmark).templates).index(entry.id)


def read_template(connection: Connection, benchmark: str, name: str) -> TemplateDetail:
    """A template with all that it is made of. Raises NotFound."""
    templates = _find(benchmark).templates
    if name not in templates:
        raise NotFound(f"{benchmark} has no template {name!r}; it has: {', '.join(templates)}.")
    one = templates[name]
    stored = connection.execute(queries.STORED_TEMPLATES, {"benchmark": benchmark, "name": name})
    return TemplateDetail(
        **_entry(one).model_dump(),
        header=one.header.as_json(),
        hash=one.body_hash,
        sql=one.body,
        picks=dict(one.picks),
        pool=one.pool,
        phrasings={
            locale: {register: list(ones) for register, ones in texts.items()}
            for locale, texts in one.phrasings.items()
        },
        made=[
            StoredTemplate(version=row.version, hash=row.body_hash, header=row.header, sql=row.body)
            for row in stored
        ],
    )


def _find(name: str) -> Benchmark:
    found = _benchmarks().get(name)
    if found is None:
        raise NotFound(f"There is no benchmark {name!r}; there are: {', '.join(_benchmarks())}.")
    return found


def _about(one: Benchmark) -> dict[str, object]:
    file = one.file
    return {
        "name": one.name,
        "title": file.title,
        "version": file.version,
        "metric": file.metric,
        "direction": file.direction,
        "weights": file.weights,
        "templates": list(one.templates),
    }


def _entry(one: Template) -> TemplateEntry:
    header = one.header
    return TemplateEntry(
        benchmark=one.benchmark,
        id=header.id,
        version=header.version,
        title=header.title,
        dimension=header.dimension,
        answer_type=header.answer_type,
        has_options=header.answer_type == "option",
    )
