"""Azurite, Microsoft's own stand-in for the blob store that GitHub keeps artifacts in; every run has its own key."""

import base64
import hashlib
import hmac
import os
import re
import secrets
import subprocess
import threading
import urllib.request
from pathlib import Path
from typing import Self
from urllib.parse import quote, urlencode

ACCOUNT, CONTAINER, VERSION = "agenttest", "evidence", "2021-12-02"


class Azurite:
    """The store, running while it is a context."""

    def __init__(self, packages: Path, folder: Path) -> None:
        self.packages, self.folder = packages, folder
        self.key = secrets.token_bytes(32)

    def __enter__(self) -> Self:
        accounts = f"{ACCOUNT}:{base64.b64encode(self.key).decode()}"
        flags = ["--blobHost", "127.0.0.1", "--blobPort", "0", "--location", str(self.folder), "--skipApiVersionCheck"]
        self.process = subprocess.Popen(
            [self.packages / "node_modules/.bin/azurite-blob", *flags, "--disableTelemetry"],
            env={"PATH": os.environ["PATH"], "AZURITE_ACCOUNTS": accounts},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            self.origin = self.listening()
            self.make_container()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def listening(self) -> str:
        """Where it listens, as it says itself."""
        assert self.process.stdout
        said, end = "", threading.Timer(60, self.process.kill)
        end.start()
        try:
            for line in self.process.stdout:
                said += line
                if found := re.search(r" listens on (http://\S+)", line):
                    return found[1]
        finally:
            end.cancel()
        raise RuntimeError(f"Azurite did not start: {said}")

    def make_container(self) -> None:
        """Make the place that blobs lie in."""
        asked = urllib.request.Request(f"{self.container}?restype=container&{self.signed()}", method="PUT", data=b"")
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=30).close()

    @property
    def container(self) -> str:
        return f"{self.origin}/{ACCOUNT}/{CONTAINER}"

    def address(self, name: str) -> str:
        """The signed address of a blob."""
        return f"{self.container}/{quote(name)}.zip?{self.signed()}"

    def signed(self) -> str:
        """The query that allows everything."""
        fields = {"sp": "rwcl", "ss": "b", "srt": "co", "st": "", "se": "2099-01-01T00:00:00Z", "sip": "", "spr": ""}
        text = "\n".join([ACCOUNT, *fields.values(), VERSION, "", ""])
        signature = base64.b64encode(hmac.digest(self.key, text.encode(), hashlib.sha256)).decode()
        given = {name: value for name, value in fields.items() if value}
        return urlencode({"sv": VERSION, **given, "sig": signature})
