"""What programs find as `nvidia.dali.experimental`."""

from penstock.compat import internals

internals.add()
