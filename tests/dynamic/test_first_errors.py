"""Mistakes that people make first, coming from elsewhere: the error says what to write instead."""

import importlib
import re
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import Pipeline, fn, ops, types
from penstock.engine.planar_warning import planar_warning
from penstock.ops.known_elsewhere import CALLED_HERE, called_in_pipelines

IMAGE = np.zeros((8, 8, 3), np.uint8)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: ndd.resize(IMAGE, (224, 224)), r"takes 1 input\(s\) but 2 were given; .* by name: size=\(224, 224\)"),
        (lambda: ndd.resize(IMAGE, 224), r"by name: size=\[224, 224\]"),
        (lambda: ndd.rotate(IMAGE, 30.0), "by name: angle=30.0"),
        (lambda: ndd.gaussian_blur(IMAGE, 2), "by name"),
        (lambda: ndd.flip(IMAGE, IMAGE), r"takes 1 input\(s\) but 2 were given$"),
    ],
)
def test_arguments_by_position_are_answered_with_a_name(call, hint):
    with pytest.raises(TypeError, match=hint):
        call()


def test_an_unknown_argument_is_answered_with_the_first_of_those_like_it():
    with pytest.raises(TypeError, match="unexpected keyword argument 'resize_w'; did you mean 'resize_x'"):
        ndd.resize(IMAGE, resize_w=8)


@pytest.mark.parametrize("path", ["photo.jpg", Path("photo.jpg"), ["photo.jpg", "other.jpg"], (Path("photo.jpg"),)])
def test_a_path_to_decode_points_to_imread(path):
    with pytest.raises(RuntimeError, match=r"takes the bytes of a file, got 'photo.jpg'; ndd.imread\(path\)"):
        ndd.decoders.image(path)


@pytest.mark.parametrize("reader", [ndd.readers.File, ndd.readers.Numpy])
def test_a_folder_by_position_is_answered_with_a_name(reader):
    for root in ("photos", Path("photos")):
        with pytest.raises(TypeError, match="arguments are given by name: file_root="):
            reader(root)


def test_a_flat_folder_is_answered_with_files(tmp_path):
    (tmp_path / "photo.jpg").write_bytes(b"1")
    with pytest.raises(RuntimeError, match="a sub-folder is a class; for a flat folder use files="):
        next(ndd.readers.File(file_root=tmp_path).next_epoch(batch_size=1))


def test_a_folder_without_anything_is_answered_with_where_it_looked(tmp_path):
    (tmp_path / "class").mkdir()
    with pytest.raises(RuntimeError, match=r"No files found\. Looked in"):
        next(ndd.readers.File(file_root=tmp_path).next_epoch(batch_size=1))


def test_a_probability_beyond_1_is_refused_at_the_call():
    with ndd.EvalMode.deferred, pytest.raises(RuntimeError, match="`probability` must be in range"):
        ndd.random.coin_flip(probability=1.5)


def test_a_wrong_batch_size_says_whose():
    images = ndd.batch([IMAGE, IMAGE])
    three = ndd.batch([1, 2, 3])
    with pytest.raises(ValueError, match="3 != 2; horizontal has 3 samples, what was given before it 2"):
        ndd.flip(images, horizontal=three)
    with pytest.raises(ValueError, match="3 != 2; input 1 has 3 samples"):
        ndd.cat(ndd.batch([1, 2]), three)
    with pytest.raises(ValueError, match="2 != 5; input 0 has 2 samples, batch_size is 5"):
        ndd.flip(images, batch_size=5)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("random_horizontal_flip", "ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=...))"),
        ("RandomHorizontalFlip", "ndd.flip(images, horizontal=ndd.random.coin_flip(batch_size=...))"),
        ("ImageFolder", "ndd.readers.File(file_root=...)"),
        ("ColorJitter", "ndd.color_twist("),
        ("Compose", "operators that are called one after the other"),
        ("Normalize", "ndd.crop_mirror_normalize(images, mean=..., std=...), or ndd.normalize"),
        ("GaussianBlur", "ndd.gaussian_blur"),
        ("RandomApply", "ndd.maybe"),
        ("uniform", "ndd.random.uniform"),
        ("resise", "ndd.resize"),
    ],
)
def test_names_from_elsewhere_are_answered_with_those_of_here(name, hint):
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'; did you mean {re.escape(hint)}"):
        getattr(ndd, name)


def test_readers_from_elsewhere_are_answered_too():
    with pytest.raises(AttributeError, match=r"did you mean ndd.readers.File\(file_root=...\)\?"):
        ndd.readers.ImageFolder  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean ndd.readers.File\(file_root=...\)\?"):
        ndd.readers.image_folder  # noqa: B018


def test_what_is_answered_is_there():
    for answer in CALLED_HERE.values():
        for path in re.findall(r"ndd((?:\.\w+)+)", answer):
            attrgetter(path[1:])(ndd)
        for module, name in re.findall(r"from (\w+) import (\w+)", answer):
            getattr(importlib.import_module(module), name)
    assert all(not hasattr(ndd, name) or name == "normalize" for name in CALLED_HERE)


@pytest.mark.parametrize(
    ("module", "name", "hint"),
    [
        (fn, "random_horizontal_flip", "fn.flip(images, horizontal=fn.random.coin_flip())"),
        (fn, "ColorJitter", "fn.color_twist(images, brightness="),
        (fn, "ImageFolder", "fn.readers.file(file_root=...)"),
        (fn, "Compose", "operators that are called one after the other: images = fn.flip(fn.resize("),
        (fn, "Normalize", "fn.normalize"),
        (fn, "ToTensor", "an iterator over the pipeline: penstock.plugin.pytorch.DALIGenericIterator"),
        (fn, "RandomApply", "a condition, in a pipeline with enable_conditionals=True"),
        (fn, "clip", "penstock.math.clamp"),
        (fn, "resise", "fn.resize"),
        (fn.readers, "ImageFolder", "fn.readers.file(file_root=...)"),
        (ops, "ColorJitter", "fn.color_twist("),
        (ops, "GaussianBlurr", "ops.GaussianBlur"),
    ],
)
def test_so_are_those_looked_for_in_fn(module, name, hint):
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'; did you mean {re.escape(hint)}"):
        getattr(module, name)


def test_what_is_answered_in_fn_is_there():
    for name in CALLED_HERE:
        answer = called_in_pipelines(name)
        assert "batch_size" not in answer
        for path in re.findall(r"(?<!\w)fn((?:\.\w+)+)", answer):
            attrgetter(path[1:])(fn)
        for module, attribute in re.findall(r"penstock\.(math|plugin\.pytorch)\.(\w+)", answer):
            getattr(importlib.import_module(f"penstock.{module}"), attribute)
        for attribute in re.findall(r"types\.(\w+)", answer):
            getattr(types, attribute)


def test_what_nobody_knows_is_not_answered():
    for module in (fn, ops, fn.readers):
        with pytest.raises(AttributeError, match=r"has no attribute 'xyzzy'$"):
            getattr(module, "xyzzy")  # noqa: B009
    with pytest.raises(AttributeError, match=r"has no attribute 'xyzzy'$"):
        ndd.xyzzy  # noqa: B018


@pytest.fixture
def unwarned(monkeypatch):
    monkeypatch.setattr(planar_warning, "pending", True)


@pytest.mark.parametrize("op", [ndd.flip, ndd.resize, ndd.crop_mirror_normalize, ndd.rotate])
def test_a_planar_image_without_a_layout_is_warned_of_once(unwarned, op):
    arguments = {ndd.resize: {"size": [4, 4]}, ndd.rotate: {"angle": 5.0}}.get(op, {})
    for planar in (np.zeros((3, 32, 40), np.uint8), ndd.batch([np.zeros((3, 28, 28), np.uint8)] * 2)):
        planar_warning.pending = True
        with pytest.warns(UserWarning, match=r"of shape \(3, .*\) without a layout for HWC: 3 rows and") as caught:
            op(planar, **arguments)
        assert caught[0].filename == __file__
        op(planar, **arguments).evaluate()


def test_an_image_is_not_warned_of(unwarned):
    shapes = [(3, 16, 3), (3, 16, 1), (3, 16, 4), (3, 3, 3), (3, 4, 20), (16, 3, 20), (16, 20, 3), (4, 16, 20)]
    for shape in shapes:
        ndd.flip(np.zeros(shape, np.uint8)).evaluate()
    ndd.flip(ndd.tensor(np.zeros((3, 32, 40), np.uint8), layout="CHW")).evaluate()
    ndd.flip(ndd.tensor(np.zeros((3, 32, 40), np.uint8), layout="HWC")).evaluate()
    assert planar_warning.pending


def test_the_warning_says_what_to_do(unwarned):
    with pytest.warns(UserWarning, match=r'If it is CHW, ndd.tensor\(array, layout="CHW"\) says so'):
        ndd.flip(np.zeros((3, 32, 40), np.uint8))


def test_what_a_pipeline_has_not_made_yet_is_not_looked_at(unwarned):
    pipeline = Pipeline(batch_size=1, num_threads=1, device_id=None)
    with pipeline:
        pipeline.set_outputs(fn.flip(fn.zeros(shape=[3, 32, 40], dtype=types.UINT8)))
    assert pipeline.run()[0].at(0).shape == (3, 32, 40)
