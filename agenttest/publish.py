"""A finished run → its artifact, its comments and its check run, as far as they are asked for and can be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agenttest.github import artifact as artifacts
from agenttest.github.api import Api
from agenttest.github.checks import Posted
from agenttest.github.commands import Level, mask, maskable
from agenttest.github.context import Context
from agenttest.github.http import Client
from agenttest.github.inputs import Inputs, Mode, When
from agenttest.github.results import NotUploaded, Unavailable, is_enterprise, service
from agenttest.pullrequest import CheckRun, Comments
from agenttest.report import Ending, Report
from agenttest.reporters.comment import Locate
from agenttest.reporters.fetching import Foot
from agenttest.reporters.markdown import Summary

LATER = "AGENTTEST_UPLOADS_LATER"  # set by the composite action, whose next step uploads the run directory

Told = tuple[Level | None, str]  # something to be said, as an annotation or, without a level, in the log alone


@dataclass(frozen=True, slots=True)
class Planned:
    """An artifact that is yet to be, whose number nobody knows."""

    name: str
    id: str = ""


class Publisher:
    """Takes reports one by one, and publishes at the end; what it yields is to be told. No verdict hangs on it.

    `say` is for commands to the runner. `failed` is set where something could not be done that `always` was asked for.
    """

    def __init__(self, context: Context, asked: Inputs, locate: Locate, say: Callable[[str], None]) -> None:
        self.context, self.asked, self.say = context, asked, say
        self.api = Api(context)
        self.comments = Comments(asked.comment, self.api.job, locate)
        self.check_run = CheckRun(locate) if asked.check_run else None
        self.artifact: artifacts.Artifact | None = None
        self.name = artifacts.artifact_name(asked.artifact_name, asked.matrix, asked.shard)
        self.hidden: set[str] = set()
        self.failed = False

    def add(self, report: Report) -> None:
        """Take note of a suite."""
        self.comments.add(report)
        if self.check_run is not None:
            self.check_run.add(report)

    def upload(self, folder: Path | None) -> Iterator[Told]:
        """Upload the run directory as an artifact; there is none where nothing could be judged or saved."""
        if not self.wanted:
            return
        always = self.asked.upload_artifact is When.ALWAYS
        self.failed = always and (folder is None or not self.later)
        if folder is None and always:
            yield Level.ERROR, self.refusal("there is no run directory, so nothing was uploaded", always)
        if folder is None or self.later:
            return
        found = service(self.context, always=always)
        if isinstance(found, Unavailable):
            quiet = not (always or self.context.value("ACTIONS_RUNTIME_TOKEN"))
            yield None if quiet else self.level(always), self.refusal(f"{found.message}; {found.remedy}", always)
            return
        self.hide(found.token)
        client = Client(self.context.variables, artifacts.SECONDS)
        days = self.asked.retention_days
        try:
            self.artifact = artifacts.upload(found, client, folder, self.name, retention_days=days, mask=self.hide)
        except NotUploaded as error:
            yield self.level(always), self.refusal(str(error), always)
        else:
            self.failed = False
            yield None, f"uploaded as the artifact {self.name}, {self.artifact.digest}: {self.url}"

    def hide(self, secret: str) -> None:
        """Have the runner hide a text in every log from now on; elsewhere the command would only show it."""
        if self.context.value("GITHUB_ACTIONS") == "true" and maskable(secret) and secret not in self.hidden:
            self.hidden.add(secret)
            self.say(mask(secret))

    @property
    def wanted(self) -> bool:
        """Whether a run directory is to be uploaded; a replay has none."""
        return self.asked.upload_artifact is not When.NEVER and not self.replayed

    @property
    def later(self) -> bool:
        """Whether another step uploads what this one leaves."""
        return bool(self.context.value(LATER))

    @property
    def url(self) -> str:
        """The page of the artifact."""
        return artifacts.url(self.context, self.artifact.id) if self.artifact else ""

    @property
    def replayed(self) -> bool:
        """Whether the runs are those of another step."""
        return self.asked.mode is Mode.REPLAY

    def foot(self, ending: Ending) -> Foot:
        """What comments and the summary say of the evidence."""
        return Foot(self.api.job, ending, self.artifact or self.planned(ending), self.replayed)

    def planned(self, ending: Ending) -> Planned | None:
        """What another step will upload the run directory as; GitHub's own upload knows no other server."""
        wanted = self.later and ending.directory and self.wanted
        return Planned(self.name) if wanted and not is_enterprise(self.context.value("GITHUB_SERVER_URL")) else None

    def refusal(self, why: str, always: bool) -> str:
        """That nothing was uploaded, and what that means for the step."""
        return f"{why}; as `upload-artifact` is `always`, the step fails" if always else why

    def level(self, always: bool) -> Level:
        """How grave it is that nothing was uploaded."""
        return Level.ERROR if always else Level.WARNING

    def comment(self, ending: Ending) -> Iterator[Told]:
        """Have one comment for each suite on the pull request; of a replayed run only where that is wanted by name."""
        if self.replayed and self.asked.comment is not When.ALWAYS:
            return
        for said in self.comments.write(self.api, self.foot(ending)):
            if said.warning or self.context.debug:
                yield Level.WARNING if said.warning else None, said.text

    def check(self, ending: Ending, summary: Summary, exit_code: int) -> tuple[bool, str]:
        """Post the check run, where one is wanted: whether it is there, and what is to be told of that."""
        if self.check_run is None:
            return False, ""
        done = self.check_run.post(self.api, ending, summary, exit_code)
        return isinstance(done, Posted), done.notice

    def outputs(self, *, saved: bool) -> dict[str, str]:
        """The outputs that tell of the artifact; its name also where another step is to upload it."""
        named = self.artifact or (self.later and saved and self.wanted)
        return {
            "artifact-id": self.artifact.id if self.artifact else "",
            "artifact-name": self.name if named else "",
            "artifact-url": self.url,
            "artifact-digest": self.artifact.digest if self.artifact else "",
        }
