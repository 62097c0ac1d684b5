"""Arguments of the wrong kind are refused by name, whatever operator they are given to."""

from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import types
from penstock.dynamic.calls.functions import declaration, function
from penstock.ops._index import OPERATORS

SCALARS = sorted(
    {
        (op.path, name)
        for op in map(declaration, OPERATORS)
        for name, param in op.per_sample
        if not param.is_list and not param.is_array and op.min_inputs == 1 and not op.required and not op.needs_gpu
    }
)
IMAGE = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)


@pytest.mark.parametrize(("path", "name"), SCALARS)
def test_several_values_for_a_sample_are_no_number(path, name):
    """They met NumPy's words for ragged arrays, or those of the core's bindings."""
    with ndd.EvalMode.sync_cpu, pytest.raises((RuntimeError, ValueError)) as refused:
        function(path)(ndd.tensor(IMAGE, layout="HWC"), **{name: ndd.batch([[1], [1, 2]])})
    assert "inhomogeneous" not in str(refused.value)
    assert "incompatible function arguments" not in str(refused.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda odd: ndd.flip(IMAGE, horizontal=odd), r"horizontal takes one number per sample, got .* \(2,\)"),
        (lambda odd: ndd.noise.gaussian(IMAGE, stddev=odd), r"stddev takes one number per sample, got .* \(2,\)"),
        (lambda odd: ndd.random.uniform(range=odd), r"a lowest and a highest value, got \[1.0\]"),
    ],
)
def test_the_refusal_tells_what_was_given(call, message):
    with pytest.raises(RuntimeError, match=message):
        call(ndd.batch([[1], [1, 2]])).evaluate()


def test_a_region_may_have_one_number_for_all_axes_in_some_samples():
    starts = ndd.batch([[1], [1, 2]])
    places = ndd.roi_random_crop(crop_shape=[2, 2], roi_start=starts, roi_shape=[2, 2])
    assert [np.asarray(place).tolist() for place in places] == [[1, 1], [1, 2]]


@pytest.mark.parametrize("nothing", [types.NO_TYPE, -1])
def test_no_type_is_the_default_where_there_is_one(nothing):
    assert ndd.brightness(IMAGE, brightness=2.0, dtype=nothing).dtype == ndd.uint8
    assert ndd.random.uniform(dtype=nothing).dtype == ndd.float32
    with pytest.raises(RuntimeError, match="Data type NO_TYPE is not supported"):
        ndd.cast(IMAGE, dtype=nothing)


def test_a_type_is_no_word():
    with pytest.raises(RuntimeError, match="Invalid resize mode: u8; choose from 'default'"):
        ndd.resize(IMAGE, size=[2, 2], mode=ndd.uint8)


def test_a_dtype_may_be_the_number_of_one():
    assert ndd.cast(IMAGE, dtype=9).dtype == ndd.cast(IMAGE, dtype=np.int64(9)).dtype == ndd.float32
    for wrong in (12, 13, types.INTERP_NN):
        with pytest.raises(ValueError, match="dtype must be an element type"):
            ndd.cast(IMAGE, dtype=wrong)


@pytest.mark.parametrize("device", [ndd.tensor(1), ndd.batch([1, 2]), np.int64(0), 0])
def test_what_is_no_device_is_a_type_error(device):
    with pytest.raises(TypeError, match="to Device"):
        ndd.cast(IMAGE, dtype=ndd.float32, device=device)
