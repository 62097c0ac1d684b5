"""Classes and attributes that programs reach for at DALI's internal addresses."""

from __future__ import annotations

import importlib
import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from compat.running import printed, python
from penstock import Pipeline, fn, pipeline_def
from penstock.pipeline.values.tensors import TensorCPU, TensorListCPU

pytestmark = pytest.mark.usefixtures("installed")


def at(address: str) -> Any:
    module, _, name = f"nvidia.dali.{address}".rpartition(".")
    return getattr(importlib.import_module(module), name)


# What is not there: classes of DALI's own core, and parts of how it writes sources and values as text.
ABSENT = {
    "OpSpec", "Pipeline", "PipelineDebug", "SharedMem", "WorkerPool", "f", "nvidia", "default_num_threads_value",
    "address_as_void_pointer", "minimal_numba_version", "DLTensorObj", "cell_reducer", "cell_unpickle", "dummy_lambda",
    "function_by_value_reducer", "function_unpickle", "get_global_references_from_nested_code", "module_reducer",
    "module_unpickle", "set_cell_state", "set_funcion_state", "PipelineBatchAdapter", "PipelineTensorAdapter",
    "format_batch", "format_tensor", "dali_type_converters", "T",
}  # fmt: skip
NEEDED = {"plugin.jax": "jax", "plugin.pytorch": "torch", "plugin.numba": "numba", "experimental.torchvision": "PIL"}
NAMES = json.loads((Path(__file__).parent / "public_names.json").read_text())  # of the modules of DALI 2.4


@pytest.mark.parametrize("address", NAMES)
def test_a_module_has_the_public_names_that_it_has_in_dali(address: str) -> None:
    for place, library in NEEDED.items():
        if f"{address}.".startswith(f"{place}."):
            pytest.importorskip(library)
    if "pytorch" in address or "torchvision" in address:
        pytest.importorskip("torch")
    if address.endswith("pytorch.nodes"):
        pytest.importorskip("torchdata")
    module = importlib.import_module(f"nvidia.dali.{address}".rstrip("."))
    assert [name for name in NAMES[address].split() if not hasattr(module, name) and name not in ABSENT] == []


@pytest.mark.parametrize("module", ["backend", "backend_impl", "tensors"])
def test_outputs_are_of_one_class_at_three_addresses(module: str) -> None:
    assert at(f"{module}.TensorListCPU") is TensorListCPU
    assert at(f"{module}.TensorCPU") is TensorCPU
    assert inspect.isclass(at(f"{module}.TensorGPU"))
    assert inspect.isclass(at(f"{module}.TensorListGPU"))
    output = pipeline_def(lambda: fn.zeros(shape=[2]), batch_size=1, num_threads=1)().run()[0]
    assert type(output) is at(f"{module}.TensorListCPU")


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("Pipeline", "penstock.pipeline.pipeline"),
        ("OperatorConcurrency", "penstock.pipeline.options"),
        ("auto_aug.core.Policy", "penstock.auto_aug.core.policy"),
        ("auto_aug.core._args.MissingArgException", "penstock.auto_aug.core.augmentation"),
        ("auto_aug.core._augmentation.Augmentation", "penstock.auto_aug.core.augmentation"),
        ("backend_impl.types.DALIDataType", "penstock.values.enums"),
        ("data_node.DataNode", "penstock.pipeline.definition.data_node"),
        ("pipeline.DataNode", "penstock.pipeline.definition.data_node"),
        ("pipeline.Pipeline", "penstock.pipeline.pipeline"),
        ("plugin.numba.experimental.NumbaFunction", "penstock.plugin.numba.function"),
        ("plugin.numba.fn.experimental.numba_function", "penstock.plugin.numba.function"),
        ("plugin.pytorch.TorchPythonFunction", "penstock.plugin.pytorch.python_function"),
        ("plugin.pytorch.feed_ndarray", "penstock.plugin.pytorch.feeding"),
        ("plugin.pytorch.fn.torch_python_function", "penstock.plugin.pytorch.python_function"),
        ("experimental.torchvision.v2.centercrop.CenterCrop", "penstock.plugin.torchvision.geometry"),
        ("experimental.torchvision.v2.color.Grayscale", "penstock.plugin.torchvision.color"),
        ("experimental.torchvision.v2.compose.Compose", "penstock.plugin.torchvision.compose"),
        ("experimental.torchvision.v2.functional.resize.resize", "penstock.plugin.torchvision.functional"),
        ("experimental.torchvision.v2.functional.totensor.to_tensor", "penstock.plugin.torchvision.functional"),
        ("experimental.torchvision.v2.resize.Resize", "penstock.plugin.torchvision.geometry"),
        ("experimental.torchvision.v2.totensor.ToPILImage", "penstock.plugin.torchvision.compose"),
        ("plugin.pytorch._torch_function.TorchPythonFunction", "penstock.plugin.pytorch.python_function"),
        ("plugin.pytorch.loader_evaluator.loader.LoaderEvaluator", "penstock.plugin.pytorch.loader_evaluator"),
        ("tfrecord.FixedLenFeature", "penstock.readers.records.tfrecord_features"),
        ("experimental.dynamic.Batch", "penstock.dynamic.values.batch"),
        ("experimental.dynamic._batch.Batch", "penstock.dynamic.values.batch"),
        ("experimental.dynamic._capture.CapturedBatch", "penstock.capture.values"),
        ("experimental.dynamic._invocation.Invocation", "penstock.engine.invocation"),
        ("experimental.dynamic._tensor.Tensor", "penstock.dynamic.values.tensor"),
        ("experimental.dynamic.checkpoint.Checkpoint", "penstock.engine.checkpoint"),
        ("experimental.dynamic.random.RNG", "penstock.engine.rng"),
        ("experimental.dynamic.readers.File", "penstock.dynamic.readers"),
    ],
)
def test_a_class_at_its_address_is_the_one_of_penstock(address: str, place: str) -> None:
    kind = at(address)
    assert kind is getattr(importlib.import_module(place), kind.__name__)


def test_the_backend_knows_that_there_is_no_cuda() -> None:
    backend = importlib.import_module("nvidia.dali.backend")
    assert backend.GetCUDADeviceCount() == 0
    assert backend.__cuda_version__ == 0
    assert backend.GetOpenCVVersion().count(".") == 2
    assert backend.CheckDLPackCapsule(np.zeros(1).__dlpack__()) == (True, False)
    assert backend.CheckDLPackCapsule(3) == (False, False)


def test_storage_is_there_once_a_value_is_computed() -> None:
    importlib.import_module("nvidia.dali.experimental.dynamic")
    with ndd.EvalMode.deferred:
        batch = ndd.flip(ndd.batch([np.arange(3, dtype=np.uint8).reshape(1, 3, 1)], layout="HWC"))
        tensor = ndd.cast(ndd.tensor(np.float32([1, 2])), dtype=ndd.int32)
        assert batch._storage is None
        assert tensor._storage is None
        storage = batch.evaluate()._storage
    assert (type(storage), storage.layout(), len([*storage])) == (TensorListCPU, "HWC", 1)
    assert np.array(storage[0]).ravel().tolist() == [2, 1, 0]
    assert np.array(tensor.evaluate()._storage).tolist() == [1, 2]
    assert np.from_dlpack(tensor._storage).dtype == np.int32


def test_functions_know_their_operators() -> None:
    all_ops = at("experimental.dynamic._ops._all_ops")
    crop = ndd.decoders.image_crop._op_class
    assert (crop._op_path, crop._fn_path, crop._op_name) == ("decoders.ImageCrop", "decoders.image_crop", "ImageCrop")
    assert (crop._schema.Name(), crop._is_reader, crop._has_random_state_arg) == ("decoders__ImageCrop", False, False)
    assert ndd.random.uniform._op_class._has_random_state_arg
    assert "cpu" in crop._supported_backends
    assert ndd.optical_flow._op_class._supported_backends == {"gpu"}
    assert crop in all_ops
    assert ndd.readers.File in all_ops
    paths = [op._op_path for op in all_ops]
    assert {"Flip", "random.Uniform", "readers.COCO", "readers.Video"} <= set(paths)
    assert len(paths) == len(set(paths)) > 120


def test_readers_and_checkpoints_show_what_they_hold(tmp_path: Path) -> None:
    importlib.import_module("nvidia.dali.experimental.dynamic")
    (tmp_path / "a.bin").write_bytes(b"12")
    reader = ndd.readers.File(file_root=str(tmp_path), files=["a.bin"])
    assert reader._op_backend.GetReaderMeta()["epoch_size"] == 1
    assert (reader._op_path, reader._is_reader, reader._schema.Name()) == ("readers.File", True, "readers__File")
    checkpoint = ndd.checkpoint.Checkpoint()
    checkpoint.register(ndd.random.RNG(3), "draws")
    checkpoint.collect()
    assert checkpoint._states["draws"].type_name == "RNG"
    ndd.EvalContext.current()._purge_operator_cache()


def test_invariants_are_taken_off_inside_of_lists() -> None:
    marks = importlib.import_module("nvidia.dali.experimental.dynamic.capture._invariant")
    marked = ndd.capture.invariant([1, 2])
    assert marks.is_invariant(marked)
    assert not marks.is_invariant(marks.unwrap_invariant(marked))
    bare = marks.unwrap_invariants({"a": [marked, 3], "b": (marked,)})
    assert bare == {"a": [[1, 2], 3], "b": ([1, 2],)}
    assert not marks.is_invariant(bare["a"][0])


def test_a_pipeline_shows_its_parameters_and_takes_a_device_of_no_use() -> None:
    parameters = [*inspect.signature(at("Pipeline").__init__).parameters]
    assert parameters[1:4] == ["batch_size", "num_threads", "device_id"]
    pipeline = Pipeline(1, 1, 0)
    with pipeline:
        pipeline.set_outputs(fn.ones(shape=[1]))
    assert np.asarray(pipeline.run()[0].as_tensor()).tolist() == [[1.0]]


def test_pipelines_of_the_experimental_decorator_are_pipelines() -> None:
    decorator = at("pipeline.experimental.pipeline_def")
    with_options = decorator(batch_size=2, num_threads=1, debug=True)(lambda: fn.ones(shape=[1]))
    assert np.asarray(with_options().run()[0].as_tensor()).tolist() == [[1.0], [1.0]]
    assert isinstance(decorator(lambda: fn.ones(shape=[1]))(batch_size=1, num_threads=1), Pipeline)


def test_libraries_of_operators_are_refused(tmp_path: Path) -> None:
    manager = importlib.import_module("nvidia.dali.plugin_manager")
    manager.load_directory(str(tmp_path))
    (tmp_path / "custom.so").touch()
    with pytest.raises(RuntimeError, match=r"Failed to load library .*custom.so: it is made for DALI's own core"):
        manager.load_directory(str(tmp_path))


def test_the_package_lists_what_it_has() -> None:
    dali = importlib.import_module("nvidia.dali")
    assert {"fn", "ops", "types", "math", "tfrecord", "Pipeline", "pipeline_def", "newaxis"} <= set(dir(dali))
    assert dali.ops.decoders.Image.path == "decoders.Image"
    assert importlib.import_module("nvidia.dali.pickling").pickle_by_value(len) is len
    with pytest.raises(AttributeError, match=r"module 'nvidia.dali' has no attribute 'nonsense'"):
        dali.nonsense  # noqa: B018


def test_modules_are_imported_from_their_packages() -> None:
    code = """
from nvidia.dali.experimental import dynamic, torchvision
from nvidia.dali.experimental.torchvision import Compose, v2
from nvidia.dali.experimental.torchvision.v2 import functional
from nvidia.dali.plugin.jax.fn import jax_function
from nvidia.dali.plugin.pytorch import loader_evaluator, torch_utils
from nvidia.dali.plugin.pytorch.experimental.proxy import DALIServer
from nvidia.dali.plugin.triton import autoserialize
import nvidia.dali.experimental as experimental
print(experimental.dynamic is dynamic, torchvision.Compose is Compose, torch_utils.to_torch_tensor.__name__)
"""
    pytest.importorskip("torch")
    pytest.importorskip("jax")
    program = f"import penstock.compat; penstock.compat.install()\n{code}"
    assert printed(python("-c", program)) == ["True True to_torch_tensor"]
