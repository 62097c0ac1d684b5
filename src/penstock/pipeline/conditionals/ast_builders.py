"""Builds parts of a rewritten syntax tree at the lines of the code they replace, which tracebacks show."""

from __future__ import annotations

import ast

RUNTIME = "_penstock"  # the name of runtime.py in rewritten code


def declarations(names: list[str], declared: dict[str, str]) -> str:
    """The `global` and `nonlocal` lines with which an inner function assigns to variables of the outer one."""
    return "".join(f"\n    {declared.get(name, 'nonlocal')} {name}" for name in names)


def root_name(place: str) -> str:
    """The variable in an expression such as `x.y[0]`."""
    found = next(each for each in ast.walk(ast.parse(place)) if isinstance(each, ast.Name))
    return found.id


def statements_at(text: str, at: ast.AST) -> list[ast.stmt]:
    """The statements of a text, with the line of `at`."""
    tree = ast.parse(text)
    for each in ast.walk(tree):
        if hasattr(each, "lineno"):
            ast.copy_location(each, at)
            each.end_lineno, each.end_col_offset = at.lineno, at.col_offset  # type: ignore[attr-defined]
    return tree.body


def lambda_at(text: str, at: ast.expr, body: ast.expr) -> ast.expr:
    """A lambda with another body, with the line of `at`."""
    made = ast.parse(text, mode="eval").body
    assert isinstance(made, ast.Lambda)
    made.body = body
    return ast.copy_location(made, at)


def runtime_call(name: str, *arguments: ast.expr, at: ast.AST) -> ast.Call:
    """A call of a function in runtime.py, with the line of `at`."""
    function = ast.Attribute(ast.Name(RUNTIME, ast.Load()), name, ast.Load())
    made = ast.copy_location(ast.Call(function, [*arguments], []), at)
    return ast.fix_missing_locations(made)


def exit_statement(how: str, at: ast.stmt) -> ast.stmt:
    """The statement by which the body of an `if`, now a function, returns how it was left."""
    return statements_at(f"return {RUNTIME}.{how}", at)[0]
