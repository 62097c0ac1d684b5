"""Names that are private in DALI and that programs import all the same."""

from __future__ import annotations

import importlib
import io
import pickle
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock import fn, pipeline_def, types

ONE = {"num_threads": 1, "device_id": None}


pytestmark = pytest.mark.usefixtures("installed")


def dali(name: str) -> Any:
    return importlib.import_module(f"nvidia.dali.{name}")


def test_a_batch_is_split_and_merged_by_hand() -> None:
    conditional = dali("fn")._conditional

    @pipeline_def(batch_size=4, **ONE)
    def define() -> Any:
        numbers = fn.external_source(lambda: np.arange(4, dtype=np.int32))
        holds = fn.external_source(lambda: np.array([True, False, True, False]))
        yes, no = conditional.split(numbers, predicate=holds)
        drawn = yes + fn.cast(fn.random.uniform(range=[10.0, 10.5]), dtype=types.INT32)
        return yes, no, conditional.merge(drawn, no - 1, predicate=holds), conditional.not_(holds)

    made = [np.ravel(output.as_array()).tolist() for output in define().run()]
    assert made == [[0, 2], [1, 3], [10, 0, 12, 2], [False, True, False, True]]


def test_splits_stand_inside_of_each_other() -> None:
    from nvidia.dali.fn import _conditional  # type: ignore[attr-defined]

    @pipeline_def(batch_size=4, **ONE)
    def define() -> Any:
        numbers = fn.external_source(lambda: np.arange(4, dtype=np.int32))
        large, small = _conditional.split(numbers, predicate=numbers > 0)
        odd, even = _conditional.split(large, predicate=large != 2)
        inner = _conditional.merge(odd * 10, even * 100, predicate=large != 2)
        return _conditional.merge(inner, small - 1, predicate=numbers > 0)

    assert np.ravel(define().run()[0].as_array()).tolist() == [-1, 10, 200, 30]


def test_a_predicate_is_a_node() -> None:
    with pytest.raises(RuntimeError, match="'predicate' argument is required to be a node"):
        dali("fn")._conditional.split(1, predicate=True)


def test_functions_can_tell_whether_conditions_are_on_nodes() -> None:
    conditionals = dali("_conditionals")
    seen: list[Any] = []

    def define() -> Any:
        seen.append((conditionals.conditionals_enabled(), conditionals.this_condition_stack().stack_depth()))
        if fn.random.coin_flip(dtype=types.BOOL):
            seen.append(conditionals.this_condition_stack().stack_depth())
            made = 1
        else:
            made = 2
        return made

    pipeline_def(define, enable_conditionals=True)(batch_size=2, **ONE)
    assert seen == [(True, 1), 2]
    assert not conditionals.conditionals_enabled()


def test_operators_are_known_by_their_schemas() -> None:
    schema = dali("backend").GetSchema("Resize")
    assert (schema.Name(), schema.OperatorName(), schema.ModulePath()) == ("Resize", "Resize", [])
    assert (schema.MinNumInput(), schema.MaxNumInput()) == (1, 1)
    assert {"size", "resize_x", "interp_type", "preserve"} <= {*schema.GetArgumentNames()}
    told = [(schema.IsTensorArgument(name), schema.HasArgumentDefaultValue(name)) for name in ("size", "antialias")]
    assert told == [(True, False), (False, True)]
    assert not schema.HasArgument("crop")
    with pytest.raises(KeyError, match='Argument "crop" is not defined for operator "Resize"'):
        schema.IsTensorArgument("crop")


@pytest.mark.parametrize(
    ("name", "module", "inputs", "draws"),
    [
        ("readers__File", ["readers"], (0, 0), True),
        ("decoders__Image", ["decoders"], (1, 1), False),
        ("random__Uniform", ["random"], (0, 1), True),
        ("Cat", [], (1, 999), False),
        ("experimental__inputs__Video", ["experimental", "inputs"], (0, 0), False),
    ],
)
def test_schemas_agree_with_those_of_dali(name: str, module: list[str], inputs: tuple[int, int], draws: bool) -> None:
    schema = dali("backend").GetSchema(name)
    assert schema.ModulePath() == module
    assert (schema.MinNumInput(), schema.MaxNumInput()) == inputs
    assert schema.HasRandomSeedArg() == draws


@pytest.mark.parametrize(
    ("name", "argument", "kind", "default"),
    [
        ("Resize", "antialias", "BOOL", "True"),
        ("Resize", "size", "_FLOAT_VEC", None),
        ("Resize", "interp_type", "INTERP_TYPE", "1"),
        ("CropMirrorNormalize", "mean", "_FLOAT_VEC", "[0.000000, ]"),
        ("CropMirrorNormalize", "output_layout", "TENSOR_LAYOUT", "'CHW'"),
        ("CropMirrorNormalize", "crop_pos_x", "FLOAT", "0.500000"),
        ("CropMirrorNormalize", "bytes_per_sample_hint", "_INT32_VEC", "[0, ]"),
        ("AudioDecoder", "dtype", "DATA_TYPE", "9"),
        ("AudioResample", "out_length", "INT64", None),
        ("decoders__Image", "output_type", "IMAGE_TYPE", "0"),
        ("readers__File", "files", "_STRING_VEC", None),
        ("readers__File", "shard_id", "INT32", "0"),
        ("readers__COCO", "size_threshold", "FLOAT", "0.100000"),
        ("readers__Video", "sequence_length", "INT32", None),
        ("Rotate", "output_dtype", "DATA_TYPE", None),
    ],
)
def test_arguments_have_the_types_and_defaults_of_dali(
    name: str, argument: str, kind: str, default: str | None
) -> None:
    schema = dali("backend").GetSchema(name)
    assert schema.GetArgumentType(argument) is types.DALIDataType[kind]
    assert schema.HasArgumentDefaultValue(argument) == (default is not None)
    if default is None:
        with pytest.raises(ValueError, match=f'Argument "{argument}" in operator "{name}" has no default value'):
            schema.GetArgumentDefaultValueString(argument)
    else:
        assert schema.GetArgumentDefaultValueString(argument) == default


def test_schemas_tell_what_operators_take() -> None:
    schema = dali("backend").GetSchema
    sequences = {name: schema(name).AllowsSequences() for name in ("Resize", "Flip", "GaussianBlur", "Cast", "BbFlip")}
    assert sequences == {"Resize": True, "Flip": True, "GaussianBlur": True, "Cast": True, "BbFlip": False}
    assert (schema("Resize").SupportsVolumetric(), schema("Filter").IsStateful()) == (True, False)
    assert all(schema(name).IsStateful() for name in ("readers__File", "random__Uniform", "ExternalSource"))
    assert schema("Resize").GetSupportedLayouts(0)[:2] == ["HWC", "FHWC"]
    assert "Height and width" in schema("Resize").GetArgumentDox("size")
    assert schema("Brightness").ArgSupportsPerFrameInput("brightness")
    assert schema("BBoxRotate").GetCallSignatureInputs() == "boxes, labels = None"
    with pytest.raises(IndexError, match='Operator "Resize" has up to 1 inputs'):
        schema("Resize").GetInputName(1)


def test_schemas_tell_what_is_outdated() -> None:
    schema = dali("backend").GetSchema
    names = ("FileReader", "CoinFlip", "experimental__decoders__Image", "Shapes", "Resize")
    assert [(schema(name).IsDeprecated(), schema(name).DeprecatedInFavorOf()) for name in names] == [
        (True, "readers__File"), (True, "random__CoinFlip"), (True, "decoders__Image"), (True, ""), (False, ""),
    ]  # fmt: skip
    assert [schema(name).DeprecatedInVersion() for name in names] == ["1.0", "0.30", "2.2", "1.44", ""]
    renamed = schema("Crop").DeprecatedArgInfo("output_dtype")
    assert (renamed["renamed_to"], renamed["removed"]) == ("dtype", False)
    assert schema("Crop").DeprecatedArgInfo("image_type")["removed"]
    assert not schema("Crop").IsDeprecatedArg("crop")
    with pytest.raises(ValueError, match='No deprecation info for argument "crop"'):
        schema("Crop").DeprecatedArgInfo("crop")
    own, target = dali("backend").GetSchemaAndTarget("FileReader")
    assert (own.Name(), target.Name()) == ("FileReader", "readers__File")


def test_operators_are_listed() -> None:
    backend, ops = dali("backend"), dali("ops")
    assert {"Resize", "readers__File", "FileReader", "random__Uniform"} <= {*backend.RegisteredCPUOps()}
    assert backend.RegisteredGPUOps() == ["OpticalFlow"]
    assert not backend.RegisteredMixedOps()
    ops.register_cpu_op("OfTheProgram")
    assert {"Resize", "OfTheProgram"} <= ops.cpu_ops()
    assert dali("ops._registry").cpu_ops() == ops.cpu_ops()
    assert ops.python_op_factory("Image", "decoders__Image").path == "decoders.Image"
    assert dali("fn").hidden.coin_flip.__name__ == "coin_flip"
    assert dali("ops").hidden.FileReader.path == "FileReader"
    with pytest.raises(AttributeError, match="no attribute 'Resize'"):
        dali("ops").hidden.Resize  # noqa: B018


def test_there_is_no_cuda_to_ask() -> None:
    backend = dali("backend")
    assert (backend.GetCudaVersion(), backend.GetNvjpegVersion(), backend.IsDriverInitialized()) == (0, -1, False)
    for call in (
        backend.GetCUDACurrentDevice,
        lambda: backend.PreallocateDeviceMemory(1, 0),
        lambda: backend.Stream(0),
    ):
        with pytest.raises(RuntimeError, match="there is no CUDA runtime here"):
            call()
    backend.ReleaseUnusedMemory()


def test_growth_of_buffers_is_kept_within_bounds() -> None:
    backend = dali("backend")
    before = backend.GetHostBufferGrowthFactor(), backend.GetHostBufferShrinkThreshold()
    backend.SetHostBufferGrowthFactor(2)
    backend.SetHostBufferShrinkThreshold(0.25)
    assert (backend.GetHostBufferGrowthFactor(), backend.GetHostBufferShrinkThreshold()) == (2.0, 0.25)
    with pytest.raises(ValueError, match="Growth factor must be between 1 and 4"):
        backend.SetBufferGrowthFactor(5)
    with pytest.raises(ValueError, match="Shrink threshold must be between 0"):
        backend.SetHostBufferShrinkThreshold(-1)
    backend.SetHostBufferGrowthFactor(before[0])
    backend.SetHostBufferShrinkThreshold(before[1])


def test_an_unknown_operator_has_no_schema() -> None:
    with pytest.raises(KeyError, match="Schema for operator 'Nope' not registered"):
        dali("backend").GetSchema("Nope")
    assert dali("backend").TryGetSchema("Nope") is None
    assert all(dali("backend").GetSchema(op._schema.Name()) for op in dali("experimental.dynamic")._ops._all_ops)


def test_operators_of_ndd_are_found_by_name() -> None:
    operators = dali("experimental.dynamic")._ops
    assert operators.Resize is ndd.resize._op_class
    assert operators.decoders.Image is ndd.decoders.image._op_class
    assert (operators.MFCC._fn_path, operators.random.Uniform._op_path) == ("mfcc", "random.Uniform")
    with pytest.raises(AttributeError, match="has no attribute 'Nope'"):
        operators.Nope  # noqa: B018


def test_dynamic_mode_has_a_shorter_name() -> None:
    assert dali("dynamic") is ndd
    assert dali("dynamic.random") is ndd.random
    assert dali("dynamic._batch").Batch is ndd.Batch
    assert importlib.import_module("nvidia.dali").dynamic is ndd


def test_numba_is_asked_for_its_version() -> None:
    pytest.importorskip("numba")
    function = dali("plugin.numba.experimental").NumbaFunction
    assert function._check_minimal_numba_version(False)
    assert not function._check_cuda_compatibility(False)
    with pytest.raises(RuntimeError, match="for the CPU here, not for CUDA"):
        function._check_cuda_compatibility()
    assert callable(dali("plugin.numba").fn.experimental.numba_function)


def test_parts_of_automatic_augmentations() -> None:
    utils, arguments = dali("auto_aug.core._utils"), dali("auto_aug.core._args")

    def ranges(*told: Any) -> list[Any]:
        return [(each.name, each.mag_range) for each in utils.get_translations(*told)]

    assert ranges(True, 100, 0.45) == [("translate_x", (0, 0.45)), ("translate_y", (0, 0.45))]
    assert ranges(False, 100, 0.45, (10, 20)) == [("translate_x", (0, 20)), ("translate_y", (0, 10))]
    assert utils.max_translate_hw(3) == (3, 3)
    shear = dali("auto_aug.augmentations").shear_x
    arguments.forbid_unused_kwargs([shear], {"fill_value": 1}, "call")
    assert arguments.filter_unused_args([shear], {"fill_value": 1, "color": 2}) == ["color"]
    with pytest.raises(arguments.UnusedArgException, match="The call got unexpected kwarg"):
        arguments.forbid_unused_kwargs([shear], {"color": 2}, "call")


def test_offsets_of_translations() -> None:
    offset = dali("auto_aug.core._utils").parse_validate_offset
    assert offset(False) == (250, 250)
    assert offset(True) == (1.0, 1.0)
    assert offset(True, max_translate_rel=[0.5, 0.2]) == (0.5, 0.2)
    assert offset(False, 4, default_translate_abs=5) == (4, 4)
    with pytest.raises(Exception, match="`max_translate_abs` cannot be used with image shapes"):
        offset(True, 4)
    with pytest.raises(Exception, match="`max_translate_rel` cannot be used without image shapes"):
        offset(False, max_translate_rel=0.5)


def test_augmentations_are_selected() -> None:
    utils, augmentations = dali("auto_aug.core._utils"), dali("auto_aug.augmentations")
    pixels = np.full((2, 2, 3), 200, np.uint8)

    @pipeline_def(batch_size=2, enable_conditionals=True, **ONE)
    def define() -> Any:
        images = fn.external_source(lambda: [pixels, pixels], layout="HWC")
        chosen = fn.external_source(lambda: [np.int32(0), np.int32(1)])
        given = {"data": images, "magnitude_bin": 0, "num_magnitude_bins": 2}
        suite = [augmentations.invert, augmentations.identity]
        return utils.pretty_select(suite, chosen, given, "the_call", "the_suite")

    assert [int(np.array(each)[0, 0, 0]) for each in define().run()[0]] == [55, 200]

    @pipeline_def(batch_size=2, enable_conditionals=True, **ONE)
    def without_shape() -> Any:
        images = fn.external_source(lambda: [pixels, pixels], layout="HWC")
        given = {"data": images, "magnitude_bin": 0, "num_magnitude_bins": 2}
        return utils.pretty_select([augmentations.translate_x], 0, given, "the_call", "the_suite")

    with pytest.raises(utils.MissingArgException, match="Give it to `the_call`"):
        without_shape()


def test_arguments_of_functions() -> None:
    arguments = dali("auto_aug.core._args")

    def function(data: Any, parameter: Any, position: Any, option: int = 2, *, name: Any, last: int = 1) -> None: ...

    assert arguments.get_num_positional_args(function) == 4
    assert arguments.get_required_kwargs(function) == ["data", "parameter", "position", "name"]
    assert arguments.get_missing_kwargs(function, {"name": 1}, 2) == ["position"]
    kept = arguments.filter_extra_accepted_kwargs(function, {"data": 1, "option": 2, "last": 3, "other": 4}, 2)
    assert kept == {"option": 2, "last": 3}


def test_nodes_are_brought_into_branches() -> None:
    conditionals = dali("_conditionals")
    seen: list[Any] = []

    def define() -> Any:
        numbers = fn.external_source(lambda: [np.int32(k) for k in range(3)])
        if numbers > 0:
            own = conditionals.apply_conditional_split(numbers)
            [listed], named = conditionals.apply_conditional_split_to_args([numbers], {"a": [numbers], "b": 3})
            seen.extend([own is conditionals.apply_conditional_split(own), named["b"]])
            made = own + listed + named["a"][0] + 10
        else:
            made = numbers - 1
        conditionals.register_data_nodes(made)
        seen.append(conditionals.apply_conditional_split(made) is made)
        return made

    pipeline = pipeline_def(define, enable_conditionals=True)(batch_size=3, **ONE)
    assert seen == [True, 3, True]
    assert np.ravel(pipeline.run()[0].as_array()).tolist() == [-1, 13, 16]


def test_functions_of_ndd_are_listed() -> None:
    functions = dali("experimental.dynamic")._ops._all_functions
    assert ndd.resize in functions
    assert ndd.decoders.image in functions
    assert all(callable(each) and each._op_class for each in functions)


def test_kinds_of_values_are_told_apart() -> None:
    kinds = dali("types")
    assert (kinds._is_scalar_value(3), kinds._is_scalar_value(np.zeros(2)), kinds._is_numpy_array(np.zeros(2))) == (
        True, False, True,
    )  # fmt: skip
    assert not kinds._is_torch_tensor(3)
    assert not kinds._is_cupy_array(np.zeros(2))
    assert kinds._raw_cuda_stream(None) is None
    assert kinds._raw_cuda_stream_ptr(type("Stream", (), {"cuda_stream": 8})()).value == 8


def test_arrays_pass_as_capsules() -> None:
    plugin = dali("python_function_plugin")
    array = np.arange(3)
    taken = plugin.DLTensorToArray(plugin.ArrayToDLTensor(array))
    assert taken.tolist() == [0, 1, 2]
    assert np.shares_memory(taken, array)
    assert plugin.current_dali_stream() == 0


def test_modules_are_made_below_others() -> None:
    internal = dali("internal")
    root = ModuleType("some_root")
    made = internal.get_submodule(root, "a.b")
    assert root.a.b is made
    assert internal.get_submodule(root, ["a"]) is root.a
    root.number = 3  # type: ignore[attr-defined]
    with pytest.raises(RuntimeError, match=r"some_root\.number is no module"):
        internal.get_submodule(root, "number")
    for name in ("some_root.a", "some_root.a.b"):
        del sys.modules[name]


def test_sources_are_written_with_their_code() -> None:
    written = io.BytesIO()
    dali("reducers").DaliCallbackPickler(written).dump(lambda: 7)
    assert pickle.loads(written.getvalue())() == 7


def test_operators_in_cpp_cannot_be_built() -> None:
    with pytest.raises(RuntimeError, match="no headers and libraries to build operators in C"):
        dali("sysconfig").get_compile_flags()


def test_classes_can_refuse_to_be_iterated_over() -> None:
    @dali("data_node").not_iterable  # type: ignore[untyped-decorator]
    class Indexed:
        def __getitem__(self, k: int) -> int:
            return k

    assert not isinstance(Indexed(), Iterable)
    with pytest.raises(TypeError, match="not iterable"):
        iter(Indexed())


def test_every_iterator_is_one_of_the_base() -> None:
    pytest.importorskip("torch")
    base = dali("plugin.base_iterator")._DaliBaseIterator
    torch = dali("plugin.pytorch")
    assert torch._DaliBaseIterator is base
    assert issubclass(torch.DALIGenericIterator, base)
    assert not issubclass(dict, base)
    with pytest.raises(NotImplementedError, match="has no __next__"):
        next(base(pipeline_def(lambda: fn.ones(shape=[1]))(batch_size=1, **ONE), size=1))


def test_nodes_are_known_to_ops() -> None:
    assert dali("ops")._DataNode is dali("data_node").DataNode
