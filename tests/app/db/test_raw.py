"""What is said where there is no connection: nobody answers, or PostgreSQL refuses."""

from collections.abc import Callable

import pytest
from pydantic import SecretStr

from app.core.errors import ServiceUnavailable
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.raw import connect_raw


def _connect(settings: Settings) -> None:
    with connect(settings, Role.WORKER):
        pass


@pytest.mark.parametrize("opened", [_connect, lambda settings: connect_raw(settings, Role.WORKER)])
def test_who_does_not_answer_and_who_refuses(
    database: Settings, opened: Callable[[Settings], object]
) -> None:
    nobody = database.model_copy(update={"database_url": "postgresql://127.0.0.1:1/trigpoint"})
    with pytest.raises(
        ServiceUnavailable, match=r":1/trigpoint does not answer: Connection refused\. Run `make up`"
    ):
        opened(nobody)
    stranger = database.model_copy(update={"password_worker": SecretStr("wrong")})
    with pytest.raises(
        ServiceUnavailable, match="does not let trigpoint_worker in: password authentication failed"
    ):
        opened(stranger)
