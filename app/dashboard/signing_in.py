"""Signing in on pages: a maintainer's key for a cookie, and what every page that needs it asks first.

The cookie goes to the pages of the workbench alone, is read by no script, and comes with no request that another site
makes. The key itself is in no cookie, address, page or line of log.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import APIRouter, Cookie, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from app.access.audit import Actor, note
from app.access.keys import recognise
from app.access.page_sessions import (
    LASTS,
    SIGN_IN,
    SIGN_OUT,
    PageSession,
    end_session,
    find_session,
    open_session,
)
from app.api.service import Service, ServiceOf
from app.core.errors import NotAllowed, NotKnown
from app.dashboard.reading import reading
from app.dashboard.rendering import render
from app.dashboard.sent_forms import read_body, refuse_other_pages

router = APIRouter(include_in_schema=False)
T = TypeVar("T")
PATH = "/workbench"
"""The pages to which browsers send the cookie."""
SIGN_IN_PAGE = f"{PATH}/sign-in"
COOKIE = "trigpoint_session"
FORM_FIELD = "form_token"
"""The field of every form that writes."""
PRIVATE = {"Cache-Control": "private, no-store"}


class Noted(NamedTuple):
    """What a change comes to, and its line in the record of maintainers' actions."""

    value: Any
    action: str
    subject: str
    detail: Mapping[str, Any] = {}


@dataclass(frozen=True)
class SignedIn:
    """A request of somebody who is signed in."""

    request: Request
    service: Service
    session: PageSession

    def show(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page for this session alone."""
        shown = render(template, session=self.session, **values)
        return HTMLResponse(shown, status, headers=PRIVATE)

    def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` reads as the role maintainer. Raises a 501 where this server only reads."""
        with self.service.changing() as connection:
            return work(connection)

    def change(self, work: Callable[[Connection, datetime], Noted | None]) -> Any:
        """Do `work` in one transaction with its line in the record; None where it changed nothing."""
        now = self.service.clock.now()
        with self.service.changing() as connection:
            done = work(connection, now)
            if done is None:
                return None
            who = Actor(self.session.caller.id, self.request.state.request_id)
            note(connection, who, done.action, done.subject, now, done.detail)
            connection.commit()
        return done.value


Token = Annotated[str | None, Cookie(alias=COOKIE, max_length=100)]


def sign_in_of(request: Request, service: ServiceOf, token: Token = None) -> SignedIn:
    """Who is signed in; the request counts. A page that is only looked at sends others to sign in.

    Raises NotKnown for a form that others send, TooMany.
    """
    try:
        if token is None:
            raise NotKnown("You are not signed in. Sign in, and send the form again.")
        with reading(service) as connection:
            session = find_session(connection, token, service.clock.now())
    except NotKnown:
        if request.method != "GET":
            raise
        raise HTTPException(303, "Sign in first.", headers={"Location": SIGN_IN_PAGE, **PRIVATE}) from None
    request.state.key = session.caller.prefix
    service.limiter.admit(session.caller)
    return SignedIn(request, service, session)


OfMaintainer = Annotated[SignedIn, Depends(sign_in_of)]


async def sent_by(signed: OfMaintainer) -> Mapping[str, str]:
    """The fields of a form of this very session. Raises NotAllowed for any other form."""
    sent = await read_body(signed.request)
    signed.session.check_form(sent.get(FORM_FIELD, ""))
    return sent


SentForm = Annotated[Mapping[str, str], Depends(sent_by)]


@router.get(SIGN_IN_PAGE, response_class=HTMLResponse)
def show_sign_in() -> HTMLResponse:
    """The form that takes a key."""
    return _sign_in_page()


@router.post(SIGN_IN_PAGE)
async def post_sign_in(request: Request, service: ServiceOf) -> Response:
    """Open a session for the key in the form. Raises NotAllowed for a form on another server's page, TooMany."""
    refuse_other_pages(request, "sign anybody in here")
    address = request.client.host if request.client else ""
    await run_in_threadpool(service.limiter.admit_try, address)
    sent = await read_body(request)
    try:
        token = await run_in_threadpool(_open, request, service, sent.get("key", "").strip())
    except NotKnown as error:
        return _sign_in_page(401, str(error))
    except NotAllowed as error:
        return _sign_in_page(403, str(error))
    back = RedirectResponse(PATH, 303, headers=PRIVATE)
    secure = request.url.scheme == "https"
    age = int(LASTS.total_seconds())
    back.set_cookie(COOKIE, token, age, path=PATH, httponly=True, samesite="strict", secure=secure)
    return back


@router.post(f"{PATH}/sign-out")
def post_sign_out(signed: OfMaintainer, _: SentForm) -> RedirectResponse:
    """End the session."""

    def end(connection: Connection, now: datetime) -> Noted:
        end_session(connection, signed.session, now)
        return Noted(None, SIGN_OUT, signed.session.caller.prefix)

    signed.change(end)
    back = RedirectResponse(SIGN_IN_PAGE, 303, headers=PRIVATE)
    back.delete_cookie(COOKIE, path=PATH)
    return back


def _sign_in_page(status: int = 200, fault: str = "") -> HTMLResponse:
    return HTMLResponse(render("sign_in.html", fault=fault), status, headers=PRIVATE)


def _open(request: Request, service: Service, key: str) -> str:
    """The value of a new session's cookie, and its line in the record. Raises NotKnown, NotAllowed, TooMany."""
    now = service.clock.now()
    with reading(service) as connection:
        caller = recognise(connection, key, now)
    request.state.key = caller.prefix
    service.limiter.admit(caller)
    with service.changing() as connection:
        token = open_session(connection, caller, now)
        note(connection, Actor(caller.id, request.state.request_id), SIGN_IN, caller.prefix, now)
        connection.commit()
    return token
