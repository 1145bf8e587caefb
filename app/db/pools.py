"""How many connections processes that live long may open: what `trigpoint worker` adds up before it starts."""

WORKER_POOL, WORKER_OVERFLOW = 4, 4
"""What works runs and sweeps: so many connections are kept, so many more opened while they are needed."""
WORKER_BESIDES = 6
"""Three tasks may score at once; the sweeper, the judge ahead and the presence have one each."""
WORKER_TOOLS = 2
"""For tools that agents call: so many at once, since more than two of them need more than two processors."""
WORKER_CONNECTIONS = WORKER_POOL + WORKER_OVERFLOW + WORKER_BESIDES + WORKER_TOOLS
WORKER_LOCK = 7_471_001
"""The first key of the advisory lock that a worker holds while it lives; the second is WORKER_CONNECTIONS."""

SERVER_POOL, SERVER_OVERFLOW = 5, 8
MAINTAINER_POOL = 2
"""For what bears a maintainer's key."""
TOOL_POOL = 8
"""For tools that are called over the network: so many at once."""
SERVER_CONNECTIONS = SERVER_POOL + SERVER_OVERFLOW + MAINTAINER_POOL + TOOL_POOL

COMMAND_CONNECTIONS = 6
"""Left for commands: an import has three, most have one."""
