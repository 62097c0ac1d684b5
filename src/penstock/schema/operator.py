"""`@operator`: a plain function on one sample, read as a declaration."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import sys
import typing
from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from penstock._native import NumberSource, RecentCalls, Samples, Step
from penstock.schema.example import Example
from penstock.schema.params import Draw, Layout, Param, read_params
from penstock.values.deprecation import warn_deprecated
from penstock.values.spec import UNKNOWN, Spec

Infer = Callable[..., "Spec | tuple[Spec, ...]"]
StepBuilder = Callable[..., "Step | None"]
RunsOn = Literal["any", "cpu", "mixed"]
InputsFrom = Literal["device", "cpu too", "anywhere"] | tuple[int, ...]

SEQUENCE_KEYWORDS = ("batch_size", "device")
RECOVERY_KEYWORDS = ("on_error", "errors")


def same_as_input(first: Spec, *rest: Spec, **arguments: Any) -> Spec:
    """For operators whose result has the dtype, rank and layout of their first input."""
    return first


class Operator:
    """The declaration of one operator. `function`, on one sample, is its meaning; all other kernels are held to it."""

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        older_names: Sequence[str] = (),
        layouts: Sequence[str] = (),
        channels_last: bool = False,
        frames: bool = False,
        still: bool = False,
        infer: Infer | None = None,
        check: Callable[..., None] | None = None,
        elementwise: bool = False,
        batchwise: bool = False,
        needs_gpu: bool = False,
        by_cpu: bool = False,
        results: int | Callable[[int, dict[str, Any]], int] = 1,
        pure: bool = True,
        acts: bool = False,
        numbers_only: bool = False,
        normalizes: bool = False,
        read_only: bool = False,
        blank: Callable[..., Any] | None = None,
        runs_on: RunsOn = "any",
        inputs_from: InputsFrom = "device",
        renamed: dict[str, str] | None = None,
        removed: Sequence[str] = (),
    ) -> None:
        self.function = function
        self.path = name or function.__name__
        self.name = self.path.rsplit(".", 1)[-1]
        self.older_names = tuple(older_names)
        self.layouts = tuple(layouts)
        self.channels_last = channels_last
        self.frames = frames
        self.still = still
        self.infers = infer is not None
        self.infer: Infer = infer or self._nothing_known
        self.check = check
        self.batchwise = batchwise
        self.needs_gpu = needs_gpu
        self.by_cpu = by_cpu
        self.runs_on = runs_on
        self.inputs_from = inputs_from
        self.results = results
        self.pure = pure and not acts
        self.acts = acts
        self.numbers_only = numbers_only
        self.normalizes = normalizes
        self.read_only = read_only  # whether samples are to reach the function as arrays that it cannot write to
        self.blank = blank
        self.stacked: Callable[..., Any] | None = function if elementwise else None
        self.renamed = renamed or {}
        self.removed = tuple(removed)
        self.native_step: StepBuilder | None = None
        self.reads_data = self.needs_data = self.reads_others = self.reads_threads = self.reads_batch_size = False
        self.serves_again: Callable[[Any], bool] | None = None
        self.stacks_first: Callable[[list[Samples], int], bool] | None = None
        self.step_varies = False  # whether calls alike in constant arguments and input specs have steps of their own
        self.stack_reads_threads = False
        self.memo: dict[Any, Any] = {}  # of the engine: CallMemo of earlier calls, by their arguments and input specs
        self.recent = RecentCalls()  # those of the last calls
        self.on_storage: Callable[..., Samples | Sequence[Samples]] | None = None
        self.stored_anywhere = False
        self.number_source: Callable[..., NumberSource | None] | None = None
        self.gpu_function: Callable[..., Any] | None = None
        self.by_spec: tuple[int, ...] = ()
        self.device_function: Callable[..., Samples | None] | None = None
        self.side_outputs: Callable[..., list[Samples]] | None = None
        self.sources_of: Callable[..., list[str]] | None = None
        self.doc = inspect.getdoc(function) or ""
        self.examples: tuple[Example, ...] = ()
        self._read_signature()

    def _read_signature(self) -> None:
        hints = typing.get_type_hints(self.function, include_extras=True)
        self.inputs: list[str] = []
        self.optional_inputs = 0
        self.variadic = False
        self.params: dict[str, Param] = {}
        self.groups: dict[str, tuple[type, tuple[str, ...]]] = {}
        self.draw: str | None = None
        self.layout_name: str | None = None
        for parameter in inspect.signature(self.function).parameters.values():
            hint = hints.get(parameter.name, Any)
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                self.variadic = True
            elif parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
                self.inputs.append(parameter.name)
                self.optional_inputs += parameter.default is not inspect.Parameter.empty
            elif hint is Draw:
                self.draw = parameter.name
            elif hint is Layout:
                self.layout_name = parameter.name
            else:
                read = read_params(parameter.name, hint, parameter.default)
                self.params.update(read)
                if dataclasses.is_dataclass(hint):
                    self.groups[parameter.name] = (typing.cast(type, hint), tuple(read))
        self.min_inputs = len(self.inputs) - self.optional_inputs
        self.max_inputs = sys.maxsize if self.variadic else len(self.inputs)
        self.required = [name for name, param in self.params.items() if param.required]
        self.per_sample = [(name, param) for name, param in self.params.items() if param.per_sample]
        self.defaults = {name: param.default for name, param in self.params.items()}

    @overload
    def native(self, build: StepBuilder, /) -> StepBuilder: ...
    @overload
    def native(
        self,
        *,
        reads_data: bool = False,
        needs_data: bool = False,
        reads_others: bool = False,
        reads_threads: bool = False,
        reads_batch_size: bool = False,
        serves_again: Callable[[Any], bool] | None = None,
        stacks_first: Callable[[list[Samples], int], bool] | None = None,
    ) -> Callable[[StepBuilder], StepBuilder]: ...
    def native(
        self,
        build: StepBuilder | None = None,
        *,
        reads_data: bool = False,
        needs_data: bool = False,
        reads_others: bool = False,
        reads_threads: bool = False,
        reads_batch_size: bool = False,
        serves_again: Callable[[Any], bool] | None = None,
        stacks_first: Callable[[list[Samples], int], bool] | None = None,
    ) -> Any:
        """Registers the function that builds a native step from a call, or returns None where there is no step for it.

        It is called with the inputs' specs and the arguments of the whole batch, and with what is declared here:

        Args:
            reads_data: `samples`, the first input. It is None where a chain hands the input on sample by sample, so
                that it is never stored as a batch.
            needs_data: As `reads_data`, but never None: the call can only be the first of a chain.
            reads_others: `others`, the inputs after the first.
            reads_threads: `threads`, how many threads the pool has.
            reads_batch_size: `batch_size`, which is larger than the inputs where one sample serves the whole batch.
            serves_again: Tells of a step that was built from data whether it serves other data of the same spec too, or
                fails where it infers their shapes. Loops that run ahead then build it only once.
            stacks_first: Tells from the inputs and the number of threads whether the function registered with
                `on_stack` is faster than the native step.
        """

        def register(build: StepBuilder) -> StepBuilder:
            self.native_step = build
            self.reads_data = reads_data or needs_data
            self.needs_data = needs_data
            self.reads_others = reads_others
            self.reads_threads = reads_threads
            self.reads_batch_size = reads_batch_size
            self.serves_again = serves_again
            self.stacks_first = stacks_first
            self.step_varies = self.draw is not None or self.reads_data or reads_others or reads_batch_size
            return build

        return register if build is None else register(build)

    @overload
    def gpu(self, function: Callable[..., Any], /) -> Callable[..., Any]: ...
    @overload
    def gpu(self, *, by_spec: tuple[int, ...] = ()) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...
    def gpu(self, function: Callable[..., Any] | None = None, *, by_spec: tuple[int, ...] = ()) -> Any:
        """Registers the function for accelerators, on torch tensors: the plain function, written in torch.

        It is given samples of one shape with the same arguments, or a single one, under a leading axis; layouts, frames
        and arguments are otherwise those that the plain function is given. Operators that are `batchwise` are given a
        list of tensors here as well. Inputs behind the first that may be on the "cpu too" come as NumPy arrays. torch
        is imported inside.

        Args:
            by_spec: Places of inputs whose elements it does not read. It is given their specs, and they stay where they
                are.
        """

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.gpu_function = function
            self.by_spec = by_spec
            if self.runs_on == "cpu":
                self.runs_on = "any"
            return function

        return register if function is None else register(function)

    def on_device(self, function: Callable[..., Samples | None]) -> Callable[..., Samples | None]:
        """Registers a function that has the device itself make what otherwise the CPU makes for it.

        It is called with the number of the device, the first input as it is stored, and the arguments, and returns
        samples of the device; or None where the device cannot, and the CPU does it after all.
        """
        self.device_function = function
        return function

    @overload
    def on_samples(self, function: Callable[..., Samples | Sequence[Samples]], /) -> Callable[..., Any]: ...
    @overload
    def on_samples(self, *, anywhere: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...
    def on_samples(self, function: Callable[..., Any] | None = None, *, anywhere: bool = False) -> Any:
        """Registers a function for the whole batch as it is stored: `function(pool, n, *samples, **arguments)`.

        For operators that make samples out of nothing, see the same memory in another way, or have several results.
        Where it reads no elements of its first input, or those on accelerators too, it may be `anywhere`, and serves
        them as well.
        """

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.on_storage = function
            self.stored_anywhere = anywhere
            return function

        return register if function is None else register(function)

    def draws_numbers(self, make: Callable[..., NumberSource | None]) -> Callable[..., NumberSource | None]:
        """Registers the function that makes a native source of single numbers from constant arguments, or None.

        It is called once for all calls that draw a number for each sample with these arguments, which have a row.
        """
        self.number_source = make
        return make

    @overload
    def on_stack(self, function: Callable[..., Any], /) -> Callable[..., Any]: ...
    @overload
    def on_stack(self, *, reads_threads: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...
    def on_stack(self, function: Callable[..., Any] | None = None, *, reads_threads: bool = False) -> Any:
        """Registers a function for a whole uniform batch: arrays with a leading batch axis in and out.

        With `reads_threads` it is also given `threads`, how many it may use. A native step is preferred to it, unless
        the operator's `stacks_first` says otherwise.
        """

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.stacked = function
            self.stack_reads_threads = reads_threads
            return function

        return register if function is None else register(function)

    def beside(self, make: Callable[..., list[Samples]]) -> Callable[..., list[Samples]]:
        """Registers the function that makes the results after the first, where a native step makes the first."""
        self.side_outputs = make
        return make

    def sources(self, tell: Callable[..., list[str]]) -> Callable[..., list[str]]:
        """Registers the function that tells the files of the results' samples: `tell(n, *samples, **arguments)`.

        For operators that make a sample of several; others hand on what is known of their first input.
        """
        self.sources_of = tell
        return tell

    def grouped(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Arguments as the function takes them: those of a shared dataclass gathered into one object."""
        if not self.groups:
            return arguments
        arguments = dict(arguments)
        for name, (group, fields) in self.groups.items():
            arguments[name] = group(**{field: arguments.pop(field) for field in fields})
        return arguments

    def _nothing_known(self, *specs: Spec, **arguments: Any) -> tuple[Spec, ...]:
        return (UNKNOWN,) * self.count_results(len(specs), arguments)

    def count_results(self, inputs: int, arguments: dict[str, Any]) -> int:
        """How many results a call has."""
        return self.results if isinstance(self.results, int) else self.results(inputs, arguments)

    def signature(self) -> inspect.Signature:
        """What `help()` shows: inputs by position, then the arguments with their real defaults."""
        kind = inspect.Parameter
        shown = [
            kind(name, kind.POSITIONAL_ONLY, default=kind.empty if i < self.min_inputs else None)
            for i, name in enumerate(self.inputs)
        ]
        if self.variadic:
            shown.append(kind("inputs", kind.VAR_POSITIONAL))
        shown += [
            kind(p.name, kind.KEYWORD_ONLY, default=kind.empty if p.required else p.default)
            for p in self.params.values()
        ]
        shown += [kind(name, kind.KEYWORD_ONLY, default=None) for name in self.common_keywords]
        return inspect.Signature(shown)

    @property
    def common_keywords(self) -> tuple[str, ...]:
        """Arguments that the function does not see."""
        return (*(("rng",) if self.draw else ()), *(RECOVERY_KEYWORDS if self.blank else ()), *SEQUENCE_KEYWORDS)

    def reads_on_cpu(self, position: int) -> bool:
        """Whether an input is read by the CPU also where the call is on a GPU, so that it may be there."""
        if isinstance(self.inputs_from, tuple):
            return position in self.inputs_from
        return position > 0 and self.inputs_from == "cpu too"

    def check_inputs(self, inputs: Sequence[Any]) -> None:
        """Raises where there are too few or too many."""
        count = len(inputs)
        if count < self.min_inputs:
            missing = ", ".join(repr(name) for name in self.inputs[count : self.min_inputs])
            raise TypeError(f"{self.name}() missing {self.min_inputs - count} required input(s): {missing}")
        if count > self.max_inputs:
            hint = self._argument_for(inputs[len(self.inputs)])
            raise TypeError(f"{self.name}() takes {len(self.inputs)} input(s) but {count} were given{hint}")

    def _argument_for(self, value: Any) -> str:
        """A hint for a value that was given by position: which argument it may have been meant for."""
        several = isinstance(value, (list, tuple))
        if not self.params or not (several or isinstance(value, (int, float, str))):
            return ""
        if "size" in self.params and isinstance(value, int):
            return f"; arguments are given by name: size=[{value}, {value}]"
        kinds = (str,) if isinstance(value, str) else (int, float)
        fitting = [p.name for p in self.params.values() if p.is_list == several and p.element in kinds]
        first = next((name for name in ("size", *self.required) if name in fitting), fitting[0] if fitting else None)
        return f"; arguments are given by name{'' if first is None else f': {first}={value!r}'}"

    def old_name(self, keyword: str, keywords: dict[str, Any]) -> str | None:
        """The argument an outdated keyword stands for, or None when it is accepted and ignored."""
        new = self.renamed.get(keyword)
        if new is not None or keyword in self.removed:
            if keywords[keyword] is None:
                return None
            if new is None:
                warn_deprecated(f"The argument `{keyword}` is no longer used and will be removed in a future release.")
            elif keywords.get(new) is not None:
                raise TypeError(
                    f"{self.name}() got an unexpected '{keyword}' deprecated argument when '{new}' was already provided"
                )
            else:
                warn_deprecated(f"The argument `{keyword}` is a deprecated alias for `{new}`. Use `{new}` instead.")
            return new
        known = [*self.params, *self.common_keywords]
        likeness = {each: difflib.SequenceMatcher(None, each, keyword).ratio() for each in known}
        close = max(known, key=likeness.__getitem__)  # the first of several, so that resize_w is resize_x
        hint = f"; did you mean {close!r}?" if likeness[close] >= 0.5 else ""
        raise TypeError(f"{self.name}() got an unexpected keyword argument {keyword!r}{hint}")

    def by_current_names(self, keywords: dict[str, Any]) -> dict[str, Any]:
        """The same arguments with outdated keywords replaced, or left out where they are ignored."""
        if all(keyword in self.params for keyword in keywords):
            return keywords
        named = {
            keyword if keyword in self.params else self.old_name(keyword, keywords): keyword for keyword in keywords
        }
        return {name: keywords[keyword] for name, keyword in named.items() if name is not None}

    def check_required(self, missing: list[str]) -> None:
        if missing:
            names = ", ".join(repr(name) for name in missing)
            raise TypeError(f"{self.name}() missing {len(missing)} required keyword-only argument: {names}")

    def refuse_tensor(self, keyword: str, kind: str) -> None:
        """Raises for a Tensor, Batch or node given where there is no per-sample argument."""
        if keyword not in self.params:
            self.old_name(keyword, {keyword: None})
        own = self.params[keyword].own
        hint = f"; one for every sample is declared as {keyword}: ndd.PerSample[int], or another type" if own else ""
        raise TypeError(f"{self.name}(): {keyword} takes a constant, not a {kind}{hint}")

    def __repr__(self) -> str:
        return f"<operator {self.path}>"


def operator(**options: Any) -> Callable[[Callable[..., Any]], Operator]:
    """Declares a plain function on one sample as an operator.

    Keyword-only parameters become arguments, with their annotations telling how values are converted;
    `PerSample[...]` arguments may differ from sample to sample.

    Args:
        name: Dotted public name; the function's own name by default.
        older_names: Names it had before, which still work with a DeprecationWarning.
        layouts: Layouts the first input may have; an unlabelled input takes the first of equal rank.
        frames: Sequences (layouts beginning with F) are taken apart: function, infer and native builder see one frame.
        still: Where an argument has a value for every frame, an input without frames is repeated for each.
        channels_last: The function takes H, W, C (or D, H, W, C): the engine transposes other layouts for it and back,
            and calls it for each frame of a sequence.
        infer: Tells the result's `Spec` from the inputs' specs and the arguments, before anything runs; a tuple of
            specs for several results.
        check: Refuses arguments that are wrong whatever the inputs are, where a pipeline is defined; those that differ
            from sample to sample are there as specs.
        elementwise: The function may be given a whole uniform batch, one sample a row.
        batchwise: The function is given the batch as a list of samples, and returns such a list. Without inputs, the
            user must say how large the batch is.
        needs_gpu: It has no meaning on a CPU: calls must say `device="gpu"`.
        by_cpu: Where a call is on a GPU it is the CPU that does the work: data go there and come back. For what is done
            step by step, or by a library of the CPU's. Its documentation says so.
        runs_on: "cpu" for operators that no GPU runs, "mixed" for those that take data of the CPU to a GPU.
        inputs_from: Where the inputs of a call on a GPU are: on the same "device", those behind the first on the
            "cpu too", those at some places on the CPU too, or all of them "anywhere".
        results: How many there are, or a function that tells it from the number of inputs and the arguments.
        pure: Calls with equal inputs and arguments give equal results, so one of them will do.
        acts: It has side effects: a compiled loop makes each call when the program does, never ahead of it.
        numbers_only: It computes with elements, so that members of enumerations are refused, as inputs and as results.
            False for operators that only move elements about.
        normalizes: Its result is scale * (input - mean) / deviation + shift, by arguments of these names (or `std`,
            `stddev`), so that pictures of it can be shown as they were before.
        blank: Makes what stands for a sample whose data are bad: called with the result of a good one, or None, and the
            arguments. Calls then take `on_error` and `errors`.
        renamed: Outdated argument names and what they are called now.
        removed: Outdated arguments that are accepted and ignored.
    """
    options.setdefault("numbers_only", True)
    return lambda function: Operator(function, **options)
