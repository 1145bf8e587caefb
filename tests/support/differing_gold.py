"""Worlds that differ in the gold of hidden questions alone, and everything that is published of each.

Routes are those of the service, relations those of the catalogue that a role may read, formats and pictures those that the
commands have: what is added is looked at without being named here.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from pydantic import SecretStr
from sqlalchemy import text

from app.access.keys import KeyRole
from app.api.main import create_app
from app.cli.plot import plot as plots
from app.core.clock import ManualClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.formats import FORMATS
from app.predictions.submissions.storing import add_submission, begin_writing, check_answers, question_ids
from app.questions.storing import LICENCE
from app.questions.versions import find_version
from app.scores.submitted import score_submissions
from app.scores.withholding import in_steps
from app.templates.catalogue import load_benchmarks
from tests.support.command_line import trigpoint
from tests.support.factories import (
    MADE_AT,
    MadeVersion,
    QuestionSpec,
    azimuth_question,
    make_run,
    make_version,
    name_question,
    option_question,
)
from tests.support.planted_secrets import make_key
from tests.support.scored_runs import score
from tests.support.service import serving

NAME = "veiled"
RUNS = (1, 4, 6)
"""Runs that are looked at one by one: an asked one, one with repeats, and one that counts only public questions."""
OPTIONS, NAMES, AZIMUTHS = 18, 12, 10
"""Questions of each kind; the first third of each is public."""
DIFFERENT, MOST_STEPS = 13, 100_000
"""In how many questions of the hidden ones, some 27, two truths differ; after how many steps the search is given up."""
GOLD_NAMES = ("Thinking Adler Thinking", "Krone", "Linde")
SAID_NAMES = ("<thinking>Adler</thinking>", "Krone", "Linde", "Post")
"""The first of them can be read where gold is the first of GOLD_NAMES, and nowhere else."""
BY_PAPER = "?profile=published"
WAYS: dict[str, list[str]] = {
    "/v1/leaderboards/{dataset}": ["", "?by=dimension", "?by=city", "?by=answer_type", BY_PAPER],
    "/v1/leaderboards/{dataset}/history": ["", BY_PAPER],
    "/v1/benchmarks/{benchmark}/leaderboard": ["", BY_PAPER],
    "/leaderboards/{dataset}": ["", BY_PAPER],
    "/leaderboards/{dataset}/compare": ["", BY_PAPER],
    "/leaderboards/{dataset}/templates": ["", "?by=dimension", "?by=city", "?by=answer_type", BY_PAPER],
    "/v1/datasets/{dataset}/comparisons": ["", "?scope=answer_type:option", "?scope=template:T5", BY_PAPER],
    "/v1/datasets/{dataset}/comparisons/{run}/{other}": ["", BY_PAPER],
    "/v1/comparisons": ["?runs=1,2", "?runs=1,2,3,4", "?runs=1,2&profile=published"],
    "/v1/robustness": ["?runs=1,2", "?runs=3,4"],
    "/v1/contamination": ["?run=1&fresh_run=2"],
    "/v1/questions": ["", f"?dataset={NAME}"],
    "/v1/runs": ["", f"?dataset={NAME}"],
    "/v1/runs/{run}/answers": ["", "?outcome=correct", "?state=answered", "?limit=2"],
}
"""What a route is asked with, beside nothing."""
RELATIONS = """
select
    pg_class.relname as name,
    array_agg(quote_ident(pg_attribute.attname) order by pg_attribute.attnum) as columns
from pg_class
inner join pg_attribute on pg_class.oid = pg_attribute.attrelid
where
    pg_class.relnamespace = 'trigpoint'::regnamespace
    and pg_class.relkind in ('r', 'v', 'm', 'p')
    and pg_attribute.attnum > 0
    and not pg_attribute.attisdropped
    and has_column_privilege(pg_class.oid, pg_attribute.attnum, 'select')
group by pg_class.relname
order by pg_class.relname
"""


@dataclass(frozen=True)
class Truth:
    """What is right: keys of options, names, and azimuths, each by question; public ones are the same everywhere."""

    keys: Sequence[int]
    names: Sequence[str]
    azimuths: Sequence[float]

    def with_another(self, rng: random.Random) -> "Truth":
        """The gold of hidden questions drawn anew, of each kind at most one."""
        return Truth(
            _with_one(self.keys, range(4), rng),
            _with_one(self.names, GOLD_NAMES, rng),
            _with_one(self.azimuths, (0.0, 90.0), rng),
        )

    def differing(self, other: "Truth") -> int:
        """In how many questions two truths differ."""
        ours, theirs = ((*one.keys, *one.names, *one.azimuths) for one in (self, other))
        return sum(one != another for one, another in zip(ours, theirs, strict=True))

    def values(self, said: Sequence[str]) -> list[float]:
        """What answers to hidden questions are worth."""
        right = (
            [f"{'ABCD'[key]}" for key in self.keys],
            self.names,
            [f"{value:.0f}" for value in self.azimuths],
        )
        found = []
        for start, of in zip((0, OPTIONS, OPTIONS + NAMES), right, strict=True):
            for place in range(len(of) // 3, len(of)):
                answer = said[start + place]
                found.append(
                    float(answer == of[place] or (answer, of[place]) == (SAID_NAMES[0], GOLD_NAMES[0]))
                )
        return found


def _with_one(values: Sequence[Any], choices: Sequence[Any], rng: random.Random) -> list[Any]:
    """The values of which, half the time, a hidden one is drawn anew."""
    found = list(values)
    if rng.random() < 0.5:
        found[rng.randrange(len(found) // 3, len(found))] = rng.choice(choices)
    return found


@dataclass(frozen=True)
class Plan:
    """Two truths that tell the same sums of all runs; what runs say: one round, or one a repeat."""

    first: Truth
    second: Truth
    said: Sequence[Sequence[str]]


def draw_plan(seed: int) -> Plan:
    """Answers, and truths that differ in many hidden questions and in no stepped sum."""
    rng = random.Random(seed)
    first = Truth(
        [rng.randrange(4) for _ in range(OPTIONS)],
        [rng.choice(GOLD_NAMES) for _ in range(NAMES)],
        [rng.choice((0.0, 90.0)) for _ in range(AZIMUTHS)],
    )
    said = [_say(first, share, rng) for share in (1.0, 0.5, 0.5, 0.0)]
    told = _told_of_all(first, said[1:])
    second = first
    for _ in range(MOST_STEPS):
        # Step by step: a whole truth drawn at once may tell the same sums once in millions of draws.
        another = second.with_another(rng)
        if _told_of_all(another, said[1:]) == told:
            second = another
        if second.differing(first) >= DIFFERENT:
            return Plan(first, second, said[1:])
    raise AssertionError(f"seed {seed}: no other truth tells the same sums")


def _told_of_all(truth: Truth, said: Sequence[Sequence[str]]) -> list[int]:
    """What is told of each run, and of the one that says the first two."""
    return [*(_told(truth, [one]) for one in said), _told(truth, said[:2])]


def _told(truth: Truth, rounds: Sequence[Sequence[str]]) -> int:
    sums = [sum(truth.values(said)) for said in rounds]
    return in_steps(sum(sums) / len(sums), len(truth.values(rounds[0])))


def _say(truth: Truth, share: float, rng: random.Random) -> list[str]:
    right = [
        *("ABCD"[key] for key in truth.keys),
        *truth.names,
        *(f"{value:.0f}" for value in truth.azimuths),
    ]
    any_of = [
        *("ABCD" for _ in truth.keys),
        *(SAID_NAMES for _ in truth.names),
        *(("0", "90") for _ in truth.azimuths),
    ]
    spoken = {GOLD_NAMES[0]: SAID_NAMES[0]}
    return [
        spoken.get(one, one) if rng.random() < share else rng.choice(others)
        for one, others in zip(right, any_of, strict=True)
    ]


@dataclass(frozen=True)
class World:
    """A database in which everything was done as in the others, but that other answers are right."""

    settings: Settings
    version: MadeVersion
    keys: dict[KeyRole | None, str | None]
    benchmark: str


def make_world(
    settings: Settings, truth: Truth, said: Sequence[Sequence[str]], benchmark: str = "urban_knowledge"
) -> World:
    """Runs that say what the plan has, one of them twice; submissions that count hidden questions, and one that does not.

    In a world of gsqa, answers are scored by the rules of its paper, too.
    """
    settings = settings.model_copy(update={"redis_url": SecretStr("redis://127.0.0.1:9/0")})
    version = make_version(settings, _questions(truth), name=NAME, benchmark=benchmark, publish=False)
    _describe(settings, version, benchmark)
    for number, answers in enumerate(said):
        score(settings, make_run(settings, version, answers, f"model {number}"))
    score(settings, make_run(settings, version, [*said[0], *said[1]], "twice"))
    for number, answers in enumerate(said[:2]):
        _submit(settings, version, answers, f"sent in {number}", public_only=bool(number))
    keys: dict[KeyRole | None, str | None] = {role: make_key(settings, role) for role in ("submitter",)}
    return World(settings, version, {None: None, **keys}, benchmark)


def _describe(settings: Settings, version: MadeVersion, benchmark: str) -> None:
    """Give the version and its templates what exports read, and publish it."""
    known = {name: template for one in load_benchmarks().values() for name, template in one.templates.items()}
    with connect(settings, Role.OWNER) as connection:
        for (name,) in connection.execute(text("select name from trigpoint.template")).all():
            connection.execute(
                text("update trigpoint.template set header = cast(:header as jsonb) where name = :name"),
                {"name": name, "header": json.dumps(known[name].header.as_json())},
            )
        connection.execute(
            text(
                "update trigpoint.dataset_version set state = 'published', published_at = :at,"
                " licence = cast(:licence as jsonb), recipe = cast(:recipe as jsonb), templates = (select"
                """ jsonb_object_agg(key, value || '{"selected": 1}') from jsonb_each(templates)) where id = :id"""
            ),
            {
                "id": version.id,
                "at": MADE_AT,
                "licence": json.dumps(LICENCE),
                "recipe": json.dumps(
                    {
                        "benchmark": benchmark,
                        "seed": 7,
                        "snapshots": [{"snapshot": "village", "checksum": "0" * 64}],
                    }
                ),
            },
        )
        connection.commit()


def _questions(truth: Truth) -> list[QuestionSpec]:
    made = [
        *(option_question(i, key) for i, key in enumerate(truth.keys)),
        *(name_question(100 + i, [name]) for i, name in enumerate(truth.names)),
        *(azimuth_question(200 + i, azimuth) for i, azimuth in enumerate(truth.azimuths)),
    ]
    public = {
        start + place
        for start, count in ((0, OPTIONS), (OPTIONS, NAMES), (OPTIONS + NAMES, AZIMUTHS))
        for place in range(count // 3)
    }
    return [replace(one, split="public" if i in public else "hidden") for i, one in enumerate(made)]


def _submit(
    settings: Settings, version: MadeVersion, answers: Sequence[str], name: str, *, public_only: bool
) -> None:
    rows = [{"id": one, "answer": answer} for one, answer in zip(version.questions, answers, strict=True)]
    file = BytesIO("\n".join(map(json.dumps, rows)).encode())
    with connect(settings, Role.WORKER) as connection:
        found = find_version(connection, version.reference)
        checked = check_answers(found, question_ids(connection, found), file, {"name": name})
        connection.rollback()
        begin_writing(connection)
        taken = add_submission(connection, found, checked, file, MADE_AT)
        connection.execute(
            text("update submission set public_only = :public_only where id = :id"),
            {"public_only": public_only, "id": taken.id},
        )
        connection.commit()
        score_submissions(connection, ManualClock(MADE_AT), "test")


def everything_published(world: World, folder: Path) -> dict[str, Any]:
    """By what it is: what roles read in the database, what routes answer with whose key, what commands write."""
    found: dict[str, Any] = {}
    for role in (Role.API, Role.DASHBOARD):
        found |= _relations(world.settings, role)
    with serving(world.settings) as address:
        for name, key in world.keys.items():
            headers = {} if key is None else {"Authorization": f"Bearer {key}"}
            with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
                for path in _addresses(world):
                    told = client.get(path)
                    kept = {one: told.headers.get(one) for one in ("etag", "last-modified", "content-type")}
                    # A refusal names its request, which is another one each time.
                    content = (kept, told.content) if told.status_code == 200 else None
                    found[f"GET {path} as {name}"] = (told.status_code, content)
    return found | _written(world, folder)


def _relations(settings: Settings, role: Role) -> dict[str, Any]:
    found = {}
    with connect(settings, role) as connection:
        for name, columns in connection.execute(text(RELATIONS)).all():
            rows = connection.execute(text(f"select {', '.join(columns)} from trigpoint.{name}")).all()
            for number, column in enumerate(columns):
                found[f"{role} {name}.{column}"] = sorted(repr(row[number]) for row in rows)
    return found


def _addresses(world: World) -> Iterator[str]:
    values = {
        "dataset": world.version.reference,
        "benchmark": world.benchmark,
        "template": "Find_Nearest_POI",
        "snapshot": "1",
        "run": "1",
        "other": "2",
        "name": "none",
        "paper": "gsqa",
        "submission": "1",
        "dispute": "1",
        "job": "1",
        "schedule": "none",
        "card": "1",
        "dial": "letters",
        "z": "3",
        "x": "4",
        "y": "2",
        "sha256": "0" * 64,
        "tool": "nearby",
        "session": "0" * 32,
        "draft": "0" * 16,
    }
    hidden = world.version.questions[OPTIONS - 1]
    for path in routes_of(create_app(world.settings)):
        for question in (world.version.questions[0], hidden) if "{question}" in path else ("",):
            for run in RUNS if "{run}" in path else (1,):
                address = path.format(**(values | {"run": run, "question": question}))
                yield from (address + query for query in WAYS.get(path, [""]))


def routes_of(app: FastAPI) -> list[str]:
    """The paths of all that the service answers to GET, of routers within it, too."""
    return sorted(set(_walk(app.routes, "")))


def _walk(routes: Sequence[Any], prefix: str) -> Iterator[str]:
    for route in routes:
        router = getattr(route, "original_router", None)
        if router is not None:
            yield from _walk(router.routes, prefix + route.include_context.prefix)
        elif "GET" in (getattr(route, "methods", None) or ()):
            yield prefix + route.path


def _written(world: World, folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    reference = world.version.reference
    for name in FORMATS:
        to = folder / name
        done = trigpoint(
            world.settings, "export", reference, "--format", name, "--with-gold", "--to", str(to)
        )
        found[f"export {name}"] = (done.status, _digests(to))
    for command in plots.registered_commands:
        name = command.name or str(command.callback and command.callback.__name__)
        to = folder / f"{name}.svg"
        done = trigpoint(world.settings, "plot", name, reference, "--to", str(to))
        found[f"plot {name}"] = (done.status, _digests(to))
    for arguments in (
        ("leaderboard", reference),
        ("leaderboard", reference, "--by", "answer_type"),
        ("leaderboard", reference, "--history"),
        ("report", reference),
        ("report", "1"),
        ("compare", "1", "2"),
        *(
            (*arguments, "--profile", "published")
            for arguments in (("leaderboard", reference), ("report", reference), ("compare", "1", "2"))
            if world.benchmark == "gsqa"
        ),
        ("run", "show", "1"),
        ("run", "answers", "1"),
    ):
        for form in ((), ("--json",)):
            done = trigpoint(world.settings, *arguments, *form)
            found[" ".join((*arguments, *form))] = (done.status, done.out)
    return found


def _digests(path: Path) -> Any:
    if path.is_file():
        return sha256(path.read_bytes()).hexdigest()
    return {
        str(one.relative_to(path)): sha256(one.read_bytes()).hexdigest()
        for one in sorted(path.rglob("*"))
        if one.is_file()
    }
