"""A card's scores as the metadata of a model card on the Hugging Face hub: `model-index`, in YAML. Pure.

The form is that of https://github.com/huggingface/hub-docs/blob/main/modelcard.md: each result has a task, a data set
and metrics; a source, if it is told, has an address.
"""

from typing import Any

import yaml

from app.report_cards.models import CardContent, Figure

TASK = {"type": "question-answering", "name": "Geospatial question answering"}
HEADING = """\
# Put this between the two lines `---` at the top of the model's README.md on the hub.
# Scores are means over public questions in %, with their 95 % intervals.
"""
NO_SOURCE = "# Where the report card is published, add to each result: source: {name: Trigpoint report card, url: …}\n"


def model_index(card: CardContent, source: str | None = None) -> str:
    """The YAML, the overall figure and its skills first, then each data set; `source` is the address of the card.

    Figures without a score are left out.
    """
    results = [
        *_overall(card, source),
        *(
            _result(
                {"name": run.dataset, "type": run.benchmark, "split": "public"},
                [_metric("Score", run.figure)],
                source,
            )
            for run in card.runs
            if run.counted and run.figure.score is not None
        ),
    ]
    told = {"model-index": [{"name": card.model, "results": results}]}
    heading = HEADING + ("" if source else NO_SOURCE)
    return heading + yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=110)


def _overall(card: CardContent, source: str | None) -> list[dict[str, Any]]:
    figures = [("Overall", card.overall), *((one.title, one.figure) for one in card.skills)]
    metrics = [_metric(title, figure) for title, figure in figures if figure.score is not None]
    if not metrics:
        return []
    suite = card.suite or "report card"
    maps = ", ".join(one.name for one in card.maps)
    return [_result({"name": f"Trigpoint {suite}: {maps}", "type": "trigpoint"}, metrics, source)]


def _result(dataset: dict[str, str], metrics: list[dict[str, Any]], source: str | None) -> dict[str, Any]:
    result: dict[str, Any] = {"task": dict(TASK), "dataset": dataset, "metrics": metrics}
    return result | ({"source": {"name": "Trigpoint report card", "url": source}} if source else {})


def _metric(title: str, figure: Figure) -> dict[str, Any]:
    score, low, high = (round(100 * (share or 0.0), 1) for share in (figure.score, figure.low, figure.high))
    name = f"{title} (%, 95 % interval {low} to {high}, {figure.n} questions)"
    return {"type": "score", "name": name, "value": score}
