"""Names that are private in DALI and that programs import all the same."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import penstock.compat
import penstock.dynamic as ndd
from penstock import fn, pipeline_def, types

ONE = {"num_threads": 1, "device_id": None}


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(os, "environ", {**os.environ})
    penstock.compat.install()
    yield
    for name in [name for name in sys.modules if name == "nvidia" or name.startswith("nvidia.dali")]:
        del sys.modules[name]


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


def test_nodes_are_known_to_ops() -> None:
    assert dali("ops")._DataNode is dali("data_node").DataNode
