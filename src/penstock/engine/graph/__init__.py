"""Graphs of operator calls: nodes, the passes that simplify them, and running one again and again."""
