"""`ndd.cache`: results of a function on batches that are kept, sample by sample, from one epoch to the next."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import penstock
from penstock import _native
from penstock._native import Pool, Samples
from penstock.dynamic.cached_calls import run_function
from penstock.dynamic.calls.call import invoke
from penstock.dynamic.values.batch import Batch
from penstock.schema.operator import Operator
from penstock.storage.sample_store import FolderStore, Key, MemoryStore, SampleStore, read_only_samples
from penstock.values.spec import Spec, spec_of


class CacheInfo(NamedTuple):
    """What a cache has done in this process, and what it holds."""

    hits: int
    misses: int
    samples: int
    bytes: int
    max_bytes: int


def cache(
    function: Callable[..., Any] | None = None,
    /,
    *,
    max_bytes: int,
    folder: str | os.PathLike[str] | None = None,
    version: str = "",
) -> Any:
    """Keeps what a function makes of each sample, so that later epochs need not make it again.

        @ndd.cache(max_bytes=16 << 30)
        def small(jpegs):
            return ndd.resize(ndd.decoders.image(jpegs), resize_shorter=256)

        for jpegs, labels in reader.next_epoch(batch_size=64):
            images = ndd.random_resized_crop(small(jpegs), size=[224, 224])

    The function takes one or several Batches and returns Batches, each sample made from the sample at its place alone.
    It is called with those samples that are not kept. A sample is known by its contents and its file, results by the
    calls and arguments they were made with, so that a changed file or another size is never answered with old data.
    Operators that draw random numbers, or that look at several samples of a batch, are refused in it: they come behind
    it. Results are the same as without the cache, to the bit, in every evaluation mode and in resumed runs; they are
    read-only.

    When the limit is reached no more are kept, and the rest are made in every epoch.

    Args:
        function: The function; without, `cache` is a decorator.
        max_bytes: How much is kept.
        folder: Keep samples in files of this folder, which several processes and later runs share: on a local disk, or
            in memory where the folder is a tmpfs such as /dev/shm. By default they are in the memory of this process.
        version: Samples in a folder are of this version: change it where the function computes with something that its
            calls of operators do not show, such as a table that an operator of your own reads.
    """
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int):
        raise TypeError(f"max_bytes is a number of bytes, got {type(max_bytes).__name__}")
    if max_bytes < 1:
        raise ValueError(f"max_bytes must be positive, got {max_bytes}")
    place = None if folder is None else Path(folder)

    def made(function: Callable[..., Any]) -> CachedFunction:
        return CachedFunction(function, max_bytes, place, version)

    return made if function is None else made(function)


class CachedFunction:
    """A function whose results are kept."""

    def __init__(self, function: Callable[..., Any], max_bytes: int, folder: Path | None, version: str) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._max_bytes = max_bytes
        self._folder = folder
        self._version = version
        self._programs: dict[tuple[Spec, ...], _CachedProgram] = {}

    def __call__(self, *batches: Any) -> Any:
        name = getattr(self._function, "__name__", "function")
        for batch in batches:
            if not isinstance(batch, Batch):
                raise TypeError(f"{name}() is cached by ndd.cache and takes Batches, got {type(batch).__name__}")
        if not batches:
            raise TypeError(f"{name}() is cached by ndd.cache and needs a Batch")
        specs = tuple(batch._peek_spec() for batch in batches)
        program = self._programs.get(specs)
        if program is None:
            if not len(batches[0]):
                return self._function(*batches)  # there is nothing to keep, nor to tell the results' types from
            specs, program = self._traced(name, batches)
        return invoke(program.operator, batches, {})

    def cache_info(self) -> CacheInfo:
        """How often a sample was found, and what is held."""
        programs = self._programs.values()
        held = [program.store.held() for program in programs]
        return CacheInfo(
            sum(program.hits for program in programs),
            sum(program.misses for program in programs),
            sum(samples for samples, _ in held),
            sum(size for _, size in held),
            self._max_bytes,
        )

    def cache_clear(self) -> None:
        """Forgets all samples, those in the folder too, and the counts."""
        for program in self._programs.values():
            program.store.clear()
            program.hits = program.misses = 0

    def _traced(self, name: str, batches: Sequence[Batch]) -> tuple[tuple[Spec, ...], _CachedProgram]:
        """Runs the function on the first sample, which tells its calls and the types of its results."""
        given = [batch._made() for batch in batches]
        specs = tuple(spec_of(samples) for samples in given)
        found = self._programs.get(specs)
        if found is None:
            made, calls = run_function(self._function, [samples.select([0]) for samples in given], None)
            results = [spec_of(samples) for samples in made]
            digest = hashlib.blake2b(digest_size=16)
            for part in (penstock.__version__, self._version, repr(specs), repr(results), *calls):
                digest.update(f"{part}\0".encode())
            store: SampleStore
            if self._folder is None:
                store = MemoryStore(self._max_bytes)
            else:
                store = FolderStore(self._folder, self._max_bytes, digest.hexdigest(), results)
            found = self._programs[specs] = _CachedProgram(name, self._function, calls, results, store)
        return specs, found


class _CachedProgram:
    """The function for inputs of certain types: an operator that looks its results up."""

    def __init__(
        self, name: str, function: Callable[..., Any], calls: list[str], results: Sequence[Spec], store: SampleStore
    ) -> None:
        self.store = store
        self.hits = self.misses = 0
        self._function = function
        self._calls = calls
        self._results = results

        def cached(*batches: Any) -> Any:
            """Made for whole batches only."""
            raise AssertionError("a cache is asked for whole batches")

        cached.__name__ = name
        self.operator = Operator(
            cached, results=len(results), infer=lambda *specs: tuple(results), runs_on="cpu", pure=True
        )
        self.operator.on_samples(self._looked_up)

    def _looked_up(self, pool: Pool, n: int, *batches: Samples) -> list[Samples]:
        if n == 0:
            return [Samples.empty_ragged(_code(spec), spec.ndim or 0, []) for spec in self._results]
        keys = _keys_of(pool, batches)
        while True:
            known = self.store.contains(keys)
            there = [at for at in range(n) if known[at]]
            kept = self.store.get([keys[at] for at in there]) if there else []
            if kept is not None:  # else some were damaged, and are not contained any more
                break
        missing = [at for at in range(n) if not known[at]]
        self.hits += len(there)
        self.misses += len(missing)
        if not missing:
            return kept
        made, calls = run_function(self._function, [each.select(missing) for each in batches], pool)
        if calls != self._calls:
            raise RuntimeError(
                f"{self.operator.name}(), cached by ndd.cache, makes other calls or arguments than for its first "
                "sample; what is kept of a sample would depend on when it was made"
            )
        self.store.put([keys[at] for at in missing], made)
        if not there:
            return made
        place = {at: (True, k) for k, at in enumerate(there)} | {at: (False, k) for k, at in enumerate(missing)}
        return [
            read_only_samples(
                [(one if is_kept else other).sample(k) for is_kept, k in map(place.__getitem__, range(n))]
            )
            for one, other in zip(kept, made, strict=True)
        ]


def _code(spec: Spec) -> int:
    assert spec.dtype is not None
    return spec.dtype.code


def _keys_of(pool: Pool, batches: Sequence[Samples]) -> list[Key]:
    """A key for each sample: of its contents, shapes and the file it is from, in all inputs."""
    n = len(batches[0])
    told = [
        (_native.content_checksums(pool, samples), samples.shapes(), samples.sources or [""] * n) for samples in batches
    ]
    keys = []
    for at in range(n):
        parts = [f"{sums[at]} {shapes[at]} {sources[at]}" for sums, shapes, sources in told]
        keys.append(hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=16).digest())
    return keys
