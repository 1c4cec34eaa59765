"""The artifacts of this run that a name or pattern names → their files, unpacked."""

import base64
import io
import json
import os
import urllib.request
import zipfile
from fnmatch import fnmatchcase
from pathlib import Path

SERVICE = "/twirp/github.actions.results.api.v1.ArtifactService/"


def main() -> None:
    name, pattern = os.environ["INPUT_NAME"], os.environ["INPUT_PATTERN"]
    target = Path(os.environ["GITHUB_WORKSPACE"], os.environ["INPUT_PATH"])
    for artifact in ask("ListArtifacts", {}).get("artifacts", []):
        found = artifact["name"] == name if name else fnmatchcase(artifact["name"], pattern)
        if found:
            address = ask("GetSignedArtifactURL", {"name": artifact["name"]})["signedUrl"]
            with urllib.request.urlopen(address) as answer:
                unpack(answer.read(), target if name else target / artifact["name"])


def ask(method: str, fields: dict[str, str]) -> dict[str, object]:
    """What the artifact server answers."""
    run, job = scope(os.environ["ACTIONS_RUNTIME_TOKEN"])
    body = json.dumps({"workflow_run_backend_id": run, "workflow_job_run_backend_id": job, **fields}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ['ACTIONS_RUNTIME_TOKEN']}"}
    address = os.environ["ACTIONS_RESULTS_URL"].rstrip("/") + SERVICE + method
    with urllib.request.urlopen(urllib.request.Request(address, body, headers)) as answer:
        return json.load(answer)


def scope(token: str) -> tuple[str, str]:
    payload = token.split(".")[1]
    scopes = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["scp"].split()
    (run, job) = next(each for each in scopes if each.startswith("Actions.Results:")).split(":")[1:]
    return run, job


def unpack(data: bytes, folder: Path) -> None:
    """Unpack a ZIP for whoever owns the workspace."""
    zipfile.ZipFile(io.BytesIO(data)).extractall(folder)
    owner = os.stat(os.environ["GITHUB_WORKSPACE"])
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)


main()
