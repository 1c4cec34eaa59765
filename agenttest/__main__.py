"""`python -m agenttest`."""

import sys

from agenttest.cli import main

if __name__ == "__main__":
    sys.exit(main())
