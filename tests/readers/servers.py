"""Servers on this machine for tests: HTTP with faults to order, and S3."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

Fault = Literal["500", "dropped", "cut short", "dribbled", "in pairs"]


class FolderServer:
    """The files of a folder over HTTP. `faults` says what is to go wrong with the next requests for a path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.faults: defaultdict[str, list[Fault]] = defaultdict(list)
        self.requests: list[str] = []
        self.most_at_once = 0
        self._under_way = 0
        self._lock = threading.Lock()
        self._pair = threading.Barrier(2, timeout=60)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def running(self) -> Iterator[FolderServer]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

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
                asked = self.headers.get("Range", "")
                if asked.startswith("bytes="):
                    first, _, last = asked.removeprefix("bytes=").partition("-")
                    contents = contents[int(first) : int(last) + 1 if last else None]
                self.send_response(206 if asked else 200)
                self.send_header("Content-Length", str(len(contents)))
                self.send_header("Content-Type", "text/html")
                self.send_header("Accept-Ranges", "bytes")
                self.end_headers()
                return contents

            def log_message(self, format: str, *arguments: object) -> None:
                """Says nothing: tests read `requests`."""

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
