"""Tokens in the forms that an agent, or what it talks to, may give them back in; made by the standard library."""

import base64
import html
import json
from collections.abc import Iterator
from urllib.parse import quote

TOKEN = "tok-4711+secret/value=&\"x'\\9%"
PLAIN = "tok-4711-secret-value"


def forms(token: str) -> dict[str, str]:
    """Each form of the whole token by its name."""
    data, codes = token.encode(), [f"{ord(char):04x}" for char in token]
    named = {
        "as it is": token,
        "in a URL": quote(token, safe=""),
        "in a URL, lower case": lower(quote(token, safe="")),
        "in a URL, every character": "".join(f"%{byte:02X}" for byte in data),
        "in a URL in a URL": quote(quote(token, safe=""), safe=""),
        "in JSON": json.dumps(token)[1:-1],
        "in JSON with all escapes": "".join(f"\\u{code}" for code in codes),
        "in JSON with slashes escaped": json.dumps(token)[1:-1].replace("/", "\\/"),
        "in JSON in JSON": json.dumps(json.dumps(token))[3:-3],
        "in a literal": repr(token)[1:-1],
        "in bytes of a literal": "".join(f"\\x{byte:02x}" for byte in data),
        "in HTML": html.escape(token),
        "in JSON in HTML": html.escape(json.dumps(token)[1:-1]),
        "in HTML by number": "".join(f"&#{ord(char)};" for char in token),
        "in HTML by hexadecimal number": "".join(f"&#x{code};" for code in codes),
        "in hex": data.hex(),
        "in HEX": data.hex().upper(),
    }
    return named | dict(base64s(data))


def base64s(data: bytes) -> Iterator[tuple[str, str]]:
    """Base64 texts that hold the data, at each alignment."""
    for before in (b"", b"u", b"u:", b"user:"):
        for after in (b"", b"\n", b" x"):
            text = base64.b64encode(before + data + after).decode()
            where = f"in base64 after {before!r} and before {after!r}"
            yield where, text
            yield f"{where}, for URLs", base64.urlsafe_b64encode(before + data + after).decode()
            yield f"{where}, without padding", text.rstrip("=")
            yield f"{where}, in a URL", quote(text, safe="")


def lower(text: str) -> str:
    """Percent signs with small digits."""
    first, *rest = text.split("%")
    return "%".join([first, *(part[:2].lower() + part[2:] for part in rest)])


def ways(char: str) -> list[str]:
    """How one character may be written."""
    code = ord(char)
    return [char, *(f"%{code:02x}", f"%{code:02X}", f"\\u{code:04x}", f"&#{code};", f"&#x{code:X};", f"\\x{code:02x}")]


def traces(text: str, token: str) -> list[str]:
    """The forms of the token that stand in the text; of base64 what does not depend on what stands around it."""
    found = [name for name, form in forms(token).items() if "base64" not in name and form in text]
    data = token.encode()
    for shift in range(3):
        inner = base64.b64encode(b"." * shift + data + b"..").decode()[4 if shift else 0 :]
        inner = inner[: (shift + len(data)) // 3 * 4 - (4 if shift else 0)]
        for made in (inner, inner.translate({43: 45, 47: 95}), quote(inner, safe="")):
            if made in text:
                found.append(f"base64 at {shift}")
    return found
