"""A system that offers as little as Windows does: files are opened by whole paths, and there are no users to become."""

import os
import shutil
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

PATHS_ONLY = str(Path(__file__).with_name("paths_only"))  # in PYTHONPATH makes such a system of a process of its own
FLAGS = ("O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_CLOEXEC")
CALLS = ("open", "mkdir", "stat", "unlink", "replace", "rename")
USERS = ("geteuid", "getuid", "setgroups", "setresgid", "setresuid", "setgid", "setuid")


def take_away(put: Callable[[Any, str, Any], None], drop: Callable[[Any, str], None]) -> None:
    """From now on nothing is opened below a folder that is open."""
    put(shutil, "_use_fd_functions", False)
    put(os, "supports_dir_fd", set())
    for name in FLAGS:
        drop(os, name)
    for name in CALLS:
        put(os, name, by_path(getattr(os, name)))


def by_path(real: Callable[..., Any]) -> Callable[..., Any]:
    """The call without the ways that Windows does not know."""

    @wraps(real)
    def call(*arguments: Any, **named: Any) -> Any:
        if any(name.endswith("dir_fd") for name in named):
            raise NotImplementedError(f"{real.__name__} below an open folder")
        if real.__name__ == "open" and os.path.isdir(arguments[0]):
            raise PermissionError(13, "Permission denied")
        return real(*arguments, **named)

    return call
