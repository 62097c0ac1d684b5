"""KeyboardInterrupts at every instruction of chosen functions, one after the other."""

from __future__ import annotations

import dis
import gc
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

# The interpreter looks for signals behind calls and jumps back, and where a function begins. Behind these it does not:
# not even behind BEFORE_WITH, so that a lock that was acquired is released.
_SILENT = {
    "BEFORE_WITH", "LOAD_FAST_CHECK", "LOAD_FAST_LOAD_FAST", "POP_JUMP_IF_FALSE", "POP_JUMP_IF_NONE",
    "POP_JUMP_IF_NOT_NONE", "POP_JUMP_IF_TRUE", "RETURN_CONST", "STORE_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST",
    "TO_BOOL", "UNPACK_SEQUENCE", "PRECALL", "KW_NAMES", "WITH_EXCEPT_START",
    "BINARY_OP", "BINARY_SUBSCR", "BUILD_LIST", "BUILD_TUPLE", "BUILD_MAP", "CACHE", "COMPARE_OP", "COPY",
    "COPY_FREE_VARS", "DELETE_FAST", "DELETE_SUBSCR", "EXTENDED_ARG", "IS_OP", "LOAD_ATTR", "LOAD_CLOSURE",
    "LOAD_CONST", "LOAD_DEREF", "LOAD_FAST", "LOAD_GLOBAL", "LOAD_METHOD", "NOP", "POP_JUMP_FORWARD_IF_FALSE",
    "POP_JUMP_FORWARD_IF_TRUE", "POP_JUMP_FORWARD_IF_NONE", "POP_JUMP_FORWARD_IF_NOT_NONE", "POP_TOP", "PUSH_NULL",
    "RAISE_VARARGS", "RETURN_VALUE", "STORE_ATTR", "STORE_FAST", "STORE_SUBSCR", "SWAP",
    "YIELD_VALUE", "PUSH_EXC_INFO", "CHECK_EXC_MATCH", "POP_EXCEPT", "RERAISE",
    # From Python 3.14 on.
    "LOAD_COMMON_CONSTANT", "LOAD_FAST_BORROW", "LOAD_FAST_BORROW_LOAD_FAST_BORROW", "LOAD_SMALL_INT", "LOAD_SPECIAL",
    "JUMP_BACKWARD_NO_INTERRUPT", "NOT_TAKEN", "POP_ITER",
    # Python 3.10 alone has these.
    "BINARY_ADD", "BINARY_MULTIPLY", "BINARY_SUBTRACT", "DUP_TOP", "DUP_TOP_TWO", "INPLACE_ADD", "INPLACE_SUBTRACT",
    "JUMP_FORWARD", "JUMP_IF_NOT_EXC_MATCH", "POP_BLOCK", "ROT_FOUR", "ROT_THREE", "ROT_TWO", "SETUP_FINALLY",
    "SETUP_WITH",
}  # fmt: skip
_NOT_BEFORE = {"SETUP_FINALLY", "SETUP_WITH"}  # where Python 3.10 leaves a signal for later


_FINALIZER = weakref.finalize.__call__.__code__


class Interrupts:
    """Raises KeyboardInterrupt before the instruction number `at` of the functions whose code is given.

    Instructions behind one at which no signal comes in are passed over: they belong to it.
    """

    def __init__(self, codes: set[CodeType]) -> None:
        self._codes = codes
        self._names: dict[CodeType, dict[int, str]] = {}
        self._at = self._count = 0
        self._behind = ""  # the last instruction
        self.struck = False
        self.where = ""  # for people

    @contextmanager
    def striking(self, at: int) -> Iterator[None]:
        self._at, self._count, self._behind, self.struck = at, 0, "", False
        before = sys.gettrace()
        # Python 3.12 tells of instructions only if a frame wanted them when settrace was called.
        sys._getframe().f_trace_opcodes = True
        sys.settrace(self._called)
        try:
            yield
        except KeyboardInterrupt:
            assert self.struck
        finally:
            sys.settrace(before)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code not in self._codes or threading.current_thread() is not threading.main_thread():
            return None
        if frame.f_back is not None and frame.f_back.f_code is _FINALIZER:  # whose exceptions nobody sees
            return None
        frame.f_trace = self._traced  # without which Python 3.13 ignores the next line
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        self._behind = ""
        return self._traced

    def _traced(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode":
            names = self._names.get(frame.f_code) or self._names.setdefault(
                frame.f_code, {each.offset: each.opname for each in dis.get_instructions(frame.f_code)}
            )
            behind, self._behind = self._behind, names[frame.f_lasti]
            if behind not in _SILENT and self._behind not in _NOT_BEFORE and not self.struck:
                self._count += 1
                if self._count == self._at:
                    self.struck = True
                    self.where = f"{frame.f_code.co_name}:{frame.f_lineno} before {names[frame.f_lasti]}"
                    raise KeyboardInterrupt
        return self._traced


def everywhere(functions: list[Callable[..., Any]], run: Callable[[Interrupts, int], None]) -> int:
    """Calls `run` with an interrupt at the first place of the functions, then at the second, until there are no more.

    `run` does ``with interrupts.striking(at): ...`` and checks what came of it. Tells how many places there were.
    """
    interrupts = Interrupts({_code(each) for each in functions})
    at = 0
    with _small_heap():
        while True:
            at += 1
            try:
                run(interrupts, at)
            except BaseException as error:
                raise AssertionError(f"after an interrupt at {interrupts.where}") from error
            if not interrupts.struck:
                return at - 1


@contextmanager
def _small_heap() -> Iterator[None]:
    """Has `gc.collect` look at new objects alone: one of all that a test run has made takes most of a second."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _code(function: Any) -> CodeType:
    code: CodeType = getattr(getattr(function, "fget", None) or function, "__code__")  # noqa: B009
    return code


def functions_of(*owners: Any) -> list[Any]:
    """The functions, methods and properties of modules and classes."""
    found = []
    for owner in owners:
        for each in vars(owner).values():
            if isinstance(each, type) and each.__module__ == getattr(owner, "__name__", None):
                found += functions_of(each)
            elif getattr(getattr(each, "fget", None) or each, "__module__", None) == _module(owner):
                found += [each] if hasattr(getattr(each, "fget", None) or each, "__code__") else []
    return found


def _module(owner: Any) -> str:
    name: str = owner.__module__ if isinstance(owner, type) else owner.__name__
    return name
