"""Each backend: which calls it accepts, how many at once, and that it makes what the plain function makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from engine.operators import doubled, inverted
from penstock._native import Samples
from penstock.engine.backends.backend import Backend, Task
from penstock.engine.backends.batchwise import Batchwise
from penstock.engine.backends.choice import PLAIN
from penstock.engine.backends.native import Native
from penstock.engine.backends.stacked import Stacked
from penstock.engine.backends.storage import WholeStorage
from penstock.engine.invocation import Invocation, ready
from penstock.engine.pending import pending
from penstock.engine.policy import OnErrorPolicy
from penstock.schema.operator import same_as_input
from penstock.values.samples import arrays_of, from_array
from penstock.values.spec import UNKNOWN


@ndd.operator(batchwise=True)
def centred(images):
    mean = np.mean([image.mean() for image in images])
    return [np.float32(image - mean) for image in images]


def photos(*, alike: bool = True) -> ndd.Batch:
    shapes = [(4, 6, 3), (4, 6, 3) if alike else (5, 2, 3)]
    return ndd.batch([np.arange(np.prod(shape), dtype=np.uint8).reshape(shape) for shape in shapes], layout="HWC")


def chain(value: ndd.Batch | ndd.Tensor) -> list[Invocation]:
    """The calls behind a deferred value, as one stage."""
    return pending(value._call)


def task_of(stage: list[Invocation], position: int = 0, **options: Any) -> Task:
    inputs = [ready(operand) for operand in stage[position].inputs] if position == 0 else None
    return Task(stage, position, inputs, stage[0].context.pool, **options)


def arrays(results: list[Samples]) -> list[list[Any]]:
    return [[array.tolist() for array in arrays_of(samples)] for samples in results]


def made_by(backend: Backend, value: ndd.Batch | ndd.Tensor) -> Any:
    task = task_of(chain(value))
    count = backend.accepts(task)
    assert count == 1
    return arrays(backend.run(task, count))


@pytest.fixture(autouse=True)
def deferred():
    with ndd.EvalMode.deferred:
        yield


@pytest.mark.parametrize("alike", [True, False])
def test_native_makes_what_plain_makes(alike: bool) -> None:
    images = photos(alike=alike)
    assert made_by(Native(), ndd.flip(images)) == made_by(PLAIN, ndd.flip(images))


def test_native_takes_all_steps_of_a_chain_and_stops_before_python() -> None:
    stage = chain(inverted(ndd.flip(ndd.resize(photos(), size=[2, 2]))))
    task = task_of(stage)
    assert Native().accepts(task) == 2
    assert len(task.steps) == 2
    assert Native().accepts(Task(stage, 2, [from_array(np.zeros((2, 2, 2, 3), np.uint8))], task.pool)) == 0


def test_native_stops_before_a_call_that_goes_on_without_its_bad_samples() -> None:
    stage = chain(ndd.flip(ndd.decoders.image(photos_in_jpeg(), on_error="replace")))
    assert Native().accepts(task_of(stage)) == 2  # the first of a chain may be such a call
    stage = chain(ndd.flip(ndd.flip(photos())))
    stage[1].policy = OnErrorPolicy("replace", None)
    assert Native().accepts(task_of(stage)) == 1


def photos_in_jpeg() -> ndd.Batch:
    import cv2

    coded = cv2.imencode(".jpg", np.zeros((8, 8, 3), np.uint8))[1]
    return ndd.batch([coded.ravel()] * 2)


def test_native_waits_for_data_that_a_step_is_built_from() -> None:
    stage = chain(ndd.decoders.image(photos_in_jpeg()))
    spec = task_of(stage).specs()
    assert Native().accepts(Task(stage, 0, None, stage[0].context.pool, spec)) is None
    assert Native().accepts(task_of(stage)) == 1


def test_native_keeps_the_step_of_calls_that_are_alike() -> None:
    images = photos()
    first, second = (task_of(chain(ndd.flip(images, horizontal=1, vertical=1))) for _ in range(2))
    Native().accepts(first)
    Native().accepts(second)
    assert first.steps[0] is second.steps[0]


def test_native_builds_a_step_for_each_call_with_arguments_that_are_data() -> None:
    images, once = photos(), ndd.batch([1, 0])
    first, second = (task_of(chain(ndd.flip(images, horizontal=once))) for _ in range(2))
    Native().accepts(first)
    Native().accepts(second)
    assert first.steps[0] is not second.steps[0]


def test_native_leaves_a_lone_reshape_to_the_storage_and_leads_a_chain_with_it() -> None:
    alone = chain(ndd.reshape(photos(), shape=[6, 4, 3], layout="HWC"))
    assert alone[0].op.native_step is not None
    assert Native().accepts(task_of(alone)) == 0
    assert WholeStorage().accepts(task_of(alone)) == 1
    assert Native().accepts(task_of(chain(ndd.flip(ndd.reshape(photos(), shape=[6, 4, 3], layout="HWC"))))) == 2


def test_storage_makes_what_the_call_makes() -> None:
    value = ndd.reshape(photos(), shape=[24, 3])
    made = made_by(WholeStorage(), value)
    assert made == [[np.asarray(tensor).tolist() for tensor in value.tensors]]


def test_stacked_takes_batches_of_one_shape() -> None:
    images = photos()
    assert made_by(Stacked(), doubled(images)) == made_by(PLAIN, doubled(images))
    assert Stacked().accepts(task_of(chain(doubled(photos(alike=False))))) == 0


def test_stacked_takes_no_empty_batch() -> None:
    stage = chain(doubled(photos()))
    stage[0].batch_size = 0
    assert Stacked().accepts(task_of(stage)) == 0


def test_stacked_cannot_tell_before_there_are_data() -> None:
    stage = chain(doubled(photos()))
    assert Stacked().accepts(Task(stage, 0, None, stage[0].context.pool, task_of(stage).specs())) is None


def test_batchwise_sees_all_samples() -> None:
    images = photos(alike=False)
    [made] = made_by(Batchwise(), centred(images))
    whole = np.concatenate([np.ravel(each) for each in made])
    assert made == [np.asarray(tensor).tolist() for tensor in centred(images).tensors]
    assert whole.min() < 0 < whole.max()


def test_plain_takes_functions_that_follow_each_other() -> None:
    stage = chain(inverted(inverted(inverted(photos()))))
    task = task_of(stage)
    assert PLAIN.accepts(task) == 3
    assert arrays(PLAIN.run(task, 3)) == made_by(PLAIN, inverted(photos()))


@pytest.mark.parametrize("follows", [ndd.flip, doubled, centred], ids=["native", "stacked", "batchwise"])
def test_plain_stops_before_a_call_that_another_backend_serves(follows: Any) -> None:
    stage = chain(follows(inverted(photos())))
    assert PLAIN.accepts(task_of(stage)) == 1


@ndd.operator
def with_axis(image):
    return image[None]


@ndd.operator(infer=same_as_input)
def unchanged(image):
    return image


def test_plain_stops_before_a_call_whose_spec_must_be_inferred_from_the_result_before() -> None:
    """In one pass the last call's layout was that of the first one's input, which has another rank."""
    value = unchanged(with_axis(photos()))
    assert PLAIN.accepts(task_of(chain(value))) == 1
    assert value.layout is None
    with ndd.EvalMode.sync_cpu:
        assert unchanged(with_axis(photos())).layout is None
    assert PLAIN.accepts(task_of(chain(unchanged(unchanged(photos()))))) == 2


def test_plain_cannot_tell_while_an_argument_is_missing() -> None:
    stage = chain(inverted(photos()))
    task = Task(stage, 0, None, stage[0].context.pool, [UNKNOWN], complete=False)
    assert PLAIN.accepts(task) is None


@pytest.mark.parametrize(
    ("make", "serving"),
    [
        (ndd.flip, ["native", "plain"]),
        (lambda images: ndd.reshape(images, shape=[72]), ["native", "storage", "plain"]),
        (doubled, ["stacked", "plain"]),
        (centred, ["batchwise", "plain"]),
        (inverted, ["plain"]),
    ],
)
def test_each_serves_the_operators_that_have_its_kind_of_function(make: Any, serving: list[str]) -> None:
    [call] = chain(make(photos()))
    backends: tuple[Backend, ...] = (Native(), WholeStorage(), Batchwise(), Stacked(), PLAIN)
    assert [backend.way for backend in backends if backend.serves(call)] == serving
