"""A step uploads its run directory: what it says and leaves behind, and what a failing upload changes."""

import io
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote

import pytest

from agenttest.archive import archive
from agenttest.publish import Publisher
from agenttest.replay import as_text, replay
from tests.action.job import Done, Job
from tests.e2e import desk
from tests.github.results_service import SIGNATURE, ResultsService, answers, says, sha256
from tests.projects import EXPECTED
from tests.projects import lay as lay_suite

NAME = "agent-test-evidence"
ARTIFACT = ("artifact-id", "artifact-name", "artifact-url", "artifact-digest")
VERDICT = ("status", "reason", "exit-code", "passed", "failed", "incomplete", "total", "evidence-digest")
LATER = {"AGENTTEST_UPLOADS_LATER": "1"}


@pytest.fixture
def service() -> Iterator[ResultsService]:
    with ResultsService() as started:
        yield started


def step(job: Job, service: ResultsService, observed: dict[str, Any] = desk.KEPT, **inputs: str) -> Done:
    """Run the step where the runner gives it the service."""
    desk.lay(job.workspace, observed)
    return job.run(named(inputs), **service.variables, GITHUB_ACTIONS="true")


def named(inputs: dict[str, str]) -> dict[str, str]:
    return {"suite": "desk.yml", **{name.replace("_", "-"): word for name, word in inputs.items()}}


def artifact(done: Done) -> list[str]:
    return [done.outputs[name] for name in ARTIFACT]


def said(done: Done, level: str) -> list[str]:
    return [each.data for each in done.commands if each.name == level]


def unpacked(service: ResultsService, folder: Path, name: str = NAME) -> Path:
    """The artifact as somebody downloads and unpacks it."""
    with zipfile.ZipFile(io.BytesIO(service.artifacts[name].data or b"")) as zipped:
        zipped.extractall(folder)
    return folder


def test_the_outputs_name_the_artifact_and_the_digest_of_its_zip(job: Job, service: ResultsService) -> None:
    done = step(job, service)

    stored = service.artifacts[NAME]
    url = f"https://github.com/octo/desk/actions/runs/77/artifacts/{stored.id}"
    assert [str(stored.id), NAME, url, sha256(stored.data)] == artifact(done)
    assert stored.digest == done.outputs["artifact-digest"]


def test_the_artifact_is_the_run_directory_and_replays(job: Job, service: ResultsService, tmp_path: Path) -> None:
    done = step(job, service, desk.BROKEN)

    folder, packed = unpacked(service, tmp_path / "evidence"), bytearray()
    archive(job.workspace / done.outputs["run-directory"], packed.extend)
    assert bytes(packed) == service.artifacts[NAME].data
    assert "valid: the saved verdict, fail (violation), stands" in as_text(replay(folder))


def test_the_artifact_of_several_suites_is_their_parent(job: Job, service: ResultsService, tmp_path: Path) -> None:
    desk.lay(job.workspace, desk.KEPT, "other")
    step(job, service, suite="*.yml")

    found = replay(unpacked(service, tmp_path / "evidence"))
    assert (True, 2) == (found.valid, len(found.children))
    assert (tmp_path / "evidence" / "report.html").is_file()


def test_without_a_token_only_the_log_says_that_nothing_is_uploaded(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run({"suite": "desk.yml"})

    assert (0, [], [""] * 4) == (done.exit_code, done.commands, artifact(done))
    assert "nothing can be uploaded here: ACTIONS_RUNTIME_TOKEN is not set" in done.log


@pytest.mark.parametrize(("observed", "exit_code"), [(desk.KEPT, 0), (desk.BROKEN, 1), (desk.CUT_SHORT, 2)])
def test_a_failed_upload_is_one_warning_and_no_verdict_hangs_on_it(
    job: Job, service: ResultsService, observed: dict[str, Any], exit_code: int
) -> None:
    without = step(job, service, observed, upload_artifact="never")
    service.faults["CreateArtifact"] = [answers(403)]

    done = step(job, service, observed)

    assert 1 == len(said(done, "warning")) - len(said(without, "warning"))
    assert (exit_code, said(without, "error")) == (done.exit_code, said(done, "error"))
    assert [without.outputs[name] for name in VERDICT] == [done.outputs[name] for name in VERDICT]


@pytest.mark.parametrize("fail_on", ["incomplete", "fail", "never"])
@pytest.mark.parametrize("observed", [desk.KEPT, desk.BROKEN, desk.CUT_SHORT], ids=["kept", "broken", "cut-short"])
def test_an_upload_that_must_be_and_fails_is_an_error_and_never_green(
    job: Job, service: ResultsService, observed: dict[str, Any], fail_on: str
) -> None:
    without = step(job, service, observed, fail_on=fail_on, upload_artifact="never")
    service.faults["CreateArtifact"] = [answers(403)]

    done = step(job, service, observed, fail_on=fail_on, upload_artifact="always")

    assert (without.exit_code or 2) == done.exit_code
    assert without.outputs["status"] == done.outputs["status"]
    (more,) = [each for each in said(done, "error") if each not in said(without, "error")]
    assert more.endswith("as `upload-artifact` is `always`, the step fails")


def test_an_upload_that_must_be_and_is_done_leaves_the_step_green(job: Job, service: ResultsService) -> None:
    done = step(job, service, upload_artifact="always")

    assert (0, [], []) == (done.exit_code, said(done, "error"), said(done, "warning"))


def test_an_upload_that_must_be_says_where_there_can_be_none(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run({"suite": "desk.yml", "upload-artifact": "always"})

    assert 2 == done.exit_code
    assert "ACTIONS_RUNTIME_TOKEN is not set" in said(done, "error")[0]


def test_an_enterprise_server_is_one_warning_that_says_what_to_add(job: Job, service: ResultsService) -> None:
    desk.lay(job.workspace, desk.KEPT)
    server = {**service.variables, "GITHUB_SERVER_URL": "https://github.example.com"}

    done = job.run({"suite": "desk.yml"}, **server)

    (warning,) = said(done, "warning")
    assert "actions/upload-artifact@v3" in warning
    assert "path: ${{ steps.ID.outputs.run-directory }}" in warning
    assert (0, []) == (done.exit_code, service.requests)
    assert replay(job.workspace / done.outputs["run-directory"]).valid


def test_another_forge_gets_the_artifact_where_it_must_be(job: Job, service: ResultsService) -> None:
    desk.lay(job.workspace, desk.KEPT)
    server = {**service.variables, "GITHUB_SERVER_URL": "https://git.example.org"}

    done = job.run({"suite": "desk.yml", "upload-artifact": "always"}, **server)

    assert (0, NAME) == (done.exit_code, done.outputs["artifact-name"])
    assert done.outputs["artifact-url"].startswith("https://git.example.org/octo/desk/")


def test_a_name_that_is_taken_leads_to_its_input(job: Job, service: ResultsService) -> None:
    step(job, service)

    done = step(job, service)

    (warning,) = said(done, "warning")
    assert "give each job and each step its own `artifact-name`" in warning
    assert [""] * 4 == artifact(done)


def test_a_full_storage_is_told_as_one(job: Job, service: ResultsService) -> None:
    service.faults["CreateArtifact"] = [says(403, "Insufficient usage to create artifact")]

    (warning,) = said(step(job, service), "warning")

    assert "the account's storage for artifacts is full; delete old artifacts" in warning


def test_secrets_are_masked_before_they_are_used(
    job: Job, service: ResultsService, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, tuple[int, int]] = {}
    hide = Publisher.hide

    def noting(self: Publisher, secret: str) -> None:
        asked.setdefault(secret, (len(service.requests), len(service.asked("block"))))
        hide(self, secret)

    monkeypatch.setattr(Publisher, "hide", noting)
    done = step(job, service)

    assert {service.token: (0, 0), SIGNATURE: (1, 0), unquote(SIGNATURE): (1, 0)} == asked
    assert [*asked] == said(done, "add-mask")


@pytest.mark.parametrize("fault", [None, answers(403), answers(200, "no JSON")], ids=["none", "refused", "odd"])
@pytest.mark.parametrize("what", ["CreateArtifact", "block", "FinalizeArtifact"])
def test_no_secret_stands_anywhere_else(job: Job, service: ResultsService, what: str, fault: Any) -> None:
    service.faults[what] = [fault] if fault else []
    job.monkeypatch.setattr("agenttest.github.retries.ATTEMPTS", 1)

    done = step(job, service, RUNNER_DEBUG="1")

    files = [path.read_text("utf-8", "replace") for path in job.workspace.rglob("*") if path.is_file()]
    log = [line for line in done.log.split("\n") if not line.startswith("::add-mask::")]
    texts = [*log, done.summary, *done.outputs.values(), *files]
    secrets = (service.token, SIGNATURE, unquote(SIGNATURE), SIGNATURE[:9])
    assert [] == [text for text in texts for secret in secrets if secret in text]


def test_outside_of_a_runner_nothing_is_masked_as_that_would_show_it(job: Job, service: ResultsService) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run({"suite": "desk.yml"}, **service.variables)

    assert service.artifacts[NAME].data
    assert service.token not in done.log
    assert SIGNATURE not in done.log


def test_the_artifact_is_kept_for_as_long_as_is_asked(job: Job, service: ResultsService) -> None:
    step(job, service, retention_days="5")

    kept = datetime.fromisoformat(service.artifacts[NAME].expires_at or "") - datetime.now(UTC)
    assert timedelta(days=4, hours=23) < kept <= timedelta(days=5)


def test_without_a_number_of_days_the_repository_decides(job: Job, service: ResultsService) -> None:
    step(job, service)

    assert None is service.artifacts[NAME].expires_at


@pytest.mark.parametrize("given", ["0", "91", "five", "-1", "1.5"])
def test_a_number_of_days_that_is_none_is_invalid_input(job: Job, service: ResultsService, given: str) -> None:
    done = step(job, service, retention_days=given)

    assert (2, "invalid-input", []) == (done.exit_code, done.outputs["reason"], service.requests)
    assert f"with: retention-days: is {given!r}; give a number from 1 to 90" in done.log


@pytest.mark.parametrize("given", ["a/b", "a:b", 'a"b', "a\\b", "a\u200bb", "what?"])
def test_a_name_that_no_artifact_can_have_is_invalid_input(job: Job, service: ResultsService, given: str) -> None:
    done = step(job, service, artifact_name=given)

    assert (2, "invalid-input", []) == (done.exit_code, done.outputs["reason"], service.requests)
    assert "with: artifact-name: is " in said(done, "error")[0]


def test_a_name_of_ones_own_is_taken(job: Job, service: ResultsService) -> None:
    done = step(job, service, artifact_name=" my evidence ")

    assert ["my evidence"] == [*service.artifacts] == [done.outputs["artifact-name"]]


def test_legs_of_a_matrix_and_shards_do_not_take_each_others_name(job: Job, service: ResultsService) -> None:
    lay_suite(job.workspace, "many.yml", a=EXPECTED, b=EXPECTED, c=EXPECTED, d=EXPECTED)
    legs = [{"internal-matrix": f'{{"os": "{name}"}}'} for name in ("linux", "macos")]
    legs += [{"shard": f"{index}/2", "internal-matrix": f'{{"shard": "{index}/2"}}'} for index in (1, 2)]
    legs += [{"internal-matrix": "null"}]

    done = [job.run({"suite": "many.yml", **leg}, **service.variables) for leg in legs]

    names = [each.outputs["artifact-name"] for each in done]
    assert len(legs) == len({*names} - {""})
    assert [f"{NAME}-1of2", f"{NAME}-2of2", NAME] == names[2:]


def test_nothing_is_uploaded_where_there_is_no_run_directory(job: Job, service: ResultsService) -> None:
    done = step(job, service, suite="none.yml", upload_artifact="always")

    assert (2, "", []) == (done.exit_code, done.outputs["run-directory"], service.requests)
    assert ["there is no run directory, so nothing was uploaded", "none.yml"] == [
        each.data.split(":")[0].split(";")[0] for each in done.commands
    ]


def test_what_another_step_uploads_is_only_named(job: Job, service: ResultsService) -> None:
    desk.lay(job.workspace, desk.KEPT)
    done = job.run({"suite": "desk.yml", "shard": "1/1"}, **service.variables, **LATER)
    nothing = job.run({"suite": "none.yml"}, **service.variables, **LATER)

    assert [] == service.requests
    assert (["", NAME, "", ""], [""] * 4) == (artifact(done), artifact(nothing))
    assert "upload" not in done.log
    assert [] == done.commands


def test_the_summary_names_the_artifact_that_another_step_uploads(job: Job, service: ResultsService) -> None:
    desk.lay(job.workspace, desk.KEPT)
    summaries = [
        job.run({"suite": "desk.yml", "upload-artifact": word}, **service.variables, **LATER).summary
        for word in ("auto", "never")
    ]

    assert [True, False] == [f"--name {NAME}" in summary for summary in summaries]
    assert [False, True] == ["was not uploaded" in summary for summary in summaries]


def test_the_summary_fetches_the_artifact(job: Job, service: ResultsService) -> None:
    done = step(job, service, desk.BROKEN)

    assert f"gh run download 77 --repo octo/desk --name {NAME} --dir {NAME}-77 &&" in done.summary
    assert f"agenttest replay {NAME}-77" in done.summary


def test_never_asks_nobody(job: Job, service: ResultsService) -> None:
    done = step(job, service, upload_artifact="never")

    assert (0, [], []) == (done.exit_code, service.requests, done.commands)


@pytest.mark.parametrize("given", [{"suite": "missing.yml"}, {"run_directory": "desk.yml"}])
def test_what_always_asks_for_and_no_run_directory_gives_turns_the_step_red(
    job: Job, service: ResultsService, given: dict[str, str]
) -> None:
    done = step(job, service, upload_artifact="always", fail_on="never", **given)

    assert (2, True) == (done.exit_code, any("there is no run directory" in text for text in said(done, "error")))


def test_a_replay_has_nothing_to_upload_so_always_is_told(job: Job, service: ResultsService) -> None:
    done = job.run({"mode": "replay", "runs": "x.zip", "upload-artifact": "always"}, **service.variables)

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])
    assert "with: upload-artifact: is 'always', and mode replay saves nothing to upload" in done.log


def test_the_commands_that_fetch_the_artifact_stand_in_the_log(job: Job, service: ResultsService) -> None:
    done = step(job, service)

    lines = done.log.splitlines()
    fetched = f"gh run download 77 --repo octo/desk --name {NAME} --dir {NAME}-77 &&"
    assert f"agenttest replay {NAME}-77" == lines[lines.index(fetched) + 1]


def test_where_no_thread_can_be_started_the_verdict_stands(
    job: Job, service: ResultsService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("agenttest.github.http.Thread.start", none_left)

    done = step(job, service)

    assert (0, "pass") == (done.exit_code, done.outputs["status"])
    assert (job.workspace / done.outputs["run-directory"]).is_dir()


@pytest.mark.parametrize("given", [{"suite": "missing.yml"}, {"working_directory": "missing"}])
@pytest.mark.parametrize("later", [{}, LATER])
def test_always_is_red_wherever_the_upload_would_be_done(
    job: Job, given: dict[str, str], later: dict[str, str]
) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run(named({"upload_artifact": "always", "fail_on": "never", **given}), **later)

    assert (2, "") == (done.exit_code, done.outputs["artifact-name"])


@pytest.mark.parametrize("word", ["never", " never\n"])
def test_where_nothing_is_to_be_uploaded_later_there_is_no_name(job: Job, word: str) -> None:
    desk.lay(job.workspace, desk.KEPT)

    assert "" == job.run(named({"upload_artifact": word}), **LATER).outputs["artifact-name"]
