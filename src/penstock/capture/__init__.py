"""ndd.capture: loops compiled with ``reader.next_epoch(batch_size=64, compile=True)`` or ``source.captured(64)``.

The first step is traced while it runs. From then on a background thread runs the traced calls a few steps ahead, and
the program gets their results where it makes the same calls again. A call whose inputs or arguments differ from the
traced ones runs when the program makes it, so a compiled loop gives the same results as the loop as it is written.

A loop must not do two things, because the calls ahead have already used the old data. It may not write into a value of
a step before the last call of that step that uses it. Write to copies, or to results that no further operator takes:
the program owns their memory for as long as it holds them. And it may not change the data that an ``ExternalSource``
reads: the source is called ahead, in the loop's own thread, and draws from a random generator of its own.
"""

from penstock.capture.loop import NotCapturedError
from penstock.capture.report import Report, report
from penstock.dynamic.invariant import invariant

__all__ = ["NotCapturedError", "Report", "invariant", "report"]
