"""Definitions of pipelines: what operators may be given, options at unusual places, and when what is wrong is refused.

`ran` gives the outputs of a pipeline's first iteration, `stage` how far it comes (0: its definition fails, 1: `build`,
2: `run`, 3: nothing does), `words` how an error begins. A graph is a function without parameters.
"""

from __future__ import annotations

import collections.abc
import importlib
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np

OPTIONS = {"batch_size": 2, "num_threads": 1, "device_id": None, "seed": 5}


def inputs(ndd: Any) -> dict[str, Any]:
    library = "penstock" if ndd.__name__.startswith("penstock") else "nvidia.dali"
    fn, ops, math, dali = (importlib.import_module(name) for name in (
        f"{library}.fn", f"{library}.ops", f"{library}.math", library,
    ))  # fmt: skip
    pipeline = importlib.import_module(f"{library}.pipeline")
    named = {"fn": fn, "ops": ops, "math": math, "dali": dali, "np": np, "Iterable": collections.abc.Iterable}
    helpers = {"ran": ran, "stage": stage, "meta": meta, "changed": changed, "listed": listed, "detached": detached}
    return {
        **named,
        **{name: partial(helper, dali) for name, helper in helpers.items()},
        "words": words,
        "do_not_convert": pipeline.do_not_convert,
        "one": lambda: fn.constant(idata=1),
        "image": lambda: dali.types.Constant(np.zeros((4, 4, 1), np.uint8)),
        "branching": partial(branching, fn),
    }


def branching(fn: Any) -> Any:
    number = fn.constant(idata=4)
    if fn.constant(idata=1, shape=[]) == 1:
        number = number + 1
    return number


def ran(dali: Any, graph: Any, at_call: dict[str, Any] | None = None, **options: Any) -> Any:
    made = dali.pipeline_def(**{**OPTIONS, **options})(graph)(**(at_call or {})).run()
    return tuple(np.array(output.as_array()) for output in made)


def stage(dali: Any, graph: Any, **options: Any) -> Any:
    at = 0
    try:
        pipeline = dali.pipeline_def(**{**OPTIONS, **options})(graph)()
        at = 1
        pipeline.build()
        at = 2
        pipeline.run()
        at = 3
    except Exception as error:
        return np.array(at), letters(type(error).__name__)
    return np.array(at), letters("")


def words(call: Any, count: int = 60) -> Any:
    """How the message of an error begins; what the libraries call themselves does not matter."""
    try:
        call()
    except Exception as error:
        return letters(type(error).__name__ + ": " + str(error)[:count])
    return letters("")


def letters(text: str) -> Any:
    return np.frombuffer(text.encode(), np.uint8)


def changed(dali: Any, call: Any, given: Any, **options: Any) -> Any:
    """The results of a call whose argument the program changes after it."""

    def graph() -> Any:
        argument = given() if callable(given) else list(given)
        made = call(argument)
        argument[0] = 1
        return made

    return ran(dali, graph, **options)


def listed(dali: Any, returned: Any) -> Any:
    class Listed(dali.Pipeline):  # type: ignore[misc, name-defined]
        def define_graph(self) -> Any:
            return returned()

    return tuple(np.array(output.as_array()) for output in Listed(**OPTIONS).run())


def detached(dali: Any, node: Any, fed: str = "") -> Any:
    """A pipeline whose operators were defined before it."""
    made = node()
    pipeline = dali.Pipeline(**OPTIONS)
    pipeline.set_outputs(made)
    if fed:
        pipeline.feed_input(fed, [np.float32([3]), np.float32([4])])
    return tuple(np.array(output.as_array()) for output in pipeline.run())


def meta(dali: Any, ask: Any, **options: Any) -> Any:
    """What a pipeline tells of a reader of ten files."""
    folder = Path(mkdtemp())
    files = [str(folder / f"{k}.npy") for k in range(10)]
    for k, path in enumerate(files):
        np.save(path, np.uint8([k]))
    pipeline = dali.Pipeline(**OPTIONS)
    with pipeline:
        pipeline.set_outputs(dali.fn.readers.numpy(files=files, name="R", **options))
    return np.array(ask(pipeline))


CASES: list[dict[str, Any]] = [
    {
        "operator": "pipeline definitions: arguments",
        "calls": [
            "changed(lambda size: fn.crop(image(), crop=size), [3, 3])",
            "changed(lambda size: fn.crop(image(), crop=size), lambda: np.float32([3, 3]))",
            "changed(lambda size: ops.Crop(crop=size)(image()), [3, 3])",
            "changed(lambda size: ops.Crop()(image(), crop=size), [3, 3])",
            "changed(lambda data: fn.copy(data), [3, 3])",
            "changed(lambda data: fn.copy(data), lambda: np.uint8([3, 3]))",
            "changed(lambda data: one() + data, [3, 3])",
            "changed(lambda data: one() + data, lambda: np.uint8([3, 3]))",
            "changed(lambda keys: fn.lookup_table(np.uint8([1, 3]), keys=keys, values=[5.0, 6.0]), [3, 2])",
            *(
                f"ran(lambda: ops.Erase(anchor=[0], shape=[1], axes=[0]{before})(np.uint8([5, 6]){at_call}))"
                for before in ("", ", fill_value=None", ", fill_value=9.0")
                for at_call in ("", ", fill_value=None", ", fill_value=3.0")
            ),
            "ran(lambda: fn.copy(one(), foo=None, device=None, name=None))",
            "ran(lambda: ops.Copy(foo=None)(one(), foo=None))",
            "ops.Copy(foo=1)",
            "ops.Crop([1, 2])",
            "ran(lambda: fn.copy([one()]))",
            "ran(lambda: ops.Copy()([one()]))",
            "ran(lambda: tuple(fn.copy([one(), one() + 1])))",
            "ran(lambda: tuple(fn.cat([one(), one()], [one() + 1, one() + 2])))",
            *(f"words(lambda: fn.copy({value}))" for value in (
                "(one(),)", "[one(), 3]", "[[one()]]", "None", "'text'", "b'text'", "{}", "object()",
                "np.array([1j])", "np.array(['a'])", "np.int64([2**40])",
            )),
            "words(lambda: fn.cat([one()] * 2, [one()] * 3))",
            "words(lambda: fn.cat([one()] * 2, [one()]))",
            *(f"words(lambda: {sum})" for sum in (
                "one() + [one()]", "[one()] - one()", "one() * (one(),)", "one() == [one()]", "one() // [one()]",
                "math.max([one()], one())", "math.abs([one()])", "math.clamp(one(), [one()], 3)", "one() + 'a'",
                "one() + None", "math.max(one(), None)",
            )),
            "np.array(isinstance(one(), Iterable))",
            "words(lambda: bool(one()), 42)",
            "words(lambda: max(one(), one()), 42)",
            "[*one()]",
        ],
    },
    {
        "operator": "pipeline definitions: constants",
        "calls": [
            *(f"ran(lambda: fn.copy({value}))" for value in (
                "np.float64([1.5])", "np.int64([1])", "np.uint64([1])", "np.float64(1.5)", "np.int64(1)", "np.array(1)",
                "np.float16([1])", "np.int16(1)", "1.5", "1", "True", "[1, 2]", "[1.5, 2]", "[True, False]", "[]",
                "(1, 2)", "np.arange(6).reshape(2, 3).T", "np.zeros((0, 2))",
            )),
            *(f"ran(lambda: {value})" for value in (
                "np.float64([1.5])", "np.int64([1])", "np.float64(1.5)", "np.int64(1)", "1.5", "1", "True", "[1, 2]",
                "([1, 2], (3, 4.5))", "np.arange(6, dtype=np.uint8)[::-1]", "np.int64([2**40])",
            )),
            *(f"ran(lambda: one() + {value})" for value in (
                "np.float64([1.5])", "np.int64([1])", "np.int64(1)", "np.array(3)", "np.array(3.5)", "np.float32(2)",
                "np.int16(1)", "[1, 2]", "[1.5, 2]", "np.arange(6).reshape(2, 3).T", "np.int64([2**40])",
            )),
            "ran(lambda: math.max(fn.constant(fdata=1), np.float64([4])))",
            "ran(lambda: math.sqrt(np.float64([4])))",
            "ran(lambda: fn.stack(np.int64([1]), one()))",
            *(f"ran(lambda: fn.cast({value}, dtype=T.INT32))" for value in (
                "T.DALIDataType.INT16", "T.DALIImageType.BGR", "T.DALIInterpType.INTERP_CUBIC",
                "[T.DALIDataType.INT16, T.DALIDataType.INT8]", "[T.DALIDataType.INT16, T.DALIImageType.BGR]",
                "fn.copy(T.DALIDataType.INT16)",
            )),
            *(f"ran(lambda: T.Constant({value}))" for value in (
                "np.arange(6, dtype=np.uint8).reshape(2, 3).T",
                "np.arange(6, dtype=np.uint8).reshape(2, 3).T, shape=[6]",
                "np.arange(6, dtype=np.uint8)[::2], dtype=T.FLOAT", "[1, 2], layout=''", "np.int64([2**40])",
            )),
            *(f"ran(lambda: fn.constant({value}))" for value in (
                "idata=1", "fdata=1", "idata=1, shape=[]", "idata=[1, 2]", "idata=1, shape=[2, 2]", "fdata=1, shape=2",
                "fdata=[1.5, 2.5], dtype=T.INT32", "idata=True", "idata=1.5", "idata=[1, 2, 3], shape=[2]",
                "idata=1, fdata=None", "idata=1, layout=''",
            )),
            "ran(lambda: fn.crop(image(), crop=np.float32([1, 2, 3])[::2]))",
        ],
    },
    {
        "operator": "pipeline definitions: options",
        "calls": [
            "ran(branching, {'enable_conditionals': True})",
            "ran(branching, {'enable_conditionals': True}, enable_conditionals=False)",
            "ran(branching, {'enable_conditionals': False}, enable_conditionals=True)",
            "ran(one, {'batch_size': 3})",
            "ran(one, {'debug': False})",
            "ran(lambda debug, enable_conditionals=3: fn.constant(idata=[debug, enable_conditionals]), {'debug': 1})",
            "np.array(callable(dali.pipeline_def(lambda **more: 1)))",
            "words(lambda: dali.pipeline_def(lambda **more: 1)(batch_size=1))",
            "words(lambda: dali.pipeline_def(lambda a, **more: 1)(1))",
            "words(lambda: dali.pipeline_def(do_not_convert(lambda: 42)))",
            "words(lambda: do_not_convert(dali.pipeline_def(lambda: 42)))",
            "dali.pipeline_def(lambda: 1, foo=3)(batch_size=1)",
            "ran(lambda: T.Constant([1], layout='X'), output_layout='')",
            "ran(lambda: (1, T.Constant([1], layout='X')), output_layout=['', 'X'])",
            "ran(lambda: T.Constant([1], layout='X'), output_layout='Y')",
        ],
    },
    {
        "operator": "pipeline definitions: outputs and operators from outside",
        "calls": [
            "listed(lambda: [one(), one() + 1])",
            "listed(lambda: [1, 2.5])",
            "listed(lambda: (one(), 3))",
            "listed(lambda: [[one()], 1])",
            "listed(lambda: {1: one()})",
            "words(lambda: ran(lambda: [one(), one()]))",
            "detached(lambda: fn.external_source(name='x'), 'x')",
            "detached(lambda: fn.copy(fn.external_source(name='x')) + 1, 'x')",
            "detached(lambda: fn.copy(one()), 'x')",
            "detached(lambda: fn.external_source(lambda: np.zeros((2, 1)), name='x'), 'x')",
            *(
                f"meta(lambda pipeline: pipeline.epoch_size({name}){of}, num_shards=3{padding})"
                for name, of in (("'R'", ""), ("", "['R']"))
                for padding in ("", ", pad_last_batch=True")
            ),
            "meta(lambda pipeline: pipeline.epoch_size('S'))",
            "meta(lambda pipeline: pipeline.input_feed_count('R'))",
            *(
                f"stage(lambda: {graph})"
                for graph in (
                    "fn.copy(one(), device='gpu')", "one().gpu()", "one().gpu().cpu()", "fn.copy(one().gpu())",
                    "fn.decoders.image(one(), device='mixed')", "fn.random.uniform(device='gpu')",
                    "one().gpu() + 1", "one().shape(device='gpu')", "one().gpu().shape()", "one().gpu()[0]",
                    "fn.constant(idata=1, device='gpu')", "T.Constant([1], device='gpu')",
                    "fn.external_source(lambda: np.zeros((2, 1)), device='gpu')",
                    "fn.readers.numpy(files=['none.npy'], device='gpu')", "ops.Copy(device='gpu')(one())",
                    "(fn.copy(one(), device='gpu'), one())[1]", "(one().gpu(), one())[1]",
                    "(fn.decoders.image(one(), device='mixed'), one())[1]", "fn.copy(one(), device='tpu')",
                    "fn.copy(one().gpu(), device='cpu')", "fn.cast(one().gpu(), dtype=T.FLOAT, device='cpu')",
                    "fn.decoders.image(one().gpu(), device='mixed')",
                    "fn.crop(image(), crop_h=one().gpu())", "math.sqrt(one().gpu())",
                )
            ),
            "stage(lambda: (fn.random.uniform(name='a'), fn.random.uniform(name='a')))",
            "stage(lambda: (fn.random.uniform(name='a'), one())[1])",
            "stage(lambda node=one(): node + 1, enable_checkpointing=True)",
            "stage(lambda node=fn.random.uniform(): node, enable_checkpointing=True)",
            "stage(lambda node=one(): node + 1)",
            "stage(one, enable_checkpointing=True)",
            "fn.copy(one(), preserve=True)",
            "dali.Pipeline(**{'batch_size': 1, 'num_threads': 1, 'device_id': None}).build()",
        ],
    },
]  # fmt: skip
