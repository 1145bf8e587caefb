"""`dataset.json` of MapEval-Textual and MapEval-API, which is one file → questions. Registers `mapeval-textual`.

Runs with tools ask the same questions without their contexts.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.benchmarks.mapeval.imported.items import (
    BENCHMARK,
    LICENCE,
    MALFORMED,
    NO_OPTION,
    PADDED,
    UNANSWERABLE_CLASS,
    WORDS,
    ItemFaults,
    MalformedItem,
    class_of,
    gold_of,
    kind_of,
    note_equal_options,
    text_of,
)
from app.core.errors import UsageError
from app.core.identity import digest
from app.questions.imported.formats import ImportedFiles, ImportedQuestion, PublishedFormat, register_format
from app.questions.imported.json_files import JsonFile
from app.questions.prompts import ContextPart, TextPart

TEXTUAL = "textual"
TITLE = "Context"
"""Of the context in a prompt."""
MOST_OPTIONS = 26
ANSWERABLE = ("poi", "nearby", "routing", "trip")


def read_textual(path: Path) -> ImportedFiles:
    """Every item of the file that can be asked. Raises UsageError where the file is no list of items, or none can."""
    file = JsonFile(path)
    if not isinstance(file.value, list):
        raise file.fault("the whole", "is not a list of items")
    faults, questions, seen = ItemFaults(file), [], set()
    for item, line in zip(file.value, file.lines_of_items()):
        place = f"line {line:,}"
        try:
            if not isinstance(item, Mapping):
                raise MalformedItem("it is not an object")
            number = _number_of(item)
            place = f"line {line:,}, id {number}"
            if number in seen:
                raise MalformedItem("an item before it has the same id")
            seen.add(number)
            questions.append(_question(faults, item, number, place))
        except MalformedItem as fault:
            faults.add(MALFORMED, place, f"{fault}; the item is left out")
    if not questions:
        raise UsageError(
            "\n".join([f"{path}: no item of it can be asked; nothing is loaded.", *faults.told[:10]])
        )
    return ImportedFiles(
        questions, (), faults.notes(), digest("mapeval textual", file.digest), listed=faults.told
    )


def _number_of(item: Mapping[str, Any]) -> int:
    number = item.get("id")
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise MalformedItem("`id` is missing, or no whole number")
    return number


def _question(faults: ItemFaults, item: Mapping[str, Any], number: int, place: str) -> ImportedQuestion:
    listed, key = _options_and_key(item)
    options, key = _without_padding(listed, key)
    if len(options) < len(listed):
        faults.add(PADDED, place, f"{len(listed) - len(options)} empty options are left out")
    kind = UNANSWERABLE_CLASS if key == NO_OPTION else class_of(item, ANSWERABLE)
    question, context = text_of(item, "question").strip(), text_of(item, "context").strip()
    if not question:
        raise MalformedItem("`question` is empty")
    gold, gold_kind = gold_of(options, key, TEXTUAL)
    note_equal_options(faults, place, options, gold)
    told = [ContextPart(TITLE, context).as_json()] if context else []
    return ImportedQuestion(
        key=f"id {number}",
        template=f"{TEXTUAL}_{kind}",
        dimension=kind,
        prompt=[*told, TextPart(question).as_json()],
        answer_type="option",
        scorer="option",
        gold=gold,
        told={"id": number, "classification": kind, "kind": kind_of(question)},
        options=options,
        gold_kind=gold_kind,
    )


def _options_and_key(item: Mapping[str, Any]) -> tuple[list[str], int]:
    """The options as they stand there, and the key's place, -1 of a question that cannot be answered.

    The key counts from 0 in the authors' own file, `answer: {options, correct}`, and from 1 in the form in which others
    passed it on, `options` and `answer`, where 0 stands for none.
    """
    answer = item.get("answer")
    if isinstance(answer, Mapping):
        options, key, first = answer.get("options"), answer.get("correct"), 0
    else:
        options, key, first = item.get("options"), answer, 1
    if not isinstance(options, list) or not all(isinstance(one, str) for one in options):
        raise MalformedItem("`options` is not a list of texts")
    if not isinstance(key, int) or isinstance(key, bool):
        raise MalformedItem("its key is no whole number")
    if not first - 1 <= key < first + len(options):
        raise MalformedItem(f"its key is {key}, and it has {len(options)} options")
    return options, key - first


def _without_padding(listed: list[str], key: int) -> tuple[list[str], int]:
    """The options that are not empty, and the key's place among them."""
    kept = [place for place, one in enumerate(listed) if one.strip()]
    if key != NO_OPTION and key not in kept:
        raise MalformedItem("its key is an empty option")
    if not 2 <= len(kept) <= MOST_OPTIONS:
        raise MalformedItem(f"it has {len(kept)} options that are not empty; 2 to {MOST_OPTIONS} are needed")
    return [listed[place].strip() for place in kept], kept.index(key) if key != NO_OPTION else NO_OPTION


register_format(PublishedFormat("mapeval-textual", BENCHMARK, WORDS, LICENCE, read_textual))
