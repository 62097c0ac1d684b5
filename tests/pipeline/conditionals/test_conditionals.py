"""`if`, `and`, `or` and `not` on nodes decide for each sample."""

# ruff: noqa: SIM108, SIM222, C416, RET503

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from messages import told
from penstock import fn, pipeline_def
from penstock.engine import events
from penstock.pipeline.conditionals.function_conversion import do_not_convert

SIZE = 6


def numbers(dtype: Any = np.int32) -> Any:
    """0, 1, ..., and one more each in every iteration."""
    return fn.external_source(lambda i: [np.array(k + i, dtype) for k in range(SIZE)])


def made(function: Any, iterations: int = 1, **options: Any) -> list[Any]:
    define = pipeline_def(enable_conditionals=True, batch_size=SIZE, num_threads=2, device_id=None, **options)
    pipeline = define(function)()
    runs = [[np.asarray(output.as_array()).tolist() for output in pipeline.run()] for _ in range(iterations)]
    return runs[0] if iterations == 1 else runs


def test_elif_and_else():
    def graph() -> Any:
        x = numbers()
        if x > 3:
            y = x * 10
        elif x > 1:
            y = -x
        else:
            y = 7
        return x, y

    assert made(graph, 2) == [
        [[0, 1, 2, 3, 4, 5], [7, 7, -2, -3, 40, 50]],
        [[1, 2, 3, 4, 5, 6], [7, -2, -3, 40, 50, 60]],
    ]


def test_nested_ifs_without_else():
    def graph() -> Any:
        x = y = numbers()
        if x > 1:
            if x % 2 == 0:
                y = y + 100
            y += 1000
        return y

    assert made(graph) == [[0, 1, 1102, 1003, 1104, 1005]]


def test_numbers_of_any_type_are_conditions():
    def graph() -> Any:
        x = numbers(np.float32)
        y = x
        if x:
            y = y + 0.5
        return y

    assert made(graph) == [[0.0, 1.5, 2.5, 3.5, 4.5, 5.5]]


def test_and_or_not_and_chains_of_comparisons():
    def graph() -> Any:
        x = numbers()
        small, even = x < 3, x % 2 == 0
        return small and even, small or even, not x, not even and small, 0 < x < 4, even and True, False or even

    assert [[int(each) for each in output] for output in made(graph)] == [
        [1, 0, 1, 0, 0, 0], [1, 1, 1, 0, 1, 0], [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 1, 1, 1, 0, 0],
        [1, 0, 1, 0, 1, 0], [1, 0, 1, 0, 1, 0],
    ]  # fmt: skip


def test_the_right_side_of_and_sees_only_samples_that_need_it():
    seen: list[int] = []

    def graph() -> Any:
        x = numbers()
        return x > 3 and fn.python_function(x, function=lambda sample: (seen.append(int(sample)), sample > 4)[1])

    assert made(graph, prefetch_queue_depth=1) == [[False, False, False, False, False, True]]
    assert seen == [4, 5]


def test_returns_in_branches():
    def early() -> Any:
        x = numbers()
        if x > 4:
            return x, x * 2
        if x > 2:
            return -x, x
        return x + 10, x

    assert made(early) == [[10, 11, 12, -3, -4, 5], [0, 1, 2, 3, 4, 10]]


def test_lists_dictionaries_attributes_and_elements():
    class Box:
        content: Any

    def graph() -> Any:
        x = numbers()
        box, table = Box(), {"a": x}
        box.content = x
        if x > 2:
            pair, named = [x, x + 1], {"k": (x,)}
            box.content = x * 2
            table["a"] = x * 3
        else:
            pair, named = [-x, x], {"k": (x - 1,)}
        return pair[0], pair[1], named["k"][0], box.content, table["a"]

    assert made(graph) == [
        [0, -1, -2, 3, 4, 5], [0, 1, 2, 4, 5, 6], [-1, 0, 1, 3, 4, 5], [0, 1, 2, 6, 8, 10], [0, 1, 2, 9, 12, 15],
    ]  # fmt: skip


def test_conditions_on_plain_values_are_plain():
    def graph(flag: Any = None) -> Any:
        x = numbers()
        trace = []
        for k in range(5):
            if k == 1:
                continue
            if k == 3:
                break
            trace.append(k)
        if flag and x:
            unknown = x
        else:
            text = "plain" or x
        assert trace == [0, 2]
        assert text == "plain"
        assert (not trace) is False
        with pytest.raises(NameError):
            unknown  # noqa: B018
        return x

    assert made(graph) == [[0, 1, 2, 3, 4, 5]]


def test_loops_and_continue():
    def graph() -> Any:
        x = numbers()
        for k in range(3):
            if x > k:
                continue
            x = x + 10
        return x

    assert made(graph) == [[10, 11, 12, 3, 4, 5]]


def doubled_above(limit: int, x: Any) -> Any:
    if x > limit:
        return x * 2
    return x


class Doubler:
    def __init__(self, limit: int) -> None:
        self.limit = limit

    def method(self, x: Any, *, enabled: bool = True) -> Any:
        if enabled and x > self.limit:
            x = x * 2
        return x

    def __call__(self, x: Any) -> Any:
        return self.method(x)


def test_functions_that_are_called_are_rewritten_too():
    def graph() -> Any:
        x = total = numbers()

        def add(y: Any) -> None:
            nonlocal total
            if y > 4:
                total = total + y

        add(x)
        above = lambda y: y > 2 and y < 5  # noqa: E731
        doubler = Doubler(2)
        twice = [each(x) for each in (functools.partial(doubled_above, 2), doubler, doubler.method)]
        return *twice, doubler.method(x, enabled=False), above(x), total

    twice = [0, 1, 2, 6, 8, 10]
    flags = [False, False, False, True, True, False]
    assert made(graph) == [twice, twice, twice, [0, 1, 2, 3, 4, 5], flags, [0, 1, 2, 3, 4, 10]]


def counted_down(x: Any, times: int) -> Any:
    left: int = times - 1
    if x > 2:
        made: Any = x - 1
    else:
        made = x
    return counted_down(made, left) if left else made


def test_recursive_functions_and_annotated_variables():
    assert made(lambda: counted_down(numbers(), 2)) == [[0, 1, 2, 2, 2, 3]]


def test_do_not_convert():
    @do_not_convert
    def plain(x: Any) -> Any:
        return x * 2 if x is not None else x

    @do_not_convert
    def decides(x: Any) -> Any:
        if x > 2:
            return x
        return -x

    assert made(lambda: plain(numbers())) == [[0, 2, 4, 6, 8, 10]]
    with pytest.raises(TypeError, match='"DataNode" was used in conditional context'):
        made(lambda: decides(numbers()))


TWINS = (lambda x: x and True, lambda x: x or False)  # fmt: skip


def test_lambdas_that_share_a_line_run_as_they_are():
    with (
        pytest.warns(UserWarning, match="share its line"),
        pytest.raises(TypeError, match='"DataNode" was used in conditional context'),
    ):
        made(lambda: TWINS[0](numbers() > 2))


def test_operators_run_on_the_samples_of_their_branch_only():
    heard: list[tuple[str, int]] = []

    def graph() -> Any:
        x = numbers()
        if x > 3:
            y = fn.permute_batch(x, indices=fn.batch_permutation(no_fixed_points=True))
        elif x > 100:
            y = fn.permute_batch(x, indices=[0])
        else:
            y = x
        return y

    with events.listening(lambda event: heard.extend((name, event.samples) for name in event.operators)):
        assert made(graph, prefetch_queue_depth=1) == [[0, 1, 2, 3, 5, 4]]
    assert ("permute_batch", 2) in heard
    assert [size for name, size in heard if name == "permute_batch"] == [2]


def test_random_numbers_are_those_of_the_real_library():
    def graph() -> Any:
        x = numbers()
        if x % 3 == 0:
            free, fed = fn.random.uniform(range=[0.0, 1.0]), fn.random.uniform(x, range=[0.0, 1.0], seed=5)
        else:
            free, fed = fn.random.uniform(range=[10.0, 11.0]), 0.0
        return free, fed

    runs = made(graph, 2, seed=42)
    np.testing.assert_allclose(runs[0][0][:4], [0.344959, 10.954555, 10.668762, 0.992438], atol=1e-6)
    np.testing.assert_allclose(runs[0][1], [0.76598, 0, 0, 0.65387, 0, 0], atol=1e-5)
    np.testing.assert_allclose(runs[1][1], [0, 0, 0.7305, 0, 0, 0.99381], atol=1e-5)


def test_a_checkpoint_knows_how_far_branches_have_come():
    @pipeline_def(
        enable_conditionals=True, batch_size=SIZE, num_threads=1, device_id=None, seed=7, enable_checkpointing=True
    )
    def graph() -> Any:
        coin = fn.random.coin_flip()
        if coin:
            noise = fn.random.uniform(coin, range=[0.0, 1.0])
        else:
            noise = 0.0
        return noise

    whole = graph()
    runs = [np.asarray(whole.run()[0].as_array()) for _ in range(6)]
    first = graph()
    for k in range(2):
        np.testing.assert_array_equal(first.run()[0].as_array(), runs[k])
    second = graph(checkpoint=first.checkpoint())
    for k in range(2, 6):
        np.testing.assert_array_equal(second.run()[0].as_array(), runs[k])


def test_outputs_of_branches_must_be_alike_where_both_have_samples():
    def unlike(limit: int) -> Any:
        def graph() -> Any:
            x = numbers()
            if x > limit:
                y = x
            else:
                y = 2.5
            return y

        return graph

    with pytest.raises(RuntimeError, match=r"Divergent data.*Found distinct types") as caught:
        made(unlike(2))
    assert "if x > limit:" in told(caught.value)
    assert made(unlike(100)) == [[2.5] * SIZE]


def one_sided() -> Any:
    x = numbers()
    if x > 2:
        y = x
    return y


def two_lengths() -> Any:
    x = numbers()
    if x > 2:
        y = [x, x]
    else:
        y = [x]
    return y[0]


def texts() -> Any:
    x = numbers()
    if x > 2:
        y = "many"
    else:
        y = x
    return y


def breaking() -> Any:
    x = numbers()
    for k in range(3):
        if x > k:
            break
    return x


def half_returned() -> Any:
    x = numbers()
    if x > 2:
        return x
    x = x + 1


def escaped() -> Any:
    x = numbers()
    kept = []
    if x > 2:
        kept.append(x + 1)
    return kept[0] + 1


@pytest.mark.parametrize(
    ("graph", "error", "message"),
    [
        (one_sided, RuntimeError, "Variable 'y' must also be initialized in the `else` branch"),
        (two_lengths, ValueError, "same nesting structure"),
        (texts, TypeError, "'many' of type str"),
        (breaking, TypeError, "`break` cannot depend on a DataNode"),
        (half_returned, RuntimeError, "The `else` branch must also have a return statement"),
        (escaped, ValueError, "has only that branch's samples"),
        (lambda: 1 if numbers() > 2 else 2, TypeError, '"DataNode" was used in conditional context'),
        (lambda: [each for each in numbers()], TypeError, "not iterable"),
        (lambda: numbers() and numbers() > 2, RuntimeError, "of type `i32` as the left argument"),
        (lambda: numbers() > 2 and fn.stack(numbers(), numbers()) > 1, RuntimeError, "a 1-d input as the right"),
        (lambda: not fn.stack(numbers(), numbers()), RuntimeError, "Got a 1-d input in logical expression"),
    ],
)  # fmt: skip
def test_what_cannot_be_decided_for_each_sample(graph, error, message):
    with pytest.raises(error, match=message):
        made(graph)


def test_variables_of_one_branch_are_free_to_be_used_there_and_assigned_later():
    def graph() -> Any:
        x = numbers()
        if x > 2:
            name = "text"
            y = x + len(name)
        else:
            y = x
        name = 5
        return y + name

    assert made(graph) == [[5, 6, 7, 12, 13, 14]]


def test_large_samples_of_different_shapes():
    def graph() -> Any:
        x = numbers()
        image = fn.external_source(lambda i: [np.full((20, 30 + k, 3), k, np.uint8) for k in range(SIZE)], layout="HWC")
        if x % 2 == 0:
            image = fn.flip(image)
        elif x == 3:
            image = fn.crop(image, crop=[10, 10])
        return image

    define = pipeline_def(enable_conditionals=True, batch_size=SIZE, num_threads=2, device_id=None)
    images = define(graph)().run()[0]
    assert [images.at(k).shape for k in range(SIZE)] == [
        (20, 30 + k, 3) if k != 3 else (10, 10, 3) for k in range(SIZE)
    ]
    assert [int(images.at(k).max()) for k in range(SIZE)] == [*range(SIZE)]
    assert images.layout() == "HWC"


def test_a_condition_with_axes_names_its_line():
    def graph() -> Any:
        x = numbers()
        if fn.stack(x, x) > 2:
            x = x + 1
        return x

    with pytest.raises(RuntimeError, match="Got a 1-d input as a condition of the `if` statement") as caught:
        made(graph)
    assert "if fn.stack(x, x) > 2:" in told(caught.value)


def test_errors_in_branches_name_the_function_and_the_line():
    def graph() -> Any:
        image = fn.external_source(lambda i: [np.zeros((4, 4 + k, 1), np.uint8) for k in range(SIZE)], layout="HWC")
        x = numbers()
        if x < 2:
            image = fn.crop(image, crop=[2, 6])
        return image

    with pytest.raises(RuntimeError, match="Critical error in pipeline") as caught:
        made(graph)
    notes = told(caught.value)
    assert "in graph" in notes
    assert "image = fn.crop(image, crop=[2, 6])" in notes
