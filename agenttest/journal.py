"""Events as a run goes → a file of one JSON object a line, which is a valid prefix of the whole at any moment."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from typing import Any

from agenttest.files import CREATE, FILE_MODE, Project
from agenttest.jsontext import compact


class Journal:
    """The open file, and the digest of all that was written to it."""

    def __init__(self, project: Project, name: str) -> None:
        with project.folder(name) as (folder, leaf):
            self.stream = open(folder.open(leaf, CREATE, FILE_MODE), "wb")  # noqa: SIM115, closed at the end
        self.digest, self.size = hashlib.sha256(), 0

    def add(self, event: str, **fields: Any) -> None:
        """One line; whole lines reach the system at each scenario's end."""
        line = (compact({"event": event, **fields}) + "\n").encode()
        self.stream.write(line)
        self.digest.update(line)
        self.size += len(line)
        if event in ("run_started", "scenario_completed"):
            self.stream.flush()

    def close(self) -> dict[str, Any]:
        """Flushed to disk; size and digest of all that was written."""
        with self.stream:
            self.stream.flush()
            os.fsync(self.stream.fileno())
        return {"size": self.size, "sha256": self.digest.hexdigest()}

    def abandon(self) -> None:
        """Closed as it is, where more cannot be written."""
        with suppress(OSError):
            self.stream.close()
