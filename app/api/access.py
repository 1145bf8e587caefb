"""Who asks: the key in `Authorization: Bearer`, recognised, counted and weighed against what a route needs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Security
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer

from app.access.audit import Actor
from app.access.keys import Caller, KeyRole, recognise
from app.api.service import ServiceOf
from app.core.errors import NotAllowed, NotKnown

_scheme = HTTPBearer(
    auto_error=False,
    description="an API key, as `trigpoint key create` prints it; public data can be read without a key",
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


@dataclass(frozen=True)
class Needs:
    """A dependency that lets in who has a key of `role`, or of one above it."""

    role: KeyRole

    def __call__(self, caller: Admitted) -> Caller:
        """The caller. Raises NotKnown for who sends no key, NotAllowed for a key of a lower role."""
        if caller is None:
            raise NotKnown(
                f"This needs an API key of the role {self.role}: send `Authorization: Bearer KEY`. Whoever runs this "
                "service makes keys."
            )
        if not caller.may(self.role):
            raise NotAllowed(
                f"This needs a key of the role {self.role}; {caller.prefix} is a {caller.role}'s.", self.role
            )
        return caller


Reader = Annotated[Caller, Depends(Needs("reader"))]
Submitter = Annotated[Caller, Depends(Needs("submitter"))]
Maintainer = Annotated[Caller, Depends(Needs("maintainer"))]


def actor(request: Request, caller: Caller) -> Actor:
    """Who is to be named in the record."""
    return Actor(caller.id, request.state.request_id)


def only_own(caller: Caller) -> int | None:
    """Whose things the caller may see: those of its own line of keys; None for all, which maintainers see."""
    return None if caller.may("maintainer") else caller.first_id


def roles_of(router: APIRouter) -> dict[tuple[str, str], KeyRole]:
    """By method and path the role whose key a route wants, for those routes that want one."""
    return {
        (method, route.path): role
        for route in router.routes
        if isinstance(route, APIRoute)
        for role in _roles(route.dependant)
        for method in route.methods or ()
    }


def _roles(found: Dependant) -> Iterator[KeyRole]:
    for one in found.dependencies:
        if isinstance(one.call, Needs):
            yield one.call.role
        yield from _roles(one)
