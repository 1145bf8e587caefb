"""The statement that pages begin with."""


def give_up_after(milliseconds: int) -> str:
    """For the rest of the transaction, a statement that takes longer ends in an error."""
    return f"set local statement_timeout = {milliseconds:d}"
