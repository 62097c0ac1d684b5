"""Analysis of a function's syntax tree: the variables that statements assign to, and the ways they leave a block."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def nodes_of(node: ast.AST, but: tuple[type[ast.AST], ...] = SCOPES) -> Iterator[ast.AST]:
    """A node and its descendants, without the bodies of functions and classes defined in it."""
    yield node
    if not isinstance(node, but):
        for child in ast.iter_child_nodes(node):
            yield from nodes_of(child, but)


def assigned_names(statements: Sequence[ast.stmt]) -> set[str]:
    """The variables that statements bind or delete."""
    names: set[str] = set()
    for statement in statements:
        inner = {
            id(each) for outer in nodes_of(statement) if isinstance(outer, _COMPREHENSIONS) for each in _targets(outer)
        }
        for each in nodes_of(statement):
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load) and id(each) not in inner:
                names.add(each.id)
            elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(each.name)
            elif isinstance(each, ast.alias):
                names.add((each.asname or each.name).partition(".")[0])
            elif isinstance(each, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and each.name:
                names.add(each.name)
            elif isinstance(each, ast.MatchMapping) and each.rest:
                names.add(each.rest)
    return names


def _targets(comprehension: ast.AST) -> Iterator[ast.AST]:
    for generator in getattr(comprehension, "generators", ()):
        yield from ast.walk(generator.target)


def assigned_places(node: ast.If) -> list[str]:
    """Attributes and elements of variables, such as `self.x` and `made["x"]`, that an `if` assigns to."""
    found: dict[str, None] = {}
    for each in nodes_of(node):
        if isinstance(each, (ast.Attribute, ast.Subscript)) and isinstance(each.ctx, ast.Store) and _is_simple(each):
            found[ast.unparse(each)] = None
    return [*found]


def _is_simple(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return _is_simple(node.value)
    if isinstance(node, ast.Subscript):
        return _is_simple(node.value) and isinstance(node.slice, (ast.Constant, ast.Name))
    return isinstance(node, ast.Name)


def declared_names(statements: Sequence[ast.stmt]) -> dict[str, str]:
    """The names that a function declares `global` or `nonlocal`, and which of both."""
    declared: dict[str, str] = {}
    for statement in statements:
        for each in nodes_of(statement):
            if isinstance(each, (ast.Global, ast.Nonlocal)):
                declared |= dict.fromkeys(each.names, "global" if isinstance(each, ast.Global) else "nonlocal")
    return declared


def exits(statements: Sequence[ast.stmt]) -> set[str]:
    """The ways in which statements may leave the block they stand in: "return", "break", "continue"."""
    ways: set[str] = set()
    for statement in statements:
        for each in nodes_of(statement):
            if isinstance(each, ast.Return):
                ways.add("return")
        for each in nodes_of(statement, (*SCOPES, ast.For, ast.While, ast.AsyncFor)):
            if isinstance(each, (ast.Break, ast.Continue)):
                ways.add(type(each).__name__.lower())
    return ways


def suspends(node: ast.AST) -> bool:
    """Whether a part of a generator or coroutine stops in here, which it can only do in its own function."""
    return any(isinstance(each, (ast.Yield, ast.YieldFrom, ast.Await)) for each in nodes_of(node))
