"""Forecasts the positions of random generators in steps to come, if each draws as much as the last one did.

Random calls of a step that is made ahead must draw the words that they would draw in a plain loop. Those follow from
the position of the generator, which the body's own calls determine only later. Most loops draw the same number of words
in every step, so the positions can be forecast; `LoopStep.is_foreseen` checks them when the step begins.
"""

from __future__ import annotations

from collections.abc import Callable

from penstock.engine.rng import RNG, StreamPosition, get_default_rng

Positions = dict[RNG, StreamPosition]


class RngForecast:
    """The generators that a loop draws from, and their positions. Only reads them: calls of the body move them.

    Generators in `given_up` are no longer forecast.
    """

    def __init__(self) -> None:
        self._starts: Positions = {get_default_rng(): get_default_rng().position}
        self._drawn: dict[RNG, int] = {}  # in the last step; those that drew nothing are left out
        self.given_up: set[RNG] = set()

    def begin_step(self) -> None:
        """Notes the positions at the beginning of a step; the words drawn in the step before are the forecast."""
        for rng, start in self._starts.items():
            if rng.is_at(start):
                if rng in self._drawn:
                    del self._drawn[rng]
                continue
            now = rng.position
            self._drawn[rng] = now.word - start.word if now.key == start.key else 0
            self._starts[rng] = now

    def offset(self, rng: RNG, position: StreamPosition) -> int | None:
        """Returns how many words a position is past the beginning of the step; None where that cannot be forecast."""
        start = self._starts.setdefault(rng, position)
        if rng in self.given_up or start.key != position.key or position.word < start.word:
            return None
        return position.word - start.word

    @property
    def positions(self) -> Positions:
        """The positions at the beginning of the current step."""
        return dict(self._starts)

    def one_step_on(self) -> Callable[[Positions], Positions] | None:
        """Returns a function from the positions at the beginning of a step to those at the beginning of the next.

        None where they are the same.
        """
        moving = {rng: words for rng, words in self._drawn.items() if words}

        def moved(positions: Positions) -> Positions:
            return positions | {rng: positions[rng].after(words) for rng, words in moving.items()}

        return moved if moving else None
