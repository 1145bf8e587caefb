"""Options of commands that say in which words questions are asked."""

from typing import Annotated

import typer

Names = Annotated[
    str, typer.Option(help="how objects are named: local, en or both; the last two need proved English names")
]
Locale = Annotated[str, typer.Option(help="the language of the texts")]
Register = Annotated[
    str,
    typer.Option(
        help="the texts: precise, with every definition; everyday, as somebody would ask; or mixed, half of each"
    ),
]
Phrasing = Annotated[
    int, typer.Option(help="how many phrasings further each text is than without this option")
]
Lengths = Annotated[str, typer.Option(help="lengths in texts: usual (450 m, 1.2 km), metres or feet")]
Points = Annotated[
    str, typer.Option(help="coordinates in texts: decimal, or minutes (degrees, minutes and seconds)")
]
