"""What programs find as `nvidia.dali.sysconfig`: how operators in C++ would be built, which cannot be added here."""

from __future__ import annotations

from typing import NoReturn

__all__ = ["get_compile_flags", "get_include_dir", "get_include_flags", "get_lib_dir", "get_link_flags"]


def get_include_dir() -> NoReturn:
    _refuse()


def get_include_flags() -> NoReturn:
    _refuse()


def get_compile_flags() -> NoReturn:
    _refuse()


def get_lib_dir() -> NoReturn:
    _refuse()


def get_link_flags() -> NoReturn:
    _refuse()


def _refuse() -> NoReturn:
    raise RuntimeError(
        "there are no headers and libraries to build operators in C++ with; write the operator as a function with "
        "@penstock.dynamic.operator"
    )
