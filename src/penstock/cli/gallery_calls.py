"""The calls `penstock gallery` shows, by family. What they are given is made in gallery.py."""

from __future__ import annotations

CALLS: dict[str, tuple[str, ...]] = {
    "Decoding": (
        "ndd.decoders.image(jpeg)",
        "ndd.decoders.image(jpeg, output_type=types.GRAY)",
        "ndd.decoders.image_crop(jpeg, crop=[180, 180], crop_pos_x=0.2)",
        'ndd.decoders.image_slice(jpeg, rel_start=[0.1, 0.4], rel_shape=[0.5, 0.5], axis_names="WH")',
        "ndd.decoders.image_random_crop(jpeg, random_area=[0.2, 0.4])",
    ),
    "Geometry": (
        "ndd.resize(image, size=[120, 160])",
        'ndd.resize(image, size=[120, 120], mode="not_smaller")',
        "ndd.random_resized_crop(image, size=[120, 120], random_area=[0.1, 0.3])",
        "ndd.crop(image, crop=[120, 120], crop_pos_x=0.0)",
        'ndd.crop(image, crop=[240, 300], out_of_bounds_policy="reflect")',
        'ndd.slice(image, rel_start=[0.25, 0.0], rel_end=[1.0, 0.75], axis_names="HW")',
        "ndd.crop_mirror_normalize(image, crop=[160, 160], mirror=1, mean=[127.0], std=[64.0])",
        "ndd.flip(image)",
        "ndd.flip(image, horizontal=0, vertical=1)",
        "ndd.rotate(image, angle=20.0, fill_value=255)",
        "ndd.rotate(image, angle=20.0, keep_size=True)",
        "ndd.warp_affine(image, matrix=[1.0, 0.4, -36.0, 0.1, 1.0, -10.0], fill_value=255)",
        "ndd.experimental.warp_perspective(image, matrix=[1.3, 0.2, -40.0, 0.0, 1.4, -30.0, 0.0, 0.003, 1.0])",
        "ndd.experimental.remap(image, mapx, mapy)",
        'ndd.pad(image, axis_names="HW", shape=[200, 280], fill_value=255)',
        'ndd.transpose(image, output_layout="WHC")',
        "ndd.sphere(image)",
        "ndd.water(image, ampl_x=6.0, ampl_y=4.0)",
        "ndd.jitter(image, nDegree=6)",
        "ndd.sequence_rearrange(frames, new_order=[2, 0, 1])",
        "ndd.element_extract(frames, element_map=[1])",
    ),
    "Colours and pixels": (
        'ndd.normalize(image, axis_names="HW", scale=50.0, shift=128.0, dtype=ndd.uint8)',
    ),
    "Filters": (
        "ndd.gaussian_blur(image, sigma=3.0)",
        "ndd.laplacian(image, scale=4.0)",
        "ndd.filter(image, [[-2.0, -1.0, 0.0], [-1.0, 1.0, 1.0], [0.0, 1.0, 2.0]])",
        "ndd.experimental.dilate(image, mask_size=[7, 7])",
        "ndd.experimental.erode(image, mask_size=[7, 7])",
        "ndd.experimental.median_blur(image, window_size=[9, 9])",
        "ndd.jpeg_compression_distortion(image, quality=5)",
    ),
}  # fmt: skip
