"""Contexts and thread counts; what happens at exit and after a fork."""

import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.engine import threads


def run(script: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True, text=True, timeout=120, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.strip()


def test_a_context_has_threads_of_its_own():
    with ndd.EvalContext(num_threads=3) as context:
        assert ndd.EvalContext.current() is context
        assert context.num_threads == 3
    assert ndd.EvalContext.current() is ndd.EvalContext.default()


def test_threads_come_as_a_pool_or_a_number():
    pool = ndd.ThreadPool(2)
    assert ndd.EvalContext(thread_pool=pool).thread_pool is pool
    with pytest.raises(ValueError, match="either thread_pool or num_threads"):
        ndd.EvalContext(thread_pool=pool, num_threads=1)
    with pytest.raises(TypeError):
        ndd.EvalContext(2)
    with pytest.raises(ValueError, match="must not be negative"):
        ndd.ThreadPool(-1)
    for wrong in ("2", 1.5, ndd.batch([1, 2]), np.array([1, 0])):
        with pytest.raises(TypeError, match="the number of threads must be an int"):
            ndd.ThreadPool(wrong)
        with pytest.raises(TypeError, match="the number of threads must be an int"):
            ndd.EvalContext(num_threads=wrong)
    with pytest.raises(ValueError, match="threads are more than 100 per core"):
        ndd.ThreadPool(2**40)


def test_a_context_without_threads_fails_when_used():
    with ndd.EvalContext(num_threads=0), pytest.raises(RuntimeError, match="Invalid value for argument num_threads"):
        ndd.flip(ndd.tensor(np.zeros((1, 1, 1), np.uint8))).evaluate()


def test_a_context_is_active_in_one_thread():
    context = ndd.EvalContext()
    errors = []

    def enter():
        try:
            with context:
                pass
        except RuntimeError as error:
            errors.append(str(error))

    with context, context:
        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
    assert errors == ["An EvalContext cannot be active in two threads simultaneously."]


def test_set_num_threads_is_followed_and_checked(monkeypatch):
    monkeypatch.setattr(threads, "_chosen", None)
    ndd.set_num_threads(3)
    assert ndd.get_num_threads() == ndd.EvalContext.default().num_threads == 3
    for bad, error in ((0, ValueError), (1.5, TypeError), (10**6, ValueError)):
        with pytest.raises(error):
            ndd.set_num_threads(bad)
    ndd.set_num_threads(None)
    assert ndd.get_num_threads() >= 1


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"DALI_NUM_THREADS": "5"}, "5"),
        ({"DALI_NUM_THREADS": "5", "PENSTOCK_NUM_THREADS": "3"}, "3"),
    ],
)
def test_the_environment_sets_the_threads(environment, expected):
    assert run("import penstock.dynamic as ndd; print(ndd.get_num_threads())", **environment) == expected


def test_a_bad_environment_is_told():
    script = """
        import penstock.dynamic as ndd
        try:
            ndd.get_num_threads()
        except ValueError as error:
            print(error)
    """
    assert "PENSTOCK_NUM_THREADS must be a positive whole number" in run(script, PENSTOCK_NUM_THREADS="many")


def test_the_interpreter_exits_with_work_in_the_queue():
    script = """
        import numpy as np, penstock.dynamic as ndd
        image = ndd.tensor(np.zeros((1000, 1000, 3), np.uint8))
        kept = [ndd.flip(image) for _ in range(50)]
        print("end")
    """
    assert run(script) == "end"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_works_on():
    script = """
        import os, warnings, numpy as np, penstock.dynamic as ndd
        warnings.simplefilter("ignore")
        ndd.set_num_threads(2)
        image = ndd.batch(np.arange(8 * 200 * 200 * 3, dtype=np.uint8).reshape(8, 200, 200, 3), layout="HWC")
        before = ndd.flip(image)
        expected = np.asarray(ndd.flip(image).evaluate().tensors[7]).copy()
        pid = os.fork()
        after = np.asarray(ndd.flip(image).tensors[7])
        same = np.array_equal(after, expected) and np.array_equal(np.asarray(before.tensors[7]), expected)
        if pid == 0:
            os._exit(0 if same else 1)
        print(same, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """
    assert run(script) == "True 0"


def test_dropped_contexts_leave_no_threads():
    before = threading.active_count()
    for _ in range(5):
        with ndd.EvalContext(num_threads=1) as context:
            ndd.flip(ndd.tensor(np.zeros((1, 1, 1), np.uint8))).evaluate()
        worker = context._worker
        context.close()
        assert not worker.is_alive()
        del context
    assert threading.active_count() <= before


def test_a_context_that_is_gone_before_the_program_ends_quietly():
    run("""
        import penstock.dynamic as ndd
        with ndd.EvalContext(num_threads=1):
            (ndd.tensor([1.0]) + 1).evaluate()
    """)
