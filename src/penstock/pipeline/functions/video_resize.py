"""fn.readers.video_resize."""

from __future__ import annotations

from typing import Any

from penstock.ops.declaration import declaration
from penstock.pipeline.definition.call_definition import define
from penstock.pipeline.functions.input_count import takes_inputs
from penstock.pipeline.functions.reader_functions import reader_function

_OF_VIDEO = ("dtype", "save_attrs")  # arguments of `resize` that are not, or not only, its own


@takes_inputs("readers.video_resize", 0)
def video_resize(**arguments: Any) -> Any:
    """Reads sequences of frames from videos and resizes them: `fn.readers.video` followed by `fn.resize`.

    Example:
        >>> frames, labels = fn.readers.video_resize(file_root="clips", sequence_length=16, size=[112, 112])

    Takes the arguments of both.
    """
    resize = declaration("resize")
    own = [name for name in arguments if name in resize.params and name not in _OF_VIDEO]
    of_resize = {name: arguments.pop(name) for name in own}
    outputs = reader_function("readers.video")(**arguments)
    if not isinstance(outputs, list):
        return define(resize, (outputs,), of_resize)
    return [define(resize, (outputs[0],), of_resize), *outputs[1:]]
