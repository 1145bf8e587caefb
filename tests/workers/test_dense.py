"""`rag` by embeddings: asked for once, before the run; the same prompts again; a failure is never the model's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.embeddings import BATCH
from app.inference.scripted import embed_words
from app.predictions.messages import WORK, Messenger, make_celery
from app.predictions.runs import RunPlan, plan_run, store_endpoint
from app.questions.snapshots import find_snapshots
from app.solvers.rag import TOP, texts_to_embed
from tests.support.command_line import Done, trigpoint
from tests.support.factories import MadeMap, MadeVersion, make_version, name_question
from tests.support.processes import Scripted, Workers, query, scalar
from tests.support.runs import wait_for_end
from tests.support.town import import_map, make_town

QUESTIONS = 5
MODEL = "scripted:first_option"


@pytest.fixture
def version(quick: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MadeVersion:
    assert quick.redis_url is not None
    monkeypatch.setenv("TRIGPOINT_REDIS_URL", quick.redis_url.get_secret_value())
    import_map(quick, make_town().write(tmp_path / "town.osm"), "town")
    with connect(quick, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["town"])
    questions = [name_question(i) for i in range(QUESTIONS)]
    return make_version(quick, questions, made_map=MadeMap(snapshot.id, snapshot.schema))


def evaluate(settings: Settings, version: MadeVersion, *more: str) -> Done:
    return trigpoint(settings, "evaluate", version.reference, "--solver", "rag", "--json", *more)


def prompts_of(settings: Settings, run: int) -> dict[str, str]:
    """By question text: the prompt that was sent."""
    rows = query(
        settings,
        "select question.prompt #>> '{0,text}', step.request #>> '{messages,0,content}' from step"
        " join question using (version_id) where question.id = step.question_id and run_id = :id",
        id=run,
    )
    return dict(map(tuple, rows))


def nearest(texts: list[str], question: str) -> list[str]:
    """The ten best by cosine, worked out apart."""
    asked = np.array(embed_words(question))

    def cosine(text: str) -> float:
        vector = np.array(embed_words(text))
        return round(float(vector @ asked / np.linalg.norm(vector) / np.linalg.norm(asked)), 5)

    return sorted(texts, key=lambda text: (-cosine(text), text))[:TOP]


@pytest.mark.long
def test_embeddings_are_paid_once_and_give_the_same_prompts(
    quick: Settings, version: MadeVersion, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    workers.start()
    to = ("--endpoint", server.url, "--embeddings", server.url)
    first = evaluate(quick, version, *to)
    assert first.status == 0, first.err
    with connect(quick, Role.WORKER) as connection:
        texts = texts_to_embed(connection, version.id)
    embedded = -(-len(texts) // BATCH)
    assert len(server.requests()) == QUESTIONS + embedded
    assert scalar(quick, "select count(*) from embedding") == len(texts)

    again = evaluate(quick, version, *to, "--seed", "1")
    assert len(server.requests()) == 2 * QUESTIONS + embedded
    prompts = prompts_of(quick, first.json["run"])
    assert prompts == prompts_of(quick, again.json["run"])
    assert len(prompts) == QUESTIONS
    entries = [text for text in texts if text not in prompts]
    for question, prompt in prompts.items():
        shown = [line.removeprefix("- ") for line in prompt.splitlines() if line.startswith("- ")]
        # float32 and float64 may part equal cosines: the sets are the same but for ties at the end
        assert len(shown) == TOP
        assert len(set(shown) & set(nearest(entries, question))) >= TOP - 1
        assert shown[0] in nearest(entries, question)[:2]

    lexical = evaluate(quick, version, "--endpoint", server.url)
    assert prompts_of(quick, lexical.json["run"]) != prompts
    names = {row["name"] for row in trigpoint(quick, "leaderboard", version.reference, "--json").json["rows"]}
    assert names == {f"{MODEL} (rag)", f"{MODEL} (rag, {MODEL})"}


@pytest.mark.long
def test_where_embeddings_fail_no_run_is_made(
    quick: Settings, version: MadeVersion, endpoint: Callable[..., Scripted]
) -> None:
    chat, failing = endpoint("first_option"), endpoint("failing")
    done = evaluate(quick, version, "--endpoint", chat.url, "--embeddings", failing.url)
    assert done.status == 1
    assert "No embeddings from" in done.err
    assert scalar(quick, "select count(*) from run") == 0
    assert chat.requests() == []


def test_a_run_without_its_embeddings_ends_in_errors_of_ours(
    quick: Settings, version: MadeVersion, workers: Workers, endpoint: Callable[..., Scripted]
) -> None:
    server = endpoint("first_option")
    now = SystemClock().now()
    with connect(quick, Role.WORKER) as connection:
        stored = store_endpoint(connection, server.url, MODEL, None, now)
        plan = RunPlan(
            version.id, "rag", 2, "x", endpoint_id=stored.id, presentation={"embeddings": stored.name}
        )
        run_id = plan_run(connection, plan, now, quick.batch_size).id
        connection.commit()
    Messenger(make_celery(quick)).send(WORK)
    workers.start()
    wait_for_end(quick, run_id)
    assert scalar(quick, "select status from run where id = :id", id=run_id) == "incomplete"
    assert "no embedding" in scalar(quick, "select min(error) from prediction where run_id = :id", id=run_id)
    assert server.requests() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--solver", "direct", "--embeddings", "http://127.0.0.1:1/v1"), "remove --embeddings"),
        (("--solver", "rag", "--embeddings-model", "m"), "only for use with --embeddings"),
        (("--solver", "rag", "--embeddings", "nobody"), "no endpoint 'nobody'"),
    ],
)
def test_options_that_do_not_fit(
    quick: Settings, version: MadeVersion, options: tuple[str, ...], message: str
) -> None:
    done: Any = trigpoint(
        quick, "evaluate", version.reference, "--endpoint", "http://127.0.0.1:1/v1", *options
    )
    assert done.status == 2
    assert message in " ".join(done.err.split())
