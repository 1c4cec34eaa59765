"""A body as it was sent → the body itself, by its Content-Encoding; a bomb takes no more than the limit."""

from __future__ import annotations

import zlib

from agenttest.settings import REPLY_BYTES
from agenttest.sources.endpoint import failed

CODINGS = 2  # one inside the other
MEMBERS = 64  # of one gzip stream
GZIP, ZLIB, DEFLATE = 31, 15, -15  # zlib's wbits; of a deflate stream that should be in zlib's form, many are not
FORMS = {"gzip": (GZIP,), "x-gzip": (GZIP,), "deflate": (ZLIB, DEFLATE)}


def unpacked(body: bytes, codings: tuple[str, ...]) -> bytes:
    """The body, at most REPLY_BYTES; `codings` are in the order in which they were applied."""
    applied = [coding for coding in codings if coding not in ("", "identity")]
    if len(applied) > CODINGS:
        raise failed.packed(f"it is packed more than {CODINGS} times")
    if not all(coding in FORMS for coding in applied):
        raise failed.packed("its Content-Encoding is not gzip, deflate or identity")
    for coding in reversed(applied) if body else ():
        body = opened(body, FORMS[coding])
    return body


def opened(packed: bytes, forms: tuple[int, ...]) -> bytes:
    """One packing taken off, in the first form that fits."""
    for form in forms:
        try:
            return joined(packed, form)
        except zlib.error:
            continue
    raise failed.packed("it is broken or cut short")


def joined(packed: bytes, form: int) -> bytes:
    """All members of a stream, one after the other; zlib.error where it is none, or not whole."""
    found = b""
    for _ in range(MEMBERS):
        member = zlib.decompressobj(form)
        found += member.decompress(packed, REPLY_BYTES + 1 - len(found))
        if len(found) > REPLY_BYTES:
            raise failed.larger()
        packed = member.unused_data
        if not member.eof or (packed and form != GZIP):
            break
        if not packed:
            return found
    raise zlib.error
