"""What a busy server asks of us: how long to wait before the next request."""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds_to_wait(retry_after: str | None) -> float | None:
    """Seconds from now that a Retry-After header asks for, a number or a date (RFC 9110, 10.2.3); None for neither."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return float(max(0, math.ceil((then - datetime.now(UTC)).total_seconds())))
