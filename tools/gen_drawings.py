"""The drawings of docs/how_it_works.md: boxes on a grid and arrows between them, in the colours of the palette."""

from __future__ import annotations

from penstock.viz import svg

WIDTH = 720.0


def drawings() -> dict[str, str]:
    """Texts of the drawings, by file name."""
    return {
        "engine.svg": _engine(),
        "fusion.svg": _fusion(),
        "jpeg.svg": _jpeg(),
        "memory.svg": _memory(),
        "determinism.svg": _determinism(),
    }


def _card(x: float, y: float, width: float, height: float, name: str, below: str = "", stripe: str = "") -> str:
    """A box with a name, a line below it and a stripe of colour at its left."""
    middle = y + height / 2 + (0 if below else 5)
    parts = [svg.box(x, y, width, height, "call")]
    if stripe:
        parts.append(svg.box(x, y, 6, height, stripe, 3))
    parts.append(svg.text(x + width / 2 + 3, middle - (2 if below else 0), name, "name", "middle"))
    if below:
        parts.append(svg.text(x + width / 2 + 3, middle + 14, below, "small", "middle"))
    return "".join(parts)


def _right(x: float, y: float, to_x: float) -> str:
    head = f'<path d="M{to_x - 7:.1f} {y - 4:.1f} v8 L{to_x:.1f} {y:.1f} z" class="head"/>'
    return f'<path d="M{x:.1f} {y:.1f} H{to_x - 6:.1f}" class="edge"/>{head}'


def _down(x: float, y: float, to_y: float) -> str:
    return svg.curve([(x, y), (x, to_y)])


def _picture(parts: list[str], height: float, label: str) -> str:
    return "<!-- Written by tools/gen.py: edit tools/gen_drawings.py. -->\n" + svg.picture(parts, WIDTH, height, label)


def _engine() -> str:
    """From a call to the memory of its result."""
    modes = [("eager", "queued, run soon"), ("deferred", "run when asked for"), ("compile=True", "traced, run ahead"),
             ("pipeline", "declared, run ahead")]  # fmt: skip
    parts = [svg.text(20, 28, "Four ways in, one engine", "title")]
    for number, (name, below) in enumerate(modes):
        x = 20 + 172 * number
        parts += [_card(x, 44, 158, 46, name, below), _down(x + 79, 90, 118)]
    parts += [svg.box(20, 118, 674, 58, "stage"), svg.text(34, 138, "planner", "name")]
    said = "unused calls dropped, equal ones merged, chains of sample-wise calls put into one stage"
    parts += [svg.text(34, 158, said, "small"), _down(357, 176, 204)]
    ways = [("native pass", "C++, no GIL", "native"), ("stacked", "NumPy, whole batch", "stacked"),
            ("plain", "NumPy, by sample", "plain"), ("torch", "on an accelerator", "gpu")]  # fmt: skip
    for number, (name, below, kind) in enumerate(ways):
        x = 20 + 172 * number
        parts += [_card(x, 204, 158, 46, name, below, kind), _down(x + 79, 250, 278)]
    parts += [svg.box(20, 278, 674, 44, "end"), svg.text(357, 305, "one block of pooled memory", "name", "middle")]
    return _picture(parts, 340, "Calls of all modes are planned into stages, which backends run into pooled memory")


def _fusion() -> str:
    """Operator by operator beside sample by sample."""
    steps = ["decode", "resize", "mirror", "normalise"]
    parts = [svg.text(20, 28, "Operator by operator: every step reads and writes the whole batch", "title")]
    for number, name in enumerate(steps):
        x = 20 + 176 * number
        parts.append(_card(x, 44, 100, 44, name, "", "plain"))
        if number < 3:
            parts += [_right(x + 100, 66, x + 118), svg.box(x + 118, 50, 40, 32, "track", 3)]
            parts += [svg.text(x + 138, 70, "batch", "small", "middle"), _right(x + 158, 66, x + 176)]
    parts.append(
        svg.text(20, 134, "Fused: a worker carries one sample through all steps while it is in its cache", "title")
    )
    for worker in range(2):
        y = 150 + 62 * worker
        parts += [svg.box(20, y, 570, 52, "stage"), svg.text(34, y + 31, f"thread {worker + 1}", "small")]
        for number, name in enumerate(steps):
            x = 96 + 122 * number
            parts.append(_card(x, y + 9, 104, 34, name, "", "native"))
            if number < 3:
                parts.append(_right(x + 104, y + 26, x + 122))
        parts.append(_right(590, y + 26, 622))
    parts += [svg.box(622, 150, 78, 114, "end"), svg.text(661, 204, "batch", "name", "middle")]
    parts.append(svg.text(661, 220, "written once", "small", "middle"))
    return _picture(
        parts, 284, "Without fusion each step goes over the batch; fused, a thread carries a sample through all"
    )


def _jpeg() -> str:
    """What of a photo is decoded."""
    parts = [svg.text(20, 28, "A crop of 224x224 out of a photo of 12 megapixels", "title")]
    parts += [svg.box(20, 46, 220, 150, "track", 2), svg.box(110, 90, 78, 60, "native", 2)]
    parts += [svg.text(26, 64, "skipped: rows above", "small"), svg.text(26, 188, "never read: rows below", "small")]
    parts += [svg.text(149, 166, "the crop", "small", "middle"), _right(240, 120, 276)]
    parts += [_card(276, 92, 130, 56, "inverse DCT", "columns of the crop", "native"), _right(406, 120, 440)]
    parts += [_card(440, 92, 120, 56, "resize", "antialiased", "native"), _right(560, 120, 594)]
    parts += [_card(594, 92, 106, 56, "normalise", "into the batch", "native")]
    said = ["Entropy decoding must go through all rows above the crop;", "the costly rest is done for the crop alone."]
    parts += [svg.text(276, 186 + 16 * number, line, "small") for number, line in enumerate(said)]
    return _picture(parts, 222, "Only the rows and columns of the crop are transformed")


def _memory() -> str:
    """Blocks, views and the way back to the pool."""
    parts = [svg.text(20, 28, "A batch is one block; a block returns when its last view is gone", "title")]
    parts += [_card(20, 60, 130, 56, "pool", "aligned, kept", "storage"), _right(150, 88, 196)]
    parts += [svg.box(196, 54, 250, 68, "stage"), svg.text(208, 72, "block of a batch", "small")]
    for number in range(5):
        parts += [svg.box(208 + 46 * number, 80, 42, 32, "native", 3)]
    views = ["ndd.Batch", "images.numpy()", "images.torch()"]
    for number, name in enumerate(views):
        y = 44 + 34 * number
        parts += [_right(446, 88, 490) if number == 1 else "", svg.box(490, y, 140, 28, "call")]
        parts.append(svg.text(560, y + 19, name, "", "middle"))
    parts.append('<path d="M560 146 V172 H85 V122" class="edge"/><path d="M81 129 h8 L85 120 z" class="head"/>')
    parts.append(svg.label(190, 176, "the last view dies: used again for a later batch"))
    return _picture(parts, 196, "Views keep a block alive; then it goes back to the pool")


def _determinism() -> str:
    """What a draw depends on."""
    parts = [svg.text(20, 28, "What is drawn is fixed when the call is made", "title")]
    parts += [_card(20, 50, 130, 50, "seed", "set_seed(42)", "batchwise"), _right(150, 75, 184)]
    parts += [
        svg.box(184, 44, 330, 62, "stage"),
        svg.text(196, 62, "Philox4x32-10, a word for every position", "small"),
    ]
    for number in range(12):
        kind = ("native", "stacked", "plain")[number // 4]
        parts.append(svg.box(196 + 26 * number, 72, 22, 22, kind, 3))
    for number, name in enumerate(["call 1", "call 2", "call 3"]):
        parts += [_down(246 + 104 * number, 106, 134), svg.text(246 + 104 * number, 150, name, "name", "middle")]
    said = [
        "A call takes its words at once. Which thread runs it, when, fused or not,",
        "a step early or a process later: it draws the same numbers.",
    ]
    parts += [svg.text(20, 182 + 18 * number, line, "small") for number, line in enumerate(said)]
    return _picture(parts, 216, "Each call takes its own words of a counter-based stream when it is made")
