"""Reads and solves the questions of a data set, and says which are misread or have another answer."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.readers.dataset import Question
from tests.readers.judging import Judge
from tests.readers.places import Atlas, Unreadable
from tests.readers.reading import Reading
from tests.readers.text import read

REGISTERS = ("precise", "everyday")
log = logging.getLogger(__name__)
SHOWN = 20
"""Faults that a failing test prints."""


def says(reading: Reading, parameters: Mapping[str, Any]) -> bool:
    """Whether a reading has these parameters.

    An everyday text may leave open what counts of that which leaves a region, and who says a fact.
    """
    told = reading.parameters
    left_open = {"semantics"} if not reading.precise and "semantics" not in told else set()
    if str(told.get("attribute")).endswith("@") and not reading.precise:
        told = {**told, "attribute": parameters["attribute"]} if _asks_for(told, parameters) else told
    return told == {name: value for name, value in parameters.items() if name not in left_open}


def _asks_for(told: Mapping[str, Any], parameters: Mapping[str, Any]) -> bool:
    return str(parameters.get("attribute")).startswith(told["attribute"])


def misread(atlas: Atlas, questions: Iterable[Question]) -> Iterator[str]:
    """A sentence for each fault: the question, its text, and what was misread or solved otherwise."""
    judge = Judge(atlas)
    for question in questions:
        where = f"{question.template} {question.id}, {question.text!r}"
        try:
            reading = read(question.text, atlas)
        except Unreadable as error:
            yield f"{where}: {error}"
            continue
        register = "precise" if reading.precise else "everyday"
        if (reading.template, register) != (question.template, question.register):
            yield f"{where}: read as {reading.template}, {register}"
        elif not says(reading, question.parameters):
            yield f"{where}: {question.parameters} read as {reading.parameters}"
        else:
            for fault in judge.faults(reading, question.gold):
                yield f"{where}: {fault}"


def check_all_read(atlas: Atlas, questions: Sequence[Question]) -> None:
    """Logs how many questions are misread or have another answer, and fails where any is."""
    found = list(misread(atlas, questions))
    where = "; ".join(sorted({question.register for question in questions}))
    log.info("%s: %d questions, %d disagreements", where, len(questions), len(found))
    by_template = Counter(fault.split(" ", 1)[0] for fault in found)
    assert not found, f"{len(found)} of {len(questions)}, {by_template}:\n" + "\n".join(found[:SHOWN])
