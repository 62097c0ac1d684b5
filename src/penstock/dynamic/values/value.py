"""The base class of Tensor and Batch: samples that may not be computed yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from penstock._native import Samples
from penstock.dynamic.values.operator_calls import calls
from penstock.engine.context import EvalContext
from penstock.engine.explain import of_waiting
from penstock.engine.explanation import Explanation, described
from penstock.engine.graph.node import Port
from penstock.engine.invocation import Invocation, Operand
from penstock.values.accelerator import CPU, accelerator
from penstock.values.device import Device
from penstock.values.device import device as to_device
from penstock.values.dtypes import DType, Kind
from penstock.values.spec import Spec, spec_of

if TYPE_CHECKING:
    from typing_extensions import Self


_ENUM = Kind.enum  # which takes longer to find than the rest of a result


class Value:
    """A Tensor or a Batch: samples in memory, or the call that will make them."""

    __slots__ = ("__weakref__", "_call", "_index", "_normalized", "_samples", "_spec")

    _is_batch: ClassVar[bool] = False
    _call: Invocation | None
    _index: int
    _normalized: dict[str, Any]  # arguments of the call that normalised the samples; unset for any other
    _samples: Samples | None
    _spec: Spec | None

    @classmethod
    def _of_samples(cls, samples: Samples) -> Self:
        made = cls.__new__(cls)
        made._start(samples)
        return made

    def _start(self, samples: Samples) -> None:
        self._samples = samples
        self._call = None
        self._index = 0
        self._spec = None

    def _made(self) -> Samples:
        """Returns the samples; waits for the call that makes them.

        Unlike `_resolve`, which compiled loops override, this does not mean that the program wants this result.
        """
        samples = self._samples
        if samples is None:
            spec, call = self._spec, self._call  # in this order: another thread may be here, too, and reset both
            if call is None:
                assert self._samples is not None
                return self._samples
            outputs = call.outputs
            samples = (call.results() if outputs is None else outputs)[self._index]
            if call.op.normalizes:
                self._normalized = call.arguments
            # Operators compute on the numbers that stand for members of an enumeration; the result has its type again.
            if spec is not None and spec.dtype is not None and spec.dtype.kind is _ENUM:
                samples = samples.coded(spec.dtype.code)
            self._samples = samples
            self._call = self._spec = None
        return samples

    _resolve = _made  # returns the samples for the user's program

    def _placed(self) -> Samples:
        """The samples in the memory of the device they are on: what the CPU made for an accelerator goes there now."""
        samples = self._resolve()
        if samples.device != CPU and not samples.elsewhere and not accelerator().runs_on_host:
            from penstock.gpu.samples import upload

            samples = self._samples = upload(samples, samples.device)
        return samples

    def _peek_spec(self) -> Spec:
        """Returns the spec as far as it is known without running anything."""
        spec = self._spec
        if self._samples is None and spec is not None:
            return spec
        assert self._samples is not None
        return spec_of(self._samples)

    def _operand(self, context: EvalContext) -> Operand:
        """Returns this value as input of a call.

        A call that is pending in another context is run first: contexts that waited for each other could deadlock.
        """
        if self._samples is None:
            call = self._call
            if call is not None and call.outputs is None and call.error is None and call.context is context:
                call.consumers += 1
                return Port(call, self._index)
        return self._made()

    def _explain(self) -> Explanation:
        """Explains what would run if the samples were needed."""
        call = self._call
        if self._samples is None and call is not None and not call.done:
            return of_waiting(call)
        if self._samples is None and call is not None and call.error is not None:
            return Explanation(f"failed: {call.error}", call.context.num_threads, ())
        return Explanation(f"in memory: {described(spec_of(self._resolve()))}", EvalContext.current().num_threads, ())

    def _is_deferred(self) -> bool:
        """Whether the samples are made only once somebody asks for them."""
        call = self._call
        return self._samples is None and call is not None and not call.context.runs_unasked(call)

    def _normalized_by(self) -> dict[str, Any]:
        """Returns the arguments of the call that normalised the samples; empty where no call of that kind made them."""
        found: dict[str, Any] = getattr(self, "_normalized", {})
        return found

    def _repr_html_(self) -> str:
        from penstock.dynamic.values.pictures import html_of

        return html_of(self)

    def _repr_png_(self) -> bytes | None:
        from penstock.dynamic.values.pictures import png_of

        return png_of(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """The text that IPython shows: unlike `repr`, it does not compute what waits to be asked for."""
        printer.text(f"{type(self).__name__}: {self._explain()}" if self._is_deferred() else repr(self))

    def evaluate(self) -> Self:
        """Waits until the value is computed; raises what its operator failed with."""
        self._resolve()
        return self

    @property
    def dtype(self) -> DType:
        """Element type; for most operators known without waiting."""
        spec = self._spec
        if self._samples is None and spec is not None and spec.dtype is not None:
            return spec.dtype
        found = spec_of(self._resolve()).dtype
        assert found is not None
        return found

    @property
    def ndim(self) -> int:
        """Number of axes of a sample."""
        spec = self._spec
        if self._samples is None and spec is not None and spec.ndim is not None:
            return spec.ndim
        return self._resolve().ndim

    @property
    def layout(self) -> str | None:
        """The meaning of the axes, such as "HWC"; None if it is not known."""
        spec = self._spec
        if self._samples is None and spec is not None and spec.layout is not None:
            return spec.layout or None
        return self._resolve().layout or None

    @property
    def _device(self) -> int:
        """The number of the device that the data is on, or will be."""
        call = self._call
        if self._samples is None and call is not None:
            return call.device
        assert self._samples is not None
        return self._samples.device

    @property
    def device(self) -> Device:
        """The device of the data; known without waiting."""
        return Device.of_number(self._device)

    def cpu(self) -> Self:
        """Returns this value in host memory."""
        return self.to_device(Device.CPU)

    def gpu(self, index: int | None = None) -> Self:
        """Returns this value on an accelerator."""
        return self.to_device(Device("gpu", index))

    def to_device(self, device: Device | str, force_copy: bool = False) -> Self:
        """Returns this value on `device`; itself if it is there already and no copy is asked for."""
        target = to_device(device)
        if target is None:
            raise AttributeError("to_device() takes a Device or its name, got None")
        if target.number == self._device:
            return self._of_samples(self._resolve().copied()) if force_copy else self
        moved: Self = calls.function("_transfer")(self, device=target)
        return moved

    def __copy__(self) -> Self:
        return self._of_samples(self._resolve())

    def __deepcopy__(self, memo: Any) -> Any:
        raise TypeError(
            f"cannot deep-copy '{type(self).__name__}' object; .to_device(..., force_copy=True) copies the data"
        )

    def __reduce__(self) -> Any:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object; pickle its data as NumPy arrays")
