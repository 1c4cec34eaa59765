"""`launch.py OUTPUT COMMAND…` → its wall time in seconds, peak memory in the system's unit, and exit code, as JSON.

A process of its own, started without `site`: a child's peak begins with that of the process that started it, so the
starter has to be smaller than the smallest that is measured.
"""

import os
import sys
import time


def main(output: str, command: list[str]) -> None:
    """Run the command with its output in a file, and print what it took."""
    into = (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    began = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=[into, (os.POSIX_SPAWN_DUP2, 1, 2)])
    _, status, used = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    print(f"[{seconds}, {used.ru_maxrss}, {os.waitstatus_to_exitcode(status)}]")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
