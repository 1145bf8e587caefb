"""The tool calculator: arithmetic on numbers, and nothing else. Limits keep every calculation short."""

import ast
import math
import operator
from collections.abc import Callable, Mapping

from pydantic import Field

from app.agent_tools.errors import ToolError
from app.agent_tools.registry import Arguments, Result, tool
from app.agent_tools.scope import Scope

LONGEST = 300
DEEPEST = 30
LARGEST = 1e30
"""What no number on the way may exceed."""
LARGEST_POWER = 64

Number = int | float
BINARY: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
UNARY: Mapping[type[ast.unaryop], Callable[[Number], Number]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
FUNCTIONS: Mapping[str, tuple[int, int, Callable[..., Number]]] = {
    "abs": (1, 1, abs),
    "ceil": (1, 1, math.ceil),
    "cos": (1, 1, lambda degrees: math.cos(math.radians(degrees))),
    "floor": (1, 1, math.floor),
    "max": (1, 50, lambda *values: max(values)),
    "min": (1, 50, lambda *values: min(values)),
    "round": (1, 2, lambda value, places=0: round(value, int(places))),
    "sin": (1, 1, lambda degrees: math.sin(math.radians(degrees))),
    "sqrt": (1, 1, lambda value: _take_root(value)),
    "sum": (1, 50, lambda *values: sum(values)),
    "tan": (1, 1, lambda degrees: math.tan(math.radians(degrees))),
}
"""By name: the fewest and the most arguments, and the function. Angles are in degrees."""
CONSTANTS = {"pi": math.pi, "e": math.e}


class CalculatorArguments(Arguments):
    """What to calculate."""

    expression: str = Field(
        min_length=1,
        max_length=LONGEST,
        description="numbers, + - * / // % **, brackets, "
        + ", ".join(FUNCTIONS)
        + ", pi, e; angles in degrees: '2 * (3.5 + 4)'",
    )


class CalculatorResult(Result):
    """The value of an expression."""

    expression: str
    value: Number

    def sentence(self) -> str:
        """The answer in words."""
        return f"{self.expression} = {self.value}"


@tool(CalculatorArguments, CalculatorResult)
def calculator(scope: Scope, wanted: CalculatorArguments) -> CalculatorResult:
    """Calculate the value of an arithmetic expression."""
    return CalculatorResult(expression=wanted.expression, value=calculate(wanted.expression))


def calculate(expression: str) -> Number:
    """The value of an expression. Raises ToolError where it is none, or too large."""
    if "#" in expression:
        raise ToolError("A calculation has no comments: leave out '#' and what follows it.")
    try:
        tree = ast.parse(expression, mode="eval")
        return _value(tree.body, 0)
    except ToolError:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError):
        raise ToolError(
            f"{expression[:60]!r} cannot be calculated: it is no arithmetic expression."
        ) from None
    except ZeroDivisionError:
        raise ToolError(f"{expression[:60]!r} cannot be calculated: it divides by zero.") from None
    except OverflowError:
        raise ToolError(f"{expression[:60]!r} cannot be calculated: a number is too large.") from None


def _value(node: ast.expr, depth: int) -> Number:
    if depth > DEEPEST:
        raise ToolError(f"The expression is nested more than {DEEPEST} deep.")
    value = _compute(node, depth + 1)
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise OverflowError
    return value


def _compute(node: ast.expr, depth: int) -> Number:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value]
    if isinstance(node, ast.Name) and node.id in CONSTANTS:
        return CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
        return UNARY[type(node.op)](_value(node.operand, depth))
    if isinstance(node, ast.BinOp):
        return _combine(node, _value(node.left, depth), _value(node.right, depth))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _apply(node.func.id, [_value(one, depth) for one in node.args])
    raise ToolError(
        "A calculation may have numbers, + - * / // % **, brackets, pi, e, and the functions "
        f"{', '.join(FUNCTIONS)}."
    )


def _combine(node: ast.BinOp, left: Number, right: Number) -> Number:
    if isinstance(node.op, ast.Pow):
        if abs(right) > LARGEST_POWER:
            raise OverflowError
        power = left**right
        if isinstance(power, complex):
            raise ToolError("A power of a negative number must be a whole number.")
        return power
    if isinstance(node.op, ast.BitXor):
        raise ToolError("A power is written with **, not with ^: 2**3.")
    if type(node.op) not in BINARY:
        raise ToolError("The operators are + - * / // % **.")
    return BINARY[type(node.op)](left, right)


def _take_root(value: Number) -> Number:
    if value < 0:
        raise ToolError("sqrt takes no negative number: it has no square root.")
    return math.sqrt(value)


def _apply(name: str, values: list[Number]) -> Number:
    if name not in FUNCTIONS:
        raise ToolError(f"There is no function {name[:40]!r}. The functions are: {', '.join(FUNCTIONS)}.")
    fewest, most, function = FUNCTIONS[name]
    if not fewest <= len(values) <= most:
        count = "1 number" if most == 1 else f"{fewest} to {most} numbers"
        raise ToolError(f"{name} takes {count}, and here it has {len(values)}.")
    return function(*values)
