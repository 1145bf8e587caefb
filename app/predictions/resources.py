"""What all runs of one worker share in making their calls: connections, paces, what was learned of endpoints."""

from app.agent_tools.running import ToolRunner
from app.core.settings import Settings
from app.inference.chat import ChatClient, Endpoint
from app.inference.limits import Limits
from app.inference.pacing import Pacer
from app.inference.patience import Patience
from app.inference.shared_pacing import make_pacer
from app.map_tools.sql_running import SqlRunner
from app.predictions.images import ImageLoader


class WorkerResources:
    """Each is made when it is first asked for. To be made, used and closed on the worker's event loop."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.client = ChatClient(settings.request_timeout_seconds, ImageLoader(settings).load)
        self._pacers: dict[tuple[Endpoint, Limits], Pacer] = {}
        self._patience: dict[tuple[Endpoint, Limits], Patience] = {}
        self._sql: SqlRunner | None = None
        self._tools: ToolRunner | None = None

    def pacer(self, endpoint: Endpoint, limits: Limits) -> Pacer:
        """The pace of all runs that ask this endpoint; it shares the limits with other workers."""
        key = endpoint, limits
        if key not in self._pacers:
            settings = self.settings
            broker = settings.redis_url
            address = broker.get_secret_value() if broker else None
            self._pacers[key] = make_pacer(
                address, endpoint, settings.concurrency, limits, float(settings.first_calls)
            )
        return self._pacers[key]

    def patience(self, endpoint: Endpoint, limits: Limits) -> Patience:
        """What all runs that ask this endpoint have learned of how long it takes."""
        key = endpoint, limits
        if key not in self._patience:
            fixed = limits.timeout_seconds
            usual = fixed or self.settings.request_timeout_seconds
            self._patience[key] = Patience(usual, is_fixed=fixed is not None)
        return self._patience[key]

    def sql_runner(self) -> SqlRunner:
        """Who runs models' SQL; it bounds how many statements the worker has in the sandbox."""
        if self._sql is None:
            self._sql = SqlRunner(self.settings)
        return self._sql

    def tool_runner(self) -> ToolRunner:
        """Who calls tools for models; it bounds how many the worker calls at once."""
        if self._tools is None:
            self._tools = ToolRunner(self.settings)
        return self._tools

    async def close(self) -> None:
        """Close every connection."""
        if self._tools is not None:
            await self._tools.close()
        for pacer in self._pacers.values():
            await pacer.close()
        await self.client.close()
