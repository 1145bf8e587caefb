"""Rows for tests: a tiny map, and data set versions with gold, inserted directly, without import or generation.

`make_map` writes one snapshot (a village of points, two regions, parks, water); `make_version` writes one data set
version over it. The gold here is what the test says it is: nothing proves it. Questions made by the same arguments
have the same ids in every database.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

from app.core.identity import digest
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.naming import quoted, snapshot_schema
from app.predictions.presentations import ROTATED, presentations
from app.solvers import find_solver
from app.solvers.names import SOLVERS
from app.solvers.run_kinds import ANSWERS

MADE_AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SCORERS = {"azimuth": "angle"}

# osm_key digits, name, classes, lon, lat: six named places to eat, one without a name, three other things.
VILLAGE: Sequence[tuple[int, str | None, tuple[str, ...], float, float]] = (
    (1, "Museum", ("museum",), 9.5000, 47.1000),
    (2, "Adler", ("restaurant",), 9.5010, 47.1000),
    (3, "Krone", ("restaurant",), 9.5000, 47.1030),
    (4, "Linde", ("restaurant", "cafe"), 9.4900, 47.1000),
    (5, "Bohne", ("cafe",), 9.5020, 47.0980),
    (6, "Wurst Eck", ("fast_food",), 9.5040, 47.1010),
    (7, "Adler", ("restaurant",), 9.5200, 47.1100),
    (8, None, ("restaurant",), 9.5005, 47.1005),
    (9, "Hotel Post", ("hotel",), 9.5030, 47.1020),
    (10, "Ladestation", ("charging_station",), 9.4990, 47.0990),
)

_LAYER = """
create table {schema}.{layer} (
    osm_type text not null, osm_id bigint not null,
    osm_key text generated always as (osm_type || osm_id::text) stored primary key,
    osm_version int not null default 1, name text, name_en text, class text not null,
    tags jsonb not null default '{{}}', content_hash text not null default '', geom geometry not null,
    geog geography generated always as (geom::geography) stored, repaired bool not null default false{more}
)
"""
_MORE = {
    "poi": ", category text not null default 'amenity', classes text[] not null, is_area bool not null default false,"
    " wikidata text, wikipedia text, housenumber text, street text, suburb text, city text, postcode text,"
    " state text, country text",
    "park": ", wikidata text, wikipedia text",
    "water": ", wikidata text, wikipedia text",
    "region": ", admin_level int, border_type text, place text, population bigint, wikidata text, wikipedia text",
    "aoi": ", area_m2 double precision not null default 0",
}


@dataclass(frozen=True)
class MadeMap:
    """A snapshot that a test made."""

    id: int
    schema: str


@dataclass(frozen=True)
class QuestionSpec:
    """What a test says of one question; `gold` has the shape of its answer type."""

    template: str
    answer_type: str
    text: str
    gold: dict[str, Any]
    parameters: dict[str, Any]
    options: list[str] | None = None
    distractors: list[dict[str, Any]] | None = None
    split: str = "public"
    scorer: str | None = None
    names: dict[str, Any] | None = None
    popularity: list[dict[str, Any]] | None = None
    binds: dict[str, Any] | None = None


@dataclass(frozen=True)
class MadeVersion:
    """A data set version that a test made; `questions` maps the position to the question's id."""

    id: int
    dataset: str
    number: int
    map: MadeMap
    questions: list[str] = field(default_factory=list)

    @property
    def reference(self) -> str:
        """`name@version`, as commands take it."""
        return f"{self.dataset}@{self.number}"


def name_question(number: int = 0, names: Sequence[str] = ("Adler",), split: str = "public") -> QuestionSpec:
    """A T5-like question whose gold is one or more names; `number` tells it from others."""
    objects = [
        {"osm_key": f"n{i + 2}", "name": name, "lon": 9.501, "lat": 47.1, "distance": 76.0 + i}
        for i, name in enumerate(names)
    ]
    gold = {"names": sorted(set(names)), "objects": objects, "tolerated": []}
    wording = f"Which restaurant is nearest to the museum? (test question {number})"
    return QuestionSpec(
        "T5", "name", wording, gold, {"anchor": f"n{1000 + number}", "category": "restaurant"}, split=split
    )


def azimuth_question(number: int = 0, azimuth: float = 90.0, split: str = "public") -> QuestionSpec:
    """A T22-like question whose gold is an azimuth in degrees."""
    obj = {"osm_key": "n2", "name": "Adler", "lon": 9.501, "lat": 47.1, "distance": 76.0}
    wording = f"In which direction is the restaurant nearest to the museum? (test question {number})"
    parameters = {"anchor": f"n{1000 + number}", "category": "restaurant"}
    return QuestionSpec(
        "T22", "azimuth", wording, {"azimuth": azimuth, "objects": [obj]}, parameters, split=split
    )


def count_question(number: int = 0, count: int = 4, split: str = "public") -> QuestionSpec:
    """A T24-like question whose gold is a number of places."""
    wording = f"How many restaurants are in the village? (test question {number})"
    parameters = {"region": "r1", "category": "restaurant", "test": number}
    return QuestionSpec("T24", "count", wording, {"count": count}, parameters, split=split)


def area_question(number: int = 0, area: float = 12345.678, split: str = "public") -> QuestionSpec:
    """A T27-like question whose gold is an area in square metres."""
    wording = f"What is the area of the parks in the village, in square metres? (test question {number})"
    parameters = {"region": "r1", "surface": "park", "test": number}
    return QuestionSpec("T27", "area", wording, {"area": area}, parameters, split=split)


def option_question(
    number: int = 0,
    key: int = 0,
    options: Sequence[str] = ("Adler", "Krone", "Linde", "Bohne"),
    template: str = "Find_Nearest_POI",
    split: str = "public",
) -> QuestionSpec:
    """A question of the Knowledge Module; the option at index `key` is right."""
    wording = f"Which of these places is nearest to the museum? (test question {number})"
    wrong = [{"text": option, "osm_key": None} for i, option in enumerate(options) if i != key]
    gold = {"index": key, "text": options[key], "objects": ["n2"]}
    return QuestionSpec(
        template, "option", wording, gold, {"poi": f"n{1000 + number}"}, list(options), wrong, split=split
    )


def options_dataset(count: int) -> list[QuestionSpec]:
    """`count` option questions whose keys go round A, B, C, D."""
    return [option_question(i, key=i % 4) for i in range(count)]


def mixed_dataset() -> list[QuestionSpec]:
    """Two questions of each free answer type: name, azimuth, count, area."""
    return [
        name_question(0),
        name_question(1, names=("Krone", "Linde")),
        azimuth_question(2),
        azimuth_question(3, azimuth=359.25),
        count_question(4),
        count_question(5, count=1),
        area_question(6),
        area_question(7, area=100.0),
    ]


def make_map(
    settings: Settings, pois: Sequence[tuple[int, str | None, tuple[str, ...], float, float]] = VILLAGE
) -> MadeMap:
    """A published snapshot of the village: layers poi, poi_class, park, water, region, aoi; written as the owner."""
    with connect(settings, Role.OWNER) as connection:
        made = _make_snapshot_row(connection)
        schema = quoted(made.schema)
        connection.execute(text(f"create schema {schema}"))
        for layer, more in _MORE.items():
            connection.execute(text(_LAYER.format(schema=schema, layer=layer, more=more)))
        for osm_id, name, classes, lon, lat in pois:
            connection.execute(
                text(
                    f"insert into {schema}.poi (osm_type, osm_id, name, class, classes, geom)"
                    " values ('n', :osm_id, :name, :class, :classes, st_setsrid(st_makepoint(:lon, :lat), 4326))"
                ),
                {
                    "osm_id": osm_id,
                    "name": name,
                    "class": classes[0],
                    "classes": list(classes),
                    "lon": lon,
                    "lat": lat,
                },
            )
        connection.execute(
            text(
                f"create table {schema}.poi_class as select osm_key, unnest(classes) as class, geog from {schema}.poi"
            )
        )
        _add_area(connection, schema, "region", "r", 1, "Dorf", "village", (9.48, 47.09, 9.53, 47.12))
        _add_area(connection, schema, "region", "r", 2, "Weiler", "village", (9.60, 47.20, 9.61, 47.21))
        _add_area(connection, schema, "park", "w", 21, "Stadtpark", "park", (9.50, 47.10, 9.502, 47.101))
        _add_area(connection, schema, "water", "w", 31, "Weiher", "pond", (9.51, 47.10, 9.511, 47.101))
        _add_area(
            connection, schema, "aoi", "w", 41, "Altstadt", "Commercial", (9.495, 47.095, 9.505, 47.105)
        )
        connection.execute(
            text(f"update {schema}.aoi set area_m2 = st_area(geog)"),
        )
        for role in ("trigpoint_worker", "trigpoint_maintainer"):
            connection.execute(text(f"grant usage on schema {schema} to {role}"))
            connection.execute(text(f"grant select on all tables in schema {schema} to {role}"))
        connection.commit()
    return made


def _make_snapshot_row(connection: Connection) -> MadeMap:
    row = connection.execute(
        text(
            "insert into trigpoint.snapshot (name, schema_name, state, source, checksum, data_timestamp, outline,"
            " outline_source, layers, layer_schema_version, created_at, published_at)"
            " values ('village', gen_random_uuid()::text, 'published', 'village.osm.pbf', repeat('0', 64), :at,"
            " st_multi(st_makeenvelope(9.4, 47.0, 9.7, 47.3, 4326)), 'box', '{}', 1, :at, :at) returning id"
        ),
        {"at": MADE_AT},
    ).scalar_one()
    schema = snapshot_schema("village", "20260102", row)
    connection.execute(
        text("update trigpoint.snapshot set schema_name = :schema where id = :id"),
        {"schema": schema, "id": row},
    )
    return MadeMap(row, schema)


def _add_area(
    connection: Connection,
    schema: str,
    layer: str,
    kind: str,
    osm_id: int,
    name: str,
    klass: str,
    box: tuple[float, float, float, float],
) -> None:
    connection.execute(
        text(
            f"insert into {schema}.{layer} (osm_type, osm_id, name, class, geom) values (:kind, :osm_id, :name, :class,"
            " st_multi(st_makeenvelope(:west, :south, :east, :north, 4326)))"
        ),
        {"kind": kind, "osm_id": osm_id, "name": name, "class": klass}
        | dict(zip(("west", "south", "east", "north"), box, strict=True)),
    )


def make_version(
    settings: Settings,
    questions: Sequence[QuestionSpec],
    name: str = "toy",
    benchmark: str | None = None,
    made_map: MadeMap | None = None,
    number: int = 1,
    seed: int = 7,
    publish: bool = True,
    recipe: Mapping[str, Any] = MappingProxyType({}),
) -> MadeVersion:
    """A data set version with these questions, their gold and proof, published; written as the worker role.

    `benchmark` is urban_knowledge where the first question has options, else gsqa, unless given.
    """
    benchmark = benchmark or ("urban_knowledge" if questions and questions[0].options else "gsqa")
    made_map = made_map or make_map(settings)
    with connect(settings, Role.WORKER) as connection:
        version_id = _make_version_row(connection, name, benchmark, number, seed, questions, made_map, recipe)
        templates = {
            template: _make_template(connection, benchmark, template, number)
            for template in dict.fromkeys(question.template for question in questions)
        }
        ids = [
            _add_question(
                connection, version_id, benchmark, templates[spec.template], made_map.id, position, spec
            )
            for position, spec in enumerate(questions)
        ]
        if publish:
            connection.execute(
                text("update dataset_version set state = 'published', published_at = :at where id = :id"),
                {"at": MADE_AT, "id": version_id},
            )
        connection.commit()
    return MadeVersion(version_id, name, number, made_map, ids)


def _make_version_row(
    connection: Connection,
    name: str,
    benchmark: str,
    number: int,
    seed: int,
    questions: Sequence[QuestionSpec],
    made_map: MadeMap,
    recipe: Mapping[str, Any],
) -> int:
    dataset_id = connection.execute(
        text(
            "insert into dataset (name, benchmark, created_at) values (:name, :benchmark, :at)"
            " on conflict (name) do update set benchmark = excluded.benchmark returning id"
        ),
        {"name": name, "benchmark": benchmark, "at": MADE_AT},
    ).scalar_one()
    counts: dict[str, dict[str, Any]] = {}
    for question in questions:
        entry = counts.setdefault(
            question.template, {"version": 1, "capacity": 0, "accepted": 0, "refused": {}}
        )
        entry["capacity"] += 1
        entry["accepted"] += 1
    version_id: int = connection.execute(
        text(
            "insert into dataset_version (dataset_id, number, seed, hidden_fraction, recipe, templates,"
            " engine_versions, licence, canary, created_at)"
            " values (:dataset_id, :number, :seed, 0, cast(:recipe as jsonb), cast(:templates as jsonb), '{}',"
            """ '{"attribution": "© OpenStreetMap contributors", "licence": "ODbL-1.0"}', :canary, :at) returning id"""
        ),
        {
            "dataset_id": dataset_id,
            "number": number,
            "seed": seed,
            "recipe": json.dumps(dict(recipe)),
            "templates": json.dumps(counts),
            "canary": UUID(digest(name, number, seed)),
            "at": MADE_AT,
        },
    ).scalar_one()
    connection.execute(
        text(
            "insert into dataset_snapshot (version_id, position, snapshot_id) values (:version, 0, :snapshot)"
        ),
        {"version": version_id, "snapshot": made_map.id},
    )
    return version_id


def _make_template(connection: Connection, benchmark: str, template: str, number: int) -> int:
    return connection.execute(  # type: ignore[no-any-return]
        text(
            "insert into template (benchmark, name, version, body_hash, header, body)"
            " values (:benchmark, :name, 1, :hash, '{}', 'select 1')"
            " on conflict (benchmark, name, version, body_hash) do update set body = excluded.body returning id"
        ),
        {"benchmark": benchmark, "name": template, "hash": digest(benchmark, template)},
    ).scalar_one()


def _add_question(
    connection: Connection,
    version_id: int,
    benchmark: str,
    template_id: int,
    snapshot_id: int,
    position: int,
    spec: QuestionSpec,
) -> str:
    question_id = digest(benchmark, spec.template, "default", spec.parameters)
    prompt = [{"type": "text", "text": spec.text}]
    prompt_hash = digest(prompt, spec.options)
    row = {
        "version_id": version_id,
        "id": question_id,
        "position": position,
        "template_id": template_id,
        "template": spec.template,
        "snapshot_id": snapshot_id,
        "prompt": json.dumps(prompt),
        "options": None if spec.options is None else json.dumps(spec.options),
        "answer_type": spec.answer_type,
        "scorer": spec.scorer or SCORERS.get(spec.answer_type, spec.answer_type),
        "split": spec.split,
        "prompt_hash": prompt_hash,
        "revision": digest(prompt_hash, spec.gold),
        "gold": json.dumps(spec.gold),
        "parameters": json.dumps(spec.parameters),
        "binds": json.dumps(spec.binds or {}),
        "distractors": None if spec.distractors is None else json.dumps(spec.distractors),
        "names": None if spec.names is None else json.dumps(spec.names),
        "popularity": None if spec.popularity is None else json.dumps(spec.popularity),
    }
    connection.execute(
        text(
            "insert into question (version_id, id, position, template_id, template, template_version, snapshot_id,"
            " prompt, options, answer_type, scorer, split, locale, phrasing, prompt_hash, revision, names, popularity)"
            " values (:version_id, :id, :position, :template_id, :template, 1, :snapshot_id, cast(:prompt as jsonb),"
            " cast(:options as jsonb), :answer_type, :scorer, :split, 'en', 0, :prompt_hash, :revision,"
            " cast(:names as jsonb), cast(:popularity as jsonb))"
        ),
        row,
    )
    connection.execute(
        text(
            "insert into gold (version_id, question_id, is_default, value)"
            " values (:version_id, :id, true, cast(:gold as jsonb))"
        ),
        row,
    )
    connection.execute(
        text(
            "insert into proof (version_id, question_id, kind, sql, binds, derive, parameters, snapshots, evidence,"
            " margin, distractors, second_path) values (:version_id, :id, 'sql', 'select 1', cast(:binds as jsonb), 'none',"
            " cast(:parameters as jsonb), '[]', '[]', '{}', cast(:distractors as jsonb), '{}')"
        ),
        row,
    )
    return question_id


FAILURE = (
    "the endpoint cannot be reached: no route to gpu-7.lab.example:8000 or gpu-8 for the account acme-42"
)
"""Why: with what nobody without a key may read."""
FAILED = object()
"""An answer that failed on our side."""
MISSING = object()
"""An answer that was never given."""


def make_run(
    settings: Settings,
    version: MadeVersion,
    answers: Sequence[object],
    label: str = "toy model",
    solver: str = "direct",
    status: str = "complete",
    details: Sequence[dict[str, Any]] = (),
    *,
    rotated: bool = False,
    presentation: Mapping[str, Any] = MappingProxyType({}),
) -> int:
    """A run with one answer a question, in the questions' order; unscored, written as the worker role.

    An answer is text, None (no answer), FAILED or MISSING. More answers than questions go round again as repeats, or
    with `rotated` as the rotations of four options. `details` are those of the first answers.
    """
    rounds = max(1, len(answers) // max(1, len(version.questions)))
    asked_so = {**(ROTATED if rotated else {}), **presentation}
    with connect(settings, Role.WORKER) as connection:
        run_id: int = connection.execute(
            text(
                "insert into run (version_id, kind, solver, solver_version, label, seed, sampling, repeats, presentation,"
                " status, total, created_at, finished_at)"
                " values (:version, :kind, :solver, 1, :label, 1, '{}', :repeats, cast(:presentation as jsonb), :status, :total,"
                " :at, :at) returning id"
            ),
            {
                "version": version.id,
                "kind": find_solver(solver).makes if solver in SOLVERS else ANSWERS,
                "solver": solver,
                "label": label,
                "repeats": 1 if rotated else rounds,
                "presentation": json.dumps(asked_so),
                "status": status,
                "total": rounds * len(version.questions),
                "at": MADE_AT,
            },
        ).scalar_one()
        for number, answer in enumerate(answers):
            if answer is MISSING:
                continue
            turn, place = divmod(number, len(version.questions))
            shown = presentations(asked_so, 4)[turn if rotated else 0]
            state = "error" if answer is FAILED else "no_answer" if answer is None else "answered"
            connection.execute(
                text(
                    "insert into prediction (run_id, version_id, question_id, question_revision, presentation_key,"
                    " rotation, repeat, state, answer, detail, error, fencing_token, created_at)"
                    " select :run, version_id, id, revision, :key, :rotation, :repeat, :state, :answer,"
                    " cast(:detail as jsonb), :error, 1, :at"
                    " from question where version_id = :version and id = :question"
                ),
                {
                    "run": run_id,
                    "version": version.id,
                    "question": version.questions[place],
                    "key": shown.key,
                    "rotation": shown.rotation,
                    "repeat": 0 if rotated else turn,
                    "state": state,
                    "answer": answer if isinstance(answer, str) else None,
                    "detail": json.dumps(details[number] if number < len(details) else {}),
                    "error": FAILURE if answer is FAILED else None,
                    "at": MADE_AT,
                },
            )
        connection.commit()
    return run_id
