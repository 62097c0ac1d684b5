"""Events of what the engine does, for exporters of metrics and tools of your own.

    stop = penstock.events.subscribe(listener, penstock.events.BatchHandedOut, penstock.events.ProgramWait)

A listener is called for every event of the kinds it is subscribed to, on the thread that the event happens in. Where
nobody listens, nothing is measured. Times are seconds, on the clock of `time.perf_counter()`.
"""

from penstock.engine.events import (
    BatchHandedOut,
    BatchRead,
    CallTime,
    Event,
    Pass,
    ProgramWait,
    QueueTake,
    SlowSample,
    StageRun,
    subscribe,
)

__all__ = [
    "BatchHandedOut",
    "BatchRead",
    "CallTime",
    "Event",
    "Pass",
    "ProgramWait",
    "QueueTake",
    "SlowSample",
    "StageRun",
    "subscribe",
]
