"""The one tree of errors; a class's docstring is its default message.

TrigpointError
├── UsageError              the caller's fault, at the command line or over REST
│   ├── NotFound            a name that nothing answers to
│   ├── Conflict            what is asked contradicts what is there
│   ├── NotKnown            a key that is no valid one, or none where one is needed
│   ├── NotAllowed          a key whose role does not suffice
│   ├── BadSubmission       submitted answers that are not complete, or not well formed
│   └── TemplateError       a template, pick, phrasing or benchmark file is malformed
├── SettingsError           the environment lacks something
├── BadExtract              a map file that cannot be imported
├── BadBackup               a file that cannot be restored
├── Held                    work that another process is doing just now
├── Permanent               will fail again however often it is tried
│   ├── ProofError          gold that could not be proved
│   ├── ImportFailed        an import that stopped; nothing was published
│   ├── ImportHeld          an import too unlike the map before it; a person must publish or drop it
│   ├── BackupFailed        a backup or restore that stopped; nothing was left behind
│   ├── EndpointRefused     an endpoint that answers, but not usefully
│   └── Fenced              a worker whose lease passed to another
└── Transient               may succeed when tried again
    ├── TooMany             more requests than a key may make
    ├── EndpointUnavailable an endpoint that is down, slow or limits its rate
    └── ServiceUnavailable  PostgreSQL or Redis does not answer
"""

from collections.abc import Sequence


class TrigpointError(Exception):
    """Something went wrong."""

    exit_code = 1

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())


class UsageError(TrigpointError):
    """The request cannot be understood."""

    exit_code = 2


class NotFound(UsageError):
    """There is nothing of that name."""


class Conflict(UsageError):
    """The request contradicts what is already there."""

    exit_code = 1


class NotKnown(UsageError):
    """This needs an API key."""

    def __init__(self, message: str | None = None, *, given: bool = False) -> None:
        super().__init__(message)
        self.given = given


class NotAllowed(UsageError):
    """The API key's role does not allow this."""

    def __init__(self, message: str | None = None, role: str = "maintainer") -> None:
        super().__init__(message)
        self.role = role


class BadSubmission(UsageError):
    """The answers cannot be taken as they are.

    `faults` are the first (line, what is wrong and what to do), of `count` that were found; a line is None for what no
    line is to blame for. `ended_at` is the line after which nothing was looked at, where that many were wrong.
    """

    exit_code = 1

    def __init__(
        self, count: int = 0, faults: Sequence[tuple[int | None, str]] = (), ended_at: int | None = None
    ) -> None:
        told = [said if line is None else f"line {line:,}: {said}" for line, said in faults]
        more = [f"and {count - len(told):,} more"] if count > len(told) else []
        end = (
            []
            if ended_at is None
            else [f"nothing after line {ended_at:,} was looked at: correct these first"]
        )
        super().__init__("\n".join(["The answers are not taken; nothing was stored.", *told, *more, *end]))
        self.count = count
        self.faults = tuple(faults)


class TemplateError(UsageError):
    """A template file is malformed."""


class SettingsError(TrigpointError):
    """The environment lacks a setting."""

    exit_code = 2


class BadExtract(TrigpointError):
    """The file is not an OpenStreetMap extract that can be imported."""


class BadBackup(TrigpointError):
    """The file is not a backup that can be restored."""


class Held(TrigpointError):
    """Another process is doing this just now; try again when it is done."""


class Permanent(TrigpointError):
    """This will fail again however often it is tried."""


class ProofError(Permanent):
    """The gold could not be proved."""


class ImportFailed(Permanent):
    """The import stopped; nothing was published."""


class ImportHeld(Permanent):
    """The import differs too much from the map before it; it is held and not published."""


class BackupFailed(Permanent):
    """The backup or the restore stopped; nothing was left behind."""


class EndpointRefused(Permanent):
    """The endpoint answered, but not usefully."""


class Fenced(Permanent):
    """The lease passed to another worker."""


class Transient(TrigpointError):
    """This may succeed when tried again."""


class TooMany(Transient):
    """Too many requests; wait before the next."""

    def __init__(self, message: str | None = None, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class EndpointUnavailable(Transient):
    """The endpoint does not answer."""

    def __init__(self, message: str | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ServiceUnavailable(Transient):
    """PostgreSQL or Redis does not answer."""
