"""What `trigpoint endpoint check` says beside the record: how many calls at once an endpoint keeps up with."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rich.table import Table
from rich.text import Text

from app.cli.cells import NONE
from app.cli.tables import listing
from app.core.identity import canonical_json
from app.inference.measuring import Round, keeps_up
from app.predictions.endpoints import EndpointRecord


def rounds_table(measured: Mapping[str, Any]) -> Table:
    """The rounds of a stored measurement."""
    headings = ("calls at once", "median latency", "calls a second", "failed")
    table = listing(*headings, right=headings)
    for one in measured["rounds"]:
        cells = (
            f"{one['at_once']:,}",
            _number(one["median_seconds"], " s"),
            _number(one["per_second"]),
            f"{one['failures']:,} of {one['calls']:,}",
        )
        table.add_row(*(Text(cell) for cell in cells))
    return table


def told_round(one: Round) -> str:
    """A round in one line, while the measurement goes on."""
    failed = f", {one.failures:,} failed" if one.failures else ""
    latency, rate = _number(one.median_seconds, " s a call"), _number(one.per_second, " calls a second")
    return f"Measured with {one.at_once:,} at once: {latency}, {rate}{failed}."


def advice(record: EndpointRecord, measured: Mapping[str, Any]) -> Iterator[str]:
    """What a measurement came to, in lines: what it took, why it ended, and the commands that follow its advice."""
    if measured["requests"]:
        yield _taken(measured)
    yield keeps_up(measured)
    most, seconds = measured["concurrency"], measured["timeout_seconds"]
    if most is None:
        return
    pace = f"--concurrency {most} --timeout {seconds}"
    named = shlex.quote(record.name if record.by_name else record.url)
    model = "" if record.by_name else f" --model {shlex.quote(record.model)}"
    yield f"For one run: `trigpoint evaluate DATASET --solver direct --endpoint {named}{model} {pace}`."
    if record.by_name:
        limits = replace(record.limits, concurrency=most, timeout_seconds=seconds)
        yield f"For every run: `{add_command(replace(record, limits=limits))}`."


def add_command(record: EndpointRecord) -> str:
    """The command that makes the record say what this one says."""
    limits, prices = record.limits, record.prices
    options = {
        "url": record.url,
        "model": record.model,
        "revision": record.revision,
        "key-variable": record.key_variable,
        "requests-per-minute": limits.requests_per_minute,
        "tokens-per-minute": limits.tokens_per_minute,
        "concurrency": limits.concurrency,
        "timeout": limits.timeout_seconds,
        "tries": limits.tries,
        "prompt-price": prices and prices.prompt,
        "completion-price": prices and prices.completion,
        "currency": prices and prices.currency,
        "body": canonical_json(record.body) if record.body else None,
    }
    words = [
        word for name, value in options.items() if value is not None for word in (f"--{name}", f"{value}")
    ]
    return shlex.join(["trigpoint", "endpoint", "add", record.name, *words])


def _taken(measured: Mapping[str, Any]) -> str:
    """What a measurement took."""
    cost = measured.get("cost")
    money = f", {cost['amount']:.6f} {cost['currency']}" if cost else ""
    unknown = measured["without_usage"]
    uncounted = f"; for {unknown:,} of these calls the endpoint gave no token count" if unknown else ""
    return (
        f"The measurement took {measured['requests']:,} calls, {measured['prompt_tokens']:,} tokens of prompts and "
        f"{measured['completion_tokens']:,} of answers{money}{uncounted}."
    )


def _number(value: float | None, unit: str = "") -> str:
    """Three digits that count, or all of a whole number; a dash where nothing was answered."""
    if value is None:
        return NONE
    return (f"{value:.3g}" if value < 100 else f"{value:,.0f}") + unit
