"""Every function of DALI's fn and every class of its ops is here, under its newest name and those before it.

What must be there is in spec_data.json, written by tools/read_spec.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.math as node_math
import penstock.types as types
from penstock import Pipeline, fn, pipeline_def
from penstock.pipeline import ops
from penstock.pipeline.functions.deprecated_functions import DEPRECATED_NAMES

SPEC: dict[str, str] = json.loads((Path(__file__).parent / "spec_data.json").read_text())
MATH = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "clamp", "cos", "cosh", "exp",
    "fabs", "floor", "fpow", "log", "log10", "log2", "max", "min", "pow", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh",
]  # fmt: skip
NUMBERS = np.array([[1.0, 4.0], [9.0, 16.0]], np.float32)


def found(root: Any, path: str) -> Any:
    for part in path.split("."):
        root = getattr(root, part)
    return root


def outputs(define: Any, **options: Any) -> list[Any]:
    made = pipeline_def(define, batch_size=2, num_threads=1, seed=1)(**options).run()
    return [np.asarray(output.as_tensor()).tolist() for output in made]


@pytest.mark.parametrize("path", sorted(SPEC))
def test_a_function_and_its_class_exist(path: str) -> None:
    assert callable(found(fn, path))
    assert found(ops, SPEC[path]).path == SPEC[path]


def test_functions_on_numbers_exist() -> None:
    assert [name for name in MATH if not callable(getattr(node_math, name, None))] == []
    assert set(MATH) <= set(dir(node_math))


def test_an_unknown_name_offers_the_nearest_one() -> None:
    with pytest.raises(
        AttributeError, match=r"module 'fn.decoders' has no attribute 'imag'; did you mean fn.decoders.ima"
    ):
        fn.decoders.imag  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean ops.Resize\?"):
        ops.Resiz  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean math.sqrt\?"):
        node_math.sqr  # noqa: B018


def test_functions_on_numbers_take_nodes() -> None:
    def roots() -> Any:
        numbers = fn.external_source(lambda: NUMBERS)
        return node_math.sqrt(numbers), node_math.clamp(numbers, 2, 10), node_math.max(numbers, 5)

    roots_, clamped, most = outputs(roots)
    assert roots_ == [[1, 2], [3, 4]]
    assert clamped == [[2, 4], [9, 10]]
    assert most == [[5, 5], [9, 16]]


@pytest.mark.parametrize("older", sorted(DEPRECATED_NAMES))
def test_an_older_name_has_the_documentation_of_the_one_of_today(older: str) -> None:
    function = found(fn, older)
    assert function.__name__ == older.rsplit(".", 1)[-1]
    assert function.__doc__ == found(fn, DEPRECATED_NAMES[older]).__doc__


def test_older_names_warn_and_do_the_same() -> None:
    def draws() -> Any:
        with pytest.warns(
            DeprecationWarning, match=r"`nvidia\.dali\.fn\.uniform` is now deprecated. Use `nvidia\.dali"
        ):
            older = fn.uniform(range=[0, 1], seed=7)
        with pytest.warns(DeprecationWarning, match=r"Use `nvidia\.dali\.fn\.random\.coin_flip` instead"):
            coin = ops.CoinFlip(seed=5)()
        return older, fn.random.uniform(range=[0, 1], seed=7), coin, fn.random.coin_flip(seed=5)

    older, now, coin, same_coin = outputs(draws)
    assert older == now
    assert coin == same_coin


def test_older_names_of_arguments_warn_once_on_the_line_they_stand_in() -> None:
    image = np.zeros((1, 2, 2, 3), np.uint8)

    def windows() -> Any:
        images = fn.external_source(lambda: image, layout="HWC")
        older = fn.crop(images, crop=[1, 1], output_dtype=types.FLOAT, image_type=types.RGB)
        return older, fn.crop(images, crop=[1, 1], output_dtype=None, image_type=None)

    with pytest.warns(DeprecationWarning, match="The argument") as seen:
        results = pipeline_def(windows, batch_size=1, num_threads=1)().run()
    assert [str(warning.message) for warning in seen] == [
        "The argument `output_dtype` is a deprecated alias for `dtype`. Use `dtype` instead.",
        "The argument `image_type` is no longer used and will be removed in a future release.",
    ]
    assert {warning.filename for warning in seen} == {__file__}
    assert [result.dtype for result in results] == [types.FLOAT, types.UINT8]


def test_an_older_name_beside_the_one_of_today_is_refused() -> None:
    image = fn.external_source(name="images", layout="HWC")
    for call in (fn.crop_mirror_normalize, lambda *images, **given: ops.CropMirrorNormalize(**given)(*images)):
        with pytest.raises(TypeError, match="unexpected 'output_dtype' deprecated argument when 'dtype' was already"):
            call(image, output_dtype=types.FLOAT, dtype=types.FLOAT)


def test_a_seed_for_an_operator_that_draws_nothing_warns() -> None:
    images = fn.external_source(name="images", layout="HWC")
    for call in (
        lambda: fn.crop(images, crop=[1, 1], seed=3),
        lambda: ops.Crop(crop=[1, 1], seed=3)(images),
        lambda: fn.constant(idata=1, seed=3),
        lambda: fn.python_function(images, function=lambda x: x, seed=3),
    ):
        told = '"seed" should not be used with operators that don\'t'
        with Pipeline(1, 1, None), pytest.warns(DeprecationWarning, match=told) as seen:
            call()
        assert [warning.filename for warning in seen] == [__file__]
    fn.noise.gaussian(images, seed=3)
    fn.crop(images, crop=[1, 1], seed=None)


def test_shapes_are_those_of_samples() -> None:
    def shapes() -> Any:
        image = fn.external_source(lambda: np.zeros((2, 4, 5, 3), np.uint8))
        with pytest.warns(DeprecationWarning, match=r"fn.shapes` is now deprecated. Use `DataNode.shape` instead"):
            older, newer = fn.shapes(image, type=types.INT32), fn.shapes(image, dtype=types.INT32)
        return image.shape(), older, newer, image.shape(dtype=types.FLOAT)

    assert outputs(shapes) == [[[4, 5, 3]] * 2] * 4


def test_fast_resize_crop_mirror_does_not_antialias() -> None:
    picture = np.random.default_rng(3).integers(0, 256, (2, 40, 40, 3), np.uint8)

    def small() -> Any:
        image = fn.external_source(lambda: picture, layout="HWC")
        size = {"resize_x": 10, "resize_y": 10, "crop": [8, 8]}
        with pytest.warns(DeprecationWarning, match="resize_crop_mirror"):
            fast = fn.fast_resize_crop_mirror(image, **size)
        return fast, fn.resize_crop_mirror(image, antialias=False, **size), fn.resize_crop_mirror(image, **size)

    fast, same, smooth = outputs(small)
    assert fast == same != smooth


def test_ssd_random_crop_keeps_boxes_with_their_labels() -> None:
    boxes = np.array([[[0.1, 0.1, 0.4, 0.4], [0.5, 0.5, 0.9, 0.8]]] * 2, np.float32)

    def crops() -> Any:
        image = fn.external_source(lambda: np.zeros((2, 40, 60, 3), np.uint8), layout="HWC")
        given = fn.external_source(lambda: boxes), fn.external_source(lambda: np.array([[3, 4]] * 2, np.int32))
        with pytest.warns(DeprecationWarning, match="random_bbox_crop"):
            return tuple(fn.ssd_random_crop(image, *given, num_attempts=4))

    images, kept, labels = pipeline_def(crops, batch_size=2, num_threads=1, seed=4)().run()
    for image, of_image, names in zip(images, kept, labels, strict=True):
        assert 0 < image.shape()[0] <= 40
        assert of_image.shape() == [len(np.asarray(names)), 4]
        assert set(np.asarray(names).tolist()) <= {3, 4}


def test_constants_are_filled_and_labelled() -> None:
    def constants() -> Any:
        one = fn.constant(idata=1), fn.constant(fdata=1.5, shape=[])
        return fn.constant(idata=[1, 2, 3, 4], shape=[2, 2], layout="HW"), fn.constant(fdata=1.5, shape=[3]), *one

    whole, real, listed, alone = pipeline_def(constants, batch_size=2, num_threads=1)().run()
    assert (listed.shape(), alone.shape()) == ([(1,), (1,)], [(), ()])
    assert (whole.layout(), whole.dtype, real.dtype) == ("HW", types.INT32, types.FLOAT)
    assert np.asarray(whole.as_tensor()).tolist() == [[[1, 2], [3, 4]]] * 2
    assert np.asarray(real.as_tensor()).tolist() == [[1.5] * 3] * 2
    with pytest.raises(RuntimeError, match=r"Exactly one of the arguments must be set: `fdata` or `idata`"):
        fn.constant(idata=1, fdata=2.0)
    with pytest.raises(RuntimeError, match="The number of values, 3, does not match"):
        fn.constant(idata=[1, 2, 3], shape=[2, 2])


def test_arguments_that_are_wrong_for_any_input_are_refused_where_they_are_written() -> None:
    for define, message in (
        (lambda data: fn.to_decibels(data, reference=0.0), "`reference` argument can't be zero"),
        (lambda data: fn.decoders.video(data, frames=[1], start_frame=2), "Cannot specify both `frames` and any of"),
        (lambda data: fn.decoders.video(data, sequence_length=2, end_frame=3), "`sequence_length` and `end_frame`"),
    ):
        with pytest.raises(RuntimeError, match=message):
            define(fn.external_source(name="data"))
    with pytest.raises(RuntimeError, match="alpha takes one value"):
        fn.random.beta(alpha=np.float32([1, 2]))
    runs = Pipeline(1, 1, None)
    with runs:
        runs.set_outputs(fn.optical_flow(fn.external_source(name="data")))
    with pytest.raises(RuntimeError, match="optical_flow runs on a GPU only"):
        runs.build()
