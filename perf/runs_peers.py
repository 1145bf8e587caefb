"""Benchmarks: lm-evaluation-harness and Inspect over the same prompts, in a virtual environment of their own.

Writes .local/peers (the environment) and, below .local/bench/peers, their task files and logs. Both store every sample
and score it by comparing strings, their cheapest way.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from app.cli.output import say
from app.core.errors import ServiceUnavailable, UsageError
from app.core.settings import PROJECT_ROOT
from perf.cluster import FOLDER
from perf.runs_endpoint import MODEL

ENVIRONMENT = PROJECT_ROOT / ".local" / "peers"
PINNED = {"lm_eval": "0.4.13", "inspect_ai": "0.3.285", "mcp": "2.3.0"}
"""Packages and their versions."""
READERS = ("geopandas==1.2.0", "mlcroissant==1.1.1", "pyproj==3.7.2")
"""What tests open exports with, and what exported tasks score locations with."""
PACKAGES = (
    f"lm-eval[api]=={PINNED['lm_eval']}",
    f"inspect-ai=={PINNED['inspect_ai']}",
    f"mcp=={PINNED['mcp']}",
    "openai==3.54.0",
    *READERS,
)
PLACE = FOLDER / "peers"
TASK = "runs"
LM_EVAL_TASK = """\
task: runs
dataset_path: json
dataset_kwargs:
  data_files: {{test: {prompts}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{prompt}}}}"
doc_to_target: "{{{{target}}}}"
generation_kwargs: {{until: [], temperature: 0, max_gen_toks: 64}}
metric_list:
  - {{metric: exact_match, aggregation: mean, higher_is_better: true}}
"""
INSPECT_TASK = """\
from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import exact
from inspect_ai.solver import generate


@task
def runs() -> Task:
    dataset = json_dataset({prompts!r}, FieldSpec(input="prompt", target="target"))
    return Task(dataset=dataset, solver=generate(), scorer=exact())
"""


class Prompt(NamedTuple):
    """A prompt as our side asks it, and a text that is compared with the answer."""

    text: str
    target: str


class Peer(NamedTuple):
    """How a peer is run over the prompts of the last `write_tasks`."""

    command: Callable[[str, int], list[str]]
    """(the endpoint's base URL, calls in flight) → its command line."""
    environment: Callable[[str], Mapping[str, str]]
    """The endpoint's base URL → variables to add."""
    logs: Path
    """Where it stores samples."""
    stored: Callable[[Path], int]
    """(logs) → how many samples it has stored there."""


def install() -> None:
    """Make the environment, by uv. Raises ServiceUnavailable with what was said where that fails."""
    say(f"Installing {', '.join(PACKAGES)} into {ENVIRONMENT}.")
    python = str(ENVIRONMENT / "bin" / "python")
    uv = str(ENVIRONMENT / "bin" / "uv")
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)],
        [python, "-m", "pip", "install", "--quiet", "uv"],
        [uv, "pip", "install", "--quiet", "--python", python, *PACKAGES],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ServiceUnavailable(
                f"{' '.join(command[:4])} failed: {done.stderr.strip().splitlines()[-1:]}"
            )


def absent_peers() -> list[str]:
    """The peers that are not there in the pinned versions."""
    found = sorted(ENVIRONMENT.glob("lib/python3*/site-packages/*.dist-info"))
    names = {folder.name for folder in found}
    return [
        f"{name} {number}" for name, number in PINNED.items() if f"{name}-{number}.dist-info" not in names
    ]


def check_installed() -> None:
    """Raise UsageError where the peers are not there in the pinned versions."""
    if absent := absent_peers():
        raise UsageError(
            f"{' and '.join(absent)} are not in {ENVIRONMENT}. Install them with scripts/peers, "
            "or measure our side alone with --only trigpoint."
        )


def write_tasks(prompts: Sequence[Prompt]) -> None:
    """Write the prompts, and a task over them for each peer."""
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    file = PLACE / "prompts.jsonl"
    rows = (json.dumps({"prompt": one.text, "target": one.target}) for one in prompts)
    file.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    (PLACE / "runs.yaml").write_text(LM_EVAL_TASK.format(prompts=file), encoding="utf-8")
    (PLACE / "runs_task.py").write_text(INSPECT_TASK.format(prompts=str(file)), encoding="utf-8")


def lm_eval_command(folder: Path, task: str, model: str, url: str, in_flight: int, logs: Path) -> list[str]:
    """The command line that runs a task of `folder` against the endpoint at `url`, every sample stored in `logs`."""
    told = f"model={model},base_url={url}/chat/completions,num_concurrent={in_flight},tokenizer_backend=None"
    command = [
        str(ENVIRONMENT / "bin" / "lm_eval"),
        "--model",
        "local-chat-completions",
        "--model_args",
        told,
    ]
    command += ["--tasks", task, "--include_path", str(folder), "--apply_chat_template"]
    return [*command, "--output_path", str(logs), "--log_samples"]


def inspect_command(file: str, model: str, in_flight: int, logs: Path) -> list[str]:
    """The command line that runs the tasks of a file; where the endpoint is, `environment_of` tells it."""
    command = [str(ENVIRONMENT / "bin" / "inspect"), "eval", file, "--model", f"openai-api/bench/{model}"]
    command += ["--max-connections", str(in_flight), "--max-samples", str(in_flight)]
    return [*command, "--display", "none", "--log-dir", str(logs)]


def _lm_eval(url: str, in_flight: int) -> list[str]:
    return lm_eval_command(PLACE, TASK, MODEL, url, in_flight, PLACE / "lm-eval")


def _inspect(url: str, in_flight: int) -> list[str]:
    file = os.path.relpath(PLACE / "runs_task.py")
    command = inspect_command(file, MODEL, in_flight, PLACE / "inspect")
    return [*command, "--temperature", "0", "--max-tokens", "64"]


def _offline(url: str) -> Mapping[str, str]:
    return {"HF_HUB_OFFLINE": "1", "HF_HOME": str(PLACE / "huggingface"), "OPENAI_API_KEY": "none"}


def _inspect_environment(url: str) -> Mapping[str, str]:
    return {"BENCH_API_KEY": "none", "BENCH_BASE_URL": url}


def _lines(logs: Path) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in logs.glob("**/samples_*.jsonl"))


def _zipped(logs: Path) -> int:
    found = 0
    for file in logs.glob("**/*.eval"):
        with zipfile.ZipFile(file) as archive:
            found += sum(name.startswith("samples/") for name in archive.namelist())
    return found


PEERS = {
    "lm_eval": Peer(_lm_eval, _offline, PLACE / "lm-eval", _lines),
    "inspect": Peer(_inspect, _inspect_environment, PLACE / "inspect", _zipped),
}


def environment_of(peer: Peer, url: str) -> dict[str, str]:
    """The environment that a peer runs in."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("TRIGPOINT_")}
    return clean | dict(peer.environment(url))


if __name__ == "__main__" and absent_peers():
    install()
