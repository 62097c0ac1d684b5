"""Servers that do not answer: time limits, and programs that end or are interrupted meanwhile."""

from __future__ import annotations

import dis
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from queue import Empty
from types import FrameType
from typing import Any

import fsspec
import numpy as np
import pytest
from fsspec.spec import AbstractFileSystem

from penstock.storage import Names, Storage
from penstock.storage.daemon_executor import DaemonExecutor
from readers.servers import Answer, AnswerServer, ranged

SIZE = 90_000


@pytest.fixture
def stalling() -> Iterator[AnswerServer]:
    """A server that begins every answer and never ends one; of /mute it does not even begin."""
    ended = threading.Event()

    def beginning() -> Iterator[bytes]:
        yield b"ab"
        ended.wait()

    def answer(method: str, path: str, asked: str | None) -> Answer:
        if path.startswith("/mute"):
            ended.wait()
        if method == "HEAD" or asked is None:
            return 200, {"Content-Length": str(SIZE)}, beginning()
        status, headers, _ = ranged(bytes(SIZE), asked)
        return status, headers, beginning()

    with AnswerServer(answer).running() as server:
        yield server
        ended.set()


@pytest.mark.parametrize(
    "ask",
    [
        lambda storage, url: storage.read_one(f"{url}/a"),
        lambda storage, url: storage.read_one(f"{url}/a", 5),
        lambda storage, url: storage.read_one(f"{url}/mute/a", 5, 3),
        lambda storage, url: storage.size(f"{url}/mute/a"),
        lambda storage, url: storage.find_in_folders(f"{url}/mute/a", ["*"], ["*"], True),
        lambda storage, url: storage.find(f"{url}/mute/a/*.parquet"),
        lambda storage, url: storage.read_starts(url, Names.of(["a"]), np.array([0]), 10),
        lambda storage, url: storage.read(url, Names.of(["a"]), np.array([0])),
    ],
    ids=["whole", "part", "mute", "size", "folders", "pattern", "start", "samples"],
)
def test_a_server_that_sends_nothing_more_is_asked_again_and_then_given_up(stalling, ask):
    storage = Storage(first_wait=0.0, attempts=2, read_timeout=0.1)
    with pytest.raises(RuntimeError, match=r"/a.*: .*[Tt]imeout.*\(2 attempts\)"):
        ask(storage, stalling.url)
    assert stalling.asked.qsize() == 2


def test_a_server_that_accepts_no_connection_is_given_up():
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]  # take up the places in its queue
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(full.getsockname())
        storage = Storage(first_wait=0.0, attempts=2, connect_timeout=0.1)
        with pytest.raises(RuntimeError, match=r"/a: Connection timeout.*\(2 attempts\)"):
            storage.read_one(f"http://127.0.0.1:{full.getsockname()[1]}/a")
        for each in waiting:
            each.close()


def test_a_server_that_sends_for_ever_is_given_up():
    ended = threading.Event()

    def dribbling() -> Iterator[bytes]:
        while not ended.wait(0.01):
            yield b"x"

    with AnswerServer(lambda *request: (200, {}, dribbling())).running() as server:
        with pytest.raises(RuntimeError, match=r"/a: not read within total_timeout=0\.3 seconds$"):
            Storage(total_timeout=0.3).read_one(f"{server.url}/a")
        ended.set()


class Stuck(AbstractFileSystem):
    """A file system that blocks whoever reads a file named "stuck"."""

    protocol = "stuck"
    cachable = False
    released = threading.Event()

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **unused: Any) -> bytes:
        if path.endswith("stuck"):
            Stuck.released.wait()
        return b"abc"


@pytest.fixture
def stuck() -> Iterator[None]:
    fsspec.register_implementation("stuck", Stuck, clobber=True)
    Stuck.released.clear()
    yield
    Stuck.released.set()


def test_a_file_system_that_knows_no_limits_is_given_up_and_its_thread_replaced(stuck):
    storage = Storage(concurrency=1, total_timeout=0.1)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"stuck://stuck: not read within total_timeout=0\.1 seconds$"):
            storage.read_one("stuck://stuck")
    assert storage.read_one("stuck://other") == b"abc"


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["connect_timeout", "read_timeout", "total_timeout"])
def test_limits_that_mean_nothing_are_refused(name, seconds):
    with pytest.raises(ValueError, match=f"{name} is a positive number of seconds or None, got"):
        Storage(**{name: seconds})


def test_limits_of_the_users_own_are_kept(stalling):
    from aiohttp import ClientTimeout

    own = {"client_kwargs": {"timeout": ClientTimeout(sock_read=0.1)}}
    with pytest.raises(RuntimeError, match=r"[Tt]imeout.*\(1 attempts\)"):
        Storage(options=own, attempts=1, read_timeout=None).read_one(f"{stalling.url}/a")


# Without limits of time, so that only giving up can end these programs.
_PROGRAM = """
import signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests in the background ignores it
import numpy as np
import penstock.dynamic as ndd
url = sys.argv[1]
storage = ndd.readers.Storage(connect_timeout=None, read_timeout=None, total_timeout=None)
def first(reader):
    return next(iter(reader.next_epoch(batch_size=1)))
"""

_READS = {
    "reader": "first(ndd.readers.File(files=[url + '/a.jpg'], storage=storage))",
    "compiled": """
for jpegs, _ in ndd.readers.File(files=[url + '/a.jpg'], storage=storage).next_epoch(batch_size=1, compile=True):
    np.asarray(ndd.decoders.image(jpegs).tensors[0])
""",
    "pipeline": """
from penstock import fn, pipeline_def
@pipeline_def(batch_size=1, num_threads=1, device_id=None)
def pipeline():
    return tuple(fn.readers.file(files=[url + '/a.jpg'], storage=storage))
pipeline().run()
""",
    "imread": "np.asarray(ndd.imread(url + '/a.jpg', storage=storage))",
    "file.read": "np.asarray(ndd.io.file.read(np.frombuffer((url + '/a').encode(), np.uint8), storage=storage))",
    "tar": "first(ndd.readers.Webdataset(paths=[url + '/a.tar'], ext=['jpg'], storage=storage))",
    "tar index": """
first(ndd.readers.Webdataset(paths=[url + '/a.tar'], index_paths=[url + '/a.idx'], ext=['jpg'], storage=storage))
""",
    "zip": "first(ndd.readers.Zip(paths=[url + '/a.zip'], storage=storage))",
    "parquet": "first(ndd.readers.Parquet(path=url + '/a.parquet', storage=storage))",
    "tfrecord": """
import penstock.tfrecord as tfrec
features = {'image': tfrec.FixedLenFeature((), tfrec.string, '')}
first(ndd.readers.TFRecord(path=[url + '/a.tfrecord'], features=features, storage=storage))
""",
    "recordio": "first(ndd.readers.MXNet(path=[url + '/a.rec'], index_path=[url + '/a.idx'], storage=storage))",
    "lmdb": "first(ndd.readers.Caffe(path=url + '/a.mdb', storage=storage))",
    "coco": "first(ndd.readers.COCO(file_root=url, annotations_file=url + '/a.json', storage=storage))",
    "numpy": "first(ndd.readers.Numpy(files=[url + '/a.npy'], storage=storage))",
    "video": "first(ndd.readers.Video(filenames=[url + '/a.mp4'], sequence_length=1, storage=storage))",
    "file list": "first(ndd.readers.File(file_list=url + '/mute/a.txt', storage=storage))",
    "folder": "first(ndd.readers.File(file_root=url + '/mute', storage=storage))",
}


def started(server: AnswerServer, program: str) -> subprocess.Popen[str]:
    """The program, once it waits for the server."""
    command = [sys.executable, "-c", _PROGRAM + program, server.url]
    pipe = subprocess.PIPE
    running = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    try:
        server.asked.get(timeout=60)
    except Empty:
        running.kill()
        pytest.fail(f"the program asks for nothing: {running.communicate()[1]}")
    return running


def ended(running: subprocess.Popen[str]) -> str:
    """What it says on stderr at its end, which does not depend on the server."""
    try:
        return running.communicate("\n", timeout=60)[1]
    except subprocess.TimeoutExpired:
        running.kill()
        pytest.fail(f"the program goes on: {running.communicate()[1]}")


@pytest.mark.parametrize("read", _READS.values(), ids=_READS.keys())
def test_an_interrupt_ends_the_wait_for_a_server(stalling, read):
    running = started(stalling, read)
    running.send_signal(signal.SIGINT)
    told = ended(running)
    assert told.rstrip().endswith("KeyboardInterrupt"), told
    assert "Unclosed" not in told
    assert "was destroyed" not in told
    assert running.returncode == -signal.SIGINT


@pytest.mark.parametrize("read", [_READS[name] for name in ("reader", "compiled", "imread", "tar", "parquet")])
def test_a_program_ends_while_threads_wait_for_a_server(stalling, read):
    in_thread = f"def wait():\n    {read.strip().replace(chr(10), chr(10) + '    ')}\n"
    running = started(stalling, f"{in_thread}threading.Thread(target=wait, daemon=True).start(); input()")
    assert ended(running) == ""  # an error of the thread would be printed while the interpreter goes
    assert running.returncode == 0


def test_a_program_ends_while_what_it_never_asked_for_is_fetched(stalling):
    running = started(stalling, "images = ndd.imread(url + '/a.jpg', storage=storage); input()")
    assert ended(running) == ""
    assert running.returncode == 0


_STUCK = """
import fsspec
class Stuck(fsspec.AbstractFileSystem):
    protocol = "stuck"
    def cat_file(self, path, start=None, end=None, **unused):
        storage.read_one(url + "/asked", 0, 1)
        threading.Event().wait()
fsspec.register_implementation("stuck", Stuck)
"""


@pytest.mark.parametrize(
    "read",
    [
        "first(ndd.readers.File(files=['stuck://a'], storage=stuck))",
        "np.asarray(ndd.imread('stuck://a', storage=stuck))",
    ],
)
def test_a_program_ends_while_a_file_system_blocks_its_threads(read):
    """Nothing can wake these threads; they are left behind."""
    program = (
        _STUCK
        + f"""
stuck = ndd.readers.Storage(concurrency=2, total_timeout=None)
threading.Thread(target=lambda: {read}, daemon=True).start()
input()
"""
    )
    answer = 206, {"Content-Length": "1", "Content-Range": "bytes 0-0/1"}, b"x"
    with AnswerServer(lambda *request: answer).running() as server:
        running = started(server, program)
        assert ended(running) == ""
    assert running.returncode == 0


def test_a_program_goes_on_after_an_interrupt(stalling):
    read = """
import signal
for attempt in range(3):
    try:
        storage.read_one(url + '/a')
    except KeyboardInterrupt:
        print("interrupted", flush=True)
import fsspec
fsspec.filesystem("memory").pipe_file("/a", b"abc")
print(storage.read_one("memory://a"))
"""
    running = started(stalling, "storage = ndd.readers.Storage(concurrency=1, total_timeout=None)\n" + read)
    running.send_signal(signal.SIGINT)
    for _ in range(2):
        assert running.stdout.readline() == "interrupted\n"
        stalling.asked.get(timeout=60)
        running.send_signal(signal.SIGINT)
    assert running.stdout.readline() == "interrupted\n"
    assert running.stdout.readline() == "b'abc'\n"
    assert ended(running) == ""


# Behind these CPython looks for signals, and nowhere else.
_LOOKS = ("CALL", "RESUME", "JUMP_BACKWARD")


def interrupted_at(moment: int, call: Callable[[], object]) -> bool:
    """Whether a call got to so many moments in the storage when an interrupt is possible, and one ended it there."""
    left = moment
    before: dict[FrameType, str] = {}

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal left
        if "/penstock/storage/" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= before.get(frame, "").startswith(_LOOKS)
            before[frame] = dis.opname[frame.f_code.co_code[frame.f_lasti]]
            if left == 0:
                left = -1
                raise KeyboardInterrupt
        return trace

    usual = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(usual)
    return False


def test_an_interrupt_at_any_moment_leaves_everything_in_working_order():
    fsspec.filesystem("memory").pipe_file("/interrupted", b"abc")
    storage = Storage(concurrency=1)

    def read() -> bytes:
        return storage.read_one("memory://interrupted")

    assert read() == b"abc"
    moment = 1
    while interrupted_at(moment, read):
        assert read() == b"abc"
        moment += 1
    assert moment > 50


def test_threads_do_what_they_are_given_and_no_more_of_them_than_needed():
    threads = DaemonExecutor(3, "testing")
    both = threading.Barrier(2, timeout=60)
    for _ in range(3):
        assert len(set(threads.map(lambda _: (both.wait(), threading.current_thread())[1], range(2)))) == 2
    assert list(threads.map(str, range(100))) == [str(number) for number in range(100)]
    with pytest.raises(ZeroDivisionError):
        list(threads.map(lambda number: 1 // number, [1, 0]))
    used = [thread for thread in threading.enumerate() if thread.name == "testing"]
    assert 2 <= len(used) <= 3
    threads.close("the test ends")
    for thread in used:
        thread.join(60)
        assert not thread.is_alive()
    with pytest.raises(RuntimeError, match="nothing is fetched any more"):
        threads.submit(str, 1)


_UNSTARTED = """
import threading
from penstock.storage.daemon_executor import daemon_executor
def interrupted(thread):
    raise KeyboardInterrupt
start, threading.Thread.start = threading.Thread.start, interrupted
try:
    daemon_executor("testing", 1).submit(print, "never")
except KeyboardInterrupt:
    threading.Thread.start = start
"""


def test_a_program_ends_quietly_after_an_interrupt_kept_a_thread_from_starting():
    ran = subprocess.run([sys.executable, "-c", _UNSTARTED], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_closing_tells_those_who_wait():
    threads = DaemonExecutor(1, "closing")
    running, released = threading.Event(), threading.Event()
    works = [threads.submit(lambda: (running.set(), released.wait())) for _ in range(2)]
    running.wait()
    threads.close("the test ends")
    for work in works:
        with pytest.raises(RuntimeError, match="the test ends"):
            work.result()
    released.set()
