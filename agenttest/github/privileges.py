"""A process that runs as root → one that runs as the owner of the workspace, for good."""

from __future__ import annotations

import os
from pathlib import Path

from agenttest.errors import InvalidInput, Problem

UMASK = 0o077


def give_up_root(workspace: Path) -> None:
    """Take on the workspace owner's uid and gid without any other group; stay where that is root, or root is not ours.

    So the Docker socket that the runner mounts is out of reach before a stranger's file is read, and whatever is
    written belongs to the job's user. InvalidInput where it cannot be done.
    """
    os.umask(UMASK)
    if getattr(os, "geteuid", lambda: None)() != 0:  # Windows has no root
        return
    try:
        owner = os.stat(workspace)
        if owner.st_uid != 0:
            become(owner.st_uid, owner.st_gid)
    except OSError as error:
        raise InvalidInput(Problem("", 0, 0, refused(workspace, error))) from error


def become(uid: int, gid: int) -> None:
    """Real, effective and saved ids at once; the groups first, while that is still allowed.

    Where the system has no call for all three, as macOS has none, the older calls set them all, as root makes them.
    """
    call("setgroups", [])
    for three, one, number in (("setresgid", "setgid", gid), ("setresuid", "setuid", uid)):
        if hasattr(os, three):
            call(three, number, number, number)
        else:
            call(one, number)


def call(name: str, *values: int | list[int]) -> None:
    """One of the calls of `os` that only some systems have."""
    getattr(os, name)(*values)


def refused(workspace: Path, error: OSError) -> str:
    """Why root could not be given up, and what would be right."""
    said = f"the workspace {workspace} cannot be used: {error.strerror}"
    return f"{said}; it has to be a folder whose owner this process may become, or root's own"
