"""Starts the action in its container, with nothing but the image's own files to import from."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from agenttest.action import main

sys.exit(main())
