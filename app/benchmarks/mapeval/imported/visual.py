"""`dataset.json` of MapEval-Visual, and its pictures → questions. Registers `mapeval-visual`."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from app.benchmarks.mapeval.imported.items import (
    BENCHMARK,
    LICENCE,
    MALFORMED,
    NO_OPTION,
    UNANSWERABLE_CLASS,
    WORDS,
    ItemFaults,
    MalformedItem,
    class_of,
    gold_of,
    note_equal_options,
    text_of,
)
from app.benchmarks.mapeval.imported.option_strings import split_options
from app.core.errors import UsageError
from app.core.identity import digest
from app.questions.imported.formats import ImportedFiles, ImportedQuestion, PublishedFormat, register_format
from app.questions.imported.json_files import JsonFile
from app.questions.imported.pictures import AbsentPicture, NewPicture, find_picture, read_picture
from app.questions.prompts import TextPart

VISUAL = "visual"
OPTION_COUNTS = range(2, 10)
ANSWERABLE = ("poi", "nearby", "routing", "counting", "unanswerable")
MOST_TOLD = 20
_LINE = f"{LICENCE['attribution']}; {LICENCE['name']}"


def refuse_without_pictures(path: Path) -> ImportedFiles:
    """Raises UsageError: the questions are about pictures."""
    raise UsageError(f"The questions of {path} are about pictures: name their folder with --pictures.")


def read_visual(path: Path, pictures: Path) -> ImportedFiles:
    """Every item of the file that can be asked, and each picture once.

    An item without its picture is left out and listed. Raises UsageError where the file is no list of items, where none
    can be asked, and for every picture that leads out of the folder or cannot be read, by its file.
    """
    file = JsonFile(path)
    if not isinstance(file.value, list):
        raise file.fault("the whole", "is not a list of items")
    faults, shown = ItemFaults(file), _Pictures(pictures)
    questions = []
    for number, (item, line) in enumerate(zip(file.value, file.lines_of_items()), start=1):
        place = f"line {line:,}, item {number:,}"
        try:
            if not isinstance(item, Mapping):
                raise MalformedItem("it is not an object")
            questions += _questions(faults, shown, item, number, place)
        except MalformedItem as fault:
            faults.add(MALFORMED, place, f"{fault}; the item is left out")
    if shown.faults:
        more = len(shown.faults) - MOST_TOLD
        told = [*shown.faults[:MOST_TOLD], *([f"… and {more} more"] if more > 0 else [])]
        raise UsageError("\n".join(["Pictures cannot be read; nothing is loaded.", *told]))
    if not questions:
        raise UsageError(
            "\n".join([f"{path}: no item of it can be asked; nothing is loaded.", *faults.told[:10]])
        )
    stored = {one.part.sha256: one for one in shown.read.values()}
    return ImportedFiles(
        questions,
        (),
        faults.notes(),
        digest("mapeval visual", [file.digest, *sorted(stored)]),
        listed=faults.told,
        pictures=[stored[sha256] for sha256 in sorted(stored)],
    )


class _Pictures:
    """The pictures that were read so far, by file, and what is wrong with others, by file."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.read: dict[Path, NewPicture] = {}
        self.faults: list[str] = []

    def find(self, named: str, place: str) -> NewPicture | None:
        """The picture of that path; None where it has a fault, which is kept. Raises MalformedItem if it is absent."""
        try:
            path = find_picture(self.root, named)
            if path not in self.read:
                name = PurePosixPath(named).name
                self.read[path] = read_picture(path, f"the map that the question is about, {name}", _LINE)
            return self.read[path]
        except AbsentPicture as absent:
            raise MalformedItem(str(absent)) from absent
        except UsageError as fault:
            told = str(fault) if str(fault).startswith(str(self.root)) else f"{place}: {fault}"
            self.faults += [told] if told not in self.faults else []
            return None


def _questions(
    faults: ItemFaults, pictures: _Pictures, item: Mapping[str, Any], number: int, place: str
) -> list[ImportedQuestion]:
    """The question of an item; none where its picture has a fault."""
    options, key = _options(item)
    picture = pictures.find(text_of(item, "image_path"), place)
    kind = UNANSWERABLE_CLASS if key == NO_OPTION else class_of(item, ANSWERABLE)
    question = text_of(item, "question").strip()
    if not question:
        raise MalformedItem("`question` is empty")
    gold, gold_kind = gold_of(options, key, VISUAL)
    note_equal_options(faults, place, options, gold)
    if picture is None:
        return []
    return [
        ImportedQuestion(
            key=f"item {number}",
            template=f"{VISUAL}_{kind}",
            dimension=kind,
            prompt=[picture.part.as_json(), TextPart(question).as_json()],
            answer_type="option",
            scorer="option",
            gold=gold,
            told={"item": number, "classification": kind, "picture": text_of(item, "image_path")},
            options=options,
            gold_kind=gold_kind,
        )
    ]


def _options(item: Mapping[str, Any]) -> tuple[list[str], int]:
    """The options, and the key's place: the file counts from 1, and its 0 stands for none."""
    count, text = _whole(item, "option_count"), text_of(item, "options")
    if count not in OPTION_COUNTS:
        raise MalformedItem(f"`option_count` is {count}")
    options = split_options(text, count)
    if options is None:
        raise MalformedItem(f"`options` cannot be taken apart into {count} options")
    key = _whole(item, "answer")
    if not 0 <= key <= count:
        raise MalformedItem(f"its key is {key}, and it has {count} options")
    return options, key - 1


def _whole(item: Mapping[str, Any], name: str) -> int:
    """A whole number that stands there as such, or as text."""
    value = item.get(name)
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 9:
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedItem(f"`{name}` is no whole number")
    return value


register_format(
    PublishedFormat("mapeval-visual", BENCHMARK, WORDS, LICENCE, refuse_without_pictures, read_visual)
)
