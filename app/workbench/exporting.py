"""A published version of written questions in the form in which its benchmark's authors published theirs."""

from typing import Any

from sqlalchemy import Connection

from app.agent_tools.calling import CREDIT
from app.core.errors import NotFound
from app.questions.gold import NO_ANSWER
from app.questions.prompts import context_of, words_of
from app.questions.versions import PublishedVersion
from app.questions.written import is_written, recipe_of
from app.workbench import queries
from app.workbench.forms import WrittenItem, find_form
from app.workbench.records import NO_OPTION


def export_written(connection: Connection, version: PublishedVersion) -> list[dict[str, Any]]:
    """The questions in their order; needs a role that reads gold. Raises NotFound for a version of another kind."""
    if not is_written(connection, version):
        raise NotFound(f"{version.reference} was not written by hand; `trigpoint export` exports it.")
    form = find_form(version.benchmark)
    (source,) = recipe_of(connection, version)["snapshots"]
    about = {"snapshot": source["snapshot"], "attribution": CREDIT}
    rows = connection.exec_driver_sql(queries.WRITTEN, {"version_id": version.id})
    return [
        form.export_item(
            WrittenItem(
                number=number,
                question=words_of(row.prompt),
                context=context_of(row.prompt) or "",
                options=[one for one in row.options if one != NO_ANSWER],
                key=NO_OPTION if row.options[row.gold["index"]] == NO_ANSWER else row.gold["index"],
                class_=row.parameters["classification"],
            )
        )
        | about
        for number, row in enumerate(rows, 1)
    ]
