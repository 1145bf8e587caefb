"""From a real extract to the board by commands and real workers: all templates, all solvers, and what ranks above what.

The model behind the endpoint is scripted: it says gold for a stated share of the questions and does not know the others.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.embeddings import BATCH
from app.inference.scripted import DOES_NOT_KNOW
from app.solvers.oracle import say_gold
from app.solvers.rag import texts_to_embed
from tests.support.command_line import generate, trigpoint
from tests.support.processes import (
    Scripted,
    Workers,
    private_redis,
    query,
    scalar,
    scripted_endpoint,
    with_short_leases,
)
from tests.support.town import benchmarks

MODEL = "scripted:written"
MEASURES = ("lon", "lat", "azimuth", "distance", "area", "length", "osm_key")
SQL = {
    "column": "select nothing from pois",
    "function": "select st_distnce(geog, geog) from pois",
    "operator": "select name from pois where geog + 1 > 0",
    "relation": "select name from restaurants",
    "missing_from": "select roads.name from pois",
    "subquery": "select (select name from pois) from pois",
    "syntax": "select name from pois where",
    "other": "select name from pois where name::int = 7",
}
"""A statement for each kind of fault; the others are right."""
RIGHT = (
    "```sql\nselect name, subcategory, st_x(geom) from pois where name is not null order by name limit 3\n```"
)


@dataclass(frozen=True)
class Question:
    """A question as the test sees it."""

    id: str
    template: str
    text: str
    said: str


@pytest.fixture
def served(
    database: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Settings, Workers]]:
    """A database, a broker and two workers of the test's own; commands of this process find them."""
    with private_redis(tmp_path) as broker:
        settings = with_short_leases(database, broker, tmp_path)
        monkeypatch.setenv("TRIGPOINT_REDIS_URL", broker.url)
        workers = Workers(settings, tmp_path)
        try:
            for _ in range(2):
                workers.start()
            yield settings, workers
        finally:
            workers.kill_all()


def load_questions(settings: Settings) -> list[Question]:
    """All questions with gold as the model may say it, in an order that mixes templates."""
    rows = query(
        settings,
        "select question.id, template, prompt #>> '{0,text}', answer_type, value from question"
        " join gold on gold.version_id = question.version_id and gold.question_id = question.id and is_default"
        " order by question.id",
    )
    return [Question(*row[:3], say(row[3], row[4])) for row in rows]


def say(answer_type: str, gold: dict[str, Any]) -> str:
    """Gold in words that both profiles understand: a place by its address where it has one."""
    if answer_type == "location" and (address := gold["objects"][0].get("address")):
        street = " ".join(filter(None, (address.get("street"), address.get("housenumber"))))
        town = " ".join(filter(None, (address.get("postcode"), address.get("city"))))
        if street and address.get("housenumber") and not address.get("metres"):
            return ", ".join(filter(None, (street, town)))
    return say_gold(answer_type, gold)


def write_answers(folder: Path, questions: list[Question], shares: dict[str, float]) -> Path:
    """What the model says: gold for the first of the questions; for how many, a text in the prompt decides: the first."""
    lines: list[dict[str, Any]] = []
    for number, one in enumerate(questions):
        statement = list(SQL.values())[number] if number < len(SQL) else RIGHT
        lines.append({"contains": [one.text, "Write one SELECT"], "answer": statement})
        for text, share in shares.items():
            said = one.said if number < round(share * len(questions)) else DOES_NOT_KNOW
            lines.append({"contains": [one.text, text], "answer": said})
    file = folder / "answers.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def evaluate(settings: Settings, solver: str, *more: str) -> dict[str, Any]:
    done = trigpoint(settings, "evaluate", "whole", "--solver", solver, "--json", *more)
    assert done.status == 0, done.err
    assert done.json["states"]["error"] == 0
    return dict(done.json)


def shares_right(settings: Settings, profile: str) -> dict[str, float]:
    """By label: the share of all questions that a profile's stored scores call correct."""
    rows = query(
        settings,
        "select label, (select count(*) from score join prediction on prediction.id = score.prediction_id"
        " where prediction.run_id = run.id and profile = :profile and outcome = 'correct') / run.total::float"
        " from run",
        profile=profile,
    )
    return dict(map(tuple, rows))


@pytest.mark.long
def test_all_solvers_on_all_templates(
    served: tuple[Settings, Workers], extracts: Path, tmp_path: Path
) -> None:
    settings, workers = served
    imported = trigpoint(
        settings, "import", str(extracts / "liechtenstein-2022-07-24.osm.pbf"), "--name", "li", "--json"
    )
    assert imported.status == 0, imported.err
    made = generate(settings, "gsqa", "li", "whole", "--bank", "8", "--per-template", "5")
    assert made.status == 0, made.err
    questions = load_questions(settings)
    assert {one.template for one in questions} == set(benchmarks()["gsqa"].templates)
    assert len({one.text for one in questions}) == len(questions)

    evaluate(settings, "random")
    guessed = shares_right(settings, "trigpoint")["random"]
    # Barely more often right than guessing is, then clearly.
    shares = {
        "rounded to the nearest ten": guessed + 2 / len(questions),
        "These entries of a map": 0.4,
        "To answer it, this SQL was run": 0.6,
        "": 0.9,
    }
    with scripted_endpoint(
        tmp_path, "written", "--answers", str(write_answers(tmp_path, questions, shares))
    ) as server:
        ask_all(settings, server, len(questions))
    assert all(worker.process.poll() is None for worker in workers.started)
    check_board(settings, len(questions))
    check_published(settings)
    check_entries(settings, questions)


def ask_all(settings: Settings, server: Scripted, total: int) -> None:
    to = ("--endpoint", server.url)
    assert evaluate(settings, "direct", *to)["endpoint_requests"] == total
    assert evaluate(settings, "direct", *to, "--prompt", "published")["endpoint_requests"] == total
    assert evaluate(settings, "rag", *to)["endpoint_requests"] == total
    assert evaluate(settings, "text_to_sql", *to)["endpoint_requests"] == 2 * total
    assert len(server.requests()) == 5 * total
    assert evaluate(settings, "rag", *to, "--embeddings", server.url)["endpoint_requests"] == total
    assert len(server.requests()) == 6 * total + -(
        -scalar(settings, "select count(*) from embedding") // BATCH
    )


def check_board(settings: Settings, total: int) -> None:
    """Who is right more often ranks above, in the whole and in no template's section below a run that is never right."""
    board = trigpoint(settings, "leaderboard", "whole", "--json").json
    order = [row["name"] for row in board["rows"]]
    assert order == [
        MODEL,
        f"{MODEL} (text_to_sql)",
        f"{MODEL} (rag)",
        f"{MODEL} (rag, {MODEL})",
        f"{MODEL} (published prompt)",
        "random",
    ]
    right = [row["states"]["correct"] for row in board["rows"]]
    assert right == sorted(right, reverse=True)
    assert len(set(right)) == len(right) - 1, "the two of rag are right equally often"
    ranks = {row["name"]: row["rank"] for row in board["rows"]}
    assert max(ranks[name] for name in order[:4]) < ranks["random"]
    assert len(board["templates"]) == len(benchmarks()["gsqa"].templates)
    for template, section in board["templates"].items():
        best = section["rows"][0]
        assert best["name"] == "random" or best["score"] > 0, template
    sql = next(row["sql"] for row in board["rows"] if row["name"].endswith("(text_to_sql)"))
    assert (sql["statements"], sql["timeouts"]) == (total, 0)
    assert sql["kinds"] == {**dict.fromkeys(SQL, 1), "resource": 0}
    assert sql["valid"] == total - len(SQL)
    told = trigpoint(settings, "leaderboard", "whole", "--sql").out
    assert "SQL of" in told


def check_published(settings: Settings) -> None:
    """By the published rules guessing is below those that are clearly right more often; shared words earn it a little."""
    shares = shares_right(settings, "published")
    clear = {MODEL, f"{MODEL} (text_to_sql)", f"{MODEL} (rag)"}
    assert min(shares[name] for name in clear) > shares["random"], shares


def measures_in(gold: Any) -> Iterator[str]:
    """Coordinates, ids and measures anywhere in gold, as written."""
    if isinstance(gold, list):
        for one in gold:
            yield from measures_in(one)
    elif isinstance(gold, dict):
        for name, value in gold.items():
            if name in MEASURES:
                yield str(value)
            elif name not in ("fact", "address"):
                yield from measures_in(value)


def check_entries(settings: Settings, questions: list[Question]) -> None:
    """What `rag` may find holds facts of T7, and nothing else that is gold: no coordinates, ids or measures."""
    (version,) = [row[0] for row in query(settings, "select id from dataset_version")]
    with connect(settings, Role.WORKER) as connection:
        entries = set(texts_to_embed(connection, version)) - {one.text for one in questions}
    told = "\n".join(sorted(entries))
    assert len(entries) > 1000
    assert not re.findall(r"\d\.\d{3,}|\b[nwr]\d{4,}|POINT|\blat|\blon\b", told)
    measures = {one for (gold,) in query(settings, "select value from gold") for one in measures_in(gold)}
    assert len(measures) > len(questions)
    assert not [one for one in measures if len(one) > 4 and one in told]
    facts = query(
        settings,
        "select value #>> '{fact,value}', value #>> '{objects,0,name}' from gold"
        " join question on question.version_id = gold.version_id and question.id = question_id"
        " where template = 'T7'",
    )
    assert facts
    for value, name in facts:
        pages = [entry for entry in entries if entry.startswith(f"{name}; ") and f": {value}" in entry]
        assert pages, (value, name)
