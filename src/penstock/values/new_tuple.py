"""Making a NamedTuple without the Python function that its class has for that."""

from __future__ import annotations

# `new_tuple(Site, (code, place))` is what `Site(code, place)` calls in the end. For those that every call, step or
# batch makes.
new_tuple = tuple.__new__
