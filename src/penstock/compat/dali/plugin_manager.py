"""What programs find as `nvidia.dali.plugin_manager`."""

from __future__ import annotations

from pathlib import Path


def load_library(library_path: str, global_symbols: bool = False) -> None:
    """Refuses a library of operators: those are built for the real DALI."""
    raise RuntimeError(
        f"Failed to load library {library_path}: it is made for DALI's own core; "
        "write the operator as a function with @penstock.dynamic.operator"
    )


def load_directory(plugin_dir_path: str, global_symbols: bool = False) -> None:
    """Refuses the libraries of operators in a folder, as `load_library` does."""
    for library in sorted(Path(plugin_dir_path).glob("**/*.so")):
        load_library(str(library), global_symbols)
