"""Brings the blocks of a function into a form in which branches that leave it are at its end."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from penstock.pipeline.conditionals.ast_analysis import SCOPES, exits


def normalize_exits(node: ast.AST) -> None:
    """Tidies all blocks of a function, but not of those inside it."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            setattr(node, name, normalized(block, ends_loop=name == "body" and isinstance(node, (ast.For, ast.While))))
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)) and not isinstance(child, SCOPES):
            normalize_exits(child)


def normalized(statements: Sequence[ast.stmt], ends_loop: bool = False) -> list[ast.stmt]:
    """The same statements, those behind an `if` that leaves the block moved into its other branch.

    At the end of a loop's body, `continue` changes nothing.
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
    """Whether a block never comes to its end."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return _is_left(last.body) and _is_left(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise, ast.Break, ast.Continue))
