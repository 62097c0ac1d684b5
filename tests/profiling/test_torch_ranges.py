"""Waits of a profiled loop in the traces of torch's profiler."""

from __future__ import annotations

import torch

import penstock.dynamic as ndd
from penstock.profiling import torch_ranges
from profiling.loops import LOOPS


def names(profiler: torch.profiler.profile) -> set[str]:
    return {event.name for event in profiler.events()}


def test_waits_are_ranges_of_torchs_profiler():
    with torch.profiler.profile() as both, ndd.profile():
        LOOPS["eager"]()
    assert names(both) >= {"penstock: next batch", "penstock: crop_mirror_normalize"}


def test_a_profile_without_torchs_profiler_records_no_ranges():
    with ndd.profile():
        LOOPS["eager"]()
    with torch.profiler.profile() as alone:
        LOOPS["eager"]()
    assert not any(name.startswith("penstock") for name in names(alone))


def test_with_a_gpu_there_are_nvtx_ranges_too(monkeypatch):
    pushed: list[str] = []

    class Range:
        def __init__(self, name: str) -> None:
            self.name = name

        def __enter__(self) -> None:
            pushed.append(self.name)

        def __exit__(self, *error: object) -> None:
            pushed.append("end")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda.nvtx, "range", Range)
    with torch_ranges.torch_range("resize"):
        assert pushed == ["penstock: resize"]
    assert pushed == ["penstock: resize", "end"]
