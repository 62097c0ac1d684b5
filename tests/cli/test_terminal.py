"""What commands print."""

from __future__ import annotations

from penstock.cli.terminal import table


def test_table_lines_up_its_columns():
    assert table(("name", "n"), [("a", "10"), ("long", "2")]).splitlines() == [
        "  name   n",
        "  ----  --",
        "  a     10",
        "  long   2",
    ]
