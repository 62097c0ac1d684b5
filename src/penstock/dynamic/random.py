"""ndd.random: generators, and operators that draw from them."""

from typing import TYPE_CHECKING

from penstock.dynamic.calls.namespace import attributes
from penstock.engine.rng import RNG, get_default_rng, set_seed

__all__ = ["RNG", "get_default_rng", "set_seed"]

if TYPE_CHECKING:
    from penstock.dynamic._signatures.random import *
else:
    __getattr__, __dir__ = attributes("random", also=__all__)
