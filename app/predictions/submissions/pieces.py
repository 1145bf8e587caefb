"""From bytes to JSON values, one at a time with its line: lines of JSON Lines, or the elements of one JSON array.

What ends a value is told by brackets and quotes alone; what is in it is looked at by who takes it.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from app.predictions.submissions.faults import Unreadable

MOST_OF_ONE = 1_000_000
"""Bytes of one answer with its id."""
_MARK = re.compile(rb'[][{}",]')
_TEXT = re.compile(rb'(?>(?:[^"\\]++|\\.)*)', re.DOTALL)
"""What of a string stands in a chunk, at one step however many signs are escaped in it."""
_WORD = re.compile(rb"[^ \t\r\n]")
_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n"
_TOO_LONG = f"it is longer than {MOST_OF_ONE:,} bytes: shorten the answer"
_NOT_CLOSED = "the array is not closed: send the whole document"


class Piece(NamedTuple):
    """The text of one JSON value; `raw` is None for a line that is too long to be kept."""

    line: int
    raw: bytes | None


def pieces_of(chunks: Iterable[bytes]) -> Iterator[Piece]:
    """The values of a document or of JSON Lines. Raises Unreadable where a document breaks off."""
    rest = iter(chunks)
    head = b""
    for chunk in rest:
        head += chunk
        if len(head) >= len(_BOM) and (head.removeprefix(_BOM).strip(_BLANK) or len(head) > MOST_OF_ONE):
            break
    head = head.removeprefix(_BOM)
    everything = _with(head, rest)
    is_document = head.lstrip(_BLANK).startswith(b"[")
    yield from _elements(everything) if is_document else _lines(everything)


def _with(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from rest


def _lines(chunks: Iterable[bytes]) -> Iterator[Piece]:
    """Each line that is not blank. A line that is too long is passed over, not collected.

    Blank lines cost no step each: a file of nothing else is passed over as fast as it is read.
    """
    number, begun, is_too_long = 1, bytearray(), False
    for chunk in chunks:
        at = 0
        while at < len(chunk):
            if not begun and not is_too_long:
                word = _WORD.search(chunk, at)
                until = len(chunk) if word is None else word.start()
                number, at = number + chunk.count(b"\n", at, until), until
            end = chunk.find(b"\n", at)
            begun += chunk[at : len(chunk) if end < 0 else end]
            at = len(chunk) if end < 0 else end
            is_too_long = is_too_long or len(begun) > MOST_OF_ONE
            if is_too_long:
                begun.clear()
            if end >= 0 and (begun or is_too_long):
                yield Piece(number, None if is_too_long else bytes(begun))
                is_too_long = False
                begun.clear()
    if begun or is_too_long:
        yield Piece(number, None if is_too_long else bytes(begun))


class _Splitter:
    """Splits an array into its elements, of which one at a time is kept."""

    def __init__(self) -> None:
        self.line = 1
        self._depth = 0
        self._in_text = False
        self._escaped = False
        self._element = bytearray()
        self._began = 1
        self._ended = False

    def feed(self, chunk: bytes) -> Iterator[Piece]:
        """The elements that end in this chunk."""
        at = 0
        if self._escaped:
            at, self._escaped = 1, False
            self._keep(chunk[:1])
        while at < len(chunk):
            found = (_TEXT.match if self._in_text else _MARK.search)(chunk, at)
            if found is None:
                self._keep(chunk[at:])
                return
            self._keep(chunk[at : found.end() if self._in_text else found.start()])
            at = found.end()
            if not self._in_text:
                yield from self._outside(found[0])
            elif at < len(
                chunk
            ):  # the quote that ends the text, or a backslash whose sign is in the next chunk
                self._keep(chunk[at : at + 1])
                self._in_text = self._escaped = chunk[at : at + 1] == b"\\"
                at += 1

    def _outside(self, mark: bytes) -> Iterator[Piece]:
        """What a sign means that stands in no string."""
        self._refuse_more()
        if mark in b"[{":
            self._depth += 1
            if self._depth > 1:
                self._keep(mark)
        elif mark in b"]}":
            self._depth -= 1
            if self._depth > 0:
                self._keep(mark)
            else:
                self._ended = True
                if self._element:
                    yield self._take()
        elif mark == b"," and self._depth == 1:
            yield self._take()
        else:
            self._in_text = mark == b'"'
            self._keep(mark)

    def _keep(self, part: bytes) -> None:
        if not self._element:
            inner = part.lstrip(_BLANK)
            self.line += part.count(b"\n", 0, len(part) - len(inner))
            part, self._began = inner, self.line
        if not part:
            return
        self._refuse_more()
        self.line += part.count(b"\n")
        self._element += part
        if len(self._element) > MOST_OF_ONE:
            raise Unreadable(_TOO_LONG, self._began)

    def _refuse_more(self) -> None:
        if self._ended:
            raise Unreadable("something follows the array: send one document", self.line)

    def _take(self) -> Piece:
        piece = Piece(self._began, bytes(self._element))
        self._element.clear()
        return piece

    def close(self) -> None:
        """Raise Unreadable where the array is not closed."""
        if not self._ended:
            raise Unreadable(_NOT_CLOSED, self.line)


def _elements(chunks: Iterable[bytes]) -> Iterator[Piece]:
    splitter = _Splitter()
    for chunk in chunks:
        yield from splitter.feed(chunk)
    splitter.close()
