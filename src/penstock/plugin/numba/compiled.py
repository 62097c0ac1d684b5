"""A function of the program's own, compiled, and run on batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from penstock._native import Pool, SampleError, Samples
from penstock.interop.extras import framework
from penstock.ops.names import type_name
from penstock.pipeline.functions.python_function import error_text
from penstock.values.dtypes import BY_CODE, DType, float16
from penstock.values.parallel import map_samples
from penstock.values.samples import arrays_of

numba: Any = framework("numba", "penstock.plugin.numba", "numba")

Array = np.ndarray[Any, Any]


class Kind(NamedTuple):
    """What an input or output was said to be."""

    dtype: DType
    ndim: int

    def compiled(self) -> Any:
        """The type as Numba knows it."""
        if self.dtype.numpy is None or self.dtype == float16:
            raise RuntimeError(f"Numba does not support {type_name(self.dtype)} on a CPU; cast to another type first")
        return numba.types.Array(numba.from_dtype(self.dtype.numpy), self.ndim, "C")


class Compiled:
    """`run_fn`, compiled for these kinds of inputs and outputs, so that mistakes in it show where it is given."""

    def __init__(
        self, run_fn: Any, setup_fn: Callable[..., Any] | None, outs: list[Kind], ins: list[Kind], by_batch: bool
    ) -> None:
        self._outs, self._ins = outs, ins
        self._setup = setup_fn
        self._by_batch = by_batch
        jitted = hasattr(run_fn, "py_func")
        self._function = run_fn if jitted else numba.njit(nogil=True, boundscheck=True)(run_fn)
        kinds = [kind.compiled() for kind in (*outs, *ins)]
        self._function.compile(tuple(map(numba.types.ListType, kinds) if by_batch else kinds))

    def run(self, pool: Pool, n: int, *batches: Samples) -> list[Samples]:
        """The outputs of one batch."""
        columns = [self._checked(k, batch) for k, batch in enumerate(batches)]
        columns = [column * n if len(column) == 1 else column for column in columns]
        made = [
            Samples.empty_ragged(kind.dtype.code, kind.ndim, shapes)
            for kind, shapes in zip(self._outs, self._shapes(columns, n), strict=True)
        ]
        outs = [arrays_of(each) for each in made]
        for array in (array for column in outs for array in column):
            array[...] = 0
        if self._by_batch and n:
            self._at_once([*outs, *columns])
        elif n:
            map_samples(lambda i: self._one(i, outs, columns), n, sum(each.nbytes for each in made), pool.threads)
        return made

    def _checked(self, k: int, batch: Samples) -> list[Array]:
        kind, dtype = self._ins[k], BY_CODE[batch.code]
        if dtype != kind.dtype:
            raise RuntimeError(
                f"Data type passed in `in_types` at index {k} doesn't match type of the input data: "
                f"{type_name(dtype)} != {type_name(kind.dtype)}"
            )
        if batch.ndim != kind.ndim:
            raise RuntimeError(
                f"Number of dimensions passed in `ins_ndim` at index {k} doesn't match the number of dimensions of the "
                f"input data: {batch.ndim} != {kind.ndim}"
            )
        return [np.array(array) for array in arrays_of(batch)]

    def _shapes(self, columns: list[list[Array]], n: int) -> list[list[tuple[int, ...]]]:
        given = [[array.shape for array in column] for column in columns]
        if self._setup is None:
            return given
        asked = [[np.zeros(kind.ndim, np.int64) for _ in range(n)] for kind in self._outs]
        try:
            self._setup(asked, [[np.array(shape, np.int64) for shape in column] for column in given])
        except Exception as error:
            raise RuntimeError(f"setup_fn failed: {error_text(error)}") from error
        shapes = [[tuple(np.ravel(shape).tolist()) for shape in column] for column in asked]
        for kind, column in zip(self._outs, shapes, strict=True):
            for i, shape in enumerate(column):
                if len(shape) != kind.ndim or min(shape, default=0) < 0:
                    raise SampleError(i, f"setup_fn tells the shape {shape} of an output with {kind.ndim} axes")
        return shapes

    def _one(self, i: int, outs: list[list[Array]], columns: list[list[Array]]) -> None:
        try:
            self._function(*(column[i] for column in outs), *(column[i] for column in columns))
        except Exception as error:
            raise SampleError(i, error_text(error)) from error

    def _at_once(self, columns: list[list[Array]]) -> None:
        try:
            self._function(*map(numba.typed.List, columns))
        except Exception as error:
            raise RuntimeError(error_text(error)) from error
