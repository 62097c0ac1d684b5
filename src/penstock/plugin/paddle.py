"""The name of DALI's plugin for PaddlePaddle. There is none here: to import it says what takes its place."""

raise ImportError(
    "there is no plugin for PaddlePaddle. Batches are NumPy arrays to it: paddle.to_tensor(images.numpy()) in a loop "
    "over reader.next_epoch(batch_size=..., compile=True), or paddle.to_tensor(output.as_array()) of pipe.run()",
    name=__name__,
)
