"""`ndd.maybe`: an operator that is applied to some of the samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from penstock.dynamic.calls.call import invoke
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.operator_calls import calls
from penstock.engine.rng import RNG
from penstock.schema.operator import Operator
from penstock.schema.optional import APPLIED, optional

T = TypeVar("T")


def maybe(
    operator: Callable[..., Any], input: T, /, *others: Any, p: Any = 0.5, rng: RNG | None = None, **arguments: Any
) -> T:
    """Applies an operator to each sample with a probability; the others stay as they are, and cost nothing.

        images = ndd.maybe(ndd.gaussian_blur, images, p=0.3, sigma=2.0)

    Arguments for every sample are given for those left alone, too. Operators that are to go together share a mask,
    whose 0 and 1 are probabilities as well:

        coins = ndd.random.coin_flip(batch_size=64, probability=0.3)
        images = ndd.maybe(ndd.rotate, images, p=coins, angle=10.0, keep_size=True)
        boxes = ndd.maybe(turn_boxes, boxes, p=coins, angle=10.0)

    Args:
        operator: A function of ndd, or one made by `ndd.operator`, whose result has the type, rank and layout of its
            first input.
        input: A Batch, or a Tensor, of which one coin decides; `others` are the operator's further inputs.
        p: The probability, one for all or a Batch of one for every sample.
        rng: Where coins, and the operator's own random numbers, are drawn from; the default generator if not given.
        arguments: Those of the operator.
    """
    op = getattr(operator, "operator", None)
    if not isinstance(op, Operator):
        raise TypeError(
            f"maybe() applies an operator such as ndd.flip, got {operator!r}; a function becomes one by @ndd.operator, "
            "several operators are applied together where they get the same coins: p=ndd.random.coin_flip(...)"
        )
    made = optional(op)
    size = input.batch_size if isinstance(input, Batch) else None
    arguments[APPLIED] = calls.function("random.coin_flip")(probability=p, batch_size=size, rng=rng)
    if op.draw is not None:
        arguments["rng"] = rng
    result: T = invoke(made, (input, *others), arguments)
    return result
