"""`agenttest test`: flags → suites judged, and everything that is asked for of them."""

from __future__ import annotations

import argparse
from pathlib import Path

from agenttest.call import Result, Watch
from agenttest.commands.asked import located, settings_of
from agenttest.commands.sink import Sink, Words
from agenttest.errors import AgentTestError
from agenttest.files import Project
from agenttest.reporters.text import render
from agenttest.run import run
from agenttest.settings import Settings


def test(options: argparse.Namespace) -> int:
    """Judge suites: exit 0 pass, 1 violation, 2 incomplete or invalid."""
    return judged(options, render)


def judged(options: argparse.Namespace, words: Words) -> int:
    """The same, with these words for each suite where text is asked for."""
    here, read = Project.at(Path.cwd()), [options.observations] if options.observations else []
    sink = Sink(here, options, words, (*options.suites, *read), options.suites)
    try:
        project, suites = located(here, options.suites)
        sink = Sink(project, options, words, (*suites, *read), suites)
        sink.check()
        settings = settings_of(options, suites)
    except AgentTestError as error:
        return sink.refuse(error)
    sink.begin()
    return sink.close(result_of(project, settings, sink))


def result_of(project: Project, settings: Settings, sink: Sink) -> Result:
    """The run; of one that asks an agent progress is shown, and a signal ends it with whatever was seen kept."""
    if settings.live is None:
        return run(project, settings, sink.show)
    from agenttest.signals import interruptible

    with interruptible(again=True) as cancellation:
        return run(project, settings, sink.show, Watch(sink.output.progress, cancellation))
