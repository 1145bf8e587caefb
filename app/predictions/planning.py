"""From what somebody wants of a run to its plan: the one way, at the command line and over REST.

Messages name options as the command line does; REST turns them into its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from sqlalchemy import Connection

from app.agent_tools.sets import find_set
from app.core.errors import UsageError
from app.inference.abilities import TOOLS, found_ability, found_context
from app.inference.bodies import BODY, FORMS, MAX_COMPLETION_TOKENS, MAX_TOKENS, check_body, shaped
from app.predictions.endpoints import guide_for, read_endpoint
from app.predictions.presentations import CONTEXT, IMAGE_DETAIL, LEFT_OUT, ROTATED
from app.predictions.runs import (
    EndpointRow,
    RunPlan,
    Terms,
    check_chosen,
    check_rotation,
    sample_of,
    shows_pictures,
    tells_contexts,
)
from app.predictions.sampling import ChosenQuestions
from app.questions.imported.opening import refuse_imported
from app.questions.prompts import IMAGE_DETAILS, ImageDetail
from app.questions.versions import PublishedVersion
from app.solvers import Solver, find_solver
from app.solvers.agents.prompts import load_prompts
from app.solvers.agents.shots import check_shots
from app.solvers.agents.terms import AGENT, AgentTerms, check_terms
from app.solvers.base import Prompt
from app.solvers.direct import GUIDED
from app.templates.catalogue import find_temperature

PROMPTS = get_args(Prompt)


@dataclass(frozen=True)
class RunOptions:
    """How a run asks, whomever it asks."""

    solver: str
    repeats: int = 1
    seed: int = 0
    temperature: float | None = None
    max_tokens: int | None = None
    prompt: str = PROMPTS[0]
    rotate: bool = False
    guided: bool = False
    sample: int | None = None
    terms: Terms = field(default_factory=Terms)
    body: Mapping[str, Any] | None = None
    """Fields that chat calls set, and leave away where they are null, beside those of the endpoint's record."""
    agent: AgentTerms | None = None
    """What a solver that calls tools is given; None for its defaults."""
    image_detail: ImageDetail | None = None
    """How closely the model is to look at pictures; None leaves it to the endpoint."""
    with_context: bool | None = None
    """Whether questions are shown with their contexts; None shows them to solvers that call no tools."""
    only: ChosenQuestions | None = None
    """The questions that are asked; None for all, or for a sample."""


@dataclass(frozen=True)
class Draft:
    """A plan that lacks whom it asks; that of a solver that asks nobody is whole."""

    version: PublishedVersion
    solver: Solver
    wanted: RunOptions
    plan: RunPlan

    def asking(
        self, connection: Connection, endpoint: EndpointRow | None, embedder: EndpointRow | None = None
    ) -> RunPlan:
        """The plan of a run that asks `endpoint`; None is one that is not known yet.

        Raises UsageError where guided choice is wanted of one that was never found to keep to it.
        """
        presentation = dict(self.plan.presentation)
        wanted = self.wanted
        terms = _agent_terms(self.solver, wanted, _health(connection, endpoint))
        if terms is not None:
            presentation[AGENT] = terms.as_json()
            wanted = replace(wanted, agent=terms)
        if self.wanted.prompt != PROMPTS[0]:
            presentation["prompt"] = self.wanted.prompt
        if embedder is not None:
            presentation["embeddings"] = embedder.name
        sampling = _sampling(self.wanted, self.version.benchmark, endpoint)
        if self.wanted.guided:
            sampling[GUIDED] = guide_for(connection, self.version.id, endpoint)
        return replace(
            self.plan,
            sampling=sampling,
            presentation=presentation,
            endpoint_id=None if endpoint is None else endpoint.id,
            label=_label(wanted, endpoint, embedder),
        )


def draft_run(connection: Connection, version: PublishedVersion, wanted: RunOptions) -> Draft:
    """The beginning of a plan. Raises NotFound, and UsageError for what does not suit the version or the solver."""
    solver = find_solver(wanted.solver)
    if solver.reads and not solver.takes_imported:
        what = f"The solver `{solver.name}` reads the map or proved gold; use --solver direct."
        refuse_imported(connection, version, what)
    if solver.check is not None:
        solver.check(connection, version.id)
    plan = RunPlan(
        version.id,
        solver.name,
        solver.version,
        _label(wanted),
        wanted.seed,
        repeats=wanted.repeats,
        kind=solver.makes,
    )
    if wanted.rotate:
        check_rotation(connection, version.id)
        plan = replace(plan, presentation=dict(ROTATED))
    terms = _agent_terms(solver, wanted)
    if terms is not None:
        plan = replace(plan, presentation={**plan.presentation, AGENT: terms.as_json()})
    if _leaves_out_contexts(connection, version, solver, wanted):
        plan = replace(plan, presentation={**plan.presentation, CONTEXT: LEFT_OUT})
    if wanted.image_detail is not None:
        _check_pictures_are_shown(connection, version, wanted)
        plan = replace(
            plan,
            presentation={**plan.presentation, IMAGE_DETAIL: wanted.image_detail},
            label=_label(wanted),
        )
    if wanted.sample is not None:
        drawn = sample_of(connection, version.id, wanted.sample, wanted.seed)
        wanted = wanted if drawn else replace(wanted, sample=None)
        plan = replace(plan, sample=drawn, label=_label(wanted))
    if wanted.only is not None:
        plan = replace(plan, sample=_chosen(connection, version, wanted, wanted.only), label=_label(wanted))
    if wanted.prompt not in PROMPTS:
        raise UsageError(f"There is no prompt {wanted.prompt!r}; there are: {', '.join(PROMPTS)}.")
    if not solver.calls_endpoint:
        _refuse_what_needs_an_endpoint(wanted)
    return Draft(version, solver, wanted, plan)


def _chosen(
    connection: Connection, version: PublishedVersion, wanted: RunOptions, only: ChosenQuestions
) -> list[str]:
    """The ids that a run over chosen questions asks; raises UsageError where they do not suit the version."""
    if wanted.sample is not None:
        raise UsageError("--sample and --only both say which questions are asked: give one of them.")
    if only.version != version.reference:
        raise UsageError(f"The chosen questions are of {only.version}, not of {version.reference}.")
    return check_chosen(connection, version.id, only.ids)


def _leaves_out_contexts(
    connection: Connection, version: PublishedVersion, solver: Solver, wanted: RunOptions
) -> bool:
    """Whether the run asks its questions without their contexts.

    Raises UsageError where that was said and no question has a context.
    """
    if tells_contexts(connection, version.id):
        return solver.calls_tools if wanted.with_context is None else not wanted.with_context
    if wanted.with_context is not None:
        raise UsageError(
            "No question of this data set has a context; remove --with-context or --without-context."
        )
    return False


def _check_pictures_are_shown(connection: Connection, version: PublishedVersion, wanted: RunOptions) -> None:
    """Raise UsageError where a detail is given and no question shows a picture, or there is no such detail."""
    if wanted.image_detail not in IMAGE_DETAILS:
        raise UsageError(
            f"There is no image detail {wanted.image_detail!r}; there are: {', '.join(IMAGE_DETAILS)}."
        )
    if not shows_pictures(connection, version.id):
        raise UsageError("No question of this data set shows a picture; remove --image-detail.")


def _health(connection: Connection, endpoint: EndpointRow | None) -> Mapping[str, Any] | None:
    """What the last check of an endpoint found; None where it was not checked."""
    return None if endpoint is None else read_endpoint(connection, endpoint.name).health


def _agent_terms(
    solver: Solver, wanted: RunOptions, health: Mapping[str, Any] | None = None
) -> AgentTerms | None:
    """What the run's agent is given, as suits what a check found of its endpoint; None for a solver without tools.

    Raises UsageError for terms that a solver without tools is given, and for those that cannot be, NotFound for a set
    of tools that there is not.
    """
    if not solver.calls_tools:
        if wanted.agent is not None:
            raise UsageError(
                f"The solver `{solver.name}` calls no tools; remove --tools and the options of agents."
            )
        return None
    if wanted.guided:
        raise UsageError(f"The solver `{solver.name}` needs free answers; remove --guided.")
    given = wanted.agent or AgentTerms()
    cannot = found_ability(health, TOOLS) == "no"
    if cannot and given.manner == "native":
        raise UsageError(
            "The check of this endpoint found no right call of a tool (`endpoint check` says what came); "
            "use --manner json."
        )
    terms = replace(given, manner="json") if cannot else given
    terms = replace(terms.of_solver(solver.name), prompts=load_prompts(solver.name).mark)
    check_terms(terms)
    check_shots(terms, find_set(terms.tools).tools)
    return replace(terms, context=terms.context or found_context(health))


def _refuse_what_needs_an_endpoint(wanted: RunOptions) -> None:
    """Raise UsageError for what means nothing to a solver that asks no endpoint."""
    if wanted.prompt != PROMPTS[0]:
        raise UsageError(f"The solver `{wanted.solver}` has no prompt; remove --prompt.")
    if wanted.guided:
        raise UsageError(f"The solver `{wanted.solver}` does not use an endpoint; remove --guided.")
    if wanted.image_detail is not None:
        raise UsageError(f"The solver `{wanted.solver}` does not use an endpoint; remove --image-detail.")
    if wanted.body:
        raise UsageError(f"The solver `{wanted.solver}` does not use an endpoint; remove --body.")
    if wanted.terms.reuse or wanted.terms.budget.as_json() is not None:
        raise UsageError(
            f"The solver `{wanted.solver}` does not use an endpoint; "
            "remove --reuse, --budget-tokens and --budget-money."
        )


def _label(
    wanted: RunOptions, endpoint: EndpointRow | None = None, embedder: EndpointRow | None = None
) -> str:
    """The name on boards: the model, or the solver that needs none, and what sets the run apart from a plain one."""
    apart = [] if endpoint is None or wanted.solver == "direct" else [wanted.solver]
    apart += [] if embedder is None else [embedder.model]
    apart += [] if wanted.agent is None else _told_agent(wanted.solver, wanted.agent)
    apart += [] if wanted.prompt == PROMPTS[0] else [f"{wanted.prompt} prompt"]
    apart += {True: ["with context"], False: ["without context"], None: []}[wanted.with_context]
    apart += ["rotated"] if wanted.rotate else []
    apart += [] if wanted.sample is None else [f"sample of {wanted.sample}"]
    apart += [] if wanted.only is None else [f"{len(wanted.only.ids)} chosen questions"]
    apart += ["guided"] if wanted.guided else []
    apart += [] if wanted.image_detail is None else [f"image detail {wanted.image_detail}"]
    apart += [f"revision {endpoint.revision}"] if endpoint is not None and endpoint.revision else []
    name = wanted.solver if endpoint is None else endpoint.model
    return f"{name} ({', '.join(apart)})" if apart else name


def _told_agent(solver: str, terms: AgentTerms) -> list[str]:
    """In what an agent's terms differ from those that it has where nothing is said."""
    usual = AgentTerms().of_solver(solver)
    told = [] if terms.tools == usual.tools else [f"{terms.tools} tools"]
    told += [] if terms.manner == usual.manner else [f"{terms.manner} calls"]
    told += [] if terms.lenient else ["strict"]
    told += [f"{terms.shots} examples"] if terms.shots else []
    told += [f"without {one}" for one in terms.without or ()]
    return told + ([] if terms.steps == usual.steps else [f"{terms.steps} steps"])


def _sampling(wanted: RunOptions, benchmark: str, endpoint: EndpointRow | None) -> dict[str, Any]:
    """The sampling as it is sent, and the body by which it is.

    Raises UsageError where options and the body contradict each other.
    """
    temperature = wanted.temperature
    if temperature is None:
        temperature = find_temperature(benchmark)
    given = {"temperature": temperature} | ({MAX_TOKENS: wanted.max_tokens} if wanted.max_tokens else {})
    _refuse_contradictions(wanted)
    body = dict((endpoint.body if endpoint else None) or {})
    # What an option names is said nearer than what a record does.
    if wanted.temperature is not None:
        body.pop("temperature", None)
    if wanted.max_tokens is not None and body.get(MAX_COMPLETION_TOKENS) is None:
        body.pop(MAX_TOKENS, None)
    body = check_body(body | dict(wanted.body or {}))
    if wanted.guided and FORMS & body.keys():
        raise UsageError(
            f"--guided sets {', '.join(sorted(FORMS & body.keys()))}: leave that out of the body."
        )
    sent = shaped(given, body)
    named = {name: sent[name] for name in ("temperature", MAX_TOKENS, MAX_COMPLETION_TOKENS) if name in sent}
    return named | ({BODY: body} if body else {})


def _refuse_contradictions(wanted: RunOptions) -> None:
    body = wanted.body or {}
    if wanted.temperature is not None and "temperature" in body:
        raise UsageError("--temperature and the body's temperature: give one of them.")
    if wanted.max_tokens is None:
        return
    longest = body.get(MAX_COMPLETION_TOKENS)
    if longest not in (None, wanted.max_tokens):
        raise UsageError(f"--max-tokens {wanted.max_tokens} and the body's {longest}: give one of them.")
    if longest is None and body.keys() & {MAX_TOKENS, MAX_COMPLETION_TOKENS}:
        raise UsageError(f"--max-tokens and the body's {MAX_TOKENS}: give one of them.")
