"""Pictures in chat calls: a stored call names them by SHA-256, and what leaves holds their bytes, or links to them.

So a step's row stays small, and its hash says which pictures were shown.
"""

import base64
import json
import socket
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.inference.picture_tokens import Size
from app.questions.image_sizes import read_image
from app.questions.prompts import ASSET_ADDRESS, ASSET_SCHEME


class ImageBytes(NamedTuple):
    """A picture's media type and content; `is_shown` says whether REST shows it to everybody."""

    media_type: str
    content: bytes
    is_shown: bool = False

    @property
    def size(self) -> Size | None:
        """Its pixels; None for bytes that are no picture."""
        try:
            found = read_image(self.content)
        except UsageError:
            return None
        return Size(found.width, found.height)

    def data_uri(self) -> str:
        """The picture as the URL of an `image_url` part."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.content).decode()}"


LoadImage = Callable[[str], Awaitable[ImageBytes]]
"""The picture of that SHA-256; raises ProofError where there is none."""
_MARK = f'"{ASSET_SCHEME}'


async def with_images(request: str, load: LoadImage, public_url: str | None = None) -> str:
    """The request with the bytes of its pictures in place of their names; one without pictures stays as it is.

    With the address at which others reach REST, pictures that it shows to everybody are links to it.
    """
    if _MARK not in request:
        return request
    body = json.loads(request)
    for part in _image_urls(body):
        sha256 = part["url"].removeprefix(ASSET_SCHEME)
        picture = await load(sha256)
        is_link = public_url is not None and picture.is_shown
        part["url"] = f"{public_url}{ASSET_ADDRESS}{sha256}" if is_link else picture.data_uri()
    return canonical_json(body)


def _image_urls(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The `image_url` objects that name a picture of ours."""
    contents = [message.get("content") for message in body.get("messages", [])]
    parts = [part for content in contents if isinstance(content, list) for part in content]
    urls = [part["image_url"] for part in parts if part.get("type") == "image_url"]
    return [one for one in urls if one["url"].startswith(ASSET_SCHEME)]


def is_on_this_host(url: str) -> bool:
    """Whether an endpoint is reached by a name or an address of this host alone."""
    name = (urlsplit(url).hostname or "").rstrip(".")
    if name == "localhost" or name.endswith(".localhost") or name == socket.gethostname().lower():
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
