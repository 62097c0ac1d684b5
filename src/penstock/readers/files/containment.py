"""Where names that come out of a data file may lead.

What a program names itself is trusted. Annotations, lists and manifests are often somebody else's, and must not choose
among all files of this machine, or of the network, unless the program says so:

- With a `file_root`, names stay below it: a path or URL elsewhere, and every "..", is refused.
- Without one, a list on this machine may name any file of this machine, as in DALI; none at a URL.
- Without one, a list at a URL may name what is below its own folder.

Symbolic links below the root lead where they lead: whoever made the folder put them there.
"""

from __future__ import annotations

import os
import re
from urllib.parse import unquote

from penstock.storage import Names
from penstock.storage.urls import is_remote

# What every name that leads outside has in it. A data set has millions of names: only those with it are looked at.
_ANYWHERE = re.compile(rb"://")
_UP = rb"(?:\A|[\0/?#]|%2[fF])(?:\.|%2[eE]){2}(?:[\0/?#]|%2[fF])"  # ".." as it may be written in a URL
_ABSOLUTE = re.compile(rb"(?:\A|\0)/|" + _UP + rb"|::|://")


def check_names(names: Names, origin: str, root: str | None, *, allow_outside: bool, from_here: bool = False) -> Names:
    """The names in the data file `origin`; RuntimeError for the first that leads outside of what it may name.

    `root` is the folder that the program gave for them. Names `from_here` are relative to where the process is.
    """
    if allow_outside:
        return names
    if root is None and is_remote(origin):
        root = origin.rpartition("/")[0]
    every = root is not None and from_here
    suspicious = _ABSOLUTE if root is not None else _ANYWHERE
    if not every and not suspicious.search(names.packed):
        return names
    for at in range(len(names)):
        name = names[at]
        if not _is_inside(name, root, from_here):
            where = "this machine" if root is None else root or "the current folder"
            raise RuntimeError(
                f"{origin}: the name {name!r} leads outside of {where}; allow_outside=True reads it all the same"
            )
    return names


def _is_inside(name: str, root: str | None, from_here: bool) -> bool:
    if root is None:
        return not is_remote(name)
    if ".." in (re.split("[/?#]", unquote(name)) if is_remote(root) else name.split("/")):
        return False
    if is_remote(root):
        relative = not from_here and not name.startswith("/") and not is_remote(name) and "::" not in name
        return relative or (name.startswith(root.rstrip("/") + "/") and "::" not in name)
    if is_remote(name):
        return False
    folder = os.path.abspath(root).rstrip("/") + "/"
    return os.path.abspath(name).startswith(folder) if from_here or name.startswith("/") else True
