"""The options of `evaluate` that say what is asked of whom, and how a run may spend."""

from pathlib import Path
from typing import Annotated

import typer

from app.questions.prompts import ImageDetail
from app.solvers.names import ANSWERING

DatasetName = Annotated[
    str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
]
SolverName = Annotated[str, typer.Option(help=", ".join(ANSWERING))]
EndpointName = Annotated[str | None, typer.Option(help="URL up to /v1, or the name of a stored endpoint")]
Model = Annotated[str | None, typer.Option(help="the model to ask; needed if the endpoint lists several")]
Repeats = Annotated[int, typer.Option(min=1, max=100, help="how many times each question is asked")]
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 101)]
Temperature = Annotated[
    float | None, typer.Option(min=0, max=2, help="by default the temperature of the published benchmark")
]
MaxTokens = Annotated[int | None, typer.Option(min=1)]
Rotate = Annotated[bool, typer.Option("--rotate", help="ask each question in every rotation of its options")]
Guided = Annotated[
    bool,
    typer.Option("--guided", help="allow only a letter as the answer to a question with options"),
]
Embeddings = Annotated[
    str | None,
    typer.Option(help="rag: find entries by this endpoint's embeddings; a URL up to /v1, or a name"),
]
EmbeddingsModel = Annotated[
    str | None, typer.Option(help="the embedding model; needed if the endpoint lists several or none")
]
EmbeddingsKeyVariable = Annotated[
    str | None, typer.Option(help="environment variable that holds the key for embeddings")
]
Body = Annotated[
    str | None, typer.Option(help="JSON object of fields to set in each call; null removes a field")
]
Sample = Annotated[
    int | None,
    typer.Option(min=1, help="ask only this many questions, drawn by the seed over all templates"),
]
Only = Annotated[
    Path | None,
    typer.Option(
        "--only", metavar="FILE", help="ask only the questions of a lite set (`trigpoint lite choose`)"
    ),
]
BudgetTokens = Annotated[
    int | None, typer.Option(min=1, help="pause the run before its calls use more tokens than this")
]
BudgetMoney = Annotated[
    str | None,
    typer.Option(help="pause the run before its calls cost more than this, in the endpoint's currency"),
]
Reuse = Annotated[bool, typer.Option("--reuse", help="reuse answers to identical calls of other runs")]
Detach = Annotated[bool, typer.Option("--detach", help="do not wait")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]
Detail = Annotated[
    ImageDetail | None,
    typer.Option(help="how closely the model is to look at pictures; by default the endpoint decides"),
]
WithContext = Annotated[
    bool | None,
    typer.Option(
        "--with-context/--without-context",
        help="whether questions are shown with their contexts; by default to solvers that call no tools",
    ),
]
Prompt = Annotated[str, typer.Option(help="trigpoint, or published: the rules of GS-QA's baselines")]
