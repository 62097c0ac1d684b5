"""Arithmetic on any types and numbers, against NumPy with the promotion written out."""

import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays, mutually_broadcastable_shapes

import penstock.dynamic as ndd

# Rows and columns in the same order: what + - * // % ** min max of the two give.
PROMOTION = {
    "uint8": "uint8 int16 uint16 int16 uint32 int32 uint64 int64 float32 float64 uint8",
    "int8": "int16 int8 int32 int16 int64 int32 int64 int64 float32 float64 int8",
    "uint16": "uint16 int32 uint16 int32 uint32 int32 uint64 int64 float32 float64 uint16",
    "int16": "int16 int16 int32 int16 int64 int32 int64 int64 float32 float64 int16",
    "uint32": "uint32 int64 uint32 int64 uint32 int64 uint64 int64 float32 float64 uint32",
    "int32": "int32 int32 int32 int32 int64 int32 int64 int64 float32 float64 int32",
    "uint64": "uint64 int64 uint64 int64 uint64 int64 uint64 int64 float32 float64 uint64",
    "int64": "int64 int64 int64 int64 int64 int64 int64 int64 float32 float64 int64",
    "float32": "float32 float32 float32 float32 float32 float32 float32 float32 float32 float64 float32",
    "float64": "float64 float64 float64 float64 float64 float64 float64 float64 float64 float64 float64",
    "bool": "uint8 int8 uint16 int16 uint32 int32 uint64 int64 float32 float64 bool",
}
INTEGERS = list(PROMOTION)[:8]


def promoted(left, right):
    return np.dtype(PROMOTION[left].split()[list(PROMOTION).index(right)])


@st.composite
def operands(draw, left=tuple(PROMOTION), right=None):
    """Two arrays of any of those types, whose shapes broadcast, and the type they meet in."""
    types = draw(st.sampled_from(left)), draw(st.sampled_from(right or left))
    shapes = draw(mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0)).input_shapes
    a, b = (draw(arrays(name, shape)) for name, shape in zip(types, shapes, strict=True))
    return a, b, promoted(*types)


def assert_same(made, wanted):
    array = np.asarray(made)
    assert array.dtype == wanted.dtype
    np.testing.assert_array_equal(array, wanted)


@pytest.mark.parametrize("left", PROMOTION)
@pytest.mark.parametrize("right", PROMOTION)
def test_types_meet_as_the_table_says(left, right):
    a, b = ndd.tensor([1], dtype=np.dtype(left)), ndd.tensor([1], dtype=np.dtype(right))
    with ndd.EvalMode.deferred:
        assert (a * b).dtype == ndd.dtype(promoted(left, right))


def test_a_single_element_with_more_axes_gives_the_result_its_rank():
    samples = ndd.batch([np.uint8([1]), np.uint8([2])])
    assert (samples + ndd.tensor([[3]], dtype=ndd.uint8)).tensors[1].shape == (1, 1)
    assert (ndd.batch([1, 2]) * ndd.tensor([[3]])).tensors[0].shape == (1, 1)


@given(operands())
@settings(max_examples=300, deadline=None)
def test_sums_differences_and_products(drawn):
    a, b, dtype = drawn
    for compute in (operator.mul,) if dtype.kind == "b" else (operator.add, operator.sub, operator.mul):
        with np.errstate(all="ignore"):
            wanted = np.asarray(compute(a.astype(dtype), b.astype(dtype)))
        assert_same(compute(ndd.tensor(a), ndd.tensor(b)), wanted)
        assert_same(compute(ndd.batch([a, a]), ndd.tensor(b)).tensors[1], wanted)


@given(operands())
def test_quotients(drawn):
    a, b, dtype = drawn
    real = dtype if dtype.kind == "f" else np.dtype(np.float32)
    if dtype.kind != "b":
        with np.errstate(all="ignore"):
            wanted = np.asarray(a.astype(real) / b.astype(real))
        assert_same(ndd.tensor(a) / ndd.tensor(b), wanted)


@given(operands(left=INTEGERS))
@settings(max_examples=300, deadline=None)
def test_integers_are_divided_towards_zero(drawn):
    a, b, dtype = drawn
    b = np.where(b.astype(dtype) == 0, b.dtype.type(3), b)
    pairs = np.broadcast(a.astype(dtype), b.astype(dtype))
    quotients = [abs(int(x)) // abs(int(y)) * (1 if (x < 0) == (y < 0) else -1) for x, y in pairs]
    # The one quotient that does not fit, -2**63 // -1, wraps.
    wanted = np.array([q % 2**64 for q in quotients], np.uint64).astype(dtype).reshape(pairs.shape)
    assert_same(ndd.tensor(a) // ndd.tensor(b), wanted)
    assert_same(ndd.tensor(a) % ndd.tensor(b), np.asarray(a.astype(dtype) - wanted * b.astype(dtype)))


@given(operands())
@settings(max_examples=300, deadline=None)
def test_comparisons(drawn):
    a, b, dtype = drawn
    # Python compares integers of any size exactly; floats meet in the promoted type.
    meet = dtype if dtype.kind == "f" else object
    with np.errstate(all="ignore"):
        a_met, b_met = a.astype(meet), b.astype(meet)
    for compare in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
        wanted = np.asarray(compare(a_met, b_met)).astype(bool)
        assert_same(compare(ndd.tensor(a), ndd.tensor(b)), wanted)


@given(operands(left=(*INTEGERS, "bool")))
def test_bits(drawn):
    a, b, dtype = drawn
    for combine in (operator.and_, operator.or_, operator.xor):
        wanted = np.asarray(combine(a.astype(dtype), b.astype(dtype)))
        assert_same(combine(ndd.tensor(a), ndd.tensor(b)), wanted)


def wrapped(numbers, dtype, shape):
    return np.array([n % 2**64 for n in numbers], np.uint64).astype(dtype).reshape(shape)


@given(operands(left=INTEGERS))
def test_shift_counts_are_taken_modulo_the_register(drawn):
    a, b, dtype = drawn
    width = 64 if dtype.itemsize == 8 else 32
    met = np.broadcast_arrays(a.astype(dtype), b.astype(dtype))
    pairs = [(int(x), int(y) % width) for x, y in zip(*(array.flat for array in met), strict=True)]
    assert_same(ndd.tensor(a) << ndd.tensor(b), wrapped([x << y for x, y in pairs], dtype, met[0].shape))
    assert_same(ndd.tensor(a) >> ndd.tensor(b), wrapped([x >> y for x, y in pairs], dtype, met[0].shape))


@given(operands(left=INTEGERS))
def test_powers_of_integers_wrap(drawn):
    a, b, dtype = drawn
    pairs = np.broadcast(a.astype(dtype), b.astype(dtype))
    powers = [pow(int(x), int(y), 2**64) if y >= 0 else 0 for x, y in pairs]
    assert_same(ndd.tensor(a) ** ndd.tensor(b), wrapped(powers, dtype, pairs.shape))
