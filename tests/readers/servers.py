"""Servers on this machine for tests: HTTP with faults to order, and S3."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from typing_extensions import Self

Answer = tuple[int, dict[str, str], bytes | Iterator[bytes]]
Fault = Literal["500", "dropped", "cut short", "dribbled", "in pairs"]


class _LocalServer:
    """Serves HTTP with the handler of a subclass."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def running(self) -> Iterator[Self]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        raise NotImplementedError


class FolderServer(_LocalServer):
    """The files of a folder over HTTP. `faults` says what is to go wrong with the next requests for a path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.faults: defaultdict[str, list[Fault]] = defaultdict(list)
        self.requests: list[str] = []
        self.most_at_once = 0
        self._under_way = 0
        self._lock = threading.Lock()
        self._pair = threading.Barrier(2, timeout=60)
        super().__init__()

    @contextmanager
    def counted(self, path: str) -> Iterator[Fault | None]:
        with self._lock:
            self.requests.append(path)
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            fault = self.faults[path].pop(0) if self.faults[path] else None
        if fault == "in pairs":
            self._pair.wait()
        try:
            yield fault
        finally:
            with self._lock:
                self._under_way -= 1

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                self.answer(body=False)

            def do_GET(self) -> None:
                with owner.counted(self.path) as fault:
                    self.answer(body=True, fault=fault)

            def answer(self, body: bool, fault: Fault | None = None) -> None:
                file = owner.folder / self.path.strip("/")
                if fault == "dropped":
                    self.close_connection = True
                    return
                if fault == "500" or not file.exists():
                    self.send_error(500 if fault else 404)
                    return
                contents = _page(file) if file.is_dir() else file.read_bytes()
                contents = self.begin(contents)
                if not body:
                    return
                if fault == "cut short":
                    self.wfile.write(contents[: len(contents) // 2])
                    self.close_connection = True
                elif fault == "dribbled":
                    for byte in contents:
                        self.wfile.write(bytes([byte]))
                        self.wfile.flush()
                else:
                    self.wfile.write(contents)

            def begin(self, contents: bytes) -> bytes:
                """Sends the headers; returns the part that was asked for."""
                status, headers, contents = ranged(contents, self.headers.get("Range"))
                self.send_response(status)
                for name, value in {**headers, "Content-Type": "text/html", "Accept-Ranges": "bytes"}.items():
                    self.send_header(name, value)
                self.end_headers()
                return contents

            def log_message(self, format: str, *arguments: object) -> None:
                """Says nothing: tests read `requests`."""

        return Handler


def ranged(contents: bytes, asked: str | None) -> Answer:
    """What a server sends for a file, or for the range of it that was asked for."""
    if asked is None:
        return 200, {"Content-Length": str(len(contents))}, contents
    first, _, last = asked.removeprefix("bytes=").partition("-")
    part = contents[int(first) : int(last) + 1 if last else None]
    if not part:
        return 416, {"Content-Length": "0", "Content-Range": f"bytes */{len(contents)}"}, b""
    told = f"bytes {first}-{int(first) + len(part) - 1}/{len(contents)}"
    return 206, {"Content-Length": str(len(part)), "Content-Range": told}, part


class AnswerServer(_LocalServer):
    """Answers every request with what `answer` returns for its method, its path and its Range header.

    The body may be an iterator of its pieces, which may wait.
    """

    def __init__(self, answer: Callable[[str, str, str | None], Answer]) -> None:
        self._answer = answer
        self.asked: SimpleQueue[str] = SimpleQueue()  # the paths, as they come in
        super().__init__()
        self._server.daemon_threads = True

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                self.answer()

            def do_GET(self) -> None:
                self.answer()

            def answer(self) -> None:
                owner.asked.put(self.path)
                status, headers, body = owner._answer(self.command, self.path, self.headers.get("Range"))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command == "GET":
                    with suppress(ConnectionError):  # the client has had enough
                        for piece in [body] if isinstance(body, bytes) else body:
                            self.wfile.write(piece)
                            self.wfile.flush()

            def log_message(self, format: str, *arguments: object) -> None:
                """Says nothing."""

        return Handler


def _page(folder: Path) -> bytes:
    names = [entry.name + ("/" if entry.is_dir() else "") for entry in sorted(folder.iterdir())]
    return "".join(f'<a href="{name}">{name}</a>' for name in names).encode()


_S3 = """
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(*server.get_host_and_port(), flush=True)
input()
server.stop()
"""


@contextmanager
def s3_server() -> Iterator[str]:
    """The URL of an empty S3 server, in a process of its own: it seeds generators that hypothesis looks after."""
    command = [sys.executable, "-c", _S3]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        host, port = server.stdout.readline().decode().split()
        try:
            yield f"http://{host}:{port}"
        finally:
            server.stdin.close()
