"""Reductions, transforms, points, arithmetic, math and random numbers."""

from __future__ import annotations

from typing import Any

Case = dict[str, str]


def _case(operator: str, call: str, plain: str = "") -> Case:
    return {"operator": operator, "call": call} | ({"plain": plain} if plain else {})


REDUCTIONS = {
    "sum": "array.sum({})",
    "mean": "array.mean({})",
    "mean_square": "np.square(array, dtype=np.float32).mean({})",
    "rms": "np.sqrt(np.square(array, dtype=np.float32).mean({}))",
    "min": "array.min({})",
    "max": "array.max({})",
}
AXES = {"": "", ", axis_names='HW'": "(0, 1)", ", axis_names='C'": "2"}
UFUNCS = {
    "cbrt": "cbrt", "exp": "exp", "log": "log", "log2": "log2", "log10": "log10", "fabs": "fabs", "floor": "floor",
    "ceil": "ceil", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos",
    "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "arcsinh", "atanh": "arctanh",
}  # fmt: skip
SIGNS = {
    "add": "{0} + {0}", "sub": "{0} - {0}", "mul": "{0} * {1}", "div": "{0} / {0}", "mod": "{0} % {1}",
    "less": "{0} < {1}", "equal": "{0} == {0}", "neg": "-{0}", "abs": "abs({0})",
}  # fmt: skip

CASES: list[Case] = [
    *(
        _case(f"reductions.{name}", f"ndd.reductions.{name}({given}{axes})",
              f"[{plain.format(over)} for array in {arrays}]")
        for name, plain in REDUCTIONS.items()
        for given, arrays in {"images": "arrays", "floats": "photos"}.items()
        for axes, over in AXES.items()
    ),
    *(
        _case(f"reductions.{name}", f"ndd.reductions.{name}(images, means, axis_names='HW')",
              f"[array.{plain}((0, 1)) for array in arrays]")
        for name, plain in {"variance": "var", "std_dev": "std"}.items()
    ),
    _case("transforms.translation", "ndd.transforms.translation(offset=pairs)"),
    _case("transforms.scale", "ndd.transforms.scale(scale=pairs, center=pairs)"),
    _case("transforms.rotation", "ndd.transforms.rotation(angle=scalars, center=pairs)"),
    _case("transforms.shear", "ndd.transforms.shear(shear=pairs)"),
    _case("transforms.crop", "ndd.transforms.crop(from_start=pairs)"),
    _case("transforms.combine", "ndd.transforms.combine(affines, affines)"),
    _case("coord_transform", "ndd.coord_transform(landmarks, MT=affines)",
          "[points @ M[:, :2].T + M[:, 2] for points, M in zip(faces, matrices)]"),
    _case("coord_transform", "ndd.coord_transform(cloud, M=2.0, T=1.0)", "[points * 2 + 1 for points in clouds]"),
    _case("coord_flip", "ndd.coord_flip(landmarks)",
          "[np.concatenate([1 - points[:, :1], points[:, 1:]], axis=1) for points in faces]"),
    *(
        _case(f"arithmetic ({name})", sign.format("line", 2.5),
              f"[{sign.format('array', 'np.float32(2.5)')} for array in lines]")
        for name, sign in SIGNS.items()
    ),
    _case("arithmetic (pow)", "part ** 2.5", "[array ** np.float32(2.5) for array in parts]"),
    _case("arithmetic (add)", "scalars + scalars"),
    _case("arithmetic (add)", "images + 1", "[array + np.int32(1) for array in arrays]"),
    _case("arithmetic (mul)", "images * 0.5", "[array * np.float32(0.5) for array in arrays]"),
    _case("arithmetic (add)", "images + images", "[array + array for array in arrays]"),
    _case("arithmetic (less)", "images < 100", "[array < 100 for array in arrays]"),
    _case("arithmetic (less)", "scalars < 0.5"),
    _case("arithmetic (floordiv)", "whole // 7", "[array // np.int32(7) for array in wholes]"),
    _case("arithmetic (mod)", "whole % 7", "[array % np.int32(7) for array in wholes]"),
    _case("arithmetic (and)", "whole & 3", "[array & np.int32(3) for array in wholes]"),
    _case("arithmetic (shift left)", "whole << 2", "[array << np.int32(2) for array in wholes]"),
    *(
        _case(f"math.{name}", f"ndd.math.{name}(part)", f"[np.{ufunc}(array) for array in parts]")
        for name, ufunc in UFUNCS.items()
    ),
    _case("math.acosh", "ndd.math.acosh(whole)", "[np.arccosh(array) for array in wholes]"),
    _case("math.rsqrt", "ndd.math.rsqrt(part)", "[1 / np.sqrt(array) for array in parts]"),
    _case("math.atan2", "ndd.math.atan2(part, part)", "[np.arctan2(array, array) for array in parts]"),
    _case("math.pow", "ndd.math.pow(part, part)", "[np.power(array, array) for array in parts]"),
    _case("math.fpow", "ndd.math.fpow(part, 2.5)", "[np.power(array, np.float32(2.5)) for array in parts]"),
    _case("math.min", "ndd.math.min(part, 0.5)", "[np.minimum(array, np.float32(0.5)) for array in parts]"),
    _case("math.max", "ndd.math.max(part, part)", "[np.maximum(array, array) for array in parts]"),
    _case("math.clamp", "ndd.math.clamp(part, 0.2, 0.8)", "[np.clip(array, 0.2, 0.8) for array in parts]"),
    _case("math.abs", "ndd.math.abs(whole)", "[np.abs(array) for array in wholes]"),
    _case("math.sqrt", "ndd.math.sqrt(scalars)"),
    _case("random.uniform", "ndd.random.uniform(shape=[1000000], batch_size=4)",
          "[draws.random(1000000, np.float32) for _ in range(4)]"),
    _case("random.uniform", "ndd.random.uniform(range=[0, 1], shape=[1000000], dtype=T.FLOAT64, batch_size=4)",
          "[draws.random(1000000) for _ in range(4)]"),
    _case("random.normal", "ndd.random.normal(shape=[1000000], batch_size=4)",
          "[draws.standard_normal(1000000, np.float32) for _ in range(4)]"),
    _case("random.normal", "ndd.random.normal(shape=[1000000], dtype=T.FLOAT64, batch_size=4)",
          "[draws.standard_normal(1000000) for _ in range(4)]"),
    _case("random.coin_flip", "ndd.random.coin_flip(shape=[1000000], batch_size=4)",
          "[(draws.random(1000000, np.float32) < 0.5).astype(np.int32) for _ in range(4)]"),
    _case("random.choice", "ndd.random.choice(10, shape=[1000000], batch_size=4)",
          "[draws.choice(10, 1000000) for _ in range(4)]"),
    _case("random.choice", "ndd.random.choice(10, p=[0.1] * 10, shape=[1000000], batch_size=4)",
          "[draws.choice(10, 1000000, p=[0.1] * 10) for _ in range(4)]"),
    _case("random.beta", "ndd.random.beta(alpha=2.0, beta=3.0, shape=[1000000], batch_size=4)",
          "[draws.beta(2, 3, 1000000) for _ in range(4)]"),
]  # fmt: skip


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    draws = np.random.default_rng(0)
    wholes = [draws.integers(1, 1000, 2_000_000).astype(np.int32) for _ in range(4)]
    matrices = list(draws.random((256, 2, 3), np.float32))
    faces, clouds = list(draws.random((256, 68, 2), np.float32)), list(draws.random((4, 600_000, 3), np.float32))
    parts = list(draws.uniform(0.1, 0.9, (4, 2_000_000)).astype(np.float32))
    photos = list(draws.random((32, 480, 640, 3), np.float32))
    return {
        "draws": draws,
        "parts": parts,
        "part": ndd.batch(parts),
        "wholes": wholes,
        "whole": ndd.batch(wholes),
        "photos": photos,
        "means": ndd.batch(list(draws.random((32, 3), np.float32))),
        "matrices": matrices,
        "affines": ndd.batch(matrices),
        "pairs": ndd.batch(list(draws.random((256, 2), np.float32))),
        "faces": faces,
        "landmarks": ndd.batch(faces),
        "clouds": clouds,
        "cloud": ndd.batch(clouds),
    }
