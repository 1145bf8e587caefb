"""Tables in Markdown within a response."""

from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number

MOST_ROWS = 30
"""Rows above a number in which the head of its table is looked for."""


def title_of_column(plain: Plain, number: Number) -> str:
    """The title of the column of a table that a number stands in; nothing outside of tables."""
    text = plain.text
    start = text.rfind("\n", 0, number.start) + 1
    if text[start] != "|":
        return ""
    top = start
    for _ in range(MOST_ROWS):
        above = text.rfind("\n", 0, max(0, top - 1)) + 1
        if above >= top or text[above] != "|":
            break
        top = above
    cells = text[top : text.find("\n", top)].split("|")
    column = text[start : number.start].count("|")
    return cells[column].strip() + " " if column < len(cells) and top < start else ""
