"""Where random generators will stand in steps to come, if a loop draws as much in each as it did in the last."""

from __future__ import annotations

from collections.abc import Callable

from penstock.engine.rng import RNG, StreamPosition, get_default_rng

Positions = dict[RNG, StreamPosition]


class RngForecast:
    """The generators that a loop draws from. It only ever looks at them: they are moved by the calls themselves."""

    def __init__(self) -> None:
        self._starts: Positions = {get_default_rng(): get_default_rng().position}
        self._drawn: dict[RNG, int] = {}
        self.given_up: set[RNG] = set()

    def begin_step(self) -> None:
        """The step before is over: what it drew is what the next ones are expected to draw."""
        for rng, start in self._starts.items():
            now = rng.position
            self._drawn[rng] = now.word - start.word if now.key == start.key else 0
            self._starts[rng] = now

    def offset(self, rng: RNG, position: StreamPosition) -> int | None:
        """How far a position is behind the one where the step began; None where no two steps will be alike."""
        start = self._starts.setdefault(rng, position)
        if rng in self.given_up or start.key != position.key or position.word < start.word:
            return None
        return position.word - start.word

    @property
    def positions(self) -> Positions:
        """Those as the step begins that is about to."""
        return dict(self._starts)

    def one_step_on(self) -> Callable[[Positions], Positions]:
        """A function that moves the positions of the beginning of one step to that of the next."""
        moving = {rng: words for rng, words in self._drawn.items() if words}

        def moved(positions: Positions) -> Positions:
            return positions | {rng: positions[rng].after(words) for rng, words in moving.items()}

        return moved if moving else lambda positions: positions
