"""What holds for every test: generated examples have no deadline, as a busy machine is no fault of the code."""

import pytest
from hypothesis import settings

from agenttest import handles
from tests.systems import take_away

settings.register_profile("tests", deadline=None)
settings.load_profile("tests")


@pytest.fixture(params=["as it is", "paths only"])
def each_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once as this system is, and once as one that opens files by whole paths only."""
    if request.param == "paths only":
        take_away(monkeypatch.setattr, monkeypatch.delattr)
        monkeypatch.setattr(handles, "WAY", handles.way())
