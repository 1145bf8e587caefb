"""What maintainers send: endpoints to store, runs to start, budgets to go on with."""

import re
from decimal import Decimal
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.agent_tools.sets import ALL
from app.api.parameters import Word
from app.core.errors import UsageError
from app.inference.bodies import check_body
from app.inference.checking import base_url
from app.inference.limits import Limits
from app.operations.endpoints import EndpointChoice
from app.operations.evaluate import RunRequest
from app.predictions import endpoints
from app.predictions.accounts import Budget
from app.predictions.costs import Prices
from app.questions.prompts import ImageDetail
from app.solvers.agents.terms import MOST_SHOTS, MOST_STEPS, AgentTerms, Manner
from app.solvers.base import Prompt
from app.solvers.names import AnsweringSolver

KEY_VARIABLE = re.compile(r"ENDPOINT_KEY_[A-Z0-9_]{1,60}", re.ASCII)
"""Variables that may be named over REST: who may store an endpoint is not to have any secret of a worker sent to it."""
Price = Annotated[Decimal, Field(ge=0, le=1_000_000, decimal_places=9)]


def _url(given: str) -> str:
    address = base_url(given)
    try:
        parts = urlsplit(address)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or not address.isprintable() or " " in address:
        raise ValueError("must be a URL such as http://127.0.0.1:8000/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("must have no credentials, query or fragment: a key belongs into a variable")
    return address


def _key_variable(name: str) -> str:
    if not KEY_VARIABLE.fullmatch(name):
        raise ValueError("must be called ENDPOINT_KEY_…: over REST no other variable may be named")
    return name


def _fields(given: dict[str, Any] | None) -> dict[str, Any] | None:
    try:
        return None if given is None else check_body(given)
    except UsageError as error:
        raise ValueError(str(error)) from error


Fields = Annotated[dict[str, Any] | None, AfterValidator(_fields)]
"""Fields that chat calls set, and leave away where they are null."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GivenLimits(_Body):
    """What an endpoint allows, of all workers together; how long an answer is waited for, and how often asked for."""

    requests_per_minute: int | None = Field(default=None, ge=1, le=10_000_000)
    tokens_per_minute: int | None = Field(default=None, ge=1, le=10_000_000_000)
    concurrency: int | None = Field(default=None, ge=1, le=100_000)
    timeout_seconds: int | None = Field(default=None, ge=1, le=86_400)
    tries: int | None = Field(default=None, ge=1, le=1_000)


class GivenPrices(_Body):
    """Money for a million tokens."""

    prompt: Price
    completion: Price
    currency: str = Field(default="USD", pattern="^[A-Z]{3}$")


class NewEndpoint(_Body):
    """An endpoint to store under a name, or what it is to be from now on."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"name": "local", "url": "http://127.0.0.1:8000/v1", "model": "gemma-3-270m"},
                {
                    "name": "paid",
                    "url": "https://api.example.com/v1",
                    "model": "large-2",
                    "key_variable": "ENDPOINT_KEY_PAID",
                    "limits": {"requests_per_minute": 500},
                    "prices": {"prompt": "0.15", "completion": "0.60", "currency": "USD"},
                },
            ]
        }
    )

    name: str = Field(pattern=endpoints.NAME.pattern.join(("^", "$")), examples=["local"])
    url: Annotated[str, Field(max_length=500), AfterValidator(_url)] = Field(
        description="base URL up to /v1", examples=["http://127.0.0.1:8000/v1"]
    )
    model: Word = Field(examples=["gemma-3-270m"])
    revision: Word | None = Field(default=None, description="of the model's weights; boards show it")
    key_variable: Annotated[str, AfterValidator(_key_variable)] | None = Field(
        default=None,
        description="the variable of the workers that holds the key",
        examples=["ENDPOINT_KEY_LOCAL"],
    )
    limits: GivenLimits = GivenLimits()
    prices: GivenPrices | None = None
    body: Fields = Field(
        default=None,
        description="fields to set in chat calls; null removes a field",
        examples=[{"seed": None, "max_completion_tokens": 8192}],
    )

    def wanted(self) -> endpoints.EndpointSpec:
        """What is stored."""
        told = self.prices
        prices = None if told is None else Prices(told.prompt, told.completion, told.currency)
        limits = Limits(**self.limits.model_dump())
        return endpoints.EndpointSpec(
            self.name, self.url, self.model, self.revision, self.key_variable, limits, prices, self.body
        )


class GivenBudget(_Body):
    """What all calls of a run may take together."""

    budget_tokens: int | None = Field(default=None, ge=1, le=10**15)
    budget_money: str | None = Field(
        default=None,
        max_length=20,
        pattern=r"^\d+(\.\d+)?$",
        description="in the currency of the run's prices",
    )

    def budget(self) -> Budget:
        """Both parts of it. Raises UsageError."""
        return Budget.given(self.budget_tokens, self.budget_money)


class Resumption(GivenBudget):
    """With what a paused run goes on."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"budget_tokens": 1000000}, {"no_budget": True}]}
    )

    no_budget: bool = Field(default=False, description="without limit")

    def given(self) -> Budget:
        """The budget. Raises UsageError where none is wanted and one is given."""
        if self.no_budget and self.budget().as_json() is not None:
            raise UsageError("no_budget and a budget cannot both be: give one of them.")
        return self.budget()


class AgentFields(BaseModel):
    """What a solver that calls tools is given, and how far one episode of it may go."""

    model_config = ConfigDict(extra="forbid")

    tools: Word = Field(default=ALL, description="the set of tools", examples=["mapeval"])
    manner: Manner = Field(
        default="native", description="in fields of the protocol, or in the text of an answer"
    )
    lenient: bool = Field(default=True, description="json: whether an action is read in a fenced block, too")
    steps: int | None = Field(
        default=None,
        ge=1,
        le=MOST_STEPS,
        description="calls of the model and of tools; null for the solver's usual number",
    )
    shots: int = Field(
        default=0, ge=0, le=MOST_SHOTS, description="worked examples that the model is shown first"
    )
    tokens: int | None = Field(default=None, ge=1, le=10**12)
    money: Word | None = Field(default=None, description="in the currency of the endpoint", examples=["0.05"])
    seconds: int | None = Field(default=None, ge=1, le=10**9)
    context: int | None = Field(
        default=None, ge=1, le=10**9, description="tokens that a call and its answer may have together"
    )

    without: list[Word] | None = Field(
        default=None, description="geoflow: parts that are left out: checks, repair, templates, retrieval"
    )

    def terms(self) -> AgentTerms:
        """The same as a run takes it."""
        return AgentTerms(**self.model_dump())


class NewRun(GivenBudget):
    """A run to start. The same again is the same run: it goes on, or is complete."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"dataset": "demo_knowledge@1", "solver": "direct", "endpoint": "local", "sample": 200},
                {"dataset": "demo_gsqa", "solver": "rag", "endpoint": "local", "budget_tokens": 500000},
                {"dataset": "demo_gsqa", "solver": "random", "seed": 7},
            ]
        }
    )

    dataset: Word = Field(examples=["demo_knowledge@1"])
    solver: AnsweringSolver
    endpoint: Word | None = Field(default=None, description="a stored endpoint whose last check succeeded")
    repeats: int = Field(default=1, ge=1, le=100)
    seed: int = Field(default=0, ge=0, le=2**31 - 101)
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int | None = Field(default=None, ge=1, le=1_000_000)
    prompt: Prompt = "trigpoint"
    rotate: bool = False
    guided: bool = False
    sample: int | None = Field(default=None, ge=1, le=10_000_000)
    reuse: bool = False
    body: Fields = Field(
        default=None,
        description="fields to set in chat calls, in addition to the endpoint's fields; null removes a field",
        examples=[{"top_p": 0.9, "seed": None}],
    )
    agent: AgentFields | None = Field(
        default=None, description="for solvers that call tools; null for defaults"
    )

    image_detail: ImageDetail | None = Field(
        default=None,
        description="how closely the model is to look at pictures; null leaves it to the endpoint",
    )
    with_context: bool | None = Field(
        default=None,
        description="whether questions are shown with their contexts; null shows them to solvers that call no tools",
    )

    def request(self) -> RunRequest:
        """The same as the operation takes it. Raises UsageError for a budget that is no amount of money."""
        return RunRequest(
            self.dataset,
            self.solver,
            EndpointChoice(self.endpoint),
            repeats=self.repeats,
            seed=self.seed,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            prompt=self.prompt,
            rotate=self.rotate,
            guided=self.guided,
            sample=self.sample,
            body=self.body,
            budget=self.budget(),
            reuse=self.reuse,
            agent=None if self.agent is None else self.agent.terms(),
            image_detail=self.image_detail,
            with_context=self.with_context,
        )
