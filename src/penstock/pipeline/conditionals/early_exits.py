"""Normalizes early exits: statements behind an `if` that leaves its block move into its other branch."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from penstock.pipeline.conditionals.ast_analysis import SCOPES, exits


def normalize_exits(node: ast.AST) -> None:
    """Normalizes all blocks of a function, except for those of functions in it."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            setattr(node, name, normalized(block, ends_loop=name == "body" and isinstance(node, (ast.For, ast.While))))
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)) and not isinstance(child, SCOPES):
            normalize_exits(child)


def normalized(statements: Sequence[ast.stmt], ends_loop: bool = False) -> list[ast.stmt]:
    """A block with the statements behind an `if`, one side of which always leaves the block, in its other side.

    `continue` does nothing at the end of a loop's body and becomes `pass`.
    """
    made: list[ast.stmt] = []
    for place, statement in enumerate(statements):
        made.append(statement)
        rest = statements[place + 1 :]
        if isinstance(statement, ast.If) and rest and exits([statement]):
            if _is_left(statement.body):
                statement.orelse = [*statement.orelse, *([] if _is_left(statement.orelse) else rest)]
                break
            if _is_left(statement.orelse):
                statement.body = [*statement.body, *rest]
                break
    if ends_loop and made:
        last = made[-1]
        if isinstance(last, ast.Continue):
            made[-1] = ast.copy_location(ast.Pass(), last)
        elif isinstance(last, ast.If):
            last.body, last.orelse = normalized(last.body, True), normalized(last.orelse, True)
    return made


def _is_left(block: Sequence[ast.stmt]) -> bool:
    """Whether every path through a block leaves it early."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return _is_left(last.body) and _is_left(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise, ast.Break, ast.Continue))
