"""Files over HTTP, with every response validated against its request.

fsspec's own reads accept anything: another range, the whole file instead of a range, a part in a content encoding.
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
_ENCODED_ETAG = re.compile(r'[-;](gzip|deflate)"$')  # which servers append to the ETag of the unencoded file
_CHUNK_BYTES = 1 << 16
_WINDOW_BITS = {"gzip": 31, "x-gzip": 31, "deflate": 15}  # zlib: which header to expect
_AGAIN_LATER = (408, 425, 429)  # the 4xx codes that are worth a retry


class Answer(NamedTuple):
    contents: Contents
    version: Version


class Response(Protocol):
    """A response whose body has not been read yet."""

    status: int
    headers: Mapping[str, str]

    def chunks(self, size: int) -> AsyncIterator[bytes]: ...


class _Range(NamedTuple):
    """A parsed Content-Range; `first` and `last` are None if the range could not be satisfied."""

    first: int | None
    last: int | None
    total: int | None


async def fetch(system: Any, url: str, piece: Piece) -> Answer:
    """Fetches a piece of a file through fsspec's file system for HTTP.

    Raises FileNotFoundError or ValueError if a retry cannot help.
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
    """Takes a piece out of the body of a response, which is read no further than necessary.

    A body declared to be larger than the piece's limit is not read at all; an undeclared one is read up to the limit.
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
                continue  # the server may allow GET only
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
        auto_decompress=False,  # aiohttp's own would accept a truncated body
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
    if _encoding(response):  # length and ETag describe the encoded file
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
    """Takes a piece out of the whole file, which servers without range requests send; reads no more than needed."""
    version, encoding = _version(response), _encoding(response)
    if version.size is not None and piece.length < 0:
        piece.require_allowed(version.size - piece.offset)
    body = response.chunks(_CHUNK_BYTES)
    if encoding:  # only the end of the stream shows that it is complete
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
    """The bytes of a piece, and how many bytes were read: as few as possible unless `to_the_end`."""
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
    """The empty answer to a request beyond the end of a file, if the piece `may_end` early; raises otherwise."""
    if total is None or total > piece.offset:
        raise OSError(f"asked for {_asked(piece)}, the server answers 416 for a file of {total} bytes")
    _require_end(piece, total)
    return Answer(b"", Version(total))


def _require_end(piece: Piece, size: int) -> None:
    """Raises ValueError if a file of this size ends within the piece, unless the piece `may_end` early."""
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
    """Decompresses a body: servers send files stored compressed as they are. Raises OSError if it is truncated."""
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
    """A decompressor of concatenated streams, which gzip allows, with zero padding at the end."""

    def __init__(self, window_bits: int) -> None:
        self._window_bits = window_bits
        self._stream = zlib.decompressobj(window_bits)
        self._begun = False

    @property
    def complete(self) -> bool:
        return self._begun and self._stream.eof

    def decoded(self, chunk: bytes) -> Iterator[bytes]:
        """Decompresses a chunk in small parts, however high its compression ratio."""
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
    """A response of aiohttp as a `Response`."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status
        self.headers: Mapping[str, str] = response.headers
        self._content = response.content

    def chunks(self, size: int) -> AsyncIterator[bytes]:
        chunks: AsyncIterator[bytes] = self._content.iter_chunked(size)
        return chunks
