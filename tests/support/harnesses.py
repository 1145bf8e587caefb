"""Exported tasks in the real harnesses: who answers, what the harness's log says, and what our own run says."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.core.settings import Settings
from app.exports.exported import Export, ExportedQuestion
from app.solvers.oracle import say_gold
from perf.runs_peers import PEERS, environment_of, inspect_command, lm_eval_command
from tests.support.command_line import trigpoint
from tests.support.processes import Workers, private_redis, query, with_short_leases

HARNESSES = ("inspect", "lm-eval")
LOGS = {"inspect": "**/*.json", "lm-eval": "**/samples_*.jsonl"}
"""Where a harness's log lies in its folder."""
WRITTEN = "scripted:written"
"""The model of a scripted endpoint with the policy `written`."""


def answers_to(questions: list[ExportedQuestion]) -> list[str]:
    """Right ones, right ones in prose, those of other questions, and texts that answer nothing."""
    said = []
    for number, one in enumerate(questions):
        assert one.gold is not None
        right = say_gold(one.answer_type, one.gold)
        same = [other for other in questions if other.answer_type == one.answer_type]
        other = same[(same.index(one) + 1) % len(same)]
        assert other.gold is not None
        ways = (
            right,
            f"<think>Perhaps north.</think>I looked at the map. Answer: {right}",
            say_gold(other.answer_type, other.gold),
            ("I do not know", "purple marmalade", "<think>hm</think>", "About 120 or so.")[number // 4 % 4],
        )
        said.append(ways[number % 4])
    return said


@contextmanager
def with_worker(settings: Settings, folder: Path) -> Iterator[Settings]:
    """A broker and a worker of these tests' own over the data sets; commands of this process find them."""
    with private_redis(folder) as broker, pytest.MonkeyPatch.context() as patch:
        own = with_short_leases(settings, broker, folder)
        patch.setenv("TRIGPOINT_REDIS_URL", broker.url)
        workers = Workers(own, folder)
        try:
            workers.start()
            yield own
        finally:
            workers.kill_all()


def ours(settings: Settings, name: str, url: str, model: str = WRITTEN) -> tuple[float, dict[str, float]]:
    """The board's mean, and each question's value, of a run of `direct` with the model at that URL."""
    asked = ("--solver", "direct", "--endpoint", url, "--model", model)
    done = trigpoint(settings, "evaluate", name, *asked, "--json")
    assert done.status == 0, done.err
    return scores_of(settings, done.json["run"])


def scores_of(settings: Settings, run_id: int) -> tuple[float, dict[str, float]]:
    """A run's mean on the board, and each question's value."""
    run = {"run": run_id}
    values = query(
        settings,
        "select question_id, coalesce(score.value, 0) from prediction left join score on"
        " score.prediction_id = prediction.id and score.profile = 'trigpoint' where prediction.run_id = :run",
        **run,
    )
    board = (
        "select score from board_aggregate where run_id = :run and scope = 'all' and profile = 'trigpoint'"
    )
    return query(settings, board, **run)[0][0], dict(map(tuple, values))


def submitted(settings: Settings, name: str, form: str, log: Path) -> tuple[float, dict[str, float]]:
    """The same of a harness's log that is submitted."""
    done = trigpoint(settings, "submit", name, str(log), "--format", form, "--name", f"by {form}", "--json")
    assert (done.status, done.json["state"]) == (0, "scored"), done.err
    return scores_of(settings, done.json["run"])


def run_peer(command: list[str], environment: Mapping[str, str], folder: Path) -> None:
    """Run a harness in a folder to its end."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:] + done.stdout[-1000:]


def by_lm_eval(folder: Path, task: str, url: str, model: str = WRITTEN) -> tuple[float, dict[str, float]]:
    """The mean, and each question's value, of the task in that folder, as lm-evaluation-harness says."""
    logs = folder / "logs"
    command = lm_eval_command(folder, task, model, url, 4, logs)
    run_peer(command, environment_of(PEERS["lm_eval"], url), folder)
    (results,) = logs.glob("**/results_*.json")
    (samples,) = logs.glob("**/samples_*.jsonl")
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    mean = json.loads(results.read_text())["results"][task]["score,none"]
    return mean, {row["doc"]["id"]: row["score"] for row in rows if "score" in row}


def by_inspect(folder: Path, task: str, url: str, model: str = WRITTEN) -> tuple[float, dict[str, float]]:
    """The same, as Inspect says."""
    logs = folder / "logs"
    command = [*inspect_command("task.py", model, 4, logs), "--log-format", "json"]
    run_peer(command, environment_of(PEERS["inspect"], url), folder)
    (file,) = logs.glob("**/*.json")
    log = json.loads(file.read_text())
    assert log["eval"]["task"] == task
    (result,) = log["results"]["scores"]
    mean = result["metrics"]["mean"]["value"]
    scored = {one["id"]: one["scores"] for one in log["samples"] if one["scores"]}
    return mean, {name: scores["trigpoint"]["value"] for name, scores in scored.items()}


def written(exported: Export, folder: Path) -> tuple[str, ...]:
    """Options of a scripted endpoint that answers these questions, gold and all, in every way."""
    said = answers_to(list(exported.questions))
    lines = [
        {"contains": [one.text, *(one.options or ())], "answer": answer}
        for one, answer in zip(exported.questions, said, strict=True)
    ]
    file = folder / "answers.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return ("written", "--answers", str(file))
