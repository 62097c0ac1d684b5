"""Files over HTTP: every answer is held against what was asked for.

fsspec's own reads take whatever comes: another range, the whole file instead of a range, a part in a content encoding.
"""

from __future__ import annotations

import gzip
import re
import zlib
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple

from penstock.storage.urls import Piece
from penstock.storage.versions import Version

_CONTENT_RANGE = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")
_ENCODED_ETAG = re.compile(r'[-;](gzip|deflate)"$')  # what servers add to the ETag of the file itself
_CHUNK_BYTES = 1 << 16
_AGAIN_LATER = (408, 425, 429)  # of the client's errors, those that pass


class Answer(NamedTuple):
    contents: bytes
    version: Version


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
        last = "" if piece.length < 0 else str(piece.offset + piece.length - 1)
        headers["Range"] = f"bytes={piece.offset}-{last}"
    async with await _request(system, "GET", url, headers) as response:
        if response.status == 416 and headers:
            return _behind_the_end(response, piece)
        _require_success(response)
        if response.status == 206:
            return await _part(response, piece)
        return await _part_of_whole(response, piece)


async def describe(system: Any, url: str) -> Version:
    """The size and version of a file; the size may be None."""
    version = Version()
    for method, headers in (("HEAD", {}), ("GET", {"Range": "bytes=0-0"})):
        async with await _request(system, method, url, headers) as response:
            if method == "HEAD" and 400 <= response.status < 500:
                continue  # it may be HEAD that is not allowed
            if response.status == 416:
                return Version(_content_range(response).total)
            _require_success(response)
            version = _version(response)
            if version.size is not None:
                break
    return version


async def _request(
    system: Any, method: str, url: str, headers: dict[str, str]
) -> AbstractAsyncContextManager[Any, bool | None]:
    session = await system.set_session()
    options = dict(system.kwargs)
    sent = {**options.pop("headers", {}), "Accept-Encoding": "identity", **headers}
    request: AbstractAsyncContextManager[Any, bool | None] = session.request(
        method,
        system.encode_url(url),
        headers=sent,
        auto_decompress=False,  # which would take a body that ends too early
        raise_for_status=False,
        **{"allow_redirects": True, **options},
    )
    return request


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


async def _part(response: Any, piece: Piece) -> Answer:
    got = _content_range(response)
    if piece.is_whole or got.first != piece.offset or got.last is None or got.last >= (got.total or got.last + 1):
        raise _unasked(response, piece)
    if _encoding(response):
        raise ValueError(f"the server sends parts of the file in the encoding {_encoding(response)}")
    if 0 <= piece.length <= got.last - got.first:
        raise _unasked(response, piece)
    contents: bytes = await response.read()
    if len(contents) != got.last - got.first + 1:
        raise OSError(f"{len(contents)} bytes came for the Content-Range {response.headers['Content-Range']!r}")
    if len(contents) != piece.length:
        if got.total is not None and got.last + 1 < got.total:
            raise OSError(f"{len(contents)} bytes came of those asked for from {piece.offset} on")
        _require_end(piece, got.last + 1)
    return Answer(contents, _version(response))


async def _part_of_whole(response: Any, piece: Piece) -> Answer:
    """What is asked for out of the whole file, which servers send that know of no ranges; no more than needed."""
    version = _version(response)
    if piece.is_whole or _encoding(response):
        contents = _decoded(await response.read(), _encoding(response))
        if version.size is not None and len(contents) != version.size:
            raise OSError(f"{len(contents)} of {version.size} bytes came")
        whole = len(contents)
        version = version._replace(size=whole)
        end = whole if piece.length < 0 else piece.offset + piece.length
        part = contents if piece.is_whole else contents[piece.offset : end]
    else:
        gathered, whole = bytearray(), 0
        async for chunk in response.content.iter_chunked(_CHUNK_BYTES):
            first = max(0, piece.offset - whole)
            gathered += chunk[first:] if piece.length < 0 else chunk[first : first + piece.length - len(gathered)]
            whole += len(chunk)
            if len(gathered) == piece.length:
                break
        part = bytes(gathered)
    if len(part) != piece.length:
        _require_end(piece, whole)
    return Answer(part, version)


def _behind_the_end(response: Any, piece: Piece) -> Answer:
    total = _content_range(response).total
    if total is None or total > piece.offset:
        raise _unasked(response, piece)
    _require_end(piece, total)
    return Answer(b"", Version(total))


def _require_end(piece: Piece, size: int) -> None:
    """A piece may end with the file where that is allowed."""
    if piece.length >= 0 and not piece.may_end:
        raise ValueError(f"the file has {size} bytes, the sample ends at byte {piece.offset + piece.length}")


def _unasked(response: Any, piece: Piece) -> OSError:
    last = "" if piece.length < 0 else piece.offset + piece.length - 1
    asked = "the whole file" if piece.is_whole else f"bytes {piece.offset}-{last}"
    told = response.headers.get("Content-Range")
    return OSError(f"asked for {asked}, the server answers {response.status} with the Content-Range {told!r}")


def _encoding(response: Any) -> str:
    encoding: str = response.headers.get("Content-Encoding", "").strip().lower()
    return "" if encoding == "identity" else encoding


def _decoded(contents: bytes, encoding: str) -> bytes:
    """Files that are kept compressed are sent so, whatever was asked for. A body that ends too early is refused."""
    try:
        if encoding in ("gzip", "x-gzip"):
            return gzip.decompress(contents)
        if encoding == "deflate":
            return zlib.decompress(contents)
    except (OSError, EOFError, zlib.error) as error:
        raise OSError(f"the body is no whole {encoding}: {error}") from None
    if encoding:
        raise ValueError(f"the server sends the file in the encoding {encoding}")
    return contents
