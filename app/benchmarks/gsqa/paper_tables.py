"""Tables 7 to 13 of GS-QA: which questions a column counts, and what an answer is worth there.

Table 7 counts answers whose parsed form has the field that is asked for. Table 8 averages the F1 of the text over all
questions, those without an answer as 0, by type of output, and its average is the plain mean of the seven types. Tables
9 to 12 average what was attempted: texts where there is one, parsed fields where they were read. Table 13 counts an
answer as correct from an F1 of 0.5 on, or up to an error of 0.1, as the profile `published` does (section 5.3).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from app.benchmarks.gsqa.published.cases import UNPARSED_TEMPLATES
from app.papers.definitions import (
    PAPER_TABLES,
    PaperTables,
    TableAnswer,
    TableColumn,
    TableQuestion,
    TableRules,
)
from app.scores.paper_rules import PROFILE

OUTPUT_TYPES: Mapping[str, tuple[int, int]] = {
    "name": (1, 12),
    "location": (13, 20),
    "angle": (21, 22),
    "area": (27, 27),
    "count": (23, 24),
    "distance": (25, 26),
    "length": (28, 28),
}
"""The first and the last template of each type of output, from the paper's Table 3; in the order of Tables 7 and 8."""
AVERAGE = "average"
NO_PARSED = "T7 and T8 have no parsed scores in the profile published: their cells of runs are empty."
SQL_KINDS: Mapping[str, tuple[str, ...]] = {
    "column not found": ("column",),
    "sub-query": ("subquery",),
    "function not found": ("function",),
    "other": ("other", "resource"),
    "missing FROM": ("missing_from",),
    "syntax": ("syntax",),
    "relation not found": ("relation",),
    "operator not found": ("operator",),
}
"""The rows of Table 13 for SQL that is not valid, and what we call these faults."""

Value = Callable[[TableAnswer], float | None]


def _of_template(name: str, question: TableQuestion) -> bool:
    return question.template == name


def _of_type(name: str, question: TableQuestion) -> bool:
    first, last = OUTPUT_TYPES[name]
    return first <= int(question.template.removeprefix("T")) <= last


def _parsed_of_type(name: str, question: TableQuestion) -> bool:
    return question.template not in UNPARSED_TEMPLATES and _of_type(name, question)


def _attempted(answer: TableAnswer) -> float:
    """1 where the parsed answer has the field that is asked for."""
    parsed = (
        part for name, part in answer.components.items() if name in ("parsed_F1", "parsed_relative_error")
    )
    return float(any(part["attempted"] for part in parsed))


def _text_f1(answer: TableAnswer) -> float:
    return _value_of("text_F1", answer)


def _text_recall(answer: TableAnswer) -> float | None:
    """Of whatever text there is: one that says that it does not know has a recall of 0."""
    return _value_of("text_R", answer) if answer.has_text else None


def _value_of(component: str, answer: TableAnswer) -> float:
    part = answer.components.get(component)
    return 0.0 if part is None else float(part["value"])


def _if_attempted(component: str, answer: TableAnswer) -> float | None:
    part = answer.components.get(component)
    return float(part["value"]) if part is not None and part["attempted"] else None


def _sql(holds: Callable[[TableAnswer, Mapping[str, object]], bool], answer: TableAnswer) -> float | None:
    """1 where `holds` is true of an answer and how its SQL went; None where no SQL was written."""
    return None if answer.sql is None else float(holds(answer, answer.sql))


def _gave_rows(sql: Mapping[str, object]) -> bool:
    return bool(sql["valid"]) and sql["state"] != "timeout"


def _is_fault(kinds: Sequence[str], answer: TableAnswer, sql: Mapping[str, object]) -> bool:
    return not sql["valid"] and sql["kind"] in kinds


def _by_type(counts: Callable[[str, TableQuestion], bool], value: Value) -> dict[str, TableColumn]:
    return {name: TableColumn(partial(counts, name), value) for name in OUTPUT_TYPES}


def _by_template(first: int, last: int, value: Value) -> dict[str, TableColumn]:
    names = [f"T{number}" for number in range(first, last + 1)]
    return {name: TableColumn(partial(_of_template, name), value) for name in names}


def _of_sql() -> dict[str, TableColumn]:
    held: dict[str, Callable[[TableAnswer, Mapping[str, object]], bool]] = {
        "valid": lambda answer, sql: bool(sql["valid"]),
        "timeout": lambda answer, sql: sql["state"] == "timeout",
        "correct": lambda answer, sql: _gave_rows(sql) and answer.outcome == "correct",
        "incorrect": lambda answer, sql: _gave_rows(sql) and answer.outcome != "correct",
        "invalid": lambda answer, sql: not sql["valid"],
        **{name: partial(_is_fault, kinds) for name, kinds in SQL_KINDS.items()},
    }
    return {name: TableColumn(lambda question: True, partial(_sql, holds)) for name, holds in held.items()}


def _averaged(columns: Mapping[str, TableColumn]) -> dict[str, dict[str, float]]:
    return {AVERAGE: dict.fromkeys(columns, 1.0)}


def _rules(
    table: int, measure: str, columns: Mapping[str, TableColumn], *notes: str, averages: bool = True
) -> TableRules:
    return TableRules(table, measure, columns, _averaged(columns) if averages else {}, notes=notes)


def _differences(questions: Sequence[TableQuestion]) -> list[str]:
    """Texts that state every definition, where the paper's are an everyday user's; and what lies partly inside."""
    return [*_precise(questions), *_clipped(questions)]


def _precise(questions: Sequence[TableQuestion]) -> list[str]:
    told = sum(one.register != "everyday" for one in questions)
    return (
        [f"Questions whose texts state every definition, which the paper's do not: {told:,}."] if told else []
    )


def _clipped(questions: Sequence[TableQuestion]) -> list[str]:
    clipped = [one.template for one in questions if one.parameters.get("semantics") == "clipped"]
    if not clipped:
        return []
    return [
        f"Questions of {', '.join(sorted(set(clipped)))} that count only what lies inside a region: {len(clipped):,}. "
        "The paper counts the whole of whatever lies partly inside."
    ]


PAPER_TABLES.add(
    "gsqa",
    "gsqa",
    PaperTables(
        "gsqa",
        PROFILE,
        2800,
        (
            _rules(7, "share attempted", _by_type(_parsed_of_type, _attempted), NO_PARSED),
            _rules(8, "F1", _by_type(_of_type, _text_f1)),
            _rules(9, "recall of the text", _by_template(1, 12, _text_recall)),
            _rules(
                9,
                "F1 of the parsed answer",
                _by_template(1, 12, partial(_if_attempted, "parsed_F1")),
                NO_PARSED,
            ),
            _rules(10, "F1 of the address", _by_template(13, 20, partial(_if_attempted, "parsed_F1"))),
            _rules(
                10, "distance error", _by_template(13, 20, partial(_if_attempted, "parsed_distance_error"))
            ),
            _rules(
                11,
                "F1 of the parsed direction",
                _by_template(21, 22, partial(_if_attempted, "parsed_F1")),
                averages=False,
            ),
            _rules(
                11,
                "angle error",
                _by_template(21, 22, partial(_if_attempted, "parsed_angle_error")),
                averages=False,
            ),
            _rules(
                12,
                "relative error",
                _by_template(23, 28, partial(_if_attempted, "parsed_relative_error")),
                averages=False,
            ),
            TableRules(
                13,
                "share of the questions",
                _of_sql(),
                unit="percent",
                decimals=1,
                notes=("Only runs of a solver that writes SQL have figures here.",),
            ),
        ),
        (
            "Answers are parsed by our own rules, and addresses are placed by the question's own map; the paper uses a "
            "model and a public geocoder.",
            "A reply that gives no answer counts as not attempted: it is 0 in Tables 7 and 8, and its text has a "
            "recall of 0. Tables 9 to 12 leave out what was not attempted. Averages count each column equally.",
        ),
        _differences,
    ),
)
