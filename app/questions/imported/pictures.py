"""Pictures of data sets that others published: found in one folder, read within limits, and encoded anew.

A picture's path is somebody else's text: it may lead nowhere but into the folder. What is stored are the pixels alone,
encoded by us, so that nothing else that a file held (further frames, metadata, bytes behind its end) goes on.
"""

import warnings
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from PIL import Image, ImageOps, UnidentifiedImageError

from app.core.errors import UsageError
from app.core.strict_json import shown_name
from app.questions.assets import LARGEST
from app.questions.image_sizes import read_image
from app.questions.prompts import ImagePart

MOST_PIXELS = 20_000_000
MOST_BYTES = 64 * 2**20
"""Of one file; 20 million pixels of PNG without compression have 60 MB."""
FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}
"""By suffix, in small letters: what the file must be."""
_QUALITIES = (92, 80, 65)
"""Of JPEG: the next one where a picture would have more bytes than an asset may have."""
_MODES = ("L", "LA", "RGB", "RGBA")


class NewPicture(NamedTuple):
    """A picture that is not stored yet: the part of a prompt that shows it, its bytes, and whom its licence names."""

    part: ImagePart
    content: bytes
    licence: str


class AbsentPicture(UsageError):
    """There is no such file in the folder."""


def find_picture(root: Path, path: str) -> Path:
    """The file in the folder `root` that a data set names `path`, whatever the case of the letters.

    Where the path's first folder is called as `root` itself, it may be `root`. Raises AbsentPicture where there is no
    such file, UsageError for a path that leads out of the folder or through a link.
    """
    parts = PurePosixPath(path).parts
    if not parts or "\\" in path or "\0" in path or path.startswith("/") or ".." in parts or ":" in parts[0]:
        raise UsageError(f"the path {shown_name(path)} does not stay in the folder of the pictures")
    if not root.is_dir():
        raise UsageError(f"{root} is no folder. Name the folder of the pictures with --pictures.")
    found = _walk(root, parts)
    if found is None and len(parts) > 1 and parts[0].casefold() == root.resolve().name.casefold():
        found = _walk(root, parts[1:])
    if found is None:
        raise AbsentPicture(f"there is no picture {shown_name(path)} in {root}")
    return found


def _walk(root: Path, parts: tuple[str, ...]) -> Path | None:
    at = root
    for part in parts:
        exact = at / part
        if exact.is_symlink() or exact.exists():
            at = exact
        else:
            alike = (
                [one for one in at.iterdir() if one.name.casefold() == part.casefold()] if at.is_dir() else []
            )
            if len(alike) != 1:
                return None
            at = alike[0]
        if at.is_symlink():
            raise UsageError(f"{at} is a link; links are not followed")
    return at if at.is_file() else None


def read_picture(path: Path, alt: str, licence: str) -> NewPicture:
    """The picture in the file, encoded anew as what it was; as JPEG where a PNG has more bytes than an asset may have.

    Raises UsageError that names the file: where its suffix is none of a PNG or JPEG or not that of what it holds, where
    it has more than 20 million pixels or 64 MiB, is animated, cut off, or cannot be read.
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"{path}: its name does not end as that of a PNG or JPEG file does")
    content = _bytes_of(path)
    try:
        size = read_image(content)
    except UsageError as error:
        raise UsageError(f"{path}: it is no PNG or JPEG picture") from error
    if size.media_type != f"image/{kind.lower()}":
        raise UsageError(f"{path}: its name says {kind}, and its bytes say {size.media_type}")
    if size.width * size.height > MOST_PIXELS:
        raise UsageError(
            f"{path}: it has {size.width:,} × {size.height:,} pixels; at most {MOST_PIXELS:,} are read"
        )
    stored = encode_picture(_pixels_of(path, content, kind), kind)
    if stored is None:
        raise UsageError(f"{path}: it has more than {LARGEST >> 20} MiB, also as a JPEG")
    return NewPicture(
        ImagePart(sha256(stored).hexdigest(), read_image(stored).media_type, alt), stored, licence
    )


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise UsageError(f"{path}: it has more than {MOST_BYTES // 2**20} MiB")
    return content


def _pixels_of(path: Path, content: bytes, kind: str) -> Image.Image:
    """All pixels, decoded. Pillow's own limit on pixels is an error here, too, and no warning."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(content), formats=[kind]) as image:
                if getattr(image, "n_frames", 1) > 1:
                    raise UsageError(f"{path}: it is animated; only pictures that stand still are read")
                image.load()
                return ImageOps.exif_transpose(image)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise UsageError(f"{path}: it unpacks to more pixels or bytes than are read") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, MemoryError) as error:
        raise UsageError(f"{path}: it is cut off or broken, and cannot be read as {kind}") from error


def encode_picture(image: Image.Image, kind: str) -> bytes | None:
    """The pixels as PNG or JPEG, with nothing else of the file; the same pixels give the same bytes.

    A PNG of more bytes than an asset may have becomes a JPEG; None where that has too many, too.
    """
    plain = (
        image if image.mode in _MODES else image.convert("RGBA" if "transparency" in image.info else "RGB")
    )
    bare = Image.frombytes(plain.mode, plain.size, plain.tobytes())
    ways: list[dict[str, Any]] = [{"format": "JPEG", "quality": quality} for quality in _QUALITIES]
    for way in [{"format": "PNG"}, *ways] if kind == "PNG" else ways:
        buffer = BytesIO()
        (bare if way["format"] == "PNG" else bare.convert("RGB")).save(buffer, **way)
        if buffer.tell() <= LARGEST:
            return buffer.getvalue()
    return None
