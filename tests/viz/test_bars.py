"""Bars of characters and of SVG."""

from __future__ import annotations

from xml.etree import ElementTree

from penstock.viz.bars import Bar, chart, text_bars

BARS = [Bar("eager", 500.0, "grey"), Bar("compiled", 1000.0)]


def test_bars_of_characters_are_as_long_as_their_numbers():
    assert text_bars(BARS, "images/s").splitlines() == [
        f"  eager     {'█' * 20} 500 images/s",
        f"  compiled  {'█' * 40} 1,000 images/s",
    ]
    assert text_bars([Bar("a", 1.0), Bar("b", 320.0)], "").splitlines()[0] == "  a  ▏ 1 "


def test_nothing_to_compare_is_nothing_to_draw():
    assert text_bars([], "images/s") == ""
    assert text_bars([Bar("none", 0.0)], "images/s") == "  none   0 images/s"


def test_a_chart_stays_inside_of_its_picture():
    drawn = ElementTree.fromstring(chart(BARS, "images/s", "a < b"))
    width = float(drawn.get("width", 0))
    boxes = [each for each in drawn.iter("{http://www.w3.org/2000/svg}rect") if each.get("class") != "paper"]
    lengths = [float(each.get("width", 0)) for each in boxes]
    assert lengths[1] == 2 * lengths[0]
    assert all(float(each.get("x", 0)) + length < width for each, length in zip(boxes, lengths, strict=True))
