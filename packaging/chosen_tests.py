"""The tests that are run on other systems, where all would take too long or need packages that are not there."""

# Codecs, readers of files, arithmetic and vector code, the engine's chains: what a compiler or a system could change.
TESTS = [
    "tests/ops/decode",
    "tests/ops/image",
    "tests/ops/color",
    "tests/ops/random",
    "tests/ops/reductions",
    "tests/ops/warp",
    "tests/ops/test_instruction_sets.py",
    "tests/engine/test_native_chain.py",
    "tests/readers/core",
    "tests/test_arena.py",
]
