"""Files in S3: one request each, validated like the response of any HTTP server.

s3fs' own reads ask for the size first, split large files and retry by themselves.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from penstock.storage import http
from penstock.storage.urls import Piece

# One of our attempts is one request. s3fs and botocore would each make up to 5, with waits in between.
ONE_ATTEMPT = {"total_max_attempts": 1}


def make_patient(system: Any) -> None:
    """Turns off the retries of s3fs, which the caller does."""
    system.retries = 1


async def fetch(system: Any, path: str, piece: Piece) -> http.Answer:
    """Fetches a piece of a file through s3fs. Raises FileNotFoundError or ValueError if a retry cannot help."""
    bucket, key, version = system.split_path(path)
    asked = {"Bucket": bucket, "Key": key}
    if version:
        asked["VersionId"] = version
    if not piece.is_whole:
        asked["Range"] = f"bytes={piece.extent}"
    try:
        found = await system._call_s3("get_object", **asked)
    except OSError as error:
        if "Range" in asked and _status(error) == 416:
            return http.behind_the_end((await system._info(path))["size"], piece)
        raise
    async with found["Body"]:
        return await http.taken(_S3(found), piece)


class _S3:
    """A response of botocore as a `Response`. Its Content-Encoding is only metadata: files are read as stored."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        from multidict import CIMultiDict  # which s3fs comes with

        told = found["ResponseMetadata"]
        headers: CIMultiDict[str] = CIMultiDict(told["HTTPHeaders"])
        headers.pop("Content-Encoding", None)
        self.status: int = told["HTTPStatusCode"]
        self.headers: Mapping[str, str] = headers
        self._body = found["Body"]

    def chunks(self, size: int) -> AsyncIterator[bytes]:
        chunks: AsyncIterator[bytes] = self._body.iter_chunks(size)
        return chunks


def _status(error: OSError) -> int | None:
    """The HTTP status behind an error of s3fs."""
    response = getattr(error.__cause__, "response", {})
    status: int | None = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return status
