"""`python -m penstock`: the command line, also where its script is not on the path."""

import sys

from penstock.cli import main

sys.exit(main())
