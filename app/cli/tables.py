"""Tables in a terminal: every cell stays whole, however narrow the terminal is.

Sentences (columns whose `overflow` is "fold") wrap at spaces; no other cell is broken or cut. Where a table is too
wide, these are tried in this order: headings wrap, gaps shrink, headings that are names (given as Text) become letters
that are explained above, the widest one or two names stand on lines of their own above the other cells of their row. A
table that is still too wide is printed as one record after the other, with a line for each cell.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

from rich.style import StyleType
from rich.table import Column, Table
from rich.text import Text

from app.cli.cells import for_terminal

GAP = 2
LEAST_SENTENCE = 24
"""A column of sentences is never narrower, unless all its cells are."""
LONG_HEADING = 8
"""A name that is longer, and heads a column, may become a letter."""
MOST_LEADS = 2
_WORD = re.compile(r"\s*\S+")
_WORD_OR_COMMAND = re.compile(r"\s*(?:\S*?`[^`\n]+`\S*|\S+)")


@dataclass(frozen=True)
class _Column:
    heading: Text
    cells: tuple[Text, ...]
    is_right: bool
    wraps: bool
    is_named: bool
    """Whether the heading is a name from outside, not a word of ours."""

    @property
    def natural(self) -> int:
        return max(map(_width, (self.heading, *self.cells)))

    @property
    def least(self) -> int:
        if not self.wraps:
            return self.natural
        longest = max(map(_longest_word, (self.heading, *self.cells)))
        return min(self.natural, max(longest, LEAST_SENTENCE))

    def with_heading_wrapped(self) -> "_Column":
        room = max([_longest_word(self.heading), *map(_width, self.cells)])
        return replace(self, heading=Text("\n").join(_wrap(self.heading, room)))


@dataclass(frozen=True)
class _Grid:
    columns: tuple[_Column, ...]
    styles: tuple[StyleType, ...]
    has_header: bool
    gap: int = GAP
    leads: tuple[_Column, ...] = ()
    letters: tuple[Text, ...] = ()

    @property
    def indent(self) -> int:
        return GAP if self.leads else 0

    @property
    def least(self) -> int:
        return self.indent + sum(one.least for one in self.columns) + self.gap * (len(self.columns) - 1)


def pairs(rows: Iterable[tuple[str, object]], title: str | None = None) -> Table:
    """A table of names and values; a value that is None is left out."""
    table = Table(title=None if title is None else Text(title), show_header=False)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for name, value in rows:
        if value is not None:
            table.add_row(Text(name), value if isinstance(value, Text) else Text(str(value)))
    return table


def listing(*headings: str, right: Iterable[str] = (), sentences: Iterable[str] = ()) -> Table:
    """An empty table: columns of figures stand `right`; only columns of `sentences` may wrap."""
    table = Table()
    for heading in headings:
        table.add_column(
            heading,
            justify="right" if heading in right else "left",
            overflow="fold" if heading in sentences else "ellipsis",
        )
    return table


def fits(table: Table, width: int) -> bool:
    """Whether the table can be printed as it is in this width."""
    return _read(table).least <= width


def lay_out(table: Table, width: int) -> Iterator[Text]:
    """The lines of a table. A line is longer than `width` only if a single word or name is."""
    if table.title is not None:
        yield from _wrap(_text(table.title), width)
    grid = _read(table)
    if not grid.has_header:
        yield from _lines(grid, width)
    else:
        found = next((one for one in _ways(grid) if one.least <= width), None)
        yield from _records(grid, width) if found is None else _lines(found, width)
    if table.caption is not None:
        yield from _wrap(_text(table.caption), width)


def _read(table: Table) -> _Grid:
    columns = tuple(
        _Column(
            Text("") if not table.show_header else Text(_text(column.header).plain, style="bold"),
            tuple(map(_text, column.cells)),
            column.justify == "right",
            column.overflow == "fold",
            isinstance(column.header, Text),
        )
        for column in table.columns
    )
    styles = tuple(row.style or "" for row in table.rows)
    return _Grid(columns, styles, table.show_header and any(map(_has_heading, table.columns)))


def _has_heading(column: Column) -> bool:
    return bool(_text(column.header).plain.strip())


def _text(cell: object) -> Text:
    """A cell as a terminal shows it."""
    given = cell if isinstance(cell, Text) else Text(str(cell))
    shown = for_terminal(given.plain)
    return given if shown == given.plain else Text(shown, style=given.style)


def _ways(grid: _Grid) -> Iterator[_Grid]:
    """The forms of a table, from the best to the narrowest."""
    yield grid
    wrapped = replace(grid, columns=tuple(one.with_heading_wrapped() for one in grid.columns))
    lettered = _lettered(wrapped)
    for leads in range(MOST_LEADS + 1):
        for form in (wrapped, *([lettered] if lettered is not None else [])):
            for gap in (GAP, GAP - 1):
                found = replace(_led(form, leads), gap=gap)
                if len(found.leads) == leads:
                    yield found


def _lettered(grid: _Grid) -> _Grid | None:
    """The table with letters for its long names of columns; None where it has no such name, or too many."""
    long = [one for one in grid.columns if one.is_named and _width_of_words(one.heading) > LONG_HEADING]
    if not 0 < len(long) <= len(ascii_uppercase):
        return None
    letters = dict(zip(map(id, long), ascii_uppercase, strict=False))
    columns = tuple(
        replace(one, heading=Text(letters[id(one)], style="bold")) if id(one) in letters else one
        for one in grid.columns
    )
    explained = tuple(Text(f"{letters[id(one)]}  {_one_line(one.heading)}") for one in long)
    return replace(grid, columns=columns, letters=explained)


def _led(grid: _Grid, number: int) -> _Grid:
    """The table with its `number` widest names on lines above the other cells."""
    names = [one for one in grid.columns if not one.is_right and not one.wraps and one.cells]
    widest = {id(one) for one in sorted(names, key=lambda one: -one.natural)[:number]}
    leads = tuple(one for one in grid.columns if id(one) in widest)
    others = tuple(one for one in grid.columns if id(one) not in widest)
    return replace(grid, columns=others, leads=leads) if others else grid


def _lines(grid: _Grid, width: int) -> Iterator[Text]:
    widths = _widths(grid, width)
    yield from grid.letters
    if grid.has_header:
        yield from (Text(_one_line(lead.heading), style="bold") for lead in grid.leads)
        yield from _row([one.heading for one in grid.columns], grid, widths)
        across = grid.indent + sum(widths) + grid.gap * (len(widths) - 1)
        yield Text("─" * max([across, *(lead.natural for lead in grid.leads)]))
    for place, style in enumerate(grid.styles):
        shown = [line for lead in grid.leads for line in _split(lead.cells[place])]
        shown += _row([one.cells[place] for one in grid.columns], grid, widths)
        for line in shown:
            line.stylize_before(style)
            yield line


def _widths(grid: _Grid, width: int) -> list[int]:
    """How wide each column is: columns of sentences share what the others leave."""
    widths = [one.least for one in grid.columns]
    left = width - grid.least
    for place, column in enumerate(grid.columns):
        more = max(0, min(left, column.natural - widths[place]))
        widths[place] += more
        left -= more
    if left < 0 and not grid.has_header:  # a word is too long: what stands beside it wraps as if it were not
        widths[-1] = max(LEAST_SENTENCE, widths[-1] + left)
    return widths


def _row(cells: Sequence[Text], grid: _Grid, widths: Sequence[int]) -> list[Text]:
    """The lines of one row: all its cells beside one another."""
    parts = [
        _wrap(cell, room) if column.wraps else _split(cell)
        for cell, column, room in zip(cells, grid.columns, widths, strict=True)
    ]
    lines = []
    for place in range(max(map(len, parts))):
        line = Text(" " * grid.indent)
        for number, (part, column, room) in enumerate(zip(parts, grid.columns, widths, strict=True)):
            text = part[place] if place < len(part) else Text("")
            blank = Text(" " * max(0, room - text.cell_len))
            line.append(Text(" " * (grid.gap if number else 0)))
            line.append_text(blank + text if column.is_right else text + blank)
        line.rstrip()
        lines.append(line)
    return lines


def _records(grid: _Grid, width: int) -> Iterator[Text]:
    """A line for each cell, named by its heading; an empty line between two rows."""
    names = [_one_line(one.heading) for one in grid.columns]
    longest = max(Text(name).cell_len for name in names)
    room = longest if longest <= width // 3 else 0
    for place, style in enumerate(grid.styles):
        if place:
            yield Text("")
        for name, column in zip(names, grid.columns, strict=True):
            cell = column.cells[place]
            if not cell.plain.strip():
                continue
            head = Text(name + " " * (max(0, room - Text(name).cell_len) + GAP), style="bold")
            for number, line in enumerate(_wrap(cell, max(width - head.cell_len, LEAST_SENTENCE))):
                whole = (head if number == 0 else Text(" " * head.cell_len)) + line
                whole.stylize_before(style)
                yield whole


def wrap_sentence(said: str, width: int) -> str:
    """`said` in lines that break between words; a command between backticks stays whole, so that it can be copied."""
    return "\n".join(line.plain for line in _wrap(Text(said), width, _WORD_OR_COMMAND))


def _wrap(text: Text, width: int, word: re.Pattern[str] = _WORD) -> list[Text]:
    """Lines that break at spaces alone: a word that is longer than `width` stays whole."""
    lines = []
    for part in _split(text):
        offsets, begun, filled = [], 0, 0
        for found in word.finditer(part.plain):
            upto = Text(part.plain[begun : found.end()].rstrip()).cell_len
            if filled and upto > width:
                begun = found.start() + len(found[0]) - len(found[0].lstrip())
                offsets.append(begun)
            filled = found.end()
        pieces = part.divide(offsets) if offsets else [part]
        for piece in pieces:
            piece.rstrip()
            lines.append(piece)
    return lines


def _split(text: Text) -> list[Text]:
    return list(text.split("\n", allow_blank=True)) or [text]


def _width(text: Text) -> int:
    return max((one.cell_len for one in _split(text)), default=0)


def _longest_word(text: Text) -> int:
    return max((Text(word).cell_len for word in text.plain.split()), default=0)


def _one_line(text: Text) -> str:
    return " ".join(text.plain.split())


def _width_of_words(text: Text) -> int:
    return Text(_one_line(text)).cell_len
