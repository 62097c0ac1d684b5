from penstock.capture import NotCapturedError as NotCapturedError
from penstock.capture import Report as Report
from penstock.capture import invariant as invariant
from penstock.capture import report as report
