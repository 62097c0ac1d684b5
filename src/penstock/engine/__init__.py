"""Turns operator calls into work: arguments, invocations, planner, stages, executor; modes, errors, generators."""
