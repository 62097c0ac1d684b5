"""A call becoming work: arguments, Invocation, planner, stages, executor; evaluation modes, errors and RNG keys."""
