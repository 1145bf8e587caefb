"""What a server says of its failure, in whatever form: a sentence, a code, and whether the same call may succeed later.

Servers write failures as `error` (a text, an object, a number), `errors`, `detail`, `message`, within HTTP 200 too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.inference.outcomes import Failure, excerpt

DEEPEST = 4
MOST_FAULTS = 3
HEALING = (408, 425, 429)
LIMITED = (429, 503)
SENTENCES = (
    *(
        "message",
        "msg",
        "detail",
        "details",
        "error",
        "errors",
        "error_message",
        "error_msg",
        "error_description",
    ),
    *("status_msg", "base_resp", "description", "title", "reason", "fault", "type", "code", "status"),
)
"""Where a failure's sentence stands, the most telling first."""
CODES = ("code", "error_code", "status_code", "status", "http_status", "type", "error_type", "errorType")
NESTED = ("error", "errors", "detail", "message", "fault", "base_resp")
_STATUS_OF = {
    400: "bad_request invalid_request invalid_argument failed_precondition invalid_prompt unsupported_parameter"
    " unsupported_value context_length_exceeded content_filter content_policy_violation",
    401: "authentication invalid_api_key unauthorized unauthenticated",
    402: "insufficient_quota insufficient_user_quota insufficient_balance insufficient_credits insufficient_funds"
    " billing billing_hard_limit_reached billing_not_active payment_required credits_exhausted quota_exhausted",
    403: "permission permission_denied forbidden access_denied",
    404: "not_found model_not_found",
    413: "request_too_large",
    422: "validation unprocessable_entity",
    429: "rate_limit rate_limited rate_limit_exceeded too_many_requests resource_exhausted throttling throttled",
    500: "server internal_server internal api",
    502: "bad_gateway upstream provider",
    503: "service_unavailable unavailable overloaded engine_overloaded server_overloaded",
    504: "gateway_timeout timeout deadline_exceeded",
}
_STATUS_OF_WORD = {word: status for status, words in _STATUS_OF.items() for word in words.split()}
_STATUS_OF_SENTENCE = (
    (429, r"rate.?limit|too many requests|throttl|(?:requests|tokens) per (?:minute|second|day)"),
    (503, r"overloaded|at capacity|unavailable|busy|try again later"),
    (504, r"time[ds]?[ -]?out|timeout"),
    (502, r"bad gateway|upstream"),
    (500, r"internal (?:server )?error"),
    (401, r"unauthori[sz]ed|invalid (?:api )?key|incorrect api key|authentication"),
    (404, r"not found|does not exist|no such model|unknown model"),
    (
        400,
        r"context (?:length|window)|maximum context|too long|unsupported|not (?:supported|permitted)|invalid",
    ),
)
"""Read only where a server gives no code."""
_BILLING = re.compile(
    r"\bbilling\b|insufficient[ _](?:quota|credit|balance|funds)|exceeded (?:your|the) [\w ]{0,20}quota"
    r"|(?:credit|account) balance|out of credit|(?:no|not enough|more|add|buy|purchase|requires?)\b[\w ]{0,12}credits"
    r"|payment required|(?:hard|spend|spending|monthly usage) limit|top[ -]?up|quota (?:is |has been |was )?"
    r"(?:exhausted|exceeded|used up)",
    re.IGNORECASE,
)
_PASSES = re.compile(
    r"(?:try|retry)\w*(?: again)? (?:in|after)\b|per[ _-]?(?:min|sec)|rate.?limit (?:reached|exceeded) for|\b[rt]pm\b",
    re.IGNORECASE,
)
"""A refusal that says when to ask again passes, though it names billing as a way to be refused less often."""
_SECRET = re.compile(r"\bBearer\s+[\w.~+/=-]{6,}|\bsk-[\w*.-]{6,}", re.IGNORECASE)
_NO_FAILURE = ("", "0", "200", "ok", "success", "none", "null", "false")
_PAGE_TITLE = re.compile(r"<(?:title|h1)[^>]*>([^<]{1,200})", re.IGNORECASE)


@dataclass(frozen=True)
class Told:
    """A failure in a server's words: its sentence, its code as if it were an HTTP status, and all of its code words."""

    sentence: str
    code: int | None = None
    words: frozenset[str] = frozenset()


def hide_secrets(text: str) -> str:
    """A server's words without what looks like a key."""
    return _SECRET.sub("[key]", text)


def read_told(value: Any) -> Told:
    """What a body, or the part of one that tells of a failure, says."""
    if isinstance(value, str):
        sentence = hide_secrets(excerpt(value))
        return Told(sentence, _code_in(sentence))
    sentence = hide_secrets(excerpt(_sentence(value)))
    given = list(_codes(value))
    numbers = [status for one in given if (status := _status(one)) is not None]
    words = frozenset(_word(one) for one in given if isinstance(one, str))
    code = 402 if 402 in numbers else next(iter(numbers), None)
    return Told(sentence, _code_in(sentence) if code is None else code, words)


def read_page(text: str) -> Told:
    """What a web page, or other text in place of JSON, says: its title, and the code that this names."""
    title = _PAGE_TITLE.search(text)
    if title is None:
        said = hide_secrets(excerpt(text))
        # Half a JSON may be of an answer, whose words tell nothing of a failure.
        return Told(said, None if said[:1] in ("{", "[", "<") else _code_in(said))
    said = hide_secrets(excerpt(title[1]))
    number = re.search(r"\b[45]\d\d\b", said)
    return Told(said, int(number[0]) if number else _code_in(said))


def says_failure(value: Any) -> bool:
    """Whether a field that is there for failures tells of one: servers also send it empty."""
    if isinstance(value, dict):
        return any(map(says_failure, value.values()))
    if isinstance(value, list):
        return any(map(says_failure, value))
    if isinstance(value, str):
        return value.strip().casefold() not in _NO_FAILURE
    return bool(value) and value != 200


def refusal(status: int, told: Told, retry_after: float | None) -> Failure:
    """The failure of an answer whose HTTP status is none of success."""
    exhausted = is_exhausted(status, told, retry_after)
    said = f": “{told.sentence}”" if told.sentence else ""
    what = ", its quota is exhausted" if exhausted else ""
    return Failure(
        f"the endpoint answered HTTP {status}{what}{said}",
        heals=not exhausted and heals(status),
        http_status=status,
        retry_after=None if exhausted else retry_after,
        limited=not exhausted and status in LIMITED,
        exhausted=exhausted,
    )


def failure_within(
    what: str, told: Told, http_status: int, retry_after: float | None = None, usage: Any = None
) -> Failure:
    """The failure that a successful HTTP answer holds: treated by its code as if that were the status.

    Without a code it is taken to heal: a call more costs little, an answer that is lost is lost.
    """
    exhausted = is_exhausted(told.code, told, retry_after)
    code = f" (code {told.code})" if told.code else ""
    said = f": “{told.sentence}”" if told.sentence else ""
    return Failure(
        f"the endpoint answered HTTP {http_status}, but {what}{code}"
        + (", its quota is exhausted" if exhausted else "")
        + said,
        heals=not exhausted and (told.code is None or heals(told.code)),
        http_status=http_status,
        retry_after=None if exhausted else retry_after,
        limited=not exhausted and told.code in LIMITED,
        exhausted=exhausted,
        usage=usage if isinstance(usage, dict) else None,
    )


def heals(status: int) -> bool:
    """Whether a call that was refused so may succeed later."""
    return status in HEALING or status >= 500


def is_exhausted(status: int | None, told: Told, retry_after: float | None) -> bool:
    """Whether a refusal says that what was paid for is used up; no waiting helps."""
    if status == 402 or any(_STATUS_OF_WORD.get(word) == 402 for word in told.words):
        return True
    if status not in (None, 400, 403, 429) or retry_after is not None or "rate_limit_exceeded" in told.words:
        return False
    return bool(_BILLING.search(told.sentence)) and not _PASSES.search(told.sentence)


def _sentence(value: Any, depth: int = 0) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return "" if isinstance(value, bool) else f"{value}"
    if depth >= DEEPEST:
        return ""
    if isinstance(value, list):
        return "; ".join(filter(None, (_sentence(one, depth + 1) for one in value[:MOST_FAULTS])))
    if not isinstance(value, dict):
        return ""
    said = next(filter(None, (_sentence(value.get(name), depth + 1) for name in SENTENCES)), "")
    place = value.get("loc")
    if isinstance(place, list):
        return ".".join(map(str, place)) + f": {said}"
    metadata = value.get("metadata")
    further = metadata.get("raw") if isinstance(metadata, dict) else None
    return f"{said}: {further}" if isinstance(further, str) and further else said


def _codes(value: Any, depth: int = 0) -> Iterator[Any]:
    """The codes in a failure: those of the innermost objects first, since they are what went wrong."""
    if isinstance(value, int):
        yield value
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, dict) or depth >= DEEPEST:
        return
    for name in NESTED:
        if isinstance(value.get(name), dict | list):
            yield from _codes(value[name], depth + 1)
    for name in CODES:
        if isinstance(value.get(name), str | int | float):
            yield value[name]


def _status(code: Any) -> int | None:
    """A code as an HTTP status."""
    if isinstance(code, str) and not re.fullmatch(r"\s*[0-9]{3}\s*", code):
        return _STATUS_OF_WORD.get(_word(code))
    number = float(code) if isinstance(code, str) or abs(code) < 1000 else 0.0
    return int(number) if number.is_integer() and 400 <= number <= 599 else None


def _word(code: str) -> str:
    """A code word as the table has it: `BadRequestError` and `bad-request` are bad_request."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", code[:80]).casefold()
    return re.sub(r"[ .-]+", "_", apart).removesuffix("_error").removesuffix("_exception")


def _code_in(sentence: str) -> int | None:
    """The code that a sentence without one tells of."""
    number = re.match(
        r"(?:HTTP[/ ]?|error(?: code)?:? |status(?: code)?:? )?([45]\d\d)\b", sentence, re.IGNORECASE
    )
    if number:
        return int(number[1])
    found = (status for status, words in _STATUS_OF_SENTENCE if re.search(words, sentence, re.IGNORECASE))
    return next(found, None)
