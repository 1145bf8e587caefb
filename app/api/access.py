"""Who asks: the key in `Authorization: Bearer`, recognised, counted and weighed against what a route needs."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPBearer

from app.access.audit import Actor
from app.access.keys import Caller, KeyRole, recognise
from app.api.service import ServiceOf
from app.core.errors import NotAllowed, NotKnown

_scheme = HTTPBearer(
    auto_error=False,
    description="an API key, as `trigpoint key create` prints it; reading public things needs none",
)


def admit(
    request: Request, service: ServiceOf, _: Annotated[object, Security(_scheme)] = None
) -> Caller | None:
    """Whose key the request bears; None where it bears none. Raises NotKnown for a bad one, TooMany."""
    given = request.headers.getlist("authorization")
    if not given:
        return None
    scheme, _, token = given[0].partition(" ")
    if len(given) > 1 or scheme.lower() != "bearer":
        raise NotKnown("The header must be `Authorization: Bearer KEY`, once.", given=True)
    with service.engine.connect() as connection:
        caller = recognise(connection, token.strip(" "), service.clock.now())
    request.state.key = caller.prefix
    service.limiter.admit(caller)
    return caller


Admitted = Annotated[Caller | None, Depends(admit)]


def needs(role: KeyRole) -> Callable[[Caller | None], Caller]:
    """A dependency that lets in who has a key of `role`, or of one above it."""

    def check(caller: Admitted) -> Caller:
        if caller is None:
            raise NotKnown(
                f"This needs an API key of the role {role}: send `Authorization: Bearer KEY`. Whoever runs this "
                "service makes keys."
            )
        if not caller.may(role):
            raise NotAllowed(
                f"This needs a key of the role {role}; {caller.prefix} is a {caller.role}'s.", role
            )
        return caller

    return check


Reader = Annotated[Caller, Depends(needs("reader"))]
Submitter = Annotated[Caller, Depends(needs("submitter"))]
Maintainer = Annotated[Caller, Depends(needs("maintainer"))]


def actor(request: Request, caller: Caller) -> Actor:
    """Who is to be named in the record."""
    return Actor(caller.id, request.state.request_id)
