"""The name of DALI's plugin for TensorFlow. There is none here: to import it says what takes its place."""

raise ImportError(
    "there is no plugin for TensorFlow. Batches are NumPy arrays to it: tf.data.Dataset.from_generator over "
    "(images.numpy(), labels.numpy()) of a loop over reader.next_epoch(batch_size=..., compile=True), or as_array() of "
    "what pipe.run() returns; docs/guides/coming_from_tf_data.md has loops in the place of tf.data",
    name=__name__,
)
