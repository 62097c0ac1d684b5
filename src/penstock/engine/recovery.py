"""Runs a failed call with `on_error` again, with replacements for its bad samples.

Only batches in which a sample has failed come here: until then, calls with `on_error` run in chains like all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.engine.arguments import batch_arguments, input_specs, of_sample, result_specs, takes_frames, with_layout
from penstock.engine.backends.native import native_step
from penstock.engine.backends.plain import plain_maker
from penstock.engine.backends.results import collect
from penstock.engine.errors import annotate, from_failure, source_of
from penstock.engine.invocation import Invocation, samples_of
from penstock.engine.policy import as_results
from penstock.values import parallel
from penstock.values.bad_samples import BadSample, UnreadableError, is_about_data
from penstock.values.dtypes import DType
from penstock.values.samples import arrays_of
from penstock.values.spec import Spec


def run(call: Invocation, inputs: list[Samples], pool: Pool, error: Exception) -> list[Samples]:
    """Returns the results of a call that failed with `error`.

    Raises it again where no sample's data are the cause, and for a call that runs once for every frame.
    """
    specs = input_specs(call, inputs)
    if takes_frames(call, specs):
        raise error
    results = _each(call, inputs, specs, pool, error)
    bad = {i: _bad_sample(inputs, i, why) for i, why in enumerate(results) if isinstance(why, Exception)}
    if not bad:
        raise error
    _fill(call, inputs, specs, results, bad)
    return collect(call, results, specs, inputs)


def _each(call: Invocation, inputs: list[Samples], specs: list[Spec], pool: Pool, error: Exception) -> list[Any]:
    """Returns for every sample its result, or the error it failed with."""
    n = samples_of(call)
    if isinstance(error, UnreadableError) and error.read is not None and len(error.read) == n:
        return _with_failures(call, inputs, arrays_of(error.read), error.failures)
    step = native_step(call, specs, inputs, pool)
    if step is None:
        return _each_plain(call, inputs, specs, pool)
    made, failures = _native.run_good(pool, inputs[0], n, [step])
    arrays = [None] * n if made is None else arrays_of(made)
    return _with_failures(call, inputs, arrays, {each.sample: from_failure(each) for each in failures})


def _with_failures(
    call: Invocation, inputs: list[Samples], results: list[Any], failures: Mapping[int, Exception]
) -> list[Any]:
    for sample, why in failures.items():
        results[sample] = annotate(why, call, sample, source_of(inputs, sample))
        if not is_about_data(why):
            raise why
    return results


def _each_plain(call: Invocation, inputs: list[Samples], specs: list[Spec], pool: Pool) -> list[Any]:
    """Does what `_each` does with the operator's plain function, for a call without a native step."""
    one = plain_maker([call], inputs, specs)

    def one_or_why(i: int) -> Any:
        try:
            return one(i)
        except Exception as why:
            if not is_about_data(why):
                raise
            return why

    return parallel.map_samples(one_or_why, samples_of(call), sum(samples.nbytes for samples in inputs), pool.threads)


def _fill(
    call: Invocation, inputs: list[Samples], specs: list[Spec], results: list[Any], bad: dict[int, BadSample]
) -> None:
    """Replaces every bad sample by the result of `on_error`, or by the operator's blank, and notes it in the policy."""
    policy, blank = call.policy, call.op.blank
    assert policy is not None
    assert blank is not None
    good = next((result for i, result in enumerate(results) if i not in bad), None)
    wanted = _as_specs(good, result_specs(call, specs))
    arguments = with_layout(call, specs, batch_arguments(call))
    for i, sample in bad.items():
        given = policy.instead(sample, inputs[0].sample(i if len(inputs[0]) > 1 else 0))
        made = blank(good, **of_sample(call, arguments, i)) if given is None else given
        results[i] = as_results(made, wanted)
    policy.note(bad)


def _as_specs(good: Any, declared: tuple[Spec, ...]) -> list[Spec]:
    """Returns the specs that replacements must have: those that are declared, or else those of a good sample."""
    parts = (good,) if len(declared) == 1 else good
    if good is None:
        return [*declared]
    return [
        spec if spec.known else Spec(DType.by_numpy.get(np.asarray(part).dtype), np.ndim(part))
        for spec, part in zip(declared, parts, strict=True)
    ]


def _bad_sample(inputs: list[Samples], i: int, why: Exception) -> BadSample:
    numbers = inputs[0].indices
    number = i if numbers is None else numbers[i if len(numbers) > 1 else 0]
    return BadSample(number, source_of(inputs, i) or "", why.with_traceback(None))
