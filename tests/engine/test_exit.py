"""Programs end, whatever their threads are at."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import cv2
import numpy as np
import pytest

from penstock.engine.background import EXIT_SECONDS

REPEATS = 3  # a thread that ended at the wrong place did so in most runs, not in all


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("photos") / "class"
    root.mkdir()
    for number in range(16):
        cv2.imwrite(str(root / f"{number}.jpg"), np.full((400, 400, 3), number * 15, np.uint8))
    return root.parent


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ})


DAEMONS = """
    import sys, threading, numpy as np, penstock.dynamic as ndd
    compiled, end = sys.argv[2] == "compiled", sys.argv[3]
    busy = threading.Barrier(5)
    def work():
        reader = ndd.readers.File(file_root=sys.argv[1])
        for turn in range(10**6):
            for jpegs, _ in reader.next_epoch(batch_size=4, compile=compiled):
                np.asarray(ndd.resize(ndd.decoders.image(jpegs), size=[64, 64]).tensors[0])
            if turn == 1:
                busy.wait()
    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    busy.wait()
    if end == "exit":
        sys.exit(0)
    if end == "exception":
        raise ValueError("the end")
"""


@pytest.mark.parametrize("end", ["fall off", "exit", "exception"])
@pytest.mark.parametrize("compiled", ["compiled", "eager"])
def test_daemon_threads_at_work_do_not_abort_the_process(root, compiled, end):
    for _ in range(REPEATS):
        done = run(DAEMONS, root, compiled, end)
        assert done.returncode == (1 if end == "exception" else 0), done.stderr
        assert done.stderr.count("Error:") == (1 if end == "exception" else 0), done.stderr


def test_a_torchdata_loader_that_is_left_does_not_abort_the_process(root):
    pytest.importorskip("torchdata.nodes")
    script = """
        import sys, torchdata.nodes, penstock.dynamic as ndd
        from penstock.dynamic.pytorch import nodes
        source = nodes.Reader(ndd.readers.File, batch_size=2, file_root=sys.argv[1])
        images = nodes.DictMapper(source, lambda jpegs: ndd.resize(ndd.decoders.image(jpegs), size=[64, 64]))
        loader = torchdata.nodes.Loader(torchdata.nodes.Prefetcher(nodes.ToTorch(images), prefetch_factor=2))
        for images, labels in loader:
            break
    """
    for _ in range(REPEATS):
        done = run(script, root)
        assert (done.returncode, done.stderr) == (0, "")


def test_functions_that_hang_hold_the_exit_up_together_and_not_one_by_one():
    script = """
        import atexit, threading
        waits = []
        atexit.register(lambda: print(sum(waits)))  # the first to be registered is called last
        from penstock.engine import background
        from penstock.engine.lookahead import Lookahead
        class Clock:
            monotonic = staticmethod(lambda: sum(waits))
        background.time = Clock
        background.BackgroundThread.join = lambda thread, seconds: waits.append(seconds)
        begun = threading.Barrier(5)
        def hang():
            begun.wait()
            threading.Event().wait()
        held = [Lookahead(hang, 1, f"penstock-test-{k}") for k in range(4)]
        begun.wait()
    """
    done = run(script)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{EXIT_SECONDS}\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_children_forked_amid_threads_at_work_do_not_hang(root):
    """What is imported late is imported first: modules that other threads import at a fork hang Python itself."""
    script = """
        import os, sys, threading, numpy as np, penstock.dynamic as ndd
        ndd.set_num_threads(2)
        stop = threading.Event()
        def epoch(reader, compiled):
            for jpegs, _ in reader.next_epoch(batch_size=4, compile=compiled):
                np.asarray(ndd.resize(ndd.decoders.image(jpegs), size=[64, 64]).tensors[0])
        def work(compiled):
            reader = ndd.readers.File(file_root=sys.argv[1])
            while not stop.is_set():
                epoch(reader, compiled)
        epoch(ndd.readers.File(file_root=sys.argv[1]), True)
        threads = [threading.Thread(target=work, args=(k % 2 == 0,)) for k in range(3)]
        for thread in threads:
            thread.start()
        codes = []
        for _ in range(10):
            child = os.fork()
            if not child:
                epoch(ndd.readers.File(file_root=sys.argv[1]), True)
                os._exit(0)
            codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        stop.set()
        for thread in threads:
            thread.join()
        print(codes)
    """
    done = run(script, root)
    assert done.stdout.strip() == str([0] * 10), done.stderr


def test_threads_have_ended_when_finalizers_are_called():
    script = """
        import threading, weakref
        from penstock.engine.lookahead import Lookahead
        class Held: ...
        held = Held()
        ahead = Lookahead(lambda: 1, 1, "penstock-test")
        weakref.finalize(held, lambda: print([each.name for each in threading.enumerate()]))
    """
    done = run(script)
    assert (done.stdout, done.stderr) == ("['MainThread']\n", "")
