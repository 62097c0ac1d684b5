"""The thread that keeps a few things ready."""

import itertools
import signal
import sysconfig
import threading
import weakref

import pytest

import penstock.dynamic as ndd
from ended_workers import collect_until_ended
from penstock import fn, pipeline_def
from penstock.engine.lookahead import Lookahead, _Worker


def test_things_are_made_in_order_and_stay_until_they_are_dropped():
    count = itertools.count(5)
    ahead = Lookahead(lambda: next(count), 2, "penstock-test", first=5)
    assert [ahead.look(5, 2), ahead.look(6, 2), ahead.look(5, 2)] == [5, 6, 5]
    ahead.drop(6)
    assert [ahead.look(5, 0), ahead.look(6, 0)] == [None, 6]
    ahead.stop()
    assert not ahead.thread.running


def test_threads_that_take_at_once_get_each_thing_once():
    count = itertools.count()
    ahead = Lookahead(count.__next__, 1, "penstock-test")
    got: list[list[int]] = [[], [], [], []]

    def take(into: list[int]) -> None:
        into += [ahead.take_or_make(1) for _ in range(500)]

    threads = [threading.Thread(target=take, args=(into,)) for into in got]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(itertools.chain(*got)) == [*range(2000)]
    assert all(each == sorted(each) for each in got)
    ahead.stop()


def test_whoever_waits_is_told_when_the_thread_is_stopped():
    begun, may_end = threading.Event(), threading.Event()

    def make() -> None:
        begun.set()
        may_end.wait()

    ahead, told = Lookahead(make, 1, "penstock-test"), list[BaseException]()

    def wait() -> None:
        try:
            for number in range(2):
                ahead.look(number, 0)
        except RuntimeError as error:
            told.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    begun.wait()
    ahead.thread.stop()
    may_end.set()
    waiting.join(timeout=60)
    assert "penstock-test was stopped" in str(told[0])


def test_what_the_thread_has_not_begun_with_is_made_by_the_one_who_waits():
    ahead = Lookahead(threading.get_ident, 0, "penstock-test")
    assert ahead.take_or_make(0) == threading.get_ident()
    assert ahead.look(1, 0) != threading.get_ident()
    ahead.stop()


def test_what_the_thread_is_busy_with_is_waited_for():
    begun, may_end, count = threading.Event(), threading.Event(), itertools.count()

    def make() -> int:
        number = next(count)
        if number == 0:
            begun.set()
            may_end.wait()
        return number

    ahead = Lookahead(make, 1, "penstock-test")
    begun.wait()
    threading.Timer(0.01, may_end.set).start()
    assert [ahead.take_or_make(1) for _ in range(1000)] == [*range(1000)]
    ahead.stop()


def test_what_was_not_made_here_is_made_by_the_thread():
    threads = list[int]()

    def make() -> int:
        threads.append(threading.get_ident())
        if len(threads) == 1:
            raise KeyboardInterrupt
        return len(threads)

    ahead = Lookahead(make, 0, "penstock-test")
    with pytest.raises(KeyboardInterrupt):
        ahead.look_or_make(0, 0)
    assert [ahead.look_or_make(0, 0), ahead.look_or_make(1, 0)] == [2, 3]
    here = threading.get_ident()
    assert [thread == here for thread in threads] == [True, False, True]
    ahead.stop()


def test_whoever_asks_for_what_he_is_making_is_told():
    def make() -> None:
        ahead.look(0, 0)

    ahead = Lookahead(make, 0, "penstock-test")
    with pytest.raises(RuntimeError, match="asked for a result by the call that makes it"):
        ahead.look_or_make(0, 0)
    with pytest.raises(RuntimeError, match="asked for a result by the call that makes it"):  # by the thread
        ahead.look_or_make(0, 0)
    ahead.stop()


def test_what_making_raises_here_is_raised_here():
    ahead = Lookahead(lambda: 1 // 0, 0, "penstock-test")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            ahead.take_or_make(0)
    ahead.stop()


def test_what_making_raises_reaches_whoever_waits_for_it():
    made = iter([1, KeyError("lost"), 3])

    def make() -> int:
        value = next(made)
        if isinstance(value, Exception):
            raise value
        return value

    ahead = Lookahead(make, 1, "penstock-test")
    assert ahead.look(0, 0) == 1
    for _ in range(2):
        with pytest.raises(KeyError, match="lost"):
            ahead.look(1, 0)
    assert ahead.look(2, 0) == 3
    ahead.stop()


def raised_by_ahead() -> None:
    def fail() -> None:
        raise ValueError("no")

    ahead = Lookahead(fail, 1, "penstock-test")
    ahead.look(0, 1)


def raised_by_reader() -> None:
    next(ndd.readers.File(files=["missing"]).next_epoch(batch_size=1))


def raised_by_call() -> None:
    ndd.readers.File(files=["missing"])(batch_size=1)


def raised_in_compiled_loop() -> None:
    for files, _ in ndd.readers.File(files=[__file__] * 3 + ["missing"]).next_epoch(batch_size=1, compile=True):
        (files + 1).evaluate()


def raised_by_pipeline() -> None:
    pipeline_def(batch_size=1, num_threads=1, device_id=None)(lambda: fn.readers.file(files=["missing"])[0])().run()


@pytest.mark.parametrize(
    "use", [raised_by_ahead, raised_by_reader, raised_by_call, raised_in_compiled_loop, raised_by_pipeline]
)
def test_what_was_raised_does_not_keep_its_thread_alive(use):
    """Its traceback leads to the frames that hold the reader, and it stays where it was made until the next call."""
    before = set(threading.enumerate())
    with pytest.raises((ValueError, RuntimeError)):
        use()
    started = [each for each in set(threading.enumerate()) - before if isinstance(each, _Worker)]
    assert started
    with pytest.raises((ValueError, RuntimeError)):
        use()  # threads of the engine may hold the last error there was
    collect_until_ended(started)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals")
def test_an_interrupt_ends_a_wait_and_the_result_comes_the_next_time():
    begun, struck, may_end = threading.Event(), threading.Event(), threading.Event()

    def make() -> int:
        begun.set()
        may_end.wait()
        return 5

    def raise_once(number: int, frame: object) -> None:
        if not struck.is_set():
            struck.set()
            raise InterruptedError

    def interrupt(thread: int) -> None:
        begun.wait()
        while not struck.wait(0.01):  # a signal that comes just before the wait does not end it
            signal.pthread_kill(thread, signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, raise_once)
    ahead = Lookahead(make, 1, "penstock-test")
    interrupting = threading.Thread(target=interrupt, args=(threading.get_ident(),))
    interrupting.start()
    with pytest.raises(InterruptedError):
        ahead.look(0, 0)
    interrupting.join()
    signal.signal(signal.SIGUSR1, before)
    may_end.set()
    assert ahead.look(0, 0) == 5
    ahead.stop()


def test_what_was_taken_is_not_kept():
    class Thing:
        pass

    def make() -> Thing:
        return Thing()

    ahead = Lookahead(make, 0, "penstock-test")
    taken = weakref.ref(ahead.take_or_make(0))
    looked_at = weakref.ref(ahead.look(1, 0))
    assert taken() is None
    assert looked_at() is not None
    ahead.drop(2)
    if sysconfig.get_config_var("Py_GIL_DISABLED"):  # what a thread made is freed when it next runs Python code
        ahead.look(2, 0)
    assert looked_at() is None
    ahead.stop()


def test_results_that_refer_to_their_owner_are_collected_with_it():
    class Owner:
        def __init__(self) -> None:
            owner = weakref.ref(self)
            self.ahead = Lookahead(lambda: owner(), 1, "penstock-test")

    owner = Owner()
    thread = owner.ahead.thread
    assert owner.ahead.look(0, 0) is owner
    gone = weakref.ref(owner)
    del owner
    collect_until_ended([thread])
    assert gone() is None


def test_a_failure_is_taken_like_a_result():
    made = iter([KeyError("lost"), 2])
    begun = threading.Event()

    def make() -> int:
        value = next(made)
        begun.set()
        if isinstance(value, Exception):
            raise value
        return value

    ahead = Lookahead(make, 1, "penstock-test")
    begun.wait()
    with pytest.raises(KeyError, match="lost"):
        ahead.take_or_make(0)
    assert ahead.take_or_make(0) == 2
    ahead.stop()
