"""Path traversal checks: which files the names in a list, manifest or annotation file may refer to.

Names that the program itself gives are trusted. Data files are often somebody else's, and must not choose among all
files of this machine, or of the network, unless the program allows it:

- With a `file_root`, names stay below it: a path or URL elsewhere, and every "..", is refused.
- Without one, a list on this machine may name any file of this machine, as in DALI, but no URL.
- Without one, a list at a URL may name files below its own folder.

Symbolic links below the root are followed: whoever made the folder put them there.
"""

from __future__ import annotations

import os
import re
from urllib.parse import unquote

from penstock.storage import Names
from penstock.storage.urls import is_remote

# Found in every name that leads outside. One search over all packed names spares the check of each of millions.
_ANYWHERE = re.compile(rb"://")
_UP = rb"(?:\A|[\0/?#]|%2[fF])(?:\.|%2[eE]){2}(?:[\0/?#]|%2[fF])"  # ".." as it may be written in a URL
_ABSOLUTE = re.compile(rb"(?:\A|\0)/|" + _UP + rb"|::|://")
_OF_WINDOWS = re.compile(_ABSOLUTE.pattern + rb"|[\\:]")  # folders may be parted by either slash, and drives come first


def check_names(names: Names, origin: str, root: str | None, *, allow_outside: bool, from_here: bool = False) -> Names:
    """Returns the names in the data file `origin`; raises RuntimeError for the first that leads outside.

    `root` is the folder that the program gave for them. Names `from_here` are relative to the working directory.
    """
    if allow_outside:
        return names
    if root is None and is_remote(origin):
        root = origin.rpartition("/")[0]
    every = root is not None and from_here
    below = _OF_WINDOWS if os.sep == "\\" else _ABSOLUTE
    suspicious = below if root is not None else _ANYWHERE
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
    if ".." in (re.split("[/?#]", unquote(name)) if is_remote(root) else name.replace(os.sep, "/").split("/")):
        return False
    if is_remote(root):
        relative = not from_here and not name.startswith("/") and not is_remote(name) and "::" not in name
        return relative or (name.startswith(root.rstrip("/") + "/") and "::" not in name)
    if is_remote(name):
        return False
    if not from_here and not name.startswith(("/", os.sep)) and not os.path.splitdrive(name)[0]:
        return True
    folder = os.path.normcase(os.path.abspath(root)).rstrip(os.sep) + os.sep
    return os.path.normcase(os.path.abspath(name)).startswith(folder)
