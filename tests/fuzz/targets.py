"""All targets by name."""

from __future__ import annotations

from fuzz import archives, arrays, images, records, sounds, states, tables, videos
from fuzz.target import Target

TARGETS: dict[str, Target] = {
    name: target
    for family in (images, sounds, arrays, archives, records, tables, videos, states)
    for name, target in family.TARGETS.items()
}
