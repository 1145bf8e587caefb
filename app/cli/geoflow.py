"""`trigpoint geoflow …`: the ontology of GeoFlow graphs, whether a graph keeps its constraints, what it comes to.

And data for models that are to write graphs.
"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from app.agent_tools.calling import answer_call
from app.agent_tools.sets import SPATIAL_AGENT, find_set
from app.cli.output import emit, say, write_file
from app.cli.tables import listing
from app.cli.transient_bar import transient_bar
from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.core.strict_json import read_json, storable
from app.dashboard.flows import page_of_graph
from app.db.engine import connect
from app.geoflow.canonical import graph_hash
from app.geoflow.checking import Violation, violations_of
from app.geoflow.executing import execute_on
from app.geoflow.graphs import LONGEST, Graph, GraphFault, read_graph
from app.geoflow.ontology import Operator, ontology
from app.operations.gold_graphs import run_gold_graphs
from app.operations.training_data import write_training_data
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers

geoflow = typer.Typer(help="GeoFlow graphs: plans as graphs of spatial concepts.", no_args_is_help=True)
LONGEST_SHOWN = 300
"""Characters of what a step gave that the table shows; `--json` has all."""
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]


@geoflow.command("ontology")
def show_ontology(as_json: AsJson = False) -> None:
    """Show the concepts, roles and operators, and which type of concepts can become which."""
    known = ontology()
    concepts = listing("concept", "is", "told by", sentences=["is", "told by"])
    for one in known.concepts.values():
        concepts.add_row(one.name, one.says, ", ".join(one.cues))
    roles = listing("role", "kind", "says", sentences=["says"])
    for role in known.roles.values():
        roles.add_row(role.name, role.kind, role.says)
    operators = listing("operator", "takes", "gives", "does", sentences=["takes", "does"])
    for operator in known.operators.values():
        operators.add_row(operator.name, _ports(operator), ", ".join(operator.gives), _does(operator))
    found = {
        "concepts": [one.model_dump() for one in known.concepts.values()],
        "roles": [one.model_dump() for one in known.roles.values()],
        "operators": [one.model_dump() | {"available": one.available} for one in known.operators.values()],
        "transformations": [one._asdict() for one in known.transformations()],
    }
    emit(found, as_json, concepts, "", roles, "", operators)


@geoflow.command("run")
def run(
    file: Annotated[Path, typer.Argument(help="a graph as JSON", exists=True, dir_okay=False)],
    snapshot: Annotated[str, typer.Option(metavar="NAME", help="the map")],
    as_json: AsJson = False,
) -> None:
    """Execute a graph on a map, and show what each step gave. Exit status 1 if the measure has no value."""
    graph = _read_graph(file)
    settings = Settings.load()
    with connect(settings, Role.MAINTAINER) as connection:
        (found,) = find_snapshots(connection, [snapshot])
        routers = Routers(settings)
        done = execute_on(
            graph, lambda call: answer_call(connection, found, routers, call), find_set(SPATIAL_AGENT).tools
        )
    table = listing("step", "operator", "state", "gives", sentences=["gives"])
    for one in done.trace:
        table.add_row(one.step, one.op, one.state, one.says or canonical_json(one.gives)[:LONGEST_SHOWN])
    emit({"snapshot": found.reference, **done.as_json()}, as_json, table)
    if done.measure is None:
        raise typer.Exit(1)


@geoflow.command("gold")
def gold(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    to: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="write the graphs of public questions there, a JSON object a line"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compile the tool plans of a data set to graphs, and run each of them to its gold. Exit 1 if one differs."""
    with transient_bar() as tell:
        version, found = run_gold_graphs(Settings.load(), dataset, tell)
    states = ("gold", "other", "failed", "no_graph", "no_plan")
    table = listing("template", *(one.replace("_", " ") for one in states))
    for name, counts in [*sorted(found.counts.items()), ("all", found.total)]:
        table.add_row(name, *(f"{counts[state]:,}" for state in states))
    reasons = listing("template", "questions", "why", sentences=["why"])
    for name, counts in sorted(found.reasons.items()):
        for says, number in counts.most_common():
            reasons.add_row(name, f"{number:,}", says)
    if to is not None:
        write_file(to, "".join(f"{canonical_json(one)}\n" for one in found.public))
    emit(
        {"dataset": version.reference, **found.as_json()},
        as_json,
        table,
        *([reasons] if found.reasons else []),
    )
    if not found.proved:
        raise typer.Exit(1)


@geoflow.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="a graph as JSON", exists=True, dir_okay=False)],
    as_json: AsJson = False,
) -> None:
    """Check a graph against the constraints G1 to G5. Exit status 1 if it breaks one."""
    graph = _read_graph(file)
    violations = violations_of(graph)
    table = listing(
        "constraint", "where", "violation", "how to mend it", sentences=["violation", "how to mend it"]
    )
    for one in violations:
        table.add_row(one.constraint, _where(one), one.says, one.mend)
    emit(
        {"hash": graph_hash(graph), "violations": [one._asdict() for one in violations]},
        as_json,
        table if violations else "the graph keeps all five constraints",
    )
    if violations:
        raise typer.Exit(1)


@geoflow.command("draw")
def draw(
    file: Annotated[Path, typer.Argument(help="a graph as JSON", exists=True, dir_okay=False)],
    to: Annotated[Path, typer.Option(metavar="FILE", help="the page that is written, HTML")],
) -> None:
    """Draw a graph as a page that stands alone, with what is wrong at its concepts."""
    write_file(to, page_of_graph(_read_graph(file), file.stem))
    say(f"{to} shows the graph.")


@geoflow.command("training-data")
def training_data(
    datasets: Annotated[
        list[str], typer.Argument(metavar="DATASET…", help="NAME (its newest version) or NAME@VERSION")
    ],
    to: Annotated[Path, typer.Option(help="the folder to write to")],
    test_region: Annotated[
        list[str],
        typer.Option(metavar="NAME", help="a region whose questions are for testing alone; may be repeated"),
    ],
    seed: Annotated[int, typer.Option(help="draws the templates for testing, and what is broken")] = 1,
    as_json: AsJson = False,
) -> None:
    """Write questions with their graphs, and with broken ones, for fine-tuning and preference optimisation."""
    written = write_training_data(Settings.load(), datasets, to, test_region, seed)
    split = written.split
    told = (
        f"{len(split.train):,} examples for training and {len(split.test):,} for testing written to {to};"
        f" {split.between:,} are in neither, since their region is of one side and their template of the other."
    )
    emit(written.as_json(), as_json, told)


def _read_graph(file: Path) -> Graph:
    try:
        return read_graph(_read(file))
    except GraphFault as error:
        raise UsageError(f"{file} is no GeoFlow graph: {error}.") from None


def _read(file: Path) -> Any:
    if file.stat().st_size > 4 * LONGEST:
        raise UsageError(f"{file} is longer than a GeoFlow graph may be ({LONGEST:,} characters).")
    try:
        return storable(read_json(file.read_bytes()))
    except json.JSONDecodeError as error:
        raise UsageError(f"{file} is not JSON: {error.msg}.") from None


def _ports(operator: Operator) -> str:
    return ", ".join(
        f"{name}{' …' if port.many else ''}{' (optional)' if port.optional else ''}: {' or '.join(port.takes)}"
        for name, port in operator.ports.items()
    )


def _does(operator: Operator) -> str:
    return (
        operator.says
        if operator.available
        else f"{operator.says} (unavailable: the map has no {operator.needs})"
    )


def _where(violation: Violation) -> str:
    return " ".join(one for one in (violation.node, violation.edge and f"({violation.edge})") if one)
