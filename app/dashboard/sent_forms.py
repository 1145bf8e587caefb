"""Forms that pages sent: their fields as texts."""

from urllib.parse import parse_qs

from fastapi import Request

from app.core.errors import NotAllowed, UsageError

MOST_FIELDS = 50


def read_texts(encoded: str) -> dict[str, str]:
    """The fields of a sent form; of one that was sent twice, the last. Raises UsageError for too many."""
    try:
        found = parse_qs(encoded, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise UsageError(f"A form here has at most {MOST_FIELDS} fields.") from None
    return {name: values[-1] for name, values in found.items()}


async def read_body(request: Request) -> dict[str, str]:
    """The fields of the form that a request's body holds. Raises UsageError for too many."""
    return read_texts((await request.body()).decode(errors="replace"))


def refuse_other_pages(request: Request, what: str) -> None:
    """Raise NotAllowed where the form is on a page of another server; `what` says what that may not do.

    `Origin` does not tell: our pages send no referrer.
    """
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise NotAllowed(f"Pages of other servers may not {what}.")
