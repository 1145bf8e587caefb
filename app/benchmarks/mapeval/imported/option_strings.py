"""The options of a visual question, which its authors wrote as one text: numbered `1)`, `1.`, `(1)` or `1Foo`."""

import re

_LABEL = re.compile(r"\s*\(?\s*(?P<number>[0-9]{1,2}+)\s*+(?P<mark>[).:]*+)\s*+(?=\S)")


def split_options(text: str, count: int) -> list[str] | None:
    """The `count` options in `text`, without their numbers, in their order; None where the text has not as many.

    Numbers with a bracket or a point may be wrong where each option has a line of its own: then the order of the lines
    counts.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    labels = [label for line in lines if (label := _LABEL.match(line))]
    numbers = [int(label["number"]) for label in labels]
    is_numbered = bool(labels) and (
        all(label["mark"] for label in labels) or numbers == [*range(1, count + 1)]
    )
    if len(lines) == len(labels) == count and is_numbered:
        return _filled([line[label.end() :] for line, label in zip(lines, labels)])
    found = _split_by_numbers(text, count)
    return found or (_filled(lines) if len(lines) == count and not is_numbered else None)


def _split_by_numbers(text: str, count: int) -> list[str] | None:
    """Between the numbers 1 to `count`, each at the beginning or behind a blank, wherever the lines end."""
    ends, at = [], 0
    for number in range(1, count + 1):
        label = re.compile(
            rf"(?:(?<=\s)|^)\(?{number}\s*(?:[):]|\.(?![0-9]))|(?:(?<=\n)|^){number}(?=[^\W\d])"
        )
        found = label.search(text, at)
        if found is None or (number == 1 and text[: found.start()].strip()):
            return None
        ends.append(found.span())
        at = found.end()
    starts = [start for start, _ in ends[1:]] + [len(text)]
    return _filled([text[end:start].strip() for (_, end), start in zip(ends, starts)])


def _filled(options: list[str]) -> list[str] | None:
    stripped = [one.strip() for one in options]
    return stripped if all(stripped) else None
