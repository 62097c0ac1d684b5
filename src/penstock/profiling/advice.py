"""Whether a program waits for its input, in one line, and what to do about it."""

from __future__ import annotations

from penstock.engine.explanation import WAYS, counted
from penstock.profiling.totals import StepTotal, Totals

# Less waiting than this is not worth any work.
_BOUND_SHARE = 0.1
_BUSY_SHARE = 0.75
_LARGE_SHARE = 0.5

_DECODERS = ("decoders.image", "decoders.image_random_crop", "decoders.image_crop", "decoders.image_slice")


def verdict(totals: Totals) -> str:
    """Returns one line that says whether the input is what the program waits for."""
    if not totals.batches and not totals.waits:
        return "nothing was loaded while this profile was on"
    share = f"{totals.wait_share:.0%}"
    if is_input_bound(totals):
        return f"input-bound: the program waited for data {share} of the time"
    ready = totals.data_waited
    said = f", batches were ready {milliseconds(ready)} before it came" if ready > 0 else ""
    return f"not input-bound: the program waited for data {share} of the time{said}"


def is_input_bound(totals: Totals) -> bool:
    return totals.wait_share >= _BOUND_SHARE


def advice(totals: Totals) -> list[str]:
    """Returns what would help, the most helpful first."""
    if not totals.batches and not totals.steps:
        return ["put the loop over the data inside of the block"]
    if not is_input_bound(totals):
        gain = 1 / max(1 - totals.wait_share, 1e-9) - 1
        return [f"a faster input would make the program at most {gain:.0%} faster: look at the model first"]
    found: list[str] = []
    heaviest = next(iter(totals.heaviest_first), None)
    busy = 1 - totals.idle_share
    waiting_reader = max(totals.readers, key=lambda reader: reader.waited, default=None)
    if waiting_reader is not None and waiting_reader.waited > _LARGE_SHARE * totals.waited:
        found.append(
            f"{waiting_reader.name} at {waiting_reader.place} waits for its files "
            f"{waiting_reader.waited / max(waiting_reader.seconds, 1e-9):.0%} of its time: read ahead further with "
            "prefetch_queue_depth, keep files from URLs with Storage(cache_dir=...), pack small files into archives"
        )
    if heaviest is not None and heaviest.way == "plain" and totals.share([heaviest]) > _LARGE_SHARE:
        found.append(
            f"{heaviest.operator} at {heaviest.place} runs in {WAYS['plain'].legend}, on one thread: write it for the "
            "whole batch (elementwise=True or batchwise=True), or with operators that have a native step"
        )
    elif heaviest is not None:
        found.append(_about_heaviest(heaviest, totals))
    if _waits_for_results(totals):
        found.append(
            "most of the waiting is for results of calls, which begin when the loop makes them: "
            "next_epoch(..., compile=True) has them made ahead"
        )
    if busy < _BUSY_SHARE and totals.pool_threads < totals.cores:
        found.append(
            f"{counted(totals.pool_threads, 'thread')} of {totals.cores} CPUs are used: set_num_threads({totals.cores})"
        )
    if totals.is_contended:
        found.append("threads were ready to run and had no CPU: other programs, or other threads of this one, have it")
    return found


def _about_heaviest(step: StepTotal, totals: Totals) -> str:
    share = totals.share([step])
    start = (
        f"{share:.0%} of the threads' {'CPU ' if totals.is_contended else ''}time is {step.operator} at {step.place}"
    )
    if step.operator.split(" + ")[0] in _DECODERS:
        return f"{start}: store smaller images, decode only the part that is used, or give it more CPUs"
    return f"{start}: make that cheaper, or give it more CPUs"


def _waits_for_results(totals: Totals) -> bool:
    results = sum(wait.seconds for wait in totals.waits if not wait.what.startswith("next "))
    return results > _LARGE_SHARE * max(totals.waited, 1e-9)


def milliseconds(seconds: float) -> str:
    """Returns "0.12 ms", "12 ms" or "1.2 s"."""
    return f"{seconds:.2g} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"
