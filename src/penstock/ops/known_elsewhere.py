"""What names of torchvision, albumentations, torch, NumPy and OpenCV are called here, for the errors that meet them."""

from __future__ import annotations

import re

_FLIP = "ndd.flip(images, {}=ndd.random.coin_flip(batch_size=...))"
_FOLDER = "ndd.readers.File(file_root=...)"
_POLICY = "penstock.auto_aug"
_GREY = "ndd.color_space_conversion, or ndd.saturation(images, saturation=0.0), which keeps three channels"
_TORCH = (
    "images.torch(), after ndd.crop_mirror_normalize(images, scale=1 / 255, dtype=ndd.float32, output_layout='CHW')"
)
_DECODE = "ndd.imread(path), or ndd.decoders.image(bytes)"
_LOOP = "for batch in reader.next_epoch(batch_size=...), with a reader such as ndd.readers.File"
_CALLS = "operators that are called one after the other: images = ndd.flip(ndd.resize(images, size=[224, 224]))"
_CHOICE = "ndd.maybe for each of them, or ndd.where"

# By the name in lower case, without underscores.
CALLED_HERE = {
    # flips, crops and warps
    "randomhorizontalflip": _FLIP.format("horizontal"),
    "horizontalflip": _FLIP.format("horizontal"),
    "hflip": "ndd.flip(images)",
    "randomverticalflip": _FLIP.format("vertical") + " with horizontal=0",
    "verticalflip": _FLIP.format("vertical") + " with horizontal=0",
    "vflip": "ndd.flip(images, horizontal=0, vertical=1)",
    "centercrop": "ndd.crop(images, crop=[h, w])",
    "randomcrop": "ndd.crop(images, crop=[h, w], crop_pos_x=ndd.random.uniform(range=(0, 1), batch_size=...), ...)",
    "randomrotation": "ndd.rotate(images, angle=ndd.random.uniform(range=(-10, 10), batch_size=...))",
    "randomaffine": "ndd.warp_affine(images, ndd.transforms.rotation(...))",
    "affine": "ndd.warp_affine",
    "shiftscalerotate": "ndd.warp_affine(images, ndd.transforms.rotation(...))",
    "randomperspective": "ndd.experimental.warp_perspective",
    "perspective": "ndd.experimental.warp_perspective",
    "warpperspective": "ndd.experimental.warp_perspective",
    "randomerasing": "ndd.erase",
    "cutout": "ndd.erase",
    "coarsedropout": "ndd.erase",
    "griddropout": "ndd.grid_mask",
    "letterbox": "ndd.resize(images, size=[h, w], mode='not_larger') and ndd.pad",
    # colours, blur and noise
    "colorjitter": "ndd.color_twist(images, brightness=..., contrast=..., saturation=..., hue=...)",
    "adjustbrightness": "ndd.brightness",
    "adjustcontrast": "ndd.contrast",
    "adjustsaturation": "ndd.saturation",
    "adjusthue": "ndd.hue",
    "adjustgamma": "ndd.gamma",
    "randomgamma": "ndd.gamma",
    "randombrightnesscontrast": "ndd.brightness_contrast",
    "huesaturationvalue": "ndd.hsv",
    "cvtcolor": "ndd.color_space_conversion",
    "grayscale": _GREY,
    "togray": _GREY,
    "randomgrayscale": "ndd.maybe(ndd.saturation, images, saturation=0.0)",
    "randomequalize": "ndd.maybe(ndd.equalize, images)",
    "medianblur": "ndd.experimental.median_blur",
    "gaussnoise": "ndd.noise.gaussian",
    "gaussiannoise": "ndd.noise.gaussian",
    "saltandpepper": "ndd.noise.salt_and_pepper",
    "shotnoise": "ndd.noise.shot",
    "imagecompression": "ndd.jpeg_compression_distortion",
    "jpeg": "ndd.jpeg_compression_distortion",
    "erode": "ndd.experimental.erode",
    "dilate": "ndd.experimental.dilate",
    "remap": "ndd.experimental.remap",
    # programs of transforms
    "compose": _CALLS,
    "sequential": _CALLS,
    "randomapply": "ndd.maybe(ndd.flip, images, p=0.5)",
    "randomchoice": _CHOICE,
    "oneof": _CHOICE,
    "someof": _CHOICE,
    "lambda": "@ndd.operator on a function of one sample",
    "randaugment": _POLICY,
    "autoaugment": _POLICY,
    "trivialaugmentwide": _POLICY,
    "trivialaugment": _POLICY,
    "augmix": _POLICY,
    "normalize": "ndd.crop_mirror_normalize(images, mean=..., std=...), or ndd.normalize",
    # types and tensors
    "totensor": _TORCH,
    "totensorv2": _TORCH,
    "piltotensor": "images.torch()",
    "toimage": "ndd.tensor(array, layout='HWC')",
    "convertimagedtype": "ndd.cast(images, dtype=ndd.float32)",
    "todtype": "ndd.cast(images, dtype=ndd.float32)",
    "tofloat": "ndd.cast(images, dtype=ndd.float32)",
    "astype": "ndd.cast(images, dtype=ndd.float32)",
    "array": "ndd.tensor",
    "asarray": "ndd.as_tensor",
    "fromnumpy": "ndd.as_tensor",
    "fromdlpack": "ndd.as_tensor",
    "concatenate": "ndd.cat",
    "concat": "ndd.cat",
    "permute": "ndd.transpose",
    "unsqueeze": "ndd.expand_dims, or t[:, None]",
    "newaxis": "None in an index: t[:, None]",
    "clip": "ndd.math.clamp",
    "clamp": "ndd.math.clamp",
    "maximum": "ndd.math.max",
    "minimum": "ndd.math.min",
    "mean": "ndd.reductions.mean",
    "sum": "ndd.reductions.sum",
    "std": "ndd.reductions.std_dev",
    "var": "ndd.reductions.variance",
    "any": "ndd.reductions.max",
    "all": "ndd.reductions.min",
    # sound
    "melspectrogram": "ndd.mel_filter_bank(ndd.spectrogram(sound))",
    "amplitudetodb": "ndd.to_decibels",
    "amplitudetodecibel": "ndd.to_decibels",
    "resample": "ndd.audio_resample",
    # random numbers
    "manualseed": "ndd.random.set_seed",
    "seed": "ndd.random.set_seed",
    "setseed": "ndd.random.set_seed",
    "uniform": "ndd.random.uniform",
    "normal": "ndd.random.normal",
    "rand": "ndd.random.uniform(range=(0, 1), shape=...)",
    "randn": "ndd.random.normal(shape=...)",
    "randint": "ndd.random.uniform(range=(0, n), dtype=ndd.int32)",
    "coinflip": "ndd.random.coin_flip",
    # data
    "imagefolder": _FOLDER,
    "datasetfolder": _FOLDER,
    "imagefolderdataset": _FOLDER,
    "dataloader": _LOOP,
    "dataset": _LOOP,
    "cocodetection": "ndd.readers.COCO",
    "tfrecorddataset": "ndd.readers.TFRecord",
    "loaddataset": "ndd.readers.HuggingFace(dataset=datasets.load_dataset(...))",
    "npyreader": "ndd.readers.Numpy",
    "readimage": _DECODE,
    "decodeimage": _DECODE,
    "decodejpeg": _DECODE,
    "imdecode": _DECODE,
    "open": _DECODE,
    "load": "ndd.readers.Numpy, or ndd.decoders.numpy",
    # the other face of this library
    "fn": "from penstock import fn",
    "types": "from penstock import types",
    "pipelinedef": "from penstock import pipeline_def",
    "pipeline": "from penstock import Pipeline",
    "autoaug": "from penstock import auto_aug",
}  # fmt: skip


_CONDITION = "a condition, in a pipeline with enable_conditionals=True: if fn.random.coin_flip(): images = fn.{}"
_ITERATOR = "an iterator over the pipeline: penstock.plugin.pytorch.DALIGenericIterator(pipeline, ['images', 'labels'])"
_FED = "fn.external_source(source), or fn.constant"

# For those whose answer in a pipeline is another one; others are the same under the names of fn.
_IN_PIPELINES = {
    "randomapply": _CONDITION.format("flip(images)"),
    "randomchoice": _CONDITION.format("flip(images)"),
    "oneof": _CONDITION.format("flip(images)"),
    "someof": _CONDITION.format("flip(images)"),
    "randomgrayscale": _CONDITION.format("saturation(images, saturation=0.0)"),
    "randomequalize": _CONDITION.format("equalize(images)"),
    "lambda": "fn.python_function, or @ndd.operator on a function of one sample",
    "totensor": _ITERATOR,
    "totensorv2": _ITERATOR,
    "piltotensor": _ITERATOR,
    "dataloader": _ITERATOR,
    "dataset": "fn.readers.file(file_root=...), or fn.external_source(source)",
    "toimage": _FED,
    "array": _FED,
    "asarray": _FED,
    "fromnumpy": _FED,
    "fromdlpack": _FED,
    "manualseed": "seed=... of the pipeline",
    "seed": "seed=... of the pipeline",
    "setseed": "seed=... of the pipeline",
    "unsqueeze": "fn.expand_dims",
    "newaxis": "fn.expand_dims",
    "loaddataset": "fn.readers.hugging_face(dataset=datasets.load_dataset(...))",
    "readimage": "fn.decoders.image(files)",
    "decodeimage": "fn.decoders.image(files)",
    "decodejpeg": "fn.decoders.image(files)",
    "imdecode": "fn.decoders.image(files)",
    "open": "fn.decoders.image(files)",
    "types": "from penstock import types",
}  # fmt: skip

_TYPES = {"ndd.float32": "types.FLOAT", "ndd.int32": "types.INT32"}


def plain_name(name: str) -> str:
    """The name without what differs between the manners of writing it: GaussianBlur is gaussian_blur."""
    return name.lower().replace("_", "")


def called_in_pipelines(name: str) -> str | None:
    """What stands for a name in pipelines, in the words of fn; None for one that nobody knows."""
    plain = plain_name(name)
    if plain in _IN_PIPELINES:
        return _IN_PIPELINES[plain]
    answer = CALLED_HERE.get(plain)
    return None if answer is None else _by_fn(answer)


def _by_fn(answer: str) -> str:
    """An answer with functions of fn, which take no batch size, in the place of those of ndd."""
    answer = re.sub(r"(, )?batch_size=\.\.\.", "", answer)
    for known, here in _TYPES.items():
        answer = answer.replace(known, here)
    answer = re.sub(r"ndd\.readers\.(\w+)", lambda reader: f"fn.readers.{reader[1].lower()}", answer)
    return answer.replace("ndd.math.", "penstock.math.").replace("ndd.", "fn.")
