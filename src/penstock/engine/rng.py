"""placeholder"""
from __future__ import annotations
class RNG:
    def take_words(self) -> tuple[int, ...]: return (0,)*7
def get_default_rng() -> RNG: return RNG()
