"""What PostgreSQL says when it is away, or has no room: such an error passes, and the same work may be tried again."""

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError


def will_pass(error: DBAPIError) -> bool:
    """Whether the connection broke, or the server cannot do it just now (it starts, it stops, its disk is full)."""
    return isinstance(error, OperationalError | InterfaceError) or error.connection_invalidated


def first_line(error: Exception) -> str:
    """What PostgreSQL said, without its details, which may carry stored values."""
    return str(getattr(error, "orig", error)).strip().partition("\n")[0]


def describe_refusal(error: DBAPIError) -> str:
    """A sentence about a statement that PostgreSQL refused, or did not finish."""
    reason = first_line(error).rstrip(".")
    if error.connection_invalidated:
        return (
            f"the connection to PostgreSQL broke: {reason}. Give the command again when PostgreSQL is back."
        )
    return f"PostgreSQL refused a statement: {reason}. `trigpoint doctor` says what is wrong."
