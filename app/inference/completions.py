"""What an HTTP answer of a chat endpoint means: a completion, or a failure with its reason. Pure.

A failure may come with HTTP 200: as `error`, as a choice that broke off, as no choice, as a web page, as half a JSON.
All of that is the endpoint's failure, never the model's silence. A stored answer reads the same again.
"""

import json
import math
import re
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit, urlunsplit

from app.core.strict_json import storable
from app.inference.outcomes import Failure, Reply, excerpt
from app.inference.refusals import Told, failure_within, read_page, read_told, refusal, says_failure
from app.inference.tool_requests import read_tool_requests

LONGEST_PAUSE = 300.0
BROKEN = re.compile(
    r"error|fail|abort|cancell?ed|time[d_ -]*out|malformed|crash|insufficient_system_resource", re.IGNORECASE
)
"""Reasons for which an endpoint ends an answer that is not at its end; whatever text there is was broken off."""
ENDS = frozenset(
    "stop stopped length eos eos_token end end_turn end_of_text stop_sequence stop_token max_tokens max_output_tokens"
    " max_length complete completed done finished normal content_filter content_filtered safety recitation refusal"
    " prohibited_content blocklist spii language tool_calls tool_use tool_call function_call model_length".split()
)
"""Reasons for which an answer without text may be the model's own silence."""
FAILURES = ("error", "errors", "error_code", "error_msg", "error_message", "fault")
"""Fields of an answer that are there for failures."""
FAILED = ("error", "failed", "failure")
PARTIAL_CONTENT = 206
TEXT_PARTS = ("text", "output_text")
THOUGHT_PARTS = ("thinking", "reasoning", "thought", "redacted_thinking")
SILENT_PARTS = ("refusal", "reference", "tool_use", "tool_call")
"""Parts of an answer that are none of its text."""


class Fetched(NamedTuple):
    """An HTTP answer, read whole. `location` is where a redirect leads."""

    status: int
    content_type: str
    text: str
    retry_after: float | None = None
    location: str | None = None

    @property
    def is_success(self) -> bool:
        """Whether its status is one of success."""
        return 200 <= self.status < 300


def read_answer(fetched: Fetched) -> Reply | Failure:
    """What the answer to a chat call means."""
    raw = read_json(fetched)
    return raw if isinstance(raw, Failure) else _read_chat(raw, fetched)


def read_completion(raw: Any) -> Reply | None:
    """The completion in a parsed answer, as it was sent or is stored; None where it is none."""
    outcome = _read_chat(raw, Fetched(200, "", ""))
    return outcome if isinstance(outcome, Reply) else None


def read_json(fetched: Fetched) -> Any | Failure:
    """The JSON of an HTTP answer, or a failure with its reason."""
    status, content_type, text, retry_after, location = fetched
    is_page = looks_like_html(content_type, text)
    if 300 <= status < 400:
        return _redirect(status, location)
    if not fetched.is_success:
        return refusal(status, _told(text, is_page=is_page), retry_after)
    if is_page:
        return failure_within("with a web page, not JSON", read_page(text), status, retry_after)
    try:
        return parse_json(_without_comments(text))
    except ValueError:
        if re.match(r"\s*(?:data|event):", text):
            return _unasked_stream(status)
        return failure_within("what it says is not JSON", read_page(text), status, retry_after)


def find_failure(raw: Any, wanted: str, fetched: Fetched, *, may_be_empty: bool = False) -> Failure | None:
    """The failure in the JSON of a successful answer that should hold a list called `wanted`."""
    is_listed = isinstance(raw, list) and bool(raw) and isinstance(raw[0], dict) and "error" in raw[0]
    if is_listed:
        raw = raw[0]  # as Gemini writes errors
    status, _, _, retry_after, _ = fetched
    if not isinstance(raw, dict):
        return failure_within(f"without {wanted}", Told(excerpt(str(raw))), status)
    usage = raw.get("usage")
    failing = next((name for name in FAILURES if says_failure(raw.get(name))), None)
    if failing is not None:
        return failure_within("with an error", _told_by(raw, failing), status, retry_after, usage)
    if _says_that_it_failed(raw):
        return failure_within("with the word that it failed", read_told(raw), status, retry_after, usage)
    if status == PARTIAL_CONTENT:
        return failure_within("with a part of an answer", Told(""), status, retry_after, usage)
    if not is_listed and isinstance(raw.get(wanted), list) and (raw[wanted] or may_be_empty):
        return None
    return failure_within(f"without {wanted}", read_told(raw), status, retry_after, usage)


def _says_that_it_failed(raw: dict[str, Any]) -> bool:
    """Whether an answer calls itself a failure, other than in a field for errors."""
    resp = raw.get("base_resp")
    code = raw.get("code")
    return (
        _is_word(raw.get("object"), FAILED)
        or _is_word(raw.get("status"), FAILED)
        or raw.get("success") is False
        or (isinstance(resp, dict) and says_failure(resp.get("status_code")))
        or (isinstance(code, int) and not isinstance(code, bool) and 400 <= code <= 599)
    )


def _is_word(value: Any, words: tuple[str, ...]) -> bool:
    return isinstance(value, str) and value.strip().casefold() in words


def _read_chat(raw: Any, fetched: Fetched) -> Reply | Failure:
    failure = find_failure(raw, "choices", fetched)
    if failure is not None:
        return failure
    choice, usage = raw["choices"][0], raw.get("usage")
    usage = usage if isinstance(usage, dict) else None
    if not isinstance(choice, dict):
        return failure_within("without a choice that can be read", Told(""), fetched.status, usage=usage)
    finish = _finish_reason(choice)
    message = choice.get("message")
    native = choice.get("native_finish_reason")
    broken = next((one for one in (finish, native) if isinstance(one, str) and BROKEN.search(one)), None)
    failing = next(
        (one for one in (choice, message) if isinstance(one, dict) and says_failure(one.get("error"))), None
    )
    if broken is not None or failing is not None:
        told = Told("") if failing is None else _told_by(failing, "error")
        what = (
            "with an error in its choice"
            if broken is None
            else f"broke its answer off (finish_reason {excerpt(broken)})"
        )
        return failure_within(what, told, fetched.status, fetched.retry_after, usage)
    if not isinstance(message, dict):
        if isinstance(choice.get("delta"), dict):
            return _unasked_stream(fetched.status)
        return failure_within("without a message in its choice", Told(""), fetched.status, usage=usage)
    return _read_message(message, finish, usage, raw, fetched)


def _read_message(
    message: dict[str, Any], finish: str | None, usage: dict[str, Any] | None, raw: Any, fetched: Fetched
) -> Reply | Failure:
    content, thoughts = message.get("content"), _thoughts_beside(message)
    if isinstance(content, list | dict):
        parts = content if isinstance(content, list) else [content]
        failing = next((part for part in parts if isinstance(part, dict) and _is_failure(part)), None)
        if failing is not None:
            what = "with an error in its answer"
            return failure_within(what, read_told(failing), fetched.status, usage=usage)
        said, thought = _read_parts(parts)
        if parts and said is None and not all(map(_is_silent, parts)):
            what = "with content of parts, none of which is text"
            return failure_within(what, Told(""), fetched.status, usage=usage)
        content, thoughts = said, "\n".join(filter(None, (thoughts, thought))) or None
    if content is not None and not isinstance(content, str):
        what = "with content that is not a text"
        return failure_within(what, Told(excerpt(str(content))), fetched.status, usage=usage)
    requests, fault = read_tool_requests(message)
    is_given = bool(content) or thoughts or message.get("refusal") or requests
    if not is_given and (finish or "").strip().casefold() not in ENDS:
        known = f"a known reason for its end ({excerpt(finish)})" if finish else "a reason for its end"
        return failure_within(f"with neither an answer nor {known}", Told(""), fetched.status, usage=usage)
    if not is_given and (says_failure(raw.get("detail")) or fetched.status != HTTPStatus.OK):
        return failure_within("without an answer", read_told(raw), fetched.status, usage=usage)
    return Reply(
        content,
        finish,
        usage,
        raw,
        fetched.status,
        reasoning=thoughts,
        tool_calls=requests,
        tool_fault=fault,
    )


def _read_parts(parts: list[Any]) -> tuple[str | None, str | None]:
    """The text of a content in parts, and the thoughts in it; each None where no part holds any."""
    said = [text for part in parts if (text := _text_of(part, TEXT_PARTS)) is not None]
    thought = [text for part in parts if (text := _text_of(part, THOUGHT_PARTS)) is not None]
    return "".join(said) if said else None, "".join(thought) or None


def _text_of(part: Any, kinds: tuple[str, ...]) -> str | None:
    """The text of a part of one of these kinds; a part without a kind is text where it has a field for one."""
    if isinstance(part, str):
        return part if kinds is TEXT_PARTS else None
    if not isinstance(part, dict) or part.get("type", "text") not in kinds:
        return None
    names = ("text", "content", *kinds)
    if "type" not in part and part.keys().isdisjoint(names):
        return None
    inner = next((part[name] for name in names if part.get(name) is not None), "")
    if isinstance(inner, dict):
        inner = inner.get("value")
    if isinstance(inner, list):
        return "".join(text for one in inner if (text := _text_of(one, TEXT_PARTS)) is not None)
    return inner if isinstance(inner, str) else None


def _is_failure(part: dict[str, Any]) -> bool:
    return _is_word(part.get("type"), FAILED) or says_failure(part.get("error"))


def _is_silent(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in (*THOUGHT_PARTS, *SILENT_PARTS)


def _thoughts_beside(message: dict[str, Any]) -> str | None:
    """The thoughts that an endpoint gives in a field of their own."""
    fields = (message.get(name) for name in ("reasoning_content", "reasoning"))
    return next((text for text in fields if isinstance(text, str) and text), None)


def _finish_reason(choice: dict[str, Any]) -> str | None:
    finish = choice.get("finish_reason")
    if isinstance(finish, dict):  # as SGLang writes it beside its own protocol
        finish = finish.get("type") or finish.get("reason")
    return finish if isinstance(finish, str) else None


def _told_by(holder: dict[str, Any], name: str) -> Told:
    """What the error in an object says; codes beside it count where it has none of its own."""
    told = read_told(holder[name] if not isinstance(holder[name], bool) else {**holder, name: None})
    if told.code is None and name in holder:
        beside = read_told({key: holder[key] for key in ("code", "status", "status_code") if key in holder})
        return Told(told.sentence, beside.code, told.words | beside.words)
    return told


def _told(text: str, *, is_page: bool) -> Told:
    """What the body of a refusal says."""
    if is_page:
        page = read_page(text)
        return Told(f"a web page, {page.sentence}" if page.sentence else "a web page", page.code)
    try:
        told = read_told(parse_json(text))
    except ValueError:
        return read_page(text)
    return told if told.sentence else Told(excerpt(text), told.code, told.words)


def _redirect(status: int, location: str | None) -> Failure:
    """The failure of an answer that leads elsewhere: nothing follows, since the key would go along."""
    try:
        parts = urlsplit(location or "")
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        place = f"{host}:{parts.port}" if parts.port else host
        # What else an address may hold, a name with its password or a query, may be a secret.
        target = excerpt(urlunsplit((parts.scheme, place, parts.path, "", "")))
    except ValueError:
        target = ""
    where = f"it leads to {target}" if target else "it does not say where to"
    advice = ", and a redirect is not followed: give the URL of the server that answers itself"
    return Failure(f"the endpoint answered HTTP {status}, a redirect: {where}{advice}", False, status)


def _unasked_stream(status: int) -> Failure:
    advice = """`--body '{"stream": false}'` may stop that"""
    return Failure(
        f"the endpoint answered HTTP {status} with a stream of events, which nobody asked for: {advice}",
        False,
        status,
    )


def _without_comments(text: str) -> str:
    """The text without the comment lines by which some servers keep a connection alive before they answer."""
    return re.sub(r"\A(?:\s*:[^\n]*\n)+", "", text) if text.lstrip()[:1] == ":" else text


def looks_like_html(content_type: str, text: str) -> bool:
    """Whether an answer is a web page."""
    return text.lstrip()[:1] == "<" or (
        "html" in content_type.lower() and text.lstrip()[:1] not in ("{", "[")
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is not a number that can be stored")
    return number


_READER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_NOT_STORABLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])|[\ud800-\udfff]")
"""How a NUL or a surrogate, which may be alone, is written in JSON."""


def parse_json(text: str) -> Any:
    """The JSON in an endpoint's answer, made storable; raises ValueError for anything else."""
    try:
        value = _READER.decode(text)
        return storable(value) if _NOT_STORABLE.search(text) else value
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def read_retry_after(
    value: str | None, date: str | None = None, milliseconds: str | None = None
) -> float | None:
    """Seconds of a Retry-After header, at most 300; None where it is absent, past or cannot be read.

    A point in time is taken against the answer's own `date`, so that the two clocks need not agree. Some servers say
    it in `milliseconds` too, which is nearer.
    """
    if milliseconds:
        exact = _number(milliseconds)
        if exact is not None and 0 <= exact < math.inf:
            return min(exact / 1000, LONGEST_PAUSE)
    seconds = _number(value) if value else None
    if value and seconds is None:
        seconds = _seconds_between(date, value)
    return None if seconds is None or not 0 <= seconds < math.inf else min(seconds, LONGEST_PAUSE)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _seconds_between(earlier: str | None, later: str | None) -> float | None:
    """Seconds between two dates as HTTP writes them; None where one is none."""
    try:
        start, end = parsedate_to_datetime(earlier or ""), parsedate_to_datetime(later or "")
        return (end - start).total_seconds()
    except (TypeError, ValueError, OverflowError):
        return None
