"""Model-written SQL before it runs: one SELECT, over the reference views, of functions and words that are allowed.

Pure. The first of two walls; the second (the role `reader` in its sandbox, sql_running.py) holds alone. Nesting is
measured on tokens, before anything that recurses sees the text.
"""

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlglot import Token, TokenType, exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.errors import SqlglotError

from app.map_tools.sql_sizes import find_excess
from app.map_tools.sql_words import CATALOGUE, FUNCTIONS, WORDS

LONGEST = 10_000
MOST_TOKENS = 3_000
DEEPEST = 20
DEEPEST_ARRAY = 4
"""sqlglot's time grows by a constant factor with every array inside an array."""
LONGEST_CHAIN = 20
BEGINNINGS = {TokenType.SELECT, TokenType.WITH, TokenType.VALUES, TokenType.L_PAREN}
_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.END}
_PREFIXES = {TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE, TokenType.INTERVAL}
_TEXTS = {
    TokenType.STRING,
    TokenType.BYTE_STRING,
    TokenType.HEREDOC_STRING,
    TokenType.NATIONAL_STRING,
    TokenType.NUMBER,
}
_SAYS_WHO = {"current_user", "session_user", "user", "current_role", "current_catalog", "current_schema"}
_FORBIDDEN = (
    exp.DML,
    exp.DDL,
    exp.Command,
    exp.Copy,
    exp.Set,
    exp.Into,
    exp.Lock,
    exp.Drop,
    exp.Alter,
    exp.Placeholder,
    exp.Parameter,
    exp.SessionParameter,
)
_DIALECT = Postgres()


@dataclass(frozen=True)
class Refusal:
    """Why a statement does not run. `kind` as errors of SQL: function, relation, syntax, resource, other."""

    kind: str
    message: str


def check_sql(sql: str, relations: Collection[str]) -> Refusal | None:
    """Why `sql` may not run over the views named `relations`, or None where it may. Never raises for what it reads."""
    if "\0" in sql or len(sql) > LONGEST:
        return Refusal("other", f"the statement holds a NUL or more than {LONGEST} characters")
    try:
        tokens = _DIALECT.tokenize(sql)
        refusal = _measure(tokens)
        if refusal is not None:
            return refusal
        trees = [tree for tree in _DIALECT.parse(sql) if tree is not None]
    except SqlglotError as error:
        return Refusal("syntax", f"not a statement that can be read: {_first_line(error)}")
    except RecursionError:
        return Refusal("other", "the statement is nested too deeply")
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        return Refusal("other", "exactly one SELECT is allowed")
    return next(_faults(trees[0], tokens, {name.lower() for name in relations}), None)


def without_semicolon(sql: str) -> str:
    """`sql` without a semicolon at its end and what comments say after it; as it is where it cannot be read."""
    with contextlib.suppress(SqlglotError):
        tokens = _DIALECT.tokenize(sql)
        if tokens and tokens[-1].token_type is TokenType.SEMICOLON:
            return sql[: tokens[-1].start]
    return sql


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]


def _measure(tokens: Sequence[Token]) -> Refusal | None:
    """Refuses what is empty, is no SELECT, or too long or deep to be parsed."""
    if not tokens:
        return Refusal("syntax", "there is no statement")
    if tokens[0].token_type not in BEGINNINGS:
        return Refusal("other", f"a statement begins with SELECT or WITH, not with {tokens[0].text[:40]!r}")
    if len(tokens) > MOST_TOKENS:
        return Refusal("other", f"the statement has more than {MOST_TOKENS} words and signs")
    depth = arrays = chain = 0
    for token in tokens:
        kind = token.token_type
        depth += (kind in _OPENING) - (kind in _CLOSING)
        arrays += (kind is TokenType.L_BRACKET) - (kind is TokenType.R_BRACKET)
        chain = chain + 1 if kind in _PREFIXES else 0
        if depth > DEEPEST or arrays > DEEPEST_ARRAY or chain > LONGEST_CHAIN:
            return Refusal("other", "the statement is nested too deeply")
    return None


def _faults(tree: exp.Query, tokens: Sequence[Token], relations: set[str]) -> Iterator[Refusal]:
    for node in tree.walk():
        if isinstance(node, _FORBIDDEN):
            what = type(node).__name__.lower()
            yield Refusal("other", f"only a plain SELECT is allowed; this one holds: {what}")
        elif isinstance(node, exp.With) and node.args.get("recursive"):
            yield Refusal("other", "WITH RECURSIVE is not allowed")
    yield from _faulty_functions(tree, tokens)
    for words in find_excess(tree):
        yield Refusal("resource", words)
    made = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        yield from _faulty_relation(table, relations | made)


def _faulty_functions(tree: exp.Query, tokens: Sequence[Token]) -> Iterator[Refusal]:
    """Words before a bracket that are no function of ours, nor a name given to a table together with its columns."""
    called: Counter[str] = Counter()
    before: Token | None = None
    for word, bracket in pairwise(tokens):
        if bracket.token_type is TokenType.L_PAREN and word.token_type not in _TEXTS and _is_word(word):
            name = word.text.lower()
            if before is not None and before.token_type is TokenType.DOT:
                yield Refusal("function", f"functions are called without a schema: {name[:63]}")
            elif not _is_allowed(word):
                called[name] += 1
        before = word
    named = Counter(alias.name.lower() for alias in tree.find_all(exp.TableAlias) if alias.columns)
    for name in called:
        if called[name] > named[name]:
            yield Refusal("function", f"function {name[:63]} is not among those that are allowed")
    for token in tokens:
        if token.token_type not in _TEXTS | {TokenType.IDENTIFIER} and token.text.lower() in _SAYS_WHO:
            yield Refusal("function", f"{token.text.lower()} is not allowed")


def _is_word(token: Token) -> bool:
    return token.token_type is TokenType.IDENTIFIER or token.text[:1].isalpha() or token.text[:1] == "_"


def _is_allowed(token: Token) -> bool:
    name = token.text.lower()
    if token.token_type is TokenType.IDENTIFIER:
        return token.text in FUNCTIONS
    return name in FUNCTIONS or name in WORDS


def _faulty_relation(table: exp.Table, relations: set[str]) -> Iterator[Refusal]:
    if isinstance(table.this, exp.Func):
        return  # a function among the tables: checked as a function
    name = table.name.lower()
    if not isinstance(table.this, exp.Identifier) or table.catalog:
        yield Refusal("relation", f"relation {table.sql()[:63]} is not among those that are allowed")
    elif table.db:
        schema = table.db.lower()
        if schema != "information_schema" and not (schema == "pg_catalog" and name in CATALOGUE):
            yield Refusal(
                "relation", f"relation {schema[:63]}.{name[:63]} is not among those that are allowed"
            )
    elif name not in relations | CATALOGUE | {"spatial_ref_sys"}:
        yield Refusal("relation", f"relation {name[:63]} does not exist")
