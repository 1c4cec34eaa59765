"""`image.py ACTION IMAGE` → action.yml with its one `image: Dockerfile` line naming a published image instead.

The image is named by tag and digest: people read the tag, Docker pulls the digest.
"""

import re
import sys
from pathlib import Path

BUILT_HERE = "  image: Dockerfile"
PUBLISHED = re.compile(r"ghcr\.io/[a-z0-9][a-z0-9._/-]*:v\d+\.\d+\.\d+@sha256:[0-9a-f]{64}")


def main(action: str, image: str) -> None:
    """Rewrite the file in place; whatever is not as expected ends the release."""
    text = Path(action).read_text("utf-8")
    Path(action).write_text(named(text, image), "utf-8", newline="\n")


def named(text: str, image: str) -> str:
    """The file with the image in it."""
    if not PUBLISHED.fullmatch(image):
        sys.exit(f"image.py: {image!r} should be ghcr.io/OWNER/NAME:vX.Y.Z@sha256: and 64 hex digits, in lower case")
    lines = text.split("\n")
    if lines.count(BUILT_HERE) != 1:
        sys.exit(f"image.py: should find {BUILT_HERE.strip()!r} once, found it {lines.count(BUILT_HERE)} times")
    lines[lines.index(BUILT_HERE)] = f"  image: docker://{image}"
    return "\n".join(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
