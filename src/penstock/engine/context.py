"""EvalContext: the thread pool that calls run on, the queue of eager calls, and the thread that runs them."""

from __future__ import annotations

import os
import threading
from collections import deque
from typing import TYPE_CHECKING, Any
from weakref import WeakSet, ref

from penstock._native import ChainFinder, Doorbell, Pool
from penstock.engine import threads
from penstock.engine.background import BackgroundThread
from penstock.engine.call_memo import CallMemo
from penstock.engine.events import Waiting, inspectors, stage_listeners, wait_listeners, wait_weight
from penstock.engine.executor import draw_now, run_stage
from penstock.engine.graph.node import Port
from penstock.engine.invocation import Invocation
from penstock.engine.joined_stages import run_stages
from penstock.engine.modes import EvalMode
from penstock.engine.pending import pending, simplified
from penstock.engine.planner import plan
from penstock.gpu.streams import Stream, get_current_stream, stream, streams_of_contexts
from penstock.values.accelerator import CPU
from penstock.values.device import Device, active

if TYPE_CHECKING:
    from penstock.engine.checkpoint import Checkpoint

# The background thread waits this long after a call: calls made meanwhile are planned together with it, and a consumer
# who asks for the result meanwhile runs them itself, which saves a thread switch.
GRACE_US = 200

_chains = ChainFinder(Invocation, CallMemo, Port)


class EvalContext:
    """Threads, device and checkpoint of the calls made while it is active.

    Each thread has a default context. Eager calls are queued here. The background thread runs them, or a consumer that
    needs a result earlier runs the queue up to that call.

    Example:
        >>> with ndd.EvalContext(num_threads=4) as context:
        ...     images = ndd.resize(ndd.decoders.image(jpegs), size=[224, 224])

    Args:
        num_threads: Makes a pool of so many threads for these calls; by default they share the program's.
        device_id: The GPU of calls that name no device.
        cuda_stream: A stream of the program's own, for work on a GPU.
        thread_pool: A `ndd.ThreadPool` to run on, instead of `num_threads`.
    """

    def __init__(
        self,
        *,
        num_threads: int | None = None,
        device_id: int | None = None,
        cuda_stream: object | None = None,
        thread_pool: threads.ThreadPool | None = None,
    ) -> None:
        if thread_pool is not None and num_threads is not None:
            raise ValueError("give either thread_pool or num_threads, not both")
        self._device = Device.CPU if device_id is None else Device("gpu", device_id)
        if thread_pool is not None and device_id is not None and thread_pool.device_id not in (None, device_id):
            raise ValueError(
                f"Device ID clash: device_id == {device_id} but thread_pool.device_id == {thread_pool.device_id}"
            )
        self._thread_pool = threads.ThreadPool(num_threads) if num_threads is not None else thread_pool
        own = None if self._thread_pool is None else self._thread_pool.native
        # The pool that calls run on. Empty where there is none yet, or none with threads: `pool` knows.
        self.pools = threads.default_pools if own is None else [own] if own.threads else []
        self._cuda_stream = stream(stream=cuda_stream, device_id=device_id)
        self._checkpoint: Checkpoint | None = None
        self._owner: int | None = None
        self._depth = 0
        self._start_afresh()
        _contexts.add(self)

    def _start_afresh(self) -> None:
        self._queue: deque[Invocation] = deque()
        self._lock = threading.RLock()
        self._bell = Doorbell()
        self._worker: _EagerWorker | None = None

    # Called by `dynamic`, which submits calls and asks for results.

    def submit(self, call: Invocation, mode: EvalMode) -> None:
        """Takes a new call: queues it (eager), runs it (sync), or leaves it until its result is read (deferred).

        Eager calls that draw a few numbers are run now, which takes less time than the queue.
        """
        if mode is EvalMode.eager:
            if call.op.draw is not None and draw_now(call):
                return
            self._queue.append(call)
            if self._worker is None:
                self._start_worker()
            self._bell.ring()
        elif mode is not EvalMode.deferred:
            self.evaluate(call)
            if call.error is not None:
                raise call.error.with_traceback(None)
            if mode is EvalMode.sync_full and call.device != CPU:
                for made in call.results():
                    if made.elsewhere:
                        on_accelerator: Any = made  # a `penstock.gpu.samples.GpuSamples`
                        on_accelerator.wait()

    def evaluate(self, call: Invocation) -> None:
        """Runs a call and all that was queued before it.

        Calls that were taken from the queue, and that an interrupt kept from running, run when their results are read.
        """
        if wait_listeners and (weight := wait_weight(call.op.path)):
            with Waiting(call.op.path, weight) as waiting:
                self._evaluate(call)
                waiting.outputs = call.outputs or ()
        else:
            self._evaluate(call)

    def _evaluate(self, call: Invocation) -> None:
        with self._lock:
            if call.outputs is not None or call.error is not None:
                return
            queue = self._queue
            if len(queue) == 1 and queue[0] is call:  # the usual case: one call is made and awaited
                queue.popleft()
                self._silence_if_idle()
            elif call in queue:
                self._run(self._take_until(call), call)
            if call.outputs is None and call.error is None:
                self._run([call], call)
                if queue:
                    while queue and queue[0].done:  # run with this one, which needed it
                        queue.popleft()
                    self._silence_if_idle()

    def runs_unasked(self, call: Invocation) -> bool:
        """Whether a call has run or will, even if nobody asks for its results; waits for calls that are running."""
        with self._lock:
            return call.done or call in self._queue

    def awaited(self, call: Invocation) -> list[Invocation]:
        """Returns the calls that `evaluate` would run now, in topological order, without running them."""
        with self._lock:
            if call.done:
                return []
            queued = [*self._queue.copy()]  # while it is gone through, another thread may add to it
            before = queued[: queued.index(call)] if call in queued else []
            return pending(*before, call)

    def _take_until(self, call: Invocation | None) -> list[Invocation]:
        taken: list[Invocation] = []
        while self._queue:
            first = self._queue.popleft()
            taken.append(first)
            if first is call:
                break
        self._silence_if_idle()
        return taken

    def _silence_if_idle(self) -> None:
        """Lets the background thread sleep on if nothing is queued: waking for nothing, it only takes the lock."""
        if not self._queue:
            self._bell.silence()
            if self._queue:  # a call that another thread has queued meanwhile
                self._bell.ring()

    def _run(self, calls: list[Invocation], target: Invocation | None = None) -> None:
        """Runs calls, in the order they were made, and what they wait for; all but `target` only if they are needed."""
        pool = self.pools[0] if self.pools else self.pool
        memos = None if target is None else _chains.memos(calls)
        if memos is None:
            calls = pending(*calls)
            memos = None if target is None else _chains.memos(calls)
        if memos:
            if not inspectors and not stage_listeners and _chains.run(calls, memos, pool):
                return
            if len(calls) == 1 or memos[-1].choices.get(memos) is not None:
                run_stage(calls, pool)  # as a chain like this was run before, in one stage
                return
        for call in calls:
            if call is not target and not call.is_held():
                run_stages(plan(simplified(calls, target)), pool)
                return
        run_stages([[call] for call in calls], pool)  # as all are stored, each is a stage of its own

    def _start_worker(self) -> None:
        worker = _EagerWorker(ref(self), self._bell)
        worker.start()
        self._worker = worker

    def close(self) -> None:
        """Runs all queued calls and ends the background thread."""
        self.evaluate_all()
        self._bell.close()
        if self._worker is not None and self._worker is not threading.current_thread():
            self._worker.join()

    def __del__(self) -> None:
        if hasattr(self, "_bell"):
            self._bell.close()

    # The public interface.

    @property
    def pool(self) -> Pool:
        try:
            return self.pools[0]
        except IndexError:
            if self._thread_pool is None:
                return threads.default_pool()
        raise RuntimeError("Invalid value for argument num_threads. The context has no threads to run on.")

    @property
    def num_threads(self) -> int:
        """The number of threads of the pool that calls run on."""
        return self._thread_pool.num_threads if self._thread_pool else threads.get_num_threads()

    @property
    def thread_pool(self) -> threads.ThreadPool | Pool:
        """The context's own pool, or the pool that all contexts share."""
        return self._thread_pool or threads.shared_pool(threads.get_num_threads())

    @property
    def device(self) -> Device:
        """The device of calls without a device of their own."""
        return self._device

    @property
    def device_id(self) -> int | None:
        """The number of its GPU, or of the current one where it was given none; None without an accelerator."""
        return self._device.device_id if self._device != Device.CPU else Device.current().device_id

    @property
    def cuda_stream(self) -> Stream | None:
        """The stream it was given, else the current one of its GPU; None without an accelerator."""
        if self._cuda_stream is not None or self._device == Device.CPU:
            return self._cuda_stream or get_current_stream()
        with self._device:
            return get_current_stream()

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint bound to this context."""
        if self._checkpoint is None:
            from penstock.engine.checkpoint import Checkpoint

            self._checkpoint = Checkpoint()
        return self._checkpoint

    def evaluate_all(self) -> None:
        """Runs all queued calls."""
        with self._lock:
            self._run(self._take_until(None))

    def cached_results(self, invocation: Invocation) -> None:
        """Reserved: results are not cached between calls."""

    def cache_results(self, invocation: Invocation, results: object) -> None:
        """Reserved: results are not cached between calls."""

    @staticmethod
    def current() -> EvalContext:
        """Returns the innermost active context of this thread, else its default."""
        stack = active_contexts.stack
        return stack[-1] if stack else active_contexts.default or EvalContext.default()

    @staticmethod
    def default() -> EvalContext:
        """Returns this thread's default context, which is made on first use."""
        if active_contexts.default is None:
            active_contexts.default = EvalContext()
        return active_contexts.default

    def __enter__(self) -> EvalContext:
        me = threading.get_ident()
        if self._depth and self._owner != me:
            raise RuntimeError("An EvalContext cannot be active in two threads simultaneously.")
        self._owner = me
        self._depth += 1
        active_contexts.stack.append(self)
        if self._device.number != CPU:
            active.numbers.append(self._device.number)
        if self._cuda_stream is not None:
            streams_of_contexts().append(self._cuda_stream)
        return self

    def __exit__(self, *error: object) -> None:
        active_contexts.stack.pop()
        if self._device.number != CPU:
            active.numbers.pop()
        if self._cuda_stream is not None:
            streams_of_contexts().pop()
        self._depth -= 1


class _Active(threading.local):
    def __init__(self) -> None:
        self.stack: list[EvalContext] = []
        self.default: EvalContext | None = None


class _EagerWorker(BackgroundThread):
    """The background thread of eager calls. It refers to its context only while it works, so contexts can be freed."""

    def __init__(self, context: ref[EvalContext], bell: Doorbell) -> None:
        super().__init__("penstock-eager")
        self._works_for = context  # not _context, which Thread has since Python 3.14
        self._bell = bell

    def work(self) -> None:
        while self._bell.wait(GRACE_US):
            self._run_queue()
        self._run_queue()

    def _run_queue(self) -> None:
        context = self._works_for()
        if context is not None:
            context.evaluate_all()

    def stop(self) -> None:
        self._bell.close()


_contexts: WeakSet[EvalContext] = WeakSet()
active_contexts = _Active()


def _after_fork() -> None:
    """Gives all contexts of a forked child new queues and locks: it inherits none of the threads that used them.

    Calls that were queued run when their results are read.
    """
    for context in list(_contexts):
        context._start_afresh()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
