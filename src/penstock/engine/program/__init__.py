"""Programs: a graph that is run step after step on what its sources give, a few steps ahead of whoever takes them."""
