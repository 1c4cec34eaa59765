"""The text of a URL → `Address`: what may be asked at all, and its one canonical name."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, unquote_plus

PORTS = {"http": 80, "https": 443}
KEY = 16  # characters that a query, or a value in it, has at least where it may be a key
URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?#]*)(?P<target>[^#]*)(?P<fragment>#.*)?")
NAME = re.compile(r"([A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?")
NUMBER = re.compile(r"(.*\.)?([0-9]+|0[xX][0-9A-Fa-f]*)\.?")  # what a system would take for an IPv4 address


@dataclass(frozen=True, slots=True)
class Address:
    """An http or https URL without credentials and fragment.

    `host` is in lower case, of an IPv6 address without brackets; `port` is the scheme's own where none was given;
    `target` is the path and the query as they were given; `texts` are the spellings that saved words must not hold.
    """

    scheme: str
    host: str
    port: int
    target: str
    fingerprint: str
    texts: Sequence[str]

    @property
    def loopback(self) -> bool:
        """Whether the host is this machine by its very name."""
        if (ip := self.ip) is not None:
            return ip in ipaddress.ip_network("127.0.0.0/8") or ip == ipaddress.ip_address("::1")
        return self.host == "localhost"

    @property
    def ip(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """The host where it is an IP address, and no name."""
        return literal(self.host)


def literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address that a text is; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def parse(given: str) -> Address:
    """The address of a URL; ValueError says all that is wrong and what would be right, and repeats no part of it."""
    if wrong := "; ".join(unreadable(given)):
        raise ValueError(wrong)
    if (found := URL.fullmatch(given)) is None:
        raise ValueError("is no URL; give one such as http://localhost:8080/v1/chat/completions")
    if wrong := "; ".join(misnamed(found)):
        raise ValueError(wrong)
    return address(given, found)


def unreadable(given: str) -> Iterator[str]:
    """What keeps the text from being read in one way by everyone."""
    if not given:
        yield "is empty; give a URL such as http://localhost:8080/v1/chat/completions"
    if given != given.strip():
        yield "has space around it; give the URL alone"
    inner = given.strip()
    if re.search(r"[\0-\x20\x7f]", inner):
        yield "holds a space or a control character; write it percent-encoded"
    if "\\" in inner:
        yield "holds a backslash, which some take for a slash; write / or %5C"
    if not inner.isascii():
        yield "holds a character that is not ASCII; write the host in punycode (xn--…), all else percent-encoded"


def misnamed(found: re.Match[str]) -> Iterator[str]:
    """What is wrong with the parts of the URL."""
    if found["scheme"].lower() not in PORTS:
        yield "is neither http nor https; give a URL that begins with http:// or https://"
    if found["fragment"] is not None:
        yield "has a fragment, which is never sent; leave # and what follows out"
    _, at, authority = found["authority"].rpartition("@")
    if at:
        yield "holds credentials, or an @ before its host; leave them out, and name a token's variable with --auth-env"
    yield from misplaced(authority)


def misplaced(authority: str) -> Iterator[str]:
    """What is wrong with the host and the port."""
    host, port = placed(authority)
    if said := misspelled(host):
        yield said
    if port is not None and not (re.fullmatch("[0-9]{1,5}", port) and 1 <= int(port) <= 65535):
        yield "has no port after the colon that follows its host; give a number from 1 to 65535, or leave the colon out"


def placed(authority: str) -> tuple[str, str | None]:
    """The host, with the brackets of an IPv6 address, and what follows its colon."""
    host, colon, port = authority.rpartition(":")
    return (host, port) if colon and "]" not in port else (authority, None)


def misspelled(host: str) -> str | None:
    """What is wrong with the host alone."""
    if not host:
        return "names no host; give one, such as http://localhost:8080/"
    if host.startswith("["):
        return bracketed(host)
    if NUMBER.fullmatch(host) and literal(host) is None:
        return "has a number for a host; write an IPv4 address as four decimal numbers without leading zeros: 127.0.0.1"
    if not NAME.fullmatch(host) or len(host) > 253:
        return "has a host that is no name; write letters, digits, - and _, with dots between parts of at most 63"
    return None


def bracketed(host: str) -> str | None:
    """What is wrong with an IPv6 address in its brackets."""
    if "%" in host:
        return "has an IPv6 address with a zone, which only this machine knows; name an address without one"
    if not host.endswith("]") or not isinstance(literal(host[1:-1]), ipaddress.IPv6Address):
        return "has brackets that do not hold an IPv6 address; write it so: http://[::1]:8080/"
    return None


def address(given: str, found: re.Match[str]) -> Address:
    """The address of a URL that is right."""
    scheme, (host, digits) = found["scheme"].lower(), placed(found["authority"].lower())
    port = int(digits or PORTS[scheme])
    target = found["target"] if found["target"].startswith("/") else f"/{found['target']}"
    canonical = f"{scheme}://{host}{'' if port == PORTS[scheme] else f':{port}'}{target}"
    fingerprint = hashlib.sha256(canonical.encode()).hexdigest()
    texts = tuple(dict.fromkeys((given, canonical, *keys(target))))
    return Address(scheme, host.strip("[]"), port, target, fingerprint, texts)


def keys(target: str) -> Iterator[str]:
    """The query, and whatever in it may be a key, as given and as it is meant."""
    query = target.partition("?")[2]
    values = [part.partition("=")[2] or part for part in query.split("&")]
    for text in (query, *values):
        yield from (spelled for spelled in (text, unquote(text), unquote_plus(text)) if len(spelled) >= KEY)
