"""The ways to carry out a call, one file each, and the one place that chooses between them.

| backend | what it runs | calls at once |
|---|---|---|
| gpu | the operator's torch function (`gpu`), for data on an accelerator | one |
| native | a chain of native steps, each sample through all of them | several |
| storage | the operator's function of whole batches as they are stored (`on_samples`) | one |
| batchwise | the operator's function of the batch as a list of samples | one |
| stacked | the operator's function of arrays with a leading batch axis (`on_stack`, `elementwise`) | one |
| plain | the operator's own function, each sample through all of them | several |

`choice.choose()` goes through them in this order; executor, planner and explain all ask it or the ladder it stands
on. A further backend is one more file here with a class like those of the others, and a place in `choice.LADDER` (and a
colour of its own in `viz/svg.py`).
"""
