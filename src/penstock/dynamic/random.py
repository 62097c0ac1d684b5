"""ndd.random: generators, and operators that draw from them."""

from penstock.dynamic.namespace import attributes
from penstock.engine.rng import RNG, get_default_rng, set_seed

__all__ = ["RNG", "get_default_rng", "set_seed"]

__getattr__, _operators = attributes("random", also=__all__)


def __dir__() -> list[str]:
    return _operators()
