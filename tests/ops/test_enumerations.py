"""Tensors of members of enumerations: moved about by some operators, refused by those that compute."""

from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import types
from penstock.dynamic.calls.functions import declaration, function
from penstock.ops._index import OPERATORS

MEMBERS = [[types.INTERP_NN, types.INTERP_LINEAR], [types.INTERP_CUBIC, types.INTERP_NN]]
NUMBERS = [[0, 1], [2, 0]]
COMPUTING = [
    op.path for op in map(declaration, sorted({*OPERATORS})) if op.numbers_only and op.min_inputs and not op.needs_gpu
]
ARGUMENTS = {"shape": [1, 1], "sizes": [1, 1], "crop": [1, 1], "keys": [0], "dtype": ndd.uint8, "quality": 50}


def read(result):
    assert result.dtype == ndd.InterpType
    return np.asarray(result).tolist()


@pytest.fixture
def members():
    return ndd.tensor(MEMBERS)


@pytest.mark.parametrize("path", dict.fromkeys(COMPUTING))
def test_operators_that_compute_refuse_members(path):
    op = declaration(path)
    inputs = [ndd.tensor([MEMBERS] * 2, layout="HWC")] * op.min_inputs
    arguments = {name: given for name, given in ARGUMENTS.items() if name in op.required}
    with pytest.raises((RuntimeError, ValueError, TypeError)):
        function(path)(*inputs, **arguments)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ndd.pad(x, shape=[3, 3]),
        lambda x: ndd.crop(ndd.expand_dims(x, axes=[2]), crop=[1, 1]),
        lambda x: ndd.slice(x, 0, 1, axes=[0]),
        lambda x: ndd.erase(x, anchor=[0], shape=[1], axes=[0]),
        lambda x: ndd.flip(ndd.expand_dims(x, axes=[2])),
        lambda x: ndd.transpose(x, perm=[1, 0]),
        lambda x: ndd.gaussian_blur(ndd.expand_dims(x, axes=[2]), sigma=1.0),
        lambda x: ndd.one_hot(x, num_classes=3),
        lambda x: ndd.reductions.max(x),
        lambda x: ndd.reductions.sum(x),
        lambda x: ndd.zeros_like(x),
        lambda x: ndd.noise.gaussian(x),
    ],
)
def test_the_refusal_names_the_type(members, call):
    with pytest.raises(RuntimeError, match="Unsupported data type: InterpType"):
        call(members)


def test_members_are_moved_about(members):
    assert read(ndd.copy(members)) == NUMBERS
    assert read(ndd.reshape(members, shape=[4])) == [0, 1, 2, 0]
    assert read(ndd.expand_dims(members, axes=[0])) == [NUMBERS]
    assert read(ndd.cat(members, members)) == NUMBERS * 2
    assert read(ndd.stack(members, members)) == [NUMBERS] * 2
    assert read(members[1]) == [2, 0]
    assert read(ndd.random.choice(members)) in NUMBERS
    assert np.asarray(ndd.cast(members, dtype=ndd.int32)).tolist() == NUMBERS


def test_functions_of_the_user_take_members(members):
    doubled = ndd.operator(lambda numbers: numbers * 2)
    assert np.asarray(doubled(members)).tolist() == [[0, 2], [4, 0]]
