"""A compiled loop: its first step is traced while it runs, the others are run ahead of the program."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any
from weakref import ref

from penstock.capture import values
from penstock.capture.inlet import Fetch, Inlet, told
from penstock.capture.planned import Planned
from penstock.capture.report import SOURCE, latest
from penstock.capture.step import Refused, Step
from penstock.capture.values import Captured
from penstock.dynamic.call import results_of
from penstock.dynamic.items import Item, Read
from penstock.dynamic.recorder import Recorder, active
from penstock.dynamic.value import Value
from penstock.engine.context import EvalContext
from penstock.engine.hand_over import Handed
from penstock.engine.invocation import Invocation
from penstock.engine.modes import calls_wait
from penstock.engine.site import Site, here
from penstock.readers.core.prefetch import Prefetcher
from penstock.readers.core.sample_source import Outputs
from penstock.schema.operator import Operator


class Loop(Planned):
    """The epochs of a reader, or the items of a source, as one loop.

    A call in its body is compared with those of the steps before: where it is one of them it was made ahead and is
    handed out, any other is made as it comes.
    """

    @property
    def running(self) -> bool:
        return self in active.loops

    # The reader, or the source, asks for one step after the other.

    def run(self, epoch: Iterator[Any], context: EvalContext, strict: bool) -> Iterator[Any]:
        """Hands out an epoch while the calls of this thread are compared, those of a loop inside of it left out.

        At its end the steps of the next one are being made already, unless others may want what they are made from.
        """
        if context is not self._context:
            self.let_go()
        if self._interrupted:
            self._start_over()
        self._interrupted = True
        self._context, self._strict = context, strict
        self._lead.thread = threading.get_ident()
        active.loops.append(self)
        latest.traced = self._trace, self._feeds
        try:
            yield from epoch
            self._end_step()
            if self._feeds:
                self.let_go()
            self._interrupted = False
        except BaseException as error:
            active.loops = _without(active.loops, self)
            self.let_go()
            self._interrupted = not isinstance(error, (Exception, GeneratorExit))
            raise
        finally:
            self._lead.thread = self._step = None
            active.loops = _without(active.loops, self)

    def take(self, inlet: Inlet, left: int | None = None) -> Handed:
        """The next batch of the epoch, with what has been made of it."""
        self._end_step()
        self._forecast.begin_step()
        self._inlet = inlet
        inlet.claim(self)
        step = self._next_step()
        handed = inlet.handed(step.fetches[0].fetched, left)
        step.handed_out = 1
        if step.failed or (isinstance(inlet, Prefetcher) and handed.behind.rest is not None):
            self._lead.stop(step)  # what was made behind it is not what comes next, if anything was
        if isinstance(handed.batch, Exception):
            told(handed.batch, inlet, here())
        elif handed.batch.outputs:
            self._begin(step)
        return handed

    def is_given(self, outputs: Outputs) -> bool:
        """Whether this is what the step of the calling thread's loop begins with."""
        if not active.loops or active.loops[-1] is not self or self._step is None:
            return False
        return self._step.fetches[0].outputs is outputs

    def as_outputs(self, outputs: Outputs, single: bool) -> Any:
        assert self._step is not None
        return values.given(outputs, self._step, self._ports)

    # The sources that the loop's body reads.

    def read(self, read: Read) -> Handed:
        step = self._step
        if step is None:
            return read.now()
        self._check_size(read.size)
        read.claim(self)
        at = step.handed_out
        if at == len(step.fetches) or not _is_next(step.fetches[at], read):
            self._lead.stop(step)
            self._lead.inlets.add(read)
            step.fetches.append(Fetch(read, read.fetch()))
        step.handed_out += 1
        fetch = step.fetches[at]
        return read.handed(fetch.fetched)._replace(batch=self._values(read, fetch, at, step, here()))

    def _values(self, read: Read, fetch: Fetch, at: int, step: Step, site: Site) -> Item | BaseException:
        """What the program gets for something fetched from a source that it reads at that place of a step."""
        if fetch.failed:
            step.astray = True
            return told(fetch.fetched.batch, read, site)
        late = self._trace.steps > 0 and at > len(self._feeds)
        ports = None if step.astray else self._feeds.ports(at - 1, fetch, site)
        if ports is None:
            step.astray = True
            self._refuse(self._trace.refuse(SOURCE, site, "it was read otherwise in the step before"))
            return read.values(fetch.fetched.batch)
        if late:
            step.surprised = True
            self._refuse(self._trace.refuse(SOURCE, site, "ExternalSource wasn't seen during tracing"))
        return values.given(fetch.outputs, step, ports, fetch.fetched.batch.single)

    # The calls of the loop's body.

    def foreseen(self, op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        step, trace = self._step, self._trace
        if step is None:
            return None
        node = trace.followed(op, inputs, keywords, step)
        if node is None:
            if not trace.is_full:
                self._check_size(keywords.get("batch_size"))
            return None
        if node.written.draws is not None:
            node.written.draws.rng.skip_words()
        call, waits = step.made.get(node), calls_wait()
        if node.is_single:
            result = values.result(node, node.ports[0], step, call)
            return result.evaluate() if waits else result
        results = values.results(node, step, call)
        return tuple([result.evaluate() for result in results] if waits else results)

    def noted(self, call: Invocation, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Sequence[Value]:
        step = self._step
        if step is None or self._trace.is_full:
            return results_of(call)
        node = self._trace.node_of(call, inputs, keywords, step)
        if isinstance(node, Refused):
            self._refuse(node)
            for value in (*inputs, *keywords.values()):
                if isinstance(value, Captured) and value._samples is None:
                    value._ask()
            return results_of(call)
        if self._trace.steps and node not in step.known:
            self._refuse(self._trace.refuse(call.op.path, call.site, self._trace.changed(node)))
        self._trace.sighted(node)
        results = values.results(node, step, call)
        call.handles += map(ref, results)
        return results

    def _start_over(self) -> None:
        """After an interrupt: nothing is known of the loop, and what was fetched for it comes again."""
        self.let_go()
        self._kind, self._plan = (), None

    def _check_size(self, size: Any) -> None:
        if size is not None and size != self.batch_size:
            raise RuntimeError(f"Cannot change batch size to {size}, the capture-mode loop uses {self.batch_size}.")


def _is_next(fetch: Fetch, read: Read) -> bool:
    """Whether something fetched is what the program gets next from a source; not where an interrupt kept it from it."""
    return fetch.inlet == read and bool(fetch.fetched.number == read.items.place)


def _without(loops: list[Recorder | None], ended: Loop) -> list[Recorder | None]:
    """The loops of a thread but for one, and for sources inside of it that an interrupt ended."""
    at = loops.index(ended) if ended in loops else len(loops)
    return loops[:at] + [each for each in loops[at + 1 :] if each is not None]
