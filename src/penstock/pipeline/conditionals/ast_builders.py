"""Parts of a rewritten function's syntax tree, which stand where those of the function did."""

from __future__ import annotations

import ast

RUNTIME = "_penstock"  # what the rewritten code calls the module behind it


def declarations(names: list[str], declared: dict[str, str]) -> str:
    """The lines by which a function inside of another one writes to its names."""
    return "".join(f"\n    {declared.get(name, 'nonlocal')} {name}" for name in names)


def root_name(place: str) -> str:
    """The name that a place like `x.y[0]` begins with."""
    found = next(each for each in ast.walk(ast.parse(place)) if isinstance(each, ast.Name))
    return found.id


def statements_at(text: str, at: ast.AST) -> list[ast.stmt]:
    """Statements that stand, all of them, where `at` does."""
    tree = ast.parse(text)
    for each in ast.walk(tree):
        if hasattr(each, "lineno"):
            ast.copy_location(each, at)
            each.end_lineno, each.end_col_offset = at.lineno, at.col_offset  # type: ignore[attr-defined]
    return tree.body


def lambda_at(text: str, at: ast.expr, body: ast.expr) -> ast.expr:
    """A lambda that stands where `at` does, with another body."""
    made = ast.parse(text, mode="eval").body
    assert isinstance(made, ast.Lambda)
    made.body = body
    return ast.copy_location(made, at)


def runtime_call(name: str, *arguments: ast.expr, at: ast.AST) -> ast.Call:
    """A call of a function of the module behind the rewritten code."""
    function = ast.Attribute(ast.Name(RUNTIME, ast.Load()), name, ast.Load())
    made = ast.copy_location(ast.Call(function, [*arguments], []), at)
    return ast.fix_missing_locations(made)


def exit_statement(how: str, at: ast.stmt) -> ast.stmt:
    """The statement by which the body of an `if`, now a function, says how it is left."""
    return statements_at(f"return {RUNTIME}.{how}", at)[0]
