"""Rewrites a function's syntax tree so that `if`, `and`, `or`, `not` and calls go through runtime.py.

Bodies of `if` statements become inner functions. One that ends in `return`, `break` or `continue` returns which of
these, and the code behind the `if` does it. Everything keeps its line.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from typing import TypeVar

from penstock.pipeline.conditionals.ast_analysis import (
    assigned_names,
    assigned_places,
    declared_names,
    exits,
    nodes_of,
    suspends,
)
from penstock.pipeline.conditionals.ast_builders import (
    RUNTIME,
    declarations,
    exit_statement,
    lambda_at,
    root_name,
    runtime_call,
    statements_at,
)
from penstock.pipeline.conditionals.early_exits import normalize_exits

_FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef
S = TypeVar("S", bound=ast.stmt)


class Rewriter(ast.NodeTransformer):
    """Rewrites one function and those inside it."""

    def __init__(self) -> None:
        self._number = 0
        self._in_branch = False  # within the body of an `if`, which has become a function
        self._in_loop = False  # within a loop of that body, or of the function where there is none
        self._declared: dict[str, str] = {}  # names the function has declared global or nonlocal
        self._branch_names: set[str] = set()  # variables that bodies of `if` statements assign to

    def function(self, node: _FunctionDef) -> _FunctionDef:
        """Rewrites the body of a function."""
        outer = self._in_branch, self._in_loop, self._declared, self._branch_names
        self._in_branch = self._in_loop = False
        normalize_exits(node)
        self._declared = declared_names(node.body)
        ifs = [each for statement in node.body for each in nodes_of(statement) if isinstance(each, ast.If)]
        names = assigned_names(ifs)
        self._branch_names = self._branch_names | names
        body = self._block(node.body)
        made_local = sorted(names - set(self._declared))
        if made_local:  # an assignment that never runs makes them local, as inner functions need
            targets = ", ".join(made_local)
            at = 1 if ast.get_docstring(node, clean=False) is not None else 0
            body[at:at] = statements_at(f"if False: {targets} = {', '.join(['None'] * len(made_local))}", node.body[0])
        node.body = body
        self._in_branch, self._in_loop, self._declared, self._branch_names = outer
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        return self.function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(each) if isinstance(each, ast.FunctionDef) else each for each in node.body]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        return self._loop(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self.visit(node.test)
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> ast.AST:
        outer, self._in_loop = self._in_loop, True
        node.body = self._block(node.body)
        self._in_loop = outer
        node.orelse = self._block(node.orelse)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        if self._in_branch:
            node.value = runtime_call("returned", node.value or ast.Constant(None), at=node)
        return node

    def visit_Break(self, node: ast.Break) -> ast.AST:
        return node if self._in_loop or not self._in_branch else exit_statement("BREAK", node)

    def visit_Continue(self, node: ast.Continue) -> ast.AST:
        return node if self._in_loop or not self._in_branch else exit_statement("CONTINUE", node)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        if suspends(node):
            return self.generic_visit(node)
        ways = exits([node])
        names = sorted(assigned_names([node]))
        places = [place for place in assigned_places(node) if root_name(place) not in names]
        test = self.visit(node.test)
        outer = self._in_branch, self._in_loop
        self._in_branch, self._in_loop = True, False
        bodies = [self._block(node.body), self._block(node.orelse)]
        self._in_branch, self._in_loop = outer
        self._number += 1
        return self._statement(node, test, bodies, names, places, ways)

    def _statement(
        self, node: ast.If, test: ast.expr, bodies: list[list[ast.stmt]], names: list[str], places: list[str],
        ways: set[str],
    ) -> list[ast.stmt]:  # fmt: skip
        parts = ("then", "else", "get", "put", "done")
        then, otherwise, get, put, done = (f"{RUNTIME}_{part}_{self._number}" for part in parts)
        state = [*names, *places]
        declared = declarations(names, self._declared)
        listed = "".join(f"{name}, " for name in state)
        dropped = "".join(f"\n    if {name} is {RUNTIME}.UNDEFINED: del {name}" for name in state)
        text = f"""
def {then}():{declared}
    pass
def {otherwise}():{declared}
    pass
def {get}():
    return ({"".join(f"{RUNTIME}.read(lambda: {name}), " for name in state)})
def {put}({RUNTIME}_values):{declared}
    {f"{listed}= {RUNTIME}_values" if state else "pass"}{dropped}
{done} = {RUNTIME}.if_(None, {then}, {otherwise}, {state!r}, {get}, {put})
"""
        made = statements_at(text + self._behind(ways, done), node)
        for function, body in zip(made, bodies, strict=False):
            assert isinstance(function, ast.FunctionDef)
            function.body[-1:] = body or function.body[-1:]
        call = made[4]
        assert isinstance(call, ast.Assign)
        assert isinstance(call.value, ast.Call)
        call.value.args[0] = test
        return made

    def _behind(self, ways: set[str], done: str) -> str:
        """The statements behind an `if` whose body may be left early: they leave the block around it."""
        here = {"break", "continue"} & ways if self._in_loop or not self._in_branch else set()
        lines = [f"if {done} is {RUNTIME}.{how.upper()}: {how}" for how in sorted(here)]
        if ways - here:
            lines.append(f"if {done} is not None: return {done}{'' if self._in_branch else '.value'}")
        return "\n".join(lines)

    def _block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            found = self.visit(statement)
            made += found if isinstance(found, list) else [found]
        return made

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        if any(isinstance(each, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for each in ast.walk(node)):
            return self.generic_visit(node)  # its operands cannot be moved into functions
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        made: ast.expr = self.visit(node.values[0])
        for each in node.values[1:]:
            made = runtime_call(name, made, lambda_at("lambda: None", node, body=self.visit(each)), at=node)
        return made

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 or any(isinstance(each, ast.NamedExpr) for each in ast.walk(node)):
            return node
        pairs: list[ast.expr] = []
        for compare, right in zip(node.ops, node.comparators, strict=True):
            pairs += [ast.Constant(type(compare).__name__), lambda_at("lambda: None", node, body=right)]
        return runtime_call("compared", node.left, *pairs, at=node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return runtime_call("not_", operand, at=node)
        node.operand = operand
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        node.func = runtime_call("converted", node.func, at=node.func)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id in self._branch_names:
            return runtime_call("value", node, at=node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Drops the annotation, which a `nonlocal` variable cannot have."""
        if not isinstance(node.target, ast.Name):
            return self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], self.visit(node.value)), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and node.target.id in self._branch_names:
            return [*statements_at(f"{RUNTIME}.value({node.target.id})", node), node]
        return node


def rewritten(node: ast.FunctionDef | ast.Lambda) -> ast.FunctionDef | ast.Lambda:
    """A rewritten copy of a function, without decorators, defaults and annotations, which were evaluated already."""
    made = copy.deepcopy(node)
    every = made.args
    every.defaults = [ast.copy_location(ast.Constant(None), each) for each in every.defaults]
    every.kw_defaults = [each and ast.copy_location(ast.Constant(None), each) for each in every.kw_defaults]
    if isinstance(made, ast.Lambda):
        made.body = Rewriter().visit(made.body)
        return made
    made.decorator_list, made.returns = [], None
    for parameter in ast.walk(every):
        if isinstance(parameter, ast.arg):
            parameter.annotation = None
    Rewriter().function(made)
    return made
