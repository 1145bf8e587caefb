"""What a task's folder holds for whichever harness: questions, card, licence, and the scorers.

Questions whose gold is kept in stand in a file of their own: they are asked and not scored, so that the harness's log
holds an answer to every question and can be submitted.
"""

import re
from collections.abc import Mapping
from typing import Any

from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.exports.card import card_files
from app.exports.exported import Export, ExportedQuestion, ExportedVersion
from app.exports.tasks.agent import map_of
from app.exports.tasks.bundling import PACKAGE, bundle
from app.questions.gold import VALUE
from app.questions.prompts import images_of
from app.solvers.base import QuestionView
from app.solvers.direct import prompt_text
from app.solvers.oracle import say_gold

HEAD = f'''\
"""{{about}} {{attribution}}. Canary: {{canary}}"""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
from {PACKAGE}.exports.tasks.judging import is_scored, judge, read_questions  # noqa: E402
'''
"""How a task's module begins: it finds its questions and its scorers beside itself."""
UNSCORED = "hidden.jsonl"
"""The questions whose gold is kept in."""
MOST_TOKENS = 1024
"""How long an answer may grow, as the tasks ask unless they are told."""
USAGE = """

## Running it

```sh
{command}
```

Prompts and scores are Trigpoint's own (profile `trigpoint`). The score is the mean over the {scored} questions in
`questions.jsonl`; an answer in which nothing can be read counts 0.{unscored}{needs}
"""
ASKED_ONLY = f"""

`{UNSCORED}` holds {{questions}} hidden questions, without gold. The harness asks them and does not score them. Its log
thus answers all {{all}} questions of the data set: submit it, and the board scores them all."""
NEEDS = "\n\nLocations are measured with pyproj: `pip install pyproj`."


def task_name(version: ExportedVersion) -> str:
    """The task's name, fit for a Python function: `trigpoint_NAME_VERSION`."""
    return f"trigpoint_{re.sub(r'[^a-z0-9]+', '_', version.name.lower())}_{version.number}"


def unscored(export: Export) -> list[ExportedQuestion]:
    """The questions whose gold is kept in, which a task asks without scoring them."""
    return [one for one in export.questions if one.gold is None]


def reading(export: Export) -> str:
    """How a task's module reads its questions."""
    return f'read_questions(FOLDER, "{UNSCORED}")' if unscored(export) else "read_questions(FOLDER)"


def task_folder(export: Export, own: Mapping[str, str], command: str, more: str = "") -> dict[str, bytes]:
    """File names and bytes; `own` are the harness's own files as texts, `command` how it runs the task.

    `more` is what the card says of running it beside what every task's says.

    Raises UsageError where no question has gold.
    """
    scored, asked_only = [one for one in export.questions if one.gold is not None], unscored(export)
    if not scored:
        raise UsageError(_nothing_to_score(export))
    scorers = {one.scorer for one in scored}
    judging = bundle(scorers)
    measures = any(b"from pyproj import" in module for module in judging.values())
    told = {"questions": f"{len(asked_only):,}", "all": f"{len(export.questions):,}"}
    usage = USAGE.format(
        command=command,
        scored=f"{len(scored):,}",
        unscored=ASKED_ONLY.format(**told) if asked_only else "",
        needs=NEEDS if measures else "",
    )
    files = {"questions.jsonl": scored} | ({UNSCORED: asked_only} if asked_only else {})
    return {
        **card_files(export, {}, usage.rstrip("\n") + more.rstrip("\n") + "\n"),
        **{name: "".join(_line(one, export) for one in ones).encode() for name, ones in files.items()},
        **{name: text.encode() for name, text in own.items()},
        **judging,
        **export.assets,
    }


def _nothing_to_score(export: Export) -> str:
    said = f"{export.version.reference}: a task scores answers by the gold in its folder, and "
    if export.with_gold:
        return said + "all questions here are hidden. Add --include-hidden, and keep the folder to yourself."
    return said + "without --with-gold the folder would hold none. Add --with-gold."


def head(version: ExportedVersion, about: str) -> str:
    """The beginning of a task's module."""
    attribution = version.attribution.replace("\\", "/").replace('"', "'")
    return HEAD.format(about=about, attribution=attribution, canary=version.canary)


def _line(one: ExportedQuestion, export: Export) -> str:
    """A question as harnesses read it; gold is a text, since its form differs from scorer to scorer."""
    version = export.version
    options = None if one.options is None else list(one.options)
    values: dict[str, Any] = {
        "id": one.id,
        "template": one.template,
        "split": one.split,
        "prompt": prompt_text(QuestionView(one.id, one.template, one.prompt, options, one.answer_type)),
        "target": "" if one.gold is None else say_gold(one.answer_type, one.gold, one.gold_kind),
        "options": options,
        "scorer": one.scorer,
        "gold": None if one.gold is None else canonical_json(one.gold),
        "licence": version.licence["name"],
        "canary": version.canary,
        **map_of(one, export),
    }
    pictures = [part.file for part in images_of([one.prompt])]
    if pictures:
        values["pictures"] = pictures
    if one.gold is not None and one.gold_kind != VALUE:
        values["gold_kind"] = one.gold_kind
    return canonical_json(values) + "\n"
