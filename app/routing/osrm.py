"""A router that asks OSRM which edges a route leads over; lengths and times are sums over these edges."""

import http.client
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.core.settings import Settings
from app.routing.building import RouterFiles, load_index
from app.routing.checks import check_matrix, refuse_unconnected
from app.routing.errors import RouterLost, RouterNotBuilt
from app.routing.processes import find_or_start, kill_process, note_use
from app.routing.results import MOST_ALTERNATIVES, Point, Route, Snapped
from app.routing.snapping import End, Snapper

ANSWER_S = 20.0


class OsrmRouter:
    """The router of one snapshot and mode; it may be asked again after its process was lost."""

    def __init__(self, settings: Settings, files: RouterFiles, mode: str) -> None:
        """Starts the router's process. Raises RouterNotBuilt where that, or the index of edges, does not go."""
        self.engine: str = files.manifest["engine"]
        self.files = files
        self._settings = settings
        self._folder: Path = files.folder
        self._mode = mode
        self._index = load_index(files)
        self._snapper = Snapper(self._index, mode)
        find_or_start(settings, files.folder)

    @property
    def fastest_kmh(self) -> float:
        """The highest speed of any edge."""
        return self._index.fastest_kmh

    def nearest(self, point: Point) -> Snapped:
        """The nearest place on the network. Raises RouteRefused where it is too far away."""
        return self._snapper.find(point).snapped

    def routes(self, start: Point, end: Point, alternatives: int = 0) -> list[Route]:
        """The fastest route, then up to `alternatives` others. Raises RouteRefused where there is none."""
        ends = self._snapper.find(start), self._snapper.find(end)
        most = min(alternatives, MOST_ALTERNATIVES) or "false"
        said = self._ask("route", ends, f"overview=false&annotations=nodes&alternatives={most}")
        if said["code"] == "NoRoute":
            raise refuse_unconnected(self._mode)
        return [self._route(one["legs"][0]["annotation"]["nodes"], *ends) for one in said["routes"]]

    def matrix(self, starts: Sequence[Point], ends: Sequence[Point]) -> list[list[float | None]]:
        """Seconds from each start (a row) to each end, to 0.1 s; None where no route leads there."""
        check_matrix(starts, ends)
        numbers = range(len(starts) + len(ends))
        sources, targets = (
            ";".join(map(str, part)) for part in (numbers[: len(starts)], numbers[len(starts) :])
        )
        ends_of_all = [self._snapper.find(point) for point in (*starts, *ends)]
        said = self._ask("table", ends_of_all, f"sources={sources}&destinations={targets}")
        return [list(row) for row in said["durations"]]

    def _route(self, nodes: Sequence[int], start: End, end: End) -> Route:
        arcs = self._index.arcs(nodes, start.edge, end.edge)
        if len(arcs) == 1:
            arcs = (self._index.arc_between(arcs[0] >> 1, start.snapped.point, end.snapped.point),)
        behind = self._index.share(arcs[0], start.snapped.point)
        ahead = 1 - self._index.share(arcs[-1], end.snapped.point)

        def total(value: Callable[[int], float]) -> float:
            """The sum over the route, of which the first and the last arc count in part."""
            return max(sum(map(value, arcs)) - behind * value(arcs[0]) - ahead * value(arcs[-1]), 0.0)

        steps = tuple(map(self._index.step, arcs))
        return Route(total(self._index.seconds), total(self._index.metres), steps, start.snapped, end.snapped)

    def _ask(self, service: str, ends: Sequence[End], options: str) -> dict[str, Any]:
        """One request. Raises RouterLost where the process ends, hangs or does not start.

        The next request starts another process. Where it does not start, this router is of no use any more: its files
        are built anew when it is next opened.
        """
        places = ";".join("{:.7f},{:.7f}".format(*end.snapped.point) for end in ends)
        try:
            port = find_or_start(self._settings, self._folder).port
            note_use(self._folder)
        except (RouterNotBuilt, OSError) as error:
            raise RouterLost(
                "The router's files are gone or damaged; ask again, and they are built anew."
            ) from error
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
        try:
            connection.request("GET", f"/{service}/v1/{self._mode}/{places}?{options}")
            said: dict[str, Any] = json.loads(connection.getresponse().read())
        except TimeoutError as error:
            kill_process(self._folder)
            raise RouterLost() from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise RouterLost() from error
        finally:
            connection.close()
        return said
