"""Formulas of numbers that a text shows, and whether the numbers that it says they give are their results.

A formula needs no known quantity: it is recomputed from its printed digits, with what their rounding leaves open. The
result stands behind a sign of equality, or it is the number of the same sentence or row that has the value. If no
number there has it, the one that stands where the result belongs is wrong.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps import expressions
from app.benchmarks.urban_reasoning.steps.expressions import Node, NoValue, Value
from app.benchmarks.urban_reasoning.steps.graphs import agrees
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number, factors_between
from app.benchmarks.urban_reasoning.steps.tokens import FUNCTION, LINE, NUMBER, SIGN, WORD, Token

FARTHEST = 14
"""Tokens between a formula and a number that the text calls its result without a sign of equality."""
MOST_TOKENS = 90
"""Tokens of a formula."""
VAGUE = 0.5
"""Share of its value that the rounding of a formula's numbers leaves open at most."""
COUNT = 30
"""Whole numbers up to it, without a unit, may count or name something."""
OPERATORS = "*/^+"
WHOLE = (45.0, 60.0, 90.0, 180.0, 270.0, 360.0, 450.0, 540.0, 720.0, 1000.0, 3600.0)


class Formula(NamedTuple):
    """A formula of numbers from one token to another, and what it may give."""

    start: int
    end: int
    node: Node
    values: Sequence[Value]
    is_loose: bool = False
    """Whether it may be a word and a number: the name of a function without brackets."""


class Finding(NamedTuple):
    """A number that a formula is said to give: its token, whether it is the result, and what the formula gives."""

    at: int
    holds: bool
    expected: float
    formula: Formula


def findings_in(
    text: str, tokens: Sequence[Token], numbers: Sequence[Number], is_exact: Callable[[float], bool]
) -> list[Finding]:
    """What the formulas of a text show of its numbers, one finding a number; a result that holds counts first."""
    by_token = {one.at: one for one in numbers}
    found: dict[int, Finding] = {}
    for start, end in _clauses(text, tokens):
        formulas = list(_formulas(tokens, start, end, is_exact))
        if not formulas:
            continue
        for finding in _paired(tokens, (start, end), formulas, by_token):
            other = found.get(finding.at)
            if other and other.holds != finding.holds and other.formula != finding.formula:
                found.update(_wrong_operand(other, finding, by_token))
            if finding.at not in found or finding.holds:
                found[finding.at] = finding
    return sorted(found.values(), key=lambda one: one.at)


def _wrong_operand(first: Finding, second: Finding, numbers: dict[int, Number]) -> dict[int, Finding]:
    """The number that one formula has and the formula before it has not, where only one of them gives the result."""
    told = {abs(token.value) for token in first.formula.node.numbers()}
    inside = [at for at in range(second.formula.start, second.formula.end) if at in numbers]
    new = [at for at in inside if abs(numbers[at].value) not in told]
    return {new[0]: Finding(new[0], False, 0.0, second.formula)} if len(new) == 1 else {}


def _clauses(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Sentences and lines, as ranges of tokens."""
    start = 0
    for at, token in enumerate(tokens):
        if token.kind == LINE or (token.text in ".?!;" and token.kind == SIGN and _ends(text, token)):
            if at > start:
                yield start, at
            start = at + 1
    if start < len(tokens):
        yield start, len(tokens)


def _ends(text: str, token: Token) -> bool:
    if token.text == ";":
        return True
    if text[token.start - 1 : token.start] == "." or text[token.end : token.end + 1] == ".":
        return False
    behind = text[token.end : token.end + 3]
    return not behind.strip() or (behind[0].isspace() and behind.strip()[0].isupper())


def _formulas(
    tokens: Sequence[Token], start: int, end: int, is_exact: Callable[[float], bool]
) -> Iterator[Formula]:
    """The longest formulas of numbers between two tokens, without symbols."""
    in_row = _is_in_row(tokens, start)
    told = {token.value for token in tokens[start:end] if token.kind == NUMBER}
    is_sexagesimal = bool(told & {60.0, 3600.0})
    part = _called([_without_meaning(token, in_row) for token in tokens[start:end]])
    if not is_sexagesimal:
        part = [_as_operand(token) for token in part]
    at = 0
    while at < len(part):
        if not _may_begin(part, at):
            at += 1
            continue
        parsed = expressions.parse(part[at : at + MOST_TOKENS], 0, lambda text: text == "pi")
        if not parsed:
            at += 1
            continue
        node, length = parsed
        if _is_formula(node) and not _goes_on(part, at + length):
            values = [one for one in _values(node, is_exact) if one.error <= VAGUE * abs(one.value)]
            if _is_size(part, at, at + length) or _is_negative_power(node):
                values += [one._replace(value=-one.value) for one in values]
            if values:
                is_loose = (
                    part[at].kind == FUNCTION and part[at].text != "sqrt" and part[at + 1].kind == NUMBER
                )
                yield Formula(start + at, start + at + length, node, values, is_loose)
        at += max(1, length)


def _is_formula(node: Node) -> bool:
    """Whether there is something to compute; two coordinates with a stroke between them are no quotient."""
    if node.is_bare() or not node.numbers():
        return False
    if node.kind == "group":
        return _is_formula(node.parts[0])
    return not (node.kind == "quotient" and all("'" in token.text for token in node.numbers()))


def _is_size(part: Sequence[Token], start: int, end: int) -> bool:
    """Whether a formula stands between bars that are lines of a table, too."""
    if start == 0 or end >= len(part) or {part[start - 1].text, part[end].text} != {"|"}:
        return False
    return part[start - 1].end == part[start].start and part[end].start == part[end - 1].end


def _is_negative_power(node: Node) -> bool:
    """Whether a number with a minus is raised to a power without brackets."""
    return node.kind == "minus" and node.parts[0].kind == "power"


def _is_in_row(tokens: Sequence[Token], at: int) -> bool:
    """Whether the line of a token is a row of a table."""
    end = at
    while at > 0 and tokens[at - 1].kind != LINE:
        at -= 1
    while end + 1 < len(tokens) and tokens[end + 1].kind != LINE:
        end += 1
    return tokens[at].text == "|" and tokens[end].text == "|"


def _as_operand(token: Token) -> Token:
    """Whole numbers may have been rounded, unless they are small or have a meaning in formulas."""
    if token.kind != NUMBER or token.value != int(token.value) or token.half < 0.5:
        return token
    exact = token.value <= COUNT or token.value in WHOLE
    return token if exact else token._replace(half=0.4999)


def _without_meaning(token: Token, in_row: bool) -> Token:
    """Words, and the lines between the cells of a table, are no part of a formula."""
    is_word = token.kind == WORD and token.text != "pi"
    return token._replace(kind=LINE) if is_word or (in_row and token.text == "|") else token


def _called(part: Sequence[Token]) -> list[Token]:
    """Names of units and sizes are functions before brackets alone."""
    return [
        token._replace(kind=LINE)
        if token.kind == FUNCTION
        and token.text in ("radians", "degrees", "abs")
        and not (place + 1 < len(part) and part[place + 1].text == "(")
        else token
        for place, token in enumerate(part)
    ]


def _may_begin(part: Sequence[Token], at: int) -> bool:
    token = part[at]
    if token.kind not in (NUMBER, FUNCTION, WORD) and not (token.kind == SIGN and token.text in "(-[{|"):
        return False
    if at == 0:
        return True
    before = part[at - 1]
    if before.kind == FUNCTION or (before.kind == SIGN and before.text in (*OPERATORS, "-", "_")):
        return False
    follows = part[at + 1] if at + 1 < len(part) else None
    if (
        token.kind == NUMBER
        and token.digits == 1
        and follows
        and follows.kind == FUNCTION
        and _is_word(before)
    ):
        return False
    if token.text == "-" and at + 1 < len(part):
        is_binary = part[at + 1].start > token.end or before.end == token.start
        if is_binary and (before.kind in (NUMBER, WORD, LINE) or before.text in ")]}°"):
            return before.text in ("|", "\n")
    touches = before.end == token.start
    return not (touches and (before.kind in (WORD, NUMBER) or before.text in ")]}" or _is_word(before)))


def _is_word(token: Token) -> bool:
    return token.kind == LINE and token.text[:1].isalnum()


def _goes_on(part: Sequence[Token], at: int) -> bool:
    """Whether a formula goes on with what is no number."""
    if at >= len(part):
        return False
    token, before = part[at], part[at - 1]
    if token.kind == SIGN and token.text in OPERATORS:
        return True
    if token.text == "-" and at + 1 < len(part):
        return part[at + 1].kind == FUNCTION or (_is_word(part[at + 1]) and len(part[at + 1].text) < 4)
    return token.kind == FUNCTION and token.start - before.end <= 1


def _values(node: Node, is_exact: Callable[[float], bool]) -> Iterator[Value]:
    for turned in (False, True):
        try:
            yield expressions.evaluate(node, lambda _: None, is_exact, turned)
        except (NoValue, RecursionError, OverflowError, ValueError, ZeroDivisionError):
            continue


def _paired(
    tokens: Sequence[Token], clause: tuple[int, int], formulas: Sequence[Formula], numbers: dict[int, Number]
) -> Iterator[Finding]:
    inside = {at for one in formulas for at in range(one.start, one.end)}
    single = [at for at in range(*clause) if at in numbers and at not in inside]
    taken: set[int] = set()
    open_formulas: list[Formula] = []
    for formula in formulas:
        direct = _behind_equality(tokens, formula.end, formulas, numbers)
        if direct is not None:
            taken.add(direct)
            yield _finding(direct, numbers[direct], formula)
            continue
        open_formulas.append(formula)
    for formula in open_formulas:
        fitting = [
            at
            for at in single
            if is_result(numbers[at], formula) and not (_counts(numbers[at]) and at < formula.start)
        ]
        if fitting:
            at = min(fitting, key=lambda one: (one < formula.start, abs(one - formula.end)))
            taken.add(at)
            yield Finding(at, True, formula.values[0].value, formula)
            continue
        if formula.is_loose or all(token.half >= 0.5 or not token.half for token in formula.node.numbers()):
            continue
        place = _place_of_result(tokens, clause, formula, formulas, [at for at in single if at not in taken])
        if place is not None and not _counts(numbers[place]):
            taken.add(place)
            yield _finding(place, numbers[place], formula)


def _can_be_turned(node: Node) -> bool:
    """Whether a formula is a difference, which may be told as the angle between two directions."""
    if node.kind == "group" or (
        node.kind == "call" and node.token and node.token.text in ("abs", "as degrees")
    ):
        return _can_be_turned(node.parts[0])
    return node.kind == "difference"


def _counts(number: Number) -> bool:
    return number.half >= 0.5 and not number.unit and abs(number.value) <= COUNT


def _finding(at: int, number: Number, formula: Formula) -> Finding:
    return Finding(at, is_result(number, formula), _nearest(number, formula), formula)


def _nearest(number: Number, formula: Formula) -> float:
    return min((one.value for one in formula.values), key=lambda value: abs(value - number.value))


def _behind_equality(
    tokens: Sequence[Token], at: int, formulas: Sequence[Formula], numbers: dict[int, Number]
) -> int | None:
    """The number behind the sign of equality that follows a formula, or follows the formulas equal to it."""
    while at < len(tokens) and tokens[at].kind == SIGN and tokens[at].text in "=":
        at += 1
        while at < len(tokens) and tokens[at].kind == SIGN and tokens[at].text in "=+-":
            at += 1
        following = next((one for one in formulas if one.start in (at, at - 1) and one.end > at), None)
        if following is None:
            return at if at in numbers else None
        at = following.end
    return None


def _place_of_result(
    tokens: Sequence[Token],
    clause: tuple[int, int],
    formula: Formula,
    formulas: Sequence[Formula],
    single: Sequence[int],
) -> int | None:
    """The number that stands where the result of a formula belongs: behind it, or before its brackets."""
    before = max((one.end for one in formulas if one.end <= formula.start), default=clause[0])
    behind = min((one.start for one in formulas if one.start >= formula.end), default=clause[1])
    earlier = [at for at in single if before <= at < formula.start]
    later = [at for at in single if formula.end <= at < behind]
    near = [one.text for one in tokens[max(0, formula.start - 2) : formula.start]]
    opens = near[-1:] in (["("], [","]) or near[:1] in (["("], [","])
    closes = formula.end < len(tokens) and tokens[formula.end].text == ")"
    is_group = tokens[formula.start].text == "(" and tokens[formula.end - 1].text == ")"
    is_behind = bool(earlier) and earlier[-1] == formula.start - 1
    if ((opens and closes) or (is_group and (is_behind or not later))) and earlier:
        return earlier[-1] if formula.start - earlier[-1] <= FARTHEST else None
    if later and later[0] - formula.end <= FARTHEST:
        return later[0]
    return None


def is_result(number: Number, formula: Formula) -> bool:
    """Whether a number has a value of a formula, perhaps in another unit, turned by 360 degrees, or as an angle."""
    if number.value < 0 and not number.signed:
        number = number._replace(value=-number.value)
    for value in formula.values:
        for factor in (
            factors_between(value.unit, number.unit) if value.unit or number.unit == "m" else (1.0,)
        ):
            result = value.value * factor
            slack = number.half + 1.05 * value.error * abs(factor)
            if agrees(number.value, slack, result):
                return True
            if slack < 0.5 and _is_angle(number, value) and _agrees_turned(number.value, slack, result):
                return True
            is_turn = slack < 5 and 180 < abs(result) < 360 and _can_be_turned(formula.node)
            if is_turn and agrees(abs(number.value), slack, 360 - abs(result)):
                return True
    return False


def _is_angle(number: Number, value: Value) -> bool:
    if {value.unit, number.unit} & {"m", "km", "%"}:
        return False
    return bool({value.unit, number.unit} & {"deg", "rad"}) or (
        90 <= max(abs(value.value), abs(number.value)) <= 720
    )


def _agrees_turned(stated: float, slack: float, result: float) -> bool:
    turns = (360.0, 2 * math.pi) if abs(stated) < 7 else (360.0,)
    return any(agrees(stated, slack, result, turn) for turn in turns)
