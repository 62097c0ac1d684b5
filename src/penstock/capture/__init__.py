"""ndd.capture: loops that are compiled with ``reader.next_epoch(batch_size=64, compile=True)``.

The first step is traced while it runs. From then on the calls of the loop's body are made ahead of it in the
background, and handed out where the program makes the same calls again. A call whose inputs or arguments differ from
those of the steps before is simply made as it comes: a compiled loop gives the results of the loop as it is written.
"""

from penstock.capture.loop import NotCapturedError, report
from penstock.capture.report import Report
from penstock.dynamic.invariant import invariant

__all__ = ["NotCapturedError", "Report", "invariant", "report"]
