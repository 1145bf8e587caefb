"""What failed, as it may be told to whom."""

import pytest

from app.published.failures import OTHER, kind_of, without_addresses
from app.published.running import Reason, by_kind


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("POST http://10.0.0.1:8000/v1/chat failed", "POST (address) failed"),
        (
            "Cannot connect to host gpu-7.lab.example:8000 ssl:default",
            "Cannot connect to host (address) ssl:default",
        ),
        ("HTTP 500: out of memory", "HTTP 500: out of memory"),
    ],
    ids=["url", "host", "none"],
)
def test_addresses_of_endpoints_are_not_told(said: str, shown: str) -> None:
    assert without_addresses(said) == shown


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("the endpoint answered HTTP 401: “Incorrect API key: sk-12…”", "the endpoint answered HTTP 401"),
        (
            "the endpoint did not answer within 2.5 s (tried 4 times)",
            "the endpoint did not answer within 2.5 s",
        ),
        ("the endpoint cannot be reached: no route to gpu-7", "the endpoint cannot be reached"),
        ("the endpoint's answer is not JSON: “<secret>”", "the endpoint's answer is not JSON"),
        (
            "not asked: the last 5 questions failed: the endpoint answered HTTP 503: “gpu-7 is down”",
            "not asked after failures: the endpoint answered HTTP 503",
        ),
        (
            "the endpoint answered HTTP 200, but with an error (code 502): “gpu-7 is down” (tried 5 times)",
            "the endpoint answered HTTP 200, but with an error (code 502)",
        ),
        (
            "the endpoint answered HTTP 200, but broke its answer off (finish_reason error): “gpu-7”",
            "the endpoint answered HTTP 200, but broke its answer off (finish_reason error)",
        ),
        (
            "the endpoint answered HTTP 200, but without choices (tried 5 times)",
            "the endpoint answered HTTP 200, but without choices",
        ),
        (
            "not asked: no call succeeds: the endpoint answered HTTP 429, its quota is exhausted: “of gpu-7”",
            "not asked after failures: the endpoint answered HTTP 429, its quota is exhausted",
        ),
        (
            "the endpoint answered HTTP 308, a redirect: it leads to http://gpu-7/v1",
            "the endpoint answered HTTP 308, a redirect",
        ),
        ("'http://gpu-7/v1' is not a URL", OTHER),
        ("something of gpu-7", OTHER),
        ("", OTHER),
    ],
)
def test_who_has_no_key_reads_the_kind(said: str, kind: str) -> None:
    assert kind_of(said) == kind


def test_reasons_of_a_kind_are_counted_together() -> None:
    reasons = [
        Reason(reason="other words", answers=3, question="c"),
        Reason(reason="the endpoint answered HTTP 500: “one”", answers=2, question="a"),
        Reason(reason="the endpoint answered HTTP 500: “two”", answers=2, question="b"),
    ]
    assert [one.model_dump() for one in by_kind(reasons)] == [
        {"reason": "the endpoint answered HTTP 500", "answers": 4, "question": "a"},
        {"reason": OTHER, "answers": 3, "question": "c"},
    ]
