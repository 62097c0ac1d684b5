"""@pipeline_def: a function that defines a pipeline becomes one that makes such pipelines."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, overload

from penstock.pipeline.conditionals.function_conversion import converted, mark_pipeline, refuse_marked
from penstock.pipeline.definition.outputs import as_outputs
from penstock.pipeline.pipeline import Pipeline

_OF_PIPELINE = frozenset(inspect.signature(Pipeline.__init__).parameters) - {"self"}
_OF_FUNCTION = frozenset({"enable_conditionals", "debug"})


@overload
def pipeline_def(fn: Callable[..., Any], /) -> Callable[..., Pipeline]: ...
@overload
def pipeline_def(
    fn: None = None, /, *, enable_conditionals: bool = False, **pipeline_kwargs: Any
) -> Callable[[Callable[..., Any]], Callable[..., Pipeline]]: ...
def pipeline_def(
    fn: Callable[..., Any] | None = None, /, *, enable_conditionals: bool = False, **pipeline_kwargs: Any
) -> Any:
    """Makes a function that returns the outputs of a pipeline one that returns the pipeline.

        @pipeline_def(batch_size=64, num_threads=4, device_id=None)
        def training(root):
            jpegs, labels = fn.readers.file(file_root=root, random_shuffle=True)
            return fn.resize(fn.decoders.image(jpegs), size=[224, 224]), labels

        images, labels = training("train").run()

    Parameters of `Pipeline` and `enable_conditionals` may be given here and, going first, where the function is called.

    Args:
        enable_conditionals: `if`, `and`, `or` and `not` in the function decide for each sample.
    """
    options = {"enable_conditionals": enable_conditionals, **pipeline_kwargs}
    return pipeline_factory(fn, options) if fn is not None else lambda function: pipeline_factory(function, options)


def pipeline_factory(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Pipeline]:
    """A function that makes pipelines which `function` defines."""
    refuse_marked(function)

    @functools.wraps(function)
    def make(*arguments: Any, **keywords: Any) -> Pipeline:
        own = _own_parameters(function)
        elsewhere = (_OF_PIPELINE | _OF_FUNCTION) - own
        given = {**options, **{name: keywords.pop(name) for name in [*keywords] if name in elsewhere}}
        conditionals, debug = given.pop("enable_conditionals", False), given.pop("debug", False)
        defining = functools.partial(converted(function) if conditionals else function, *arguments, **keywords)
        if debug:
            from penstock.pipeline.debug import DebugPipeline

            return DebugPipeline(defining, **given)
        pipeline = Pipeline(**given)
        with pipeline:
            returned = defining()
            if returned is not None:  # else it has no outputs, unless they are set later; `build` asks for them
                pipeline.set_outputs(*as_outputs(returned))
        return pipeline

    mark_pipeline(make)
    return make


def _own_parameters(function: Callable[..., Any]) -> frozenset[str]:
    """The parameters of a function, which has no `**keywords`: those could not be told from options of the pipeline."""
    parameters = inspect.signature(function).parameters
    for parameter in parameters.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            raise TypeError(
                f"Using variadic keyword argument `**{parameter.name}` in a  graph-defining function is not allowed."
            )
    return frozenset(parameters)
