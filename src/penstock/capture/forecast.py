"""Where random generators will stand in steps to come, if a loop draws as much in each as it did in the last."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.engine.rng import RNG, Place, get_default_rng

Places = dict[RNG, Place]


class Forecast:
    """The generators that a loop draws from. It only ever looks at them: they are moved by the calls themselves."""

    def __init__(self) -> None:
        self._starts: Places = {get_default_rng(): get_default_rng().place}
        self._drawn: dict[RNG, int] = {}
        self.given_up: set[RNG] = set()

    def begin_step(self) -> None:
        """The step before is over: what it drew is what the next ones are expected to draw."""
        for rng, start in self._starts.items():
            now = rng.place
            self._drawn[rng] = now.position - start.position if now.key == start.key else 0
            self._starts[rng] = now

    def offset(self, rng: RNG, place: Place) -> int | None:
        """How far a place is behind the one where the step began; None where no two steps will be alike."""
        start = self._starts.setdefault(rng, place)
        if rng in self.given_up or start.key != place.key or place.position < start.position:
            return None
        return place.position - start.position

    def steps(self) -> Iterator[Places]:
        """The places as the step begins that is about to, the one after it, and so on."""
        places, moving = dict(self._starts), {rng: words for rng, words in self._drawn.items() if words}
        while True:
            yield places
            if moving:
                places = places | {rng: places[rng].after(words) for rng, words in moving.items()}
