"""ndd.capture: loops compiled with ``reader.next_epoch(batch_size=64, compile=True)`` or ``source.captured(64)``.

The first step is traced while it runs. From then on the calls of the loop's body are made ahead of it in the
background, and handed out where the program makes the same calls again. A call whose inputs or arguments differ from
those of the steps before is simply made as it comes: a compiled loop gives the results of the loop as it is written.

Two things the loop must not do, since it would do them too late. It may not write into a value of a step before the
last call of that step that uses it: write to copies, or to results that go to no further operator; their memory is the
program's for as long as it holds them. And it may not change what an ``ExternalSource`` reads from: the source is
called ahead, in the loop's own thread, and draws from a random generator of its own.
"""

from penstock.capture.loop import NotCapturedError
from penstock.capture.report import Report, report
from penstock.dynamic.invariant import invariant

__all__ = ["NotCapturedError", "Report", "invariant", "report"]
