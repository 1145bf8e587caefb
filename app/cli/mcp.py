"""`trigpoint mcp`: the tools of a map for a program on this machine, over standard input and output."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from app.core.settings import Role, Settings
from app.db.engine import connect


def mcp(
    snapshot: Annotated[
        str, typer.Option(metavar="NAME[@TIMESTAMP]", help="the map: its newest, or that of a timestamp")
    ],
    tool_set: Annotated[
        str,
        typer.Option(
            "--set",
            metavar="SET",
            help="the tools: all, mapeval, mapeval_calculator, georover, georover_10km, spatial_agent or calculator",
        ),
    ] = "all",
) -> None:
    """Serve the tools of a map by the Model Context Protocol on stdin and stdout, until stdin ends."""
    # Here and not above: the protocol's library takes a second to import, and every command imports this module.
    import anyio
    from mcp.server.stdio import stdio_server

    from app.agent_tools.calling import ToolAnswer, call_tool
    from app.agent_tools.mcp_server import make_server
    from app.agent_tools.sets import find_set
    from app.cli.mcp_lines import answering_bad_lines
    from app.questions.snapshots import find_snapshots
    from app.routing.routers import Routers

    tools = find_set(tool_set).tools
    settings = Settings.load()
    routers = Routers(settings)
    with connect(settings, Role.MAINTAINER) as connection:
        (map_,) = find_snapshots(connection, [snapshot])
        connection.rollback()

        async def serve() -> None:
            one_at_a_time = anyio.CapacityLimiter(1)

            async def answer(_: Any, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
                return await anyio.to_thread.run_sync(
                    call_tool, connection, map_, routers, name, arguments, tools, limiter=one_at_a_time
                )

            server = make_server(answer, lambda _: tools)
            async with (
                stdio_server() as (reading, writing),
                answering_bad_lines(reading, writing) as messages,
            ):
                await server.run(messages, writing, server.create_initialization_options())

        anyio.run(serve)
