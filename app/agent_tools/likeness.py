"""How alike two names are when one of them is typed with errors. Pure functions of forms of names.

Distance: edits of one letter, where two neighbours exchanged count as one edit (optimal string alignment).
"""

from collections.abc import Iterator

LONGEST_WITH_PATTERNS = 12
"""Letters of a name up to which its one-letter errors are sought by patterns; longer ones share enough trigrams."""
MOST_EDITS = 2
BELOW_EQUAL = 0.95
"""Names that differ are never as alike as equal ones."""


def like_typed(sought: str, form: str, likeness: float) -> float:
    """`likeness` in trigrams, or by edits where that says more; 1 for equal forms, at most BELOW_EQUAL for others."""
    if sought == form:
        return 1.0
    edits = count_edits(sought, form)
    by_edits = 1 - edits / max(len(sought), len(form), 1) if edits <= MOST_EDITS else 0.0
    return min(max(likeness, by_edits), BELOW_EQUAL)


def count_edits(one: str, other: str) -> int:
    """The edits between two texts, or MOST_EDITS + 1 for more than that."""
    if abs(len(one) - len(other)) > MOST_EDITS:
        return MOST_EDITS + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        earlier, before = before, row
        row = [place]
        for column, against in enumerate(other, 1):
            cost = min(before[column] + 1, row[-1] + 1, before[column - 1] + (letter != against))
            if place > 1 and column > 1 and letter == other[column - 2] and one[place - 2] == against:
                cost = min(cost, earlier[column - 2] + 1)
            row.append(cost)
        if min(row) > MOST_EDITS:
            return MOST_EDITS + 1
    return min(row[-1], MOST_EDITS + 1)


def patterns_of_typing_errors(form: str) -> Iterator[str]:
    """Patterns of LIKE that a name meets which was typed as `form` with one error; none for long names."""
    if not 2 <= len(form) <= LONGEST_WITH_PATTERNS:
        return
    letters = [f"\\{sign}" if sign in "\\%_" else sign for sign in form]
    for place in range(len(letters) + 1):
        yield "".join([*letters[:place], "_", *letters[place:]])
    for place in range(len(letters)):
        yield "".join([*letters[:place], "_", *letters[place + 1 :]])
        yield "".join([*letters[:place], *letters[place + 1 :]])
    for place in range(len(letters) - 1):
        yield "".join([*letters[:place], letters[place + 1], letters[place], *letters[place + 2 :]])
