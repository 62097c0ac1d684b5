"""What programs look for in modules by DALI's names, and penstock's own modules do not have."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from penstock.compat.aliases import ALIASES, DALI

_DATA_NODE = "penstock.pipeline.definition.data_node:DataNode"
_ITERATOR = "penstock.plugin.custom_iterator:CustomIterator"
_BACKEND = "penstock.compat.dali.backend"
_REGISTRY = "penstock.compat.dali.backend.registry"
_KINDS = "penstock.compat.dali.value_kinds"
_OF_TORCH = {
    "_DaliBaseIterator": _ITERATOR, "Pipeline": "penstock.pipeline.pipeline:Pipeline",
    "experimental": "penstock.plugin.pytorch.experimental", "ops": "penstock.pipeline.ops",
    **{name: f"{_BACKEND}:{name}" for name in ("TensorCPU", "TensorGPU", "TensorListGPU")},
}  # fmt: skip

# Names by the modules of DALI that have them, and where they are here: a module, or a module and what is in it.
_ELSEWHERE: dict[str, dict[str, str]] = {
    "_autograph": {"do_not_convert": "penstock.pipeline.conditionals.function_conversion:do_not_convert"},
    **{f"auto_aug.{name}": {"fn": "penstock.fn"} for name in ("augmentations", "auto_augment", "rand_augment",
                                                              "trivial_augment")},
    "auto_aug.core._select": {"Augmentation": "penstock.auto_aug.core.augmentation:Augmentation"},
    "data_node": {"not_iterable": "penstock.compat.dali._utils.hacks:not_iterable"},
    "experimental.dynamic._batch": {
        "as_batch": "penstock.dynamic.values.construct:as_batch", "batch": "penstock.dynamic.values.construct:batch",
    },
    "experimental.dynamic._tensor": {
        "as_tensor": "penstock.dynamic.values.construct:as_tensor",
        "tensor": "penstock.dynamic.values.construct:tensor",
    },
    "ops": {
        "_DataNode": _DATA_NODE,
        **{name: f"{_REGISTRY}:{name}" for name in ("Reload", "cpu_ops", "gpu_ops", "mixed_ops", "python_op_factory",
                                                    "register_cpu_op", "register_gpu_op")},
    },
    "pickling": {"reducers": "penstock.compat.dali.reducers"},
    "pipeline": {
        "b": _BACKEND, "dali_pickle": "penstock.compat.dali.pickling", "internal": "penstock.compat.dali.internal",
        "tensors": _BACKEND, "types": "penstock.types",
    },
    "plugin.base_iterator": {"_DaliBaseIterator": _ITERATOR, "types": "penstock.types"},
    "plugin.jax.integration": {
        "TensorGPU": f"{_BACKEND}:TensorGPU", "_jax_device": "penstock.plugin.jax.integration:jax_device",
        "_to_jax_array": "penstock.plugin.jax.integration:to_jax_array",
    },
    "plugin.jax.iterator": {
        "DataNode": _DATA_NODE, "pipeline_def": "penstock.pipeline.definition.pipeline_function:pipeline_def",
    },
    "plugin.numba": {
        "Pipeline": "penstock.pipeline.pipeline:Pipeline", "dali_types": "penstock.types",
        "ops": "penstock.pipeline.ops",
    },
    "plugin.pytorch": _OF_TORCH,
    "plugin.pytorch.experimental.proxy": {"to_torch_tensor": "penstock.plugin.pytorch.feeding:to_torch_tensor"},
    "plugin.pytorch.torch_utils": {
        "TensorGPU": f"{_BACKEND}:TensorGPU", "TensorListGPU": f"{_BACKEND}:TensorListGPU", "types": "penstock.types",
    },
    "plugin_manager": {"b": _BACKEND, "ops": "penstock.pipeline.ops"},
    "types": {
        "backend_impl": _BACKEND, "tfrec": "penstock.tfrecord",
        **{name: f"{_KINDS}:{name}" for name in ("_is_cupy_array", "_is_numpy_array", "_is_scalar_value",
                                                 "_is_torch_tensor", "_raw_cuda_stream", "_raw_cuda_stream_ptr")},
    },
}  # fmt: skip

# Modules of DALI that are one module here, below which others cannot be imported.
_WHOLE = {
    "experimental.torchvision.v2.functional": (
        "centercrop", "color", "crop", "flips", "gaussian_blur", "image_metadata", "normalize", "pad", "resize",
        "totensor",
    ),
    "plugin.pytorch.loader_evaluator": ("loader",),
}  # fmt: skip
_WITHOUT = ("", "experimental")  # packages whose modules are imported when they are asked for


def add(module: ModuleType, name: str) -> None:
    """Gives a module that DALI calls `name` its modules with another place here, and names that are private there.

    `from nvidia.dali.fn import _conditional` looks for it below the name that the module has in penstock.
    """
    for alias, place in ALIASES.items():
        parent, _, last = alias.rpartition(".")
        if parent == name and name not in _WITHOUT:
            setattr(module, last, importlib.import_module(place))
    for own, place in _ELSEWHERE.get(name, {}).items():
        home, _, attribute = place.partition(":")
        found = importlib.import_module(home)
        setattr(module, own, getattr(found, attribute) if attribute else found)
    for inner in _WHOLE.get(name, ()):
        sys.modules[f"{DALI}.{name}.{inner}"] = module
        if not hasattr(module, inner):  # else it is a function, as in DALI
            setattr(module, inner, module)
    if name in _OTHERS:
        _OTHERS[name](module)


def _add_hidden(module: ModuleType) -> None:
    """What is outdated, which DALI has in a module of its own too."""
    from penstock.pipeline.functions.deprecated_functions import DEPRECATED_NAMES
    from penstock.schema.class_names import class_path

    outdated = {"constant", "fast_resize_crop_mirror", "shapes"}
    outdated |= {path for path in DEPRECATED_NAMES if "." not in path}
    known = outdated if module.__name__ == "penstock.fn" else {*map(class_path, outdated)}
    hidden = ModuleType(f"{module.__name__}.hidden", "Operators by outdated names.")

    def get(name: str) -> Any:
        if name not in known:
            raise AttributeError(f"module '{hidden.__name__}' has no attribute {name!r}")
        return getattr(module, name)

    hidden.__getattr__ = get  # type: ignore[method-assign]
    hidden.__dir__ = lambda: sorted(known)  # type: ignore[method-assign]
    module.hidden = hidden  # type: ignore[attr-defined]


def _add_to_numba(numba: ModuleType) -> None:
    numba.NumbaFunction._check_minimal_numba_version = staticmethod(_has_numba)
    numba.NumbaFunction._check_cuda_compatibility = staticmethod(_has_cuda)


def _has_numba(throw: bool = True) -> bool:
    """Whether the version of Numba will do: any that the plugin could be imported with."""
    return True


def _has_cuda(throw: bool = True) -> bool:
    """Whether functions can be compiled for CUDA: they cannot."""
    if throw:
        raise RuntimeError("functions are compiled for the CPU here, not for CUDA")
    return False


_OTHERS: dict[str, Callable[[ModuleType], None]] = {
    "fn": _add_hidden,
    "ops": _add_hidden,
    "plugin.numba": _add_to_numba,
    "plugin.numba.experimental": _add_to_numba,
}
