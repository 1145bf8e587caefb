"""A process of a test: makes so many calls of an endpoint, at the pace that it shares with others, and says how many.

usage: callers.py REDIS ENDPOINT CALLS SLOTS LIMITS-AS-JSON
"""

import asyncio
import json
import sys

from app.inference.chat import ChatClient, Endpoint
from app.inference.limits import Limits
from app.inference.outcomes import Failure
from app.inference.shared_pacing import make_pacer


async def main(redis_url: str, url: str, calls: int, slots: int, limits: Limits) -> None:
    """Call as often and as fast as the pace allows; a refused call is made again."""
    endpoint = Endpoint(url, "m")
    pacer, client, stop = make_pacer(redis_url, endpoint, slots, limits), ChatClient(20.0), asyncio.Event()
    left = calls

    async def slot() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            assert await pacer.enter(stop)
            outcome = await client.complete(endpoint, {"model": "m", "messages": []})
            failed = outcome if isinstance(outcome, Failure) else None
            left += failed is not None
            await pacer.leave(
                answered=failed is None,
                limited=failed is not None and failed.limited,
                pause=failed.retry_after if failed else None,
            )

    await asyncio.gather(*(slot() for _ in range(slots)))
    await pacer.close()
    await client.close()
    sys.stdout.write(f"{calls} calls, window {pacer.window:g}\n")


if __name__ == "__main__":
    asked, to, how_many, at_once, allowed = sys.argv[1:]
    asyncio.run(main(asked, to, int(how_many), int(at_once), Limits.of(json.loads(allowed))))
