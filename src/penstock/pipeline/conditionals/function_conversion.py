"""Converts functions of the user's program, so that conditions on nodes decide for each sample."""

from __future__ import annotations

import ast
import functools
import linecache
import os
import sys
import sysconfig
import warnings
from collections.abc import Callable
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType, SimpleNamespace
from typing import Any, TypeVar

from penstock.pipeline.conditionals import runtime
from penstock.pipeline.conditionals.ast_builders import RUNTIME
from penstock.pipeline.conditionals.ast_rewriter import rewritten

F = TypeVar("F", bound=Callable[..., Any])
Function = ast.FunctionDef | ast.Lambda

_PACKAGE = str(Path(__file__).resolve().parents[2]) + os.sep
_AUGMENTATIONS = os.path.join(_PACKAGE, "auto_aug") + os.sep
_STANDARD = os.path.realpath(sysconfig.get_paths()["stdlib"]) + os.sep
# Packages that never get nodes, and would be slow to rewrite.
_NEVER = frozenset(
    {"numpy", "torch", "jax", "cupy", "numba", "scipy", "cv2", "tensorflow", "nvidia", "pytest", "_pytest"}
)
_FUTURE_FLAGS = 0x1FF0000
_MARKED = "Pipeline definition cannot be marked with @do_not_convert."

_codes: dict[CodeType, CodeType | None] = {}


def do_not_convert(function: F) -> F:
    """Leaves a function, and those it calls, as they are in pipelines with `enable_conditionals=True`."""
    if is_pipeline_def(function):
        raise ValueError(_MARKED)
    function._penstock_as_is = True  # type: ignore[attr-defined]
    return function


def refuse_marked(function: Callable[..., Any]) -> None:
    """Refuses `@do_not_convert` under `@pipeline_def`."""
    if getattr(function, "_penstock_as_is", False):
        raise ValueError(_MARKED)


def mark_pipeline(function: Callable[..., Any]) -> None:
    """Has `@do_not_convert` refused over `@pipeline_def`."""
    function._is_pipeline_def = True  # type: ignore[attr-defined]  # a name that tools for DALI look for


def is_pipeline_def(function: object) -> bool:
    """Whether `pipeline_def` made a function."""
    return getattr(function, "_is_pipeline_def", False) is True


def converted(function: Any) -> Any:
    """What rewritten code calls in place of a function: its conversion, if it is one of the user's."""
    if isinstance(function, FunctionType):
        return _converted_function(function)
    if isinstance(function, MethodType) and isinstance(function.__func__, FunctionType):
        return MethodType(_converted_function(function.__func__), function.__self__)
    if type(function) is functools.partial:
        return functools.partial(converted(function.func), *function.args, **function.keywords)
    call = getattr(type(function), "__call__", None)  # noqa: B004 the function behind it, not whether there is one
    if isinstance(call, FunctionType) and not isinstance(function, type):
        return MethodType(_converted_function(call), function)
    return function


def is_rewritten(code: CodeType) -> bool:
    """Whether a frame with this code runs a function that was rewritten."""
    return any(code is made for made in _codes.values())


# What rewritten code finds by the name RUNTIME.
_RUNTIME = SimpleNamespace(**{**vars(runtime), "converted": converted})


def _converted_function(function: FunctionType) -> FunctionType:
    code = function.__code__
    if code not in _codes:
        _codes[code] = _compiled(function) if _is_users(function) else None
    made = _codes[code]
    if made is None or getattr(function, "_penstock_as_is", False):
        return function
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple([cells.get(name) or CellType(_RUNTIME) for name in made.co_freevars])
    twin = FunctionType(made, function.__globals__, function.__name__, function.__defaults__, closure)
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__qualname__ = function.__qualname__
    return twin


def _is_users(function: FunctionType) -> bool:
    file = function.__code__.co_filename
    if file.startswith(_PACKAGE):
        return file.startswith(_AUGMENTATIONS)
    installed = f"{os.sep}site-packages{os.sep}" in file or f"{os.sep}dist-packages{os.sep}" in file
    if not installed and os.path.realpath(file).startswith(_STANDARD):
        return False
    return (function.__module__ or "").partition(".")[0] not in _NEVER


def _compiled(function: FunctionType) -> CodeType | None:
    """The code of the rewritten function; None, after a warning, where its source is not found."""
    code = function.__code__
    if code.co_flags & 0x2A0:  # generators and coroutines stop in the middle, which no branch can do
        return None
    found = _found(code)
    if len(found) != 1:
        why = "its source is not there" if not found else "several functions with the same arguments share its line"
        warnings.warn(
            f"{function.__qualname__} cannot be rewritten and runs as it is: {why}; conditions in it cannot depend on "
            "nodes, and @do_not_convert says that they do not",
            stacklevel=4,
        )
        return None
    made = _within(rewritten(found[0]), code)
    _codes.update(dict.fromkeys(_all_in(made)))  # functions in it are rewritten already
    return made


def _within(node: Function, code: CodeType) -> CodeType:
    """Compiles a function within another one that has its free variables as parameters."""
    outer = ast.parse(f"def outer({', '.join([RUNTIME, *code.co_freevars])}): return None")
    body = outer.body[0]
    assert isinstance(body, ast.FunctionDef)
    name = "<lambda>"
    if isinstance(node, ast.FunctionDef):
        name = node.name = f"{RUNTIME}_function"  # its own would hide the global that a recursive function calls
    body.body = [ast.Return(node) if isinstance(node, ast.Lambda) else node]
    ast.fix_missing_locations(outer)
    whole = compile(outer, code.co_filename, "exec", flags=code.co_flags & _FUTURE_FLAGS, dont_inherit=True)
    return _named(_inner(_inner(whole, "outer"), name), code)


def _inner(code: CodeType, name: str) -> CodeType:
    return next(each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == name)


def _named(code: CodeType, of: CodeType) -> CodeType:
    """Names the bodies of `if` statements after the function that they are in, for errors and tracebacks."""
    inner = tuple(
        _named(each, of if each.co_name.startswith(RUNTIME) else each) if isinstance(each, CodeType) else each
        for each in code.co_consts
    )
    named = code.replace(co_consts=inner, co_name=of.co_name)
    return named.replace(co_qualname=of.co_qualname) if sys.version_info >= (3, 11) else named


def _all_in(code: CodeType) -> list[CodeType]:
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return [code, *(found for each in inner for found in _all_in(each))]


def _found(code: CodeType) -> list[Function]:
    """The functions in the source file that have the name and the line of this code."""
    found: list[Function] = []
    for node in _functions(code.co_filename, len(linecache.getlines(code.co_filename))):
        if isinstance(node, ast.Lambda) != (code.co_name == "<lambda>"):
            continue
        if isinstance(node, ast.Lambda):
            first = node.lineno
            every = node.args
            names = [each.arg for each in (*every.posonlyargs, *every.args, *every.kwonlyargs)]
            alike = names == [*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
        else:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            alike = node.name == code.co_name
        if alike and first == code.co_firstlineno:
            found.append(node)
    return found


@functools.lru_cache(maxsize=64)
def _functions(file: str, lines: int) -> list[Function]:
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return []
    return [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
