"""Which module of penstock stands for which of DALI."""

from __future__ import annotations

DALI = "nvidia.dali"
NDD = "experimental.dynamic"

# A module that is not listed is found below the one that stands for its parent.
ALIASES = {
    "": "penstock.compat.dali",
    "_autograph": "penstock.pipeline.conditionals.function_conversion",
    "_utils.autoserialize": "penstock.plugin.triton",
    "auto_aug": "penstock.auto_aug",
    "auto_aug.core._args": "penstock.compat.dali.augmentation_arguments",
    "auto_aug.core._augmentation": "penstock.auto_aug.core.augmentation",
    "auto_aug.core._select": "penstock.auto_aug.core.selection",
    "auto_aug.core._utils": "penstock.compat.dali.augmentation_suites",
    "backend_impl": "penstock.compat.dali.backend",
    "backend_impl.tfrecord": "penstock.tfrecord",
    "backend_impl.types": "penstock.types",
    "data_node": "penstock.pipeline.definition.data_node",
    "external_source": "penstock.pipeline.functions.external_source",
    "fn": "penstock.fn",
    "fn._conditional": "penstock.compat.dali.conditional_operators",
    "math": "penstock.math",
    "ops": "penstock.pipeline.ops",
    "ops._registry": "penstock.compat.dali.backend.registry",
    "plugin": "penstock.plugin",
    "plugin.pytorch._torch_function": "penstock.plugin.pytorch.python_function",
    "plugin.pytorch.torch_utils": "penstock.plugin.pytorch.feeding",
    "tensors": "penstock.compat.dali.backend",
    "tfrecord": "penstock.tfrecord",
    "types": "penstock.types",
    "experimental.torchvision": "penstock.plugin.torchvision",
    "experimental.torchvision.v2": "penstock.plugin.torchvision",
    "experimental.torchvision.v2._enums": "penstock.plugin.torchvision.interpolation",
    "experimental.torchvision.v2.centercrop": "penstock.plugin.torchvision.geometry",
    "experimental.torchvision.v2.flips": "penstock.plugin.torchvision.geometry",
    "experimental.torchvision.v2.functional": "penstock.plugin.torchvision.functional",
    "experimental.torchvision.v2.gaussian_blur": "penstock.plugin.torchvision.geometry",
    "experimental.torchvision.v2.normalize": "penstock.plugin.torchvision.color",
    "experimental.torchvision.v2.pad": "penstock.plugin.torchvision.geometry",
    "experimental.torchvision.v2.rand_apply": "penstock.plugin.torchvision.compose",
    "experimental.torchvision.v2.randomcrop": "penstock.plugin.torchvision.geometry",
    "experimental.torchvision.v2.resize": "penstock.plugin.torchvision.geometry",
    "experimental.torchvision.v2.totensor": "penstock.plugin.torchvision.compose",
    NDD: "penstock.dynamic",
    f"{NDD}._batch": "penstock.dynamic.values.batch",
    f"{NDD}._capture": "penstock.capture.values",
    f"{NDD}._device": "penstock.values.device",
    f"{NDD}._eval_context": "penstock.engine.context",
    f"{NDD}._eval_mode": "penstock.engine.modes",
    f"{NDD}._external_source": "penstock.dynamic.sources.external_source",
    f"{NDD}._imread": "penstock.dynamic.imread",
    f"{NDD}._invocation": "penstock.engine.invocation",
    f"{NDD}._ops": "penstock.compat.operator_classes",
    f"{NDD}._stream": "penstock.gpu.streams",
    f"{NDD}._tensor": "penstock.dynamic.values.tensor",
    f"{NDD}._thread_pool": "penstock.engine.threads",
    f"{NDD}._type": "penstock.values.dtypes",
    f"{NDD}.capture": "penstock.capture",
    f"{NDD}.capture._invariant": "penstock.compat.invariant",
}


def known_as(name: str) -> str | None:
    """What a module of DALI is called in `ALIASES`: "fn.readers" for "nvidia.dali.fn.readers"; None for others."""
    if name != DALI and not name.startswith(f"{DALI}."):
        return None
    known = name[len(DALI) + 1 :]
    return f"experimental.{known}" if f"{known}.".startswith("dynamic.") else known  # the name it is to have one day


def place_of(name: str) -> str | None:
    """The module of penstock, which may not exist, for one of DALI like "nvidia.dali.fn.readers"; None for others."""
    known, below = known_as(name), ""
    if known is None:
        return None
    while known not in ALIASES:
        known, _, last = known.rpartition(".")
        below = f".{last}{below}"
    return ALIASES[known] + below
