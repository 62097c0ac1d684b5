"""What operators of a pipeline may be given: lists, None, lists of nodes."""

from __future__ import annotations

import collections.abc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import Pipeline, fn, math, ops, pipeline_def, types
from penstock.pipeline.definition.data_node import DataNode

OPTIONS: dict[str, Any] = {"batch_size": 1, "num_threads": 1, "device_id": None}


def image() -> Any:
    return types.Constant(np.zeros((4, 4, 1), np.uint8))


def shapes_of(graph: Any) -> list[tuple[int, ...]]:
    return [output[0].shape() for output in pipeline_def(graph, **OPTIONS)().run()]


def one() -> Any:
    return fn.constant(idata=1)


@pytest.mark.parametrize("make", [list, np.float32])
def test_an_argument_is_read_at_the_call(make: Any) -> None:
    def graph() -> Any:
        size = make([3, 3])
        cropped = fn.crop(image(), crop=size)
        size[0] = 1
        return cropped

    assert shapes_of(graph) == [[3, 3, 1]]


def test_an_argument_of_a_class_is_read_when_it_is_given() -> None:
    def graph() -> Any:
        size = [3, 3]
        crop = ops.Crop(crop=size)
        size[0] = 1
        first = crop(image())
        later = ops.Crop()(image(), crop=size)
        size[0] = 2
        return first, later

    assert shapes_of(graph) == [[3, 3, 1], [1, 3, 1]]


def test_arguments_of_readers_are_read_at_the_call(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{k}.npy") for k in range(2)]
    for k, path in enumerate(paths):
        np.save(path, np.uint8([k]))

    def graph() -> Any:
        files, more = paths[:1], paths[:1]
        read = fn.readers.numpy(files=files)
        reader = ops.readers.Numpy(files=more)
        files[0] = more[0] = paths[1]
        return read, reader()

    outputs = pipeline_def(graph, **OPTIONS)().run()
    assert [output.as_array().tolist() for output in outputs] == [[[0]], [[0]]]


@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.deferred, ndd.EvalMode.sync_cpu])
def test_arrays_given_to_dynamic_calls_are_read_at_the_call(mode: Any) -> None:
    """A flat one, and a matrix, which an operator takes as it is."""
    pixels = np.arange(16, dtype=np.uint8).reshape(4, 4, 1)
    with mode:
        size, matrix = np.float32([3, 3]), np.float32([[1, 0, 0], [0, 1, 0]])
        cropped = ndd.crop(ndd.tensor(pixels, layout="HWC"), crop=size)
        same = ndd.warp_affine(ndd.tensor(pixels, layout="HWC"), matrix=matrix)
        size[0], matrix[0, 2] = 1, 2
        assert cropped.shape == (3, 3, 1)
        np.testing.assert_array_equal(same, pixels)


def test_none_is_not_given() -> None:
    values = types.Constant(np.uint8([5, 6]))
    region: dict[str, Any] = {"anchor": [0], "shape": [1], "axes": [0]}

    def graph() -> Any:
        later = ops.Erase(**region, fill_value=None)(values, fill_value=types.Constant([9.0]))
        before = ops.Erase(**region, fill_value=9.0)(values, fill_value=None)
        return later, before

    outputs = pipeline_def(graph, **OPTIONS)().run()
    assert [output.as_array().tolist() for output in outputs] == [[[9, 6]], [[9, 6]]]
    with pytest.raises(ValueError, match="The argument `fill_value` was already specified in __init__"):
        ops.Erase(**region, fill_value=9.0)(values, fill_value=3.0)


def test_none_is_not_given_to_anything(tmp_path: Path) -> None:
    np.save(tmp_path / "0.npy", np.uint8([7]))
    path = str(tmp_path / "0.npy")

    def graph() -> Any:
        ops.Erase(foo=None)
        fn.copy(one(), foo=None)
        ops.ExternalSource(name=None, layout=None)(name="source")
        reader = ops.readers.Numpy(files=[path], name=None, random_shuffle=None)
        read = fn.readers.numpy(files=[path], random_shuffle=None, num_shards=None, seed=None, foo=None)
        return reader(name="reader"), read

    outputs = pipeline_def(graph, **OPTIONS)().run()
    assert [output.as_array().tolist() for output in outputs] == [[[7]], [[7]]]


def test_classes_of_operators_take_arguments_by_name() -> None:
    with pytest.raises(TypeError, match="takes its arguments by name"):
        ops.Crop([1, 2])


def test_a_list_of_one_node_is_as_good_as_the_node() -> None:
    assert isinstance(fn.copy([one()]), DataNode)
    assert isinstance(ops.Copy()([one()]), DataNode)
    assert [type(each) for each in fn.copy([one(), one()])] == [DataNode, DataNode]
    boxes = fn.constant(fdata=[0, 0, 1, 1], shape=[1, 4])
    assert [type(each) for each in fn.random_bbox_crop([boxes])] == [DataNode] * 3
    assert shapes_of(lambda: fn.copy(fn.external_source(lambda: [np.zeros((1, 2))], num_outputs=1))) == [[2]]


@pytest.mark.parametrize(
    "value",
    [lambda: (one(),), lambda: [one(), 3], lambda: [[one()]], lambda: [one(), [one()]], lambda: None, lambda: "text"],
)
def test_what_is_no_input(value: Any) -> None:
    given = value()
    message = rf"expected inputs of type 'DataNode'.* Received input `0` of type '{type(given).__name__}'"
    with pytest.raises(TypeError, match=message):
        fn.copy(given)


def test_lists_of_nodes_are_equally_long() -> None:
    with pytest.raises(ValueError, match=r"^All argument lists for Multiple Input Sets used with operator"):
        fn.cat([one(), one()], [one()] * 3)


@pytest.mark.parametrize(
    ("calculation", "place", "sign", "kind"),
    [
        (lambda: one() - [one()], 1, "-", "list"),
        (lambda: [one()] - one(), 0, "-", "list"),
        (lambda: one() * (one(),), 1, r"\*", "tuple"),
        (lambda: one() == [one()], 1, "==", "list"),
        (lambda: one() - [[one()]], 1, "-", "list"),
        (lambda: math.max([one()], one()), 0, "max", "list"),
        (lambda: math.abs([one()]), 0, "abs", "list"),
        (lambda: math.clamp(one(), [one()], 3), 1, "clamp", "list"),
    ],
)
def test_nothing_is_calculated_with_lists_of_nodes(calculation: Any, place: int, sign: str, kind: str) -> None:
    message = rf"^The input {place} of operator `{sign}` must be a `DataNode` .* Got a `{kind}` with nested `DataNode`"
    with pytest.raises(TypeError, match=message):
        calculation()


@pytest.mark.parametrize("calculation", [lambda: one() + "a", lambda: one() + None, lambda: math.max(one(), None)])
def test_nothing_is_calculated_with_what_is_no_number(calculation: Any) -> None:
    with pytest.raises(TypeError, match=r"^Expected scalar value of type 'bool', 'int' or 'float', got <class"):
        calculation()


def test_a_node_cannot_be_iterated_over_and_says_so() -> None:
    assert not isinstance(one(), collections.abc.Iterable)
    with pytest.raises(TypeError, match="not iterable"):
        [*one()]
    for truth in (lambda: bool(one()), lambda: max(one(), one())):
        with pytest.raises(TypeError, match=r'^"DataNode" was used in conditional context'):
            truth()


@pytest.mark.parametrize(
    "node",
    [
        lambda: fn.reshape(types.Constant(np.zeros((2, 2)), layout="HW"), layout=""),
        lambda: fn.reinterpret(types.Constant(np.zeros((2, 2)), layout="HW"), layout=""),
        lambda: types.Constant(np.zeros((2, 2)), layout=""),
        lambda: fn.constant(fdata=0, shape=[2, 2], layout=""),
        lambda: fn.expand_dims(types.Constant(np.zeros((2, 2)), layout="HW"), axes=[0], new_axis_names=""),
        lambda: fn.python_function(types.Constant([1]), function=lambda x: x, output_layouts=""),
    ],
)
def test_an_empty_layout_is_none(node: Any) -> None:
    assert pipeline_def(node, **OPTIONS, output_layout="")().run()[0].layout() == ""


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"name": 5}, TypeError, "the name of a node is a str, got 5"),
        ({"ndim": "a"}, ValueError, "ndim must be a whole number, got 'a'"),
    ],
)
def test_an_external_source_is_declared_in_words_and_numbers(arguments, error, message):
    with pytest.raises(error, match=message):
        fn.external_source(source=list, **arguments)


def test_a_reader_of_no_extensions_is_refused_where_it_is_defined():
    with pytest.raises(RuntimeError, match="``ext`` is empty"):
        fn.readers.webdataset(paths=["a.tar"], ext=[])


NO_TENSORS = [types.DALIDataType.STRING, types.DALIDataType.PYTHON_OBJECT, types.DALIDataType.TENSOR_LAYOUT]
WITH_DTYPE = {
    "cast": lambda dtype: fn.cast(fn.constant(idata=1), dtype=dtype),
    "resize": lambda dtype: fn.resize(fn.constant(idata=1), size=[1, 1], dtype=dtype),
    "uniform": lambda dtype: fn.random.uniform(dtype=dtype),
    "external_source": lambda dtype: fn.external_source(lambda: [np.zeros(1)], dtype=dtype),
    "ndd.cast": lambda dtype: ndd.cast(ndd.tensor([1]), dtype=dtype),
    "ndd.ExternalSource": lambda dtype: ndd.ExternalSource(lambda: np.zeros(1), dtype=dtype),
}


@pytest.mark.parametrize("dtype", NO_TENSORS, ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("call", WITH_DTYPE.values(), ids=WITH_DTYPE.keys())
def test_a_type_that_no_tensor_has_is_refused_in_words(call: Any, dtype: Any) -> None:
    with pytest.raises(RuntimeError, match=f"^Data type {dtype.name} is not supported"):
        call(dtype)
    with pytest.raises(KeyError, match=f"^Data type {dtype.name} is not supported"):  # as in DALI
        ndd.tensor([1], dtype=dtype)


def test_no_type_is_no_type_given() -> None:
    nothing = types.DALIDataType.NO_TYPE
    [summed, drawn, given] = pipeline_def(
        lambda: (
            fn.reductions.sum(types.Constant(np.ones(3, np.uint8)), dtype=nothing),
            fn.random.uniform(dtype=nothing),
            fn.external_source(lambda: [np.zeros(1, np.int16)], dtype=nothing),
        ),
        batch_size=1,
        num_threads=1,
        device_id=None,
    )().run()
    assert [each.dtype for each in (summed, drawn, given)] == [types.UINT64, types.FLOAT, types.INT16]
    assert ndd.crop(np.zeros((2, 2, 1), np.uint8), crop=[1, 1], dtype=nothing).dtype == ndd.uint8
    with pytest.raises(RuntimeError, match="Data type NO_TYPE is not supported"):
        fn.cast(fn.constant(idata=1), dtype=nothing)


def test_members_of_enumerations_are_not_drawn() -> None:
    with pytest.raises(RuntimeError, match="Data type ImageType is not supported"):
        ndd.random.uniform(dtype=types.IMAGE_TYPE)


@pytest.mark.parametrize("name", [5, b"a", np.array([1, 0])])
def test_the_name_of_a_node_is_text(name):
    with pytest.raises(TypeError, match="the name of a node is a str"):
        fn.copy(one(), name=name)


@pytest.mark.parametrize(
    ("depth", "error"),
    [(None, TypeError), (1.5, TypeError), ("2", TypeError), (0, ValueError), (np.int64(-1), ValueError)],
)
def test_a_queue_has_a_depth_in_whole_numbers(depth, error):
    with pytest.raises(error, match="prefetch_queue_depth"):
        Pipeline(**OPTIONS, prefetch_queue_depth=depth)
    assert Pipeline(**OPTIONS, prefetch_queue_depth=np.int64(2)).prefetch_queue_depth == 2


def test_what_is_no_node_is_no_sink():
    with pytest.raises(TypeError, match=r"add_sink\(\) takes a DataNode, got None"):
        Pipeline(**OPTIONS).add_sink(None)


def test_the_layout_of_a_constant_is_text():
    with pytest.raises(TypeError, match="layout must be a string, got -1"):
        types.Constant(1, layout=-1)
