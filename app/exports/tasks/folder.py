"""What a task's folder holds for whichever harness: questions with gold, card, licence, and the scorers."""

import re
from collections.abc import Mapping
from typing import Any

from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.exports.card import card_files
from app.exports.exported import Export, ExportedQuestion, ExportedVersion
from app.exports.tasks.bundling import PACKAGE, bundle
from app.solvers.base import Asked
from app.solvers.direct import prompt_text
from app.solvers.oracle import say_gold

HEAD = f'''\
"""{{about}} {{attribution}}. Canary: {{canary}}"""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
from {PACKAGE}.exports.tasks.judging import judge, read_questions  # noqa: E402
'''
"""How a task's module begins: it finds its questions and its scorers beside itself."""
MOST_TOKENS = 1024
"""How long an answer may grow, as the tasks ask unless they are told."""
USAGE = """

## Running it

```sh
{command}
```

Prompts and scores are Trigpoint's own (profile `trigpoint`): the mean of all questions here, an answer that gives
none counting 0. {questions} of {all} questions are here, those whose gold leaves.{needs}
"""
NEEDS = " Locations are measured with pyproj: `pip install pyproj`."


def task_name(version: ExportedVersion) -> str:
    """The task's name, fit for a Python function: `trigpoint_NAME_VERSION`."""
    return f"trigpoint_{re.sub(r'[^a-z0-9]+', '_', version.name.lower())}_{version.number}"


def task_folder(export: Export, own: Mapping[str, str], command: str) -> dict[str, bytes]:
    """File names and bytes; `own` are the harness's own files as texts, `command` how it runs the task.

    Raises UsageError where no question has gold.
    """
    questions = [one for one in export.questions if one.gold is not None]
    if not questions:
        raise UsageError(
            f"{export.version.reference}: the harness scores by itself, and no question here has gold that may leave."
            " Add --with-gold (and --include-hidden where all questions are hidden)."
        )
    scorers = {one.scorer for one in questions}
    usage = USAGE.format(
        command=command,
        questions=f"{len(questions):,}",
        all=f"{len(export.questions):,}",
        needs=NEEDS if "location" in scorers else "",
    )
    return {
        **card_files(export, {}, usage.rstrip("\n") + "\n"),
        "questions.jsonl": "".join(_line(one, export.version) for one in questions).encode(),
        **{name: text.encode() for name, text in own.items()},
        **bundle(scorers),
    }


def head(version: ExportedVersion, about: str) -> str:
    """The beginning of a task's module."""
    attribution = version.attribution.replace("\\", "/").replace('"', "'")
    return HEAD.format(about=about, attribution=attribution, canary=version.canary)


def _line(one: ExportedQuestion, version: ExportedVersion) -> str:
    """A question as harnesses read it; gold is a text, since its form differs from scorer to scorer."""
    assert one.gold is not None
    prompt = [{"type": "text", "text": one.text}]
    options = None if one.options is None else list(one.options)
    values: dict[str, Any] = {
        "id": one.id,
        "template": one.template,
        "split": one.split,
        "prompt": prompt_text(Asked(one.id, one.template, prompt, options, one.answer_type)),
        "target": say_gold(one.answer_type, one.gold),
        "options": options,
        "scorer": one.scorer,
        "gold": canonical_json(one.gold),
        "licence": version.licence["name"],
        "canary": version.canary,
    }
    return canonical_json(values) + "\n"
