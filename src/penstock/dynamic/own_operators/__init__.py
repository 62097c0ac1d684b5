"""ndd.operator: users' own functions as operators."""
