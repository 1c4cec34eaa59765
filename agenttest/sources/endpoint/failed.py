"""What went wrong between asking and a whole answer → `Failed`, in words that hold nothing of what was sent or said."""

from __future__ import annotations

import ssl
from http.client import HTTPException

from agenttest.quote import one_line
from agenttest.settings import REPLY_BYTES

UNTRUSTED = {  # what OpenSSL would say with the endpoint's name in it, by its code
    62: ("it is for another host", "ask by a name that the certificate holds"),
    64: ("it is for another address", "ask by a name that the certificate holds"),
}


class Failed(Exception):
    """No whole answer came. `message` is the same for the same failure, and holds no address and no secret; `remedy`
    says what would help."""

    def __init__(self, message: str, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy


def explained(error: Exception) -> Failed:
    """An error of the system or of a library in words of ours, as its own may hold the address or a header."""
    if isinstance(error, Failed):
        return error
    if isinstance(error, TimeoutError):
        return late()
    if isinstance(error, ssl.SSLCertVerificationError):
        return untrusted(error)
    if isinstance(error, ssl.SSLError):
        return without_tls(error)
    if isinstance(error, ConnectionError):
        return closed()
    if isinstance(error, OSError):
        return Failed(f"the connection failed ({words(error)})", "see that the endpoint can be reached from here")
    if isinstance(error, MemoryError):
        return Failed("there is not enough memory for the exchange", "lower --concurrency")
    if isinstance(error, (ValueError, HTTPException)):
        return Failed(f"the request cannot be put into HTTP ({type(error).__name__})", "see the URL and the token")
    return Failed(f"the exchange failed by a fault of agenttest's own ({type(error).__name__})", "report this fault")


def unconnected(error: OSError, hint: str | None) -> Failed:
    """Why no connection could be made; `hint` is what would help where it was refused, if there is more to say."""
    if isinstance(error, ConnectionRefusedError):
        start = "start the agent before the test, or wait until it is there with --wait-for-endpoint"
        return Failed("the connection was refused", f"{hint}; or {start}" if hint else start)
    if isinstance(error, TimeoutError):
        return Failed("no connection could be made within the time", "see that the endpoint can be reached from here")
    if isinstance(error, ConnectionError):  # who hangs up at once may be just as well seen to do it later
        return closed()
    said = f"no connection could be made ({words(error)})"
    return Failed(said, "see that the endpoint can be reached from here")


def words(error: OSError) -> str:
    """What the system says of an error."""
    return one_line(error.strerror.lower()) if error.strerror else type(error).__name__


def untrusted(error: ssl.SSLCertVerificationError) -> Failed:
    """What is wrong with a certificate."""
    authority = "name the file of its authority's certificates with --ca-file"
    why, remedy = UNTRUSTED.get(error.verify_code, (one_line(error.verify_message), authority))
    return Failed(f"the TLS certificate is not trusted ({why})", "renew it" if "expired" in why else remedy)


def without_tls(error: ssl.SSLError) -> Failed:
    """What is wrong with TLS itself; OpenSSL's reason is a word of a fixed list."""
    if isinstance(error, (ssl.SSLEOFError, ssl.SSLZeroReturnError)):
        return closed()
    why = f" ({error.reason.replace('_', ' ').lower()})" if error.reason else ""
    return Failed(
        f"TLS failed{why}",
        "see that the agent speaks TLS 1.2 or later at this port; where it speaks none, write http://",
    )


def late() -> Failed:
    """The time was over."""
    return Failed("no whole answer came within the time", "raise --timeout-seconds, or have the agent answer sooner")


def closed() -> Failed:
    """The endpoint hung up."""
    said = "the connection was closed before the answer was whole"
    return Failed(said, "see in the agent's own log what became of the request")


def invalid(remedy: str = "see that the URL is that of an HTTP/1.1 server") -> Failed:
    """What was said is not HTTP/1.1, or contradicts itself as such."""
    return Failed("the answer is no valid HTTP", remedy)


def larger() -> Failed:
    """The body is beyond the limit, as it was declared, as it was sent, or unpacked."""
    size = f"{REPLY_BYTES >> 20} MiB"
    return Failed(f"the answer is larger than {size}", f"have the agent answer with at most {size}")


def endless(what: str, limit: int) -> Failed:
    """There is more around the body than any honest answer has."""
    said = f"{what} of the answer takes more than {limit >> 10} KiB"
    return Failed(said, "see what stands between here and the agent, and have it say less")


def packed(why: str) -> Failed:
    """The body cannot be unpacked."""
    said = f"the answer cannot be unpacked: {why}"
    return Failed(said, "have the agent answer without a Content-Encoding, as it is asked to")
