"""A question's prompt: its ordered parts, and every form in which they leave the database. Pure.

A prompt is stored as a JSON list of parts. Each part is one of:

    {"type": "text", "text": TEXT}
    {"type": "context", "title": TITLE, "document": JSON or a text}
    {"type": "image", "sha256": SHA-256, "media_type": TYPE, "alt": WORDS}

The bytes of an image lie in the table `asset`. Whoever shows, exports, hashes or asks a question calls a function of
this module, so that a new kind of part is added here alone.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from app.core.errors import ProofError
from app.core.identity import digest

StoredPrompt = Sequence[Mapping[str, Any]]
"""A prompt as the database holds it."""
FILE_ENDINGS: Mapping[str, str] = {"image/png": "png", "image/jpeg": "jpg"}
"""The media types that an image may have, each with the ending of its file's name."""
ASSET_SCHEME = "asset:"
"""Begins the URL of an image in a stored chat call; `app.inference.images` puts the bytes there before it leaves."""
ASSET_ADDRESS = "/v1/assets/"
"""Where pictures are served, before their SHA-256."""
ImageDetail = Literal["low", "high", "auto"]
"""How closely a model is to look at pictures, as OpenAI's protocol names it."""
IMAGE_DETAILS: tuple[ImageDetail, ...] = get_args(ImageDetail)
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class TextPart:
    """Words, as they are shown."""

    text: str

    def as_json(self) -> dict[str, Any]:
        """The part as it is stored and exported."""
        return {"type": "text", "text": self.text}

    def as_text(self) -> str:
        """The part where only text can be shown."""
        return self.text


@dataclass(frozen=True)
class ContextPart:
    """A document that the question is asked about, under a title: JSON, or a text of several lines."""

    title: str
    document: Any

    def as_json(self) -> dict[str, Any]:
        """The part as it is stored and exported."""
        return {"type": "context", "title": self.title, "document": self.document}

    def as_text(self) -> str:
        """The title and a colon, then the document: a text as it is, JSON with sorted keys and two spaces a level."""
        return f"{self.title}:\n{self.document_text()}"

    def document_text(self) -> str:
        """The document alone, in that form; no letters of JSON are escaped."""
        if isinstance(self.document, str):
            return self.document
        return json.dumps(self.document, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True)
class ImagePart:
    """A picture, named by the SHA-256 of its bytes; `alt` says in words what it is."""

    sha256: str
    media_type: str
    alt: str

    @property
    def file(self) -> str:
        """The name of the picture's file in an export."""
        return asset_file(self.sha256, self.media_type)

    def as_json(self) -> dict[str, Any]:
        """The part as it is stored."""
        return {"type": "image", "sha256": self.sha256, "media_type": self.media_type, "alt": self.alt}

    def as_text(self) -> str:
        """What stands for the picture where only text can be shown."""
        return f"[Image: {self.alt}]"


Part = TextPart | ContextPart | ImagePart


def asset_file(sha256: str, media_type: str) -> str:
    """The name of an asset's file in an export, such as `assets/SHA.png`."""
    return f"assets/{sha256}.{FILE_ENDINGS[media_type]}"


def text_prompt(text: str) -> list[dict[str, Any]]:
    """The stored form of a prompt that is one text."""
    return [TextPart(text).as_json()]


def read_parts(prompt: StoredPrompt) -> list[Part]:
    """The parts of a stored prompt, in order.

    Raises ProofError where the prompt has no part, or one of them is none of the three forms.
    """
    if not prompt:
        raise ProofError("a prompt has at least one part")
    return [_read_part(part) for part in prompt]


def _read_part(part: Mapping[str, Any]) -> Part:
    match part:
        case {"type": "text", "text": str(text), **others} if not others:
            return TextPart(text)
        case {"type": "context", "title": str(title), "document": document, **others} if not others:
            return ContextPart(title, document)
        case {
            "type": "image",
            "sha256": str(sha256),
            "media_type": str(media_type),
            "alt": str(alt),
            **others,
        } if not others and _SHA256.fullmatch(sha256) and media_type in FILE_ENDINGS:
            return ImagePart(sha256, media_type, alt)
    raise ProofError(f"this is no part of a prompt: {json.dumps(part, ensure_ascii=False)[:200]}")


def is_text_alone(prompt: StoredPrompt) -> bool:
    """Whether the prompt has nothing but text parts."""
    return all(part["type"] == "text" for part in prompt)


def prompt_as_text(prompt: StoredPrompt) -> str:
    """The whole prompt as one text; parts are separated by an empty line."""
    return "\n\n".join(part.as_text() for part in read_parts(prompt))


def words_of(prompt: StoredPrompt) -> str:
    """The words of the question alone: its text parts, separated by an empty line."""
    return "\n\n".join(part.text for part in read_parts(prompt) if isinstance(part, TextPart))


def context_of(prompt: StoredPrompt) -> str | None:
    """The text of the only context of a prompt; None where it has none, or several."""
    found = [part.document_text() for part in read_parts(prompt) if isinstance(part, ContextPart)]
    return found[0] if len(found) == 1 else None


def without_contexts(prompt: StoredPrompt) -> StoredPrompt:
    """The prompt as somebody is asked it who has to find out by himself what its contexts tell."""
    return [part for part in prompt if part["type"] != "context"]


def hash_prompt(prompt: StoredPrompt, options: Sequence[str] | None) -> str:
    """Content hash of parts and options: what a model sees. An image counts by its SHA-256."""
    return digest(list(prompt), None if options is None else list(options))


def images_of(prompts: Iterable[StoredPrompt]) -> list[ImagePart]:
    """The images of these prompts, each once, in the order of their hashes."""
    found = {
        part["sha256"]: _read_part(part) for prompt in prompts for part in prompt if part["type"] == "image"
    }
    return [one for _, one in sorted(found.items()) if isinstance(one, ImagePart)]


def chat_content(
    prompt: StoredPrompt, text: str, detail: ImageDetail | None = None
) -> str | list[dict[str, Any]]:
    """The content of a chat message that asks `text`, which holds the prompt's words already.

    That is the text itself where the prompt has no image. Else it is a list of OpenAI content parts: the text, then
    each image under the URL `asset:SHA-256`, with the `detail` in which a model is to look at it if that is given.
    """
    images = [part for part in read_parts(prompt) if isinstance(part, ImagePart)]
    if not images:
        return text
    closely = {} if detail is None else {"detail": detail}
    return [
        {"type": "text", "text": text},
        *(
            {"type": "image_url", "image_url": {"url": ASSET_SCHEME + one.sha256, **closely}}
            for one in images
        ),
    ]


def words_of_content(content: Any) -> str:
    """The words of a stored chat message's content: a text, or parts of which those of text are joined."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    return "\n\n".join(str(part["text"]) for part in content if part.get("type") == "text")


def pictures_of_content(content: Any) -> list[str]:
    """The addresses of the pictures that a stored chat message shows."""
    parts = content if isinstance(content, list) else []
    urls = [str(part["image_url"]["url"]) for part in parts if part.get("type") == "image_url"]
    return [ASSET_ADDRESS + url.removeprefix(ASSET_SCHEME) for url in urls if url.startswith(ASSET_SCHEME)]


def exported_parts(prompt: StoredPrompt) -> list[dict[str, Any]]:
    """The parts as an export holds them: an image also says the name of its file."""
    return [
        part.as_json() | ({"file": part.file} if isinstance(part, ImagePart) else {})
        for part in read_parts(prompt)
    ]


def published_parts(prompt: StoredPrompt) -> list[dict[str, Any]] | None:
    """The parts as REST and the pages give them, or None where the prompt is text alone.

    An image also has the address that serves it; a context also has its `text`, the document as a reader sees it.
    """
    if is_text_alone(prompt):
        return None
    return [part.as_json() | _shown_beside(part) for part in read_parts(prompt)]


def _shown_beside(part: Part) -> dict[str, Any]:
    match part:
        case ImagePart():
            return {"url": ASSET_ADDRESS + part.sha256}
        case ContextPart():
            return {"text": part.document_text()}
    return {}
