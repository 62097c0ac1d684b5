"""Files over HTTP: every answer is held against what was asked for.

fsspec's own reads take whatever comes: another range, the whole file instead of a range, a part in a content encoding.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Protocol

from penstock.storage.urls import Contents, Piece
from penstock.storage.versions import Version

_CONTENT_RANGE = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")
_ENCODED_ETAG = re.compile(r'[-;](gzip|deflate)"$')  # what servers add to the ETag of the file itself
_CHUNK_BYTES = 1 << 16
_WINDOW_BITS = {"gzip": 31, "x-gzip": 31, "deflate": 15}  # which tell zlib what header to expect
_AGAIN_LATER = (408, 425, 429)  # of the client's errors, those that pass


class Answer(NamedTuple):
    contents: Contents
    version: Version


class Response(Protocol):
    """An answer whose body has not been read yet."""

    status: int
    headers: Mapping[str, str]

    def chunks(self, size: int) -> AsyncIterator[bytes]: ...


class _Range(NamedTuple):
    """The bytes that an answer has; without a first and last one where there are none to have."""

    first: int | None
    last: int | None
    total: int | None


async def fetch(system: Any, url: str, piece: Piece) -> Answer:
    """A piece of a file, from fsspec's file system for HTTP.

    Raises FileNotFoundError or ValueError where asking again cannot help.
    """
    headers = {}
    if not piece.is_whole:
        headers["Range"] = f"bytes={piece.extent}"
    async with _request(system, "GET", url, headers) as response:
        if response.status == 416 and headers:
            return behind_the_end(_content_range(response).total, piece)
        _require_success(response)
        return await taken(_Http(response), piece)


async def taken(response: Response, piece: Piece) -> Answer:
    """A piece out of the body of an answer, which is read no further than it takes.

    A body that says it is larger than the piece may be is not read at all, one that does not say so up to there.
    """
    if response.status == 206:
        return await _part(response, piece)
    return await _part_of_whole(response, piece)


async def describe(system: Any, url: str) -> Version:
    """The size and version of a file; the size may be None."""
    version = Version()
    for method, headers in (("HEAD", {}), ("GET", {"Range": "bytes=0-0"})):
        async with _request(system, method, url, headers) as response:
            if method == "HEAD" and 400 <= response.status < 500:
                continue  # it may be HEAD that is not allowed
            if response.status == 416:
                return Version(_content_range(response).total)
            _require_success(response)
            version = _version(response)
            if version.size is not None:
                break
    return version


@asynccontextmanager
async def _request(system: Any, method: str, url: str, headers: dict[str, str]) -> AsyncIterator[Any]:
    import aiohttp

    session = await system.set_session()
    options = dict(system.kwargs)
    sent = {**options.pop("headers", {}), "Accept-Encoding": "identity", **headers}
    request = session.request(
        method,
        system.encode_url(url),
        headers=sent,
        auto_decompress=False,  # which would take a body that ends too early
        raise_for_status=False,
        **{"allow_redirects": True, **options},
    )
    try:
        async with request as response:
            yield response
    except aiohttp.TooManyRedirects as error:
        raise ValueError(f"the server sends the request on and on, {len(error.history)} times") from None
    except aiohttp.RedirectClientError as error:
        raise ValueError(f"the server sends the request on to what is no URL of HTTP: {error}") from None


def _require_success(response: Any) -> None:
    told = f"{response.status} {response.reason}"
    if response.status in (404, 410):
        raise FileNotFoundError(told)
    if 400 <= response.status < 500 and response.status not in _AGAIN_LATER:
        raise ValueError(told)
    if response.status not in (200, 206):
        raise OSError(told)


def _version(response: Any) -> Version:
    headers = response.headers
    size = headers.get("Content-Length")
    etag = headers.get("ETag")
    if _encoding(response):  # length and ETag are those of the encoded file
        return Version(None, etag and _ENCODED_ETAG.sub('"', etag), headers.get("Last-Modified"))
    if response.status == 206:
        return Version(_content_range(response).total, etag, headers.get("Last-Modified"))
    return Version(None if size is None else int(size), etag, headers.get("Last-Modified"))


def _content_range(response: Any) -> _Range:
    told = response.headers.get("Content-Range", "")
    parsed = _CONTENT_RANGE.fullmatch(told.strip())
    if parsed is None:
        raise OSError(f"the answer {response.status} has the Content-Range {told!r}")
    return _Range(*(None if number in (None, "*") else int(number) for number in parsed.groups()))


async def _part(response: Response, piece: Piece) -> Answer:
    got = _content_range(response)
    if piece.is_whole or got.first != piece.offset or got.last is None or got.last >= (got.total or got.last + 1):
        raise _unasked(response, piece)
    if _encoding(response):
        raise ValueError(f"the server sends parts of the file in the encoding {_encoding(response)}")
    expected = got.last - got.first + 1
    if 0 <= piece.length < expected:
        raise _unasked(response, piece)
    piece.require_allowed(expected)
    contents, _ = await _gathered(response.chunks(_CHUNK_BYTES), piece._replace(offset=0, length=expected + 1))
    if len(contents) != expected:
        raise OSError(f"{len(contents)} bytes came for the Content-Range {response.headers['Content-Range']!r}")
    if len(contents) != piece.length:
        if got.total is not None and got.last + 1 < got.total:
            raise OSError(f"{len(contents)} bytes came of those asked for from {piece.offset} on")
        _require_end(piece, got.last + 1)
    return Answer(contents, _version(response))


async def _part_of_whole(response: Response, piece: Piece) -> Answer:
    """What is asked for out of the whole file, which servers send that know of no ranges; no more than needed."""
    version, encoding = _version(response), _encoding(response)
    if version.size is not None and piece.length < 0:
        piece.require_allowed(version.size - piece.offset)
    body = response.chunks(_CHUNK_BYTES)
    if encoding:  # which tells only at its end whether it is whole
        contents, whole = await _gathered(_decoded(body, encoding), piece, to_the_end=True)
        version = version._replace(size=whole)
    else:
        contents, whole = await _gathered(body, piece)
        if piece.is_whole:
            if version.size is not None and whole != version.size:
                raise OSError(f"{whole} of {version.size} bytes came")
            version = version._replace(size=whole)
    if len(contents) != piece.length:
        _require_end(piece, whole)
    return Answer(contents, version)


async def _gathered(body: AsyncIterator[bytes], piece: Piece, to_the_end: bool = False) -> tuple[bytearray, int]:
    """The bytes of a piece, and how many came; no more than the piece needs unless the end is to be seen."""
    gathered, whole = bytearray(), 0
    async for chunk in body:
        first = max(0, piece.offset - whole)
        gathered += chunk[first:] if piece.length < 0 else chunk[first : first + piece.length - len(gathered)]
        whole += len(chunk)
        if piece.length < 0:
            piece.require_allowed(len(gathered), "what has come of it so far")
        elif len(gathered) == piece.length and not to_the_end:
            break
    return gathered, whole


def behind_the_end(total: int | None, piece: Piece) -> Answer:
    """What there is behind the end of a file, where that is allowed."""
    if total is None or total > piece.offset:
        raise OSError(f"asked for {_asked(piece)}, the server answers 416 for a file of {total} bytes")
    _require_end(piece, total)
    return Answer(b"", Version(total))


def _require_end(piece: Piece, size: int) -> None:
    """A piece may end with the file where that is allowed."""
    if piece.length >= 0 and not piece.may_end:
        raise ValueError(f"the file has {size} bytes, the sample ends at byte {piece.offset + piece.length}")


def _unasked(response: Response, piece: Piece) -> OSError:
    told = response.headers.get("Content-Range")
    return OSError(f"asked for {_asked(piece)}, the server answers {response.status} with the Content-Range {told!r}")


def _asked(piece: Piece) -> str:
    return "the whole file" if piece.is_whole else f"bytes {piece.extent}"


def _encoding(response: Any) -> str:
    encoding: str = response.headers.get("Content-Encoding", "").strip().lower()
    return "" if encoding == "identity" else encoding


async def _decoded(body: AsyncIterator[bytes], encoding: str) -> AsyncIterator[bytes]:
    """Files that are kept compressed are sent so, whatever was asked for. A body that ends too early is refused."""
    if encoding not in _WINDOW_BITS:
        raise ValueError(f"the server sends the file in the encoding {encoding}")
    members = _Members(_WINDOW_BITS[encoding])
    try:
        async for chunk in body:
            for part in members.decoded(chunk):
                yield part
    except zlib.error as error:
        raise OSError(f"the body is no whole {encoding}: {error}") from None
    if not members.complete:
        raise OSError(f"the body is no whole {encoding}: it ends too early")


class _Members:
    """Compressed streams one after another, which gzip allows; zeros may follow."""

    def __init__(self, window_bits: int) -> None:
        self._window_bits = window_bits
        self._stream = zlib.decompressobj(window_bits)
        self._begun = False

    @property
    def complete(self) -> bool:
        return self._begun and self._stream.eof

    def decoded(self, chunk: bytes) -> Iterator[bytes]:
        """In parts that are small, however little they were compressed to."""
        while chunk:
            if self._stream.eof:
                chunk = chunk.lstrip(b"\0")
                if not chunk:
                    return
                self._stream = zlib.decompressobj(self._window_bits)
            self._begun = True
            part = self._stream.decompress(chunk, _CHUNK_BYTES)
            while part:
                yield part
                part = self._stream.decompress(self._stream.unconsumed_tail, _CHUNK_BYTES)
            chunk = self._stream.unused_data


class _Http:
    """An answer of aiohttp."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status
        self.headers: Mapping[str, str] = response.headers
        self._content = response.content

    def chunks(self, size: int) -> AsyncIterator[bytes]:
        chunks: AsyncIterator[bytes] = self._content.iter_chunked(size)
        return chunks
