"""Root is given up for the workspace's owner."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from agenttest.errors import InvalidInput
from agenttest.github import privileges
from agenttest.github.privileges import give_up_root


class System:
    """Stands in for `os`: an effective uid, an owner of every path, and what was called."""

    def __init__(self, euid: int, owner: int, refuse: OSError | None = None) -> None:
        self.euid, self.owner, self.refuse = euid, owner, refuse
        self.calls: list[tuple[str, object]] = []

    def geteuid(self) -> int:
        return self.euid

    def stat(self, _: Path) -> SimpleNamespace:
        return SimpleNamespace(st_uid=self.owner, st_gid=self.owner + 1)

    def umask(self, _: int) -> None:
        pass

    def setgroups(self, groups: list[int]) -> None:
        if self.refuse:
            raise self.refuse
        self.calls.append(("setgroups", groups))

    def setresgid(self, *ids: int) -> None:
        self.calls.append(("setresgid", ids))

    def setresuid(self, *ids: int) -> None:
        self.calls.append(("setresuid", ids))

    def setgid(self, number: int) -> None:
        self.calls.append(("setgid", number))

    def setuid(self, number: int) -> None:
        self.calls.append(("setuid", number))


def calls(monkeypatch: pytest.MonkeyPatch, system: System) -> list[tuple[str, object]]:
    monkeypatch.setattr(privileges, "os", system)
    give_up_root(Path("/github/workspace"))
    return system.calls


def test_root_becomes_the_owner_without_other_groups_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    found = calls(monkeypatch, System(euid=0, owner=1001))

    assert [("setgroups", []), ("setresgid", (1002,) * 3), ("setresuid", (1001,) * 3)] == found


def test_where_no_call_sets_all_three_ids_the_older_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mac(System):
        """As macOS: without the calls for three ids."""

        setresgid = setresuid = property()  # type: ignore[assignment]

    found = calls(monkeypatch, Mac(euid=0, owner=1001))

    assert [("setgroups", []), ("setgid", 1002), ("setuid", 1001)] == found


def test_where_there_is_no_root_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Windows(System):
        """As Windows: without the question who one is."""

        geteuid = property()  # type: ignore[assignment]

    assert [] == calls(monkeypatch, Windows(euid=0, owner=1001))


@pytest.mark.parametrize(("euid", "owner"), [(0, 0), (1001, 1001), (1001, 0), (1001, 1002)])
def test_what_cannot_or_need_not_change_stays(monkeypatch: pytest.MonkeyPatch, euid: int, owner: int) -> None:
    assert [] == calls(monkeypatch, System(euid, owner))


def test_root_that_cannot_be_given_up_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="not permitted"):
        calls(monkeypatch, System(0, 1001, PermissionError(1, "Operation not permitted")))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give up root")
def test_the_process_really_is_the_owner_afterwards(tmp_path: Path) -> None:
    os.chown(tmp_path, 1001, 1002)
    child = os.fork()
    if child == 0:
        give_up_root(tmp_path)
        right = (os.getresuid(), os.getresgid(), os.getgroups()) == ((1001,) * 3, (1002,) * 3, [])
        os._exit(0 if right else 1)

    assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
