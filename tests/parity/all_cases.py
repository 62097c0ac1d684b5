"""All cases: the families', led by the operators' examples, and the same calls with arguments given in other ways."""

from __future__ import annotations

from parity.cases import FAMILIES, Case, argument_forms, argument_places
from parity.examples import with_examples

WRITTEN: list[Case] = with_examples(
    [case | {"family": name} for name, family in FAMILIES.items() for case in getattr(family, "CASES", ())]
)
FORMS: list[Case] = [case | {"family": "argument_forms"} for case in argument_forms.cases(WRITTEN)]
PLACES: list[Case] = [case | {"family": "argument_places"} for case in argument_places.cases(WRITTEN)]
CASES: list[Case] = WRITTEN + FORMS + PLACES
