"""Values → HTML by the templates in this folder: what is not markup of ours is escaped, what is unseen is shown."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agenttest.quote import printable

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent


def render(name: str, **values: Any) -> str:
    """A page."""
    return environment().get_template(name).render(values)


class Markup(str):
    """What a template has made, or a file of ours: it goes into a page as it is. Nothing else may be one."""

    __slots__ = ()

    def __html__(self) -> str:
        """Itself, which is how templates know."""
        return self


def block(name: str, **values: Any) -> Markup:
    """A part of a page."""
    return Markup(render(name, **values))


@cache
def environment() -> Environment:
    """The templates, and what all of them know."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        auto_reload=False,
        finalize=shown,
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    style, script = ours("style.css"), ours("script.js")
    made.globals = {
        "style": Markup(style),
        "script": Markup(script),
        "policy": policy(style, script),
        "marks": {"pass": "✓", "fail": "✗", "incomplete": "?"},
        "words": {"pass": "passed", "fail": "failed", "incomplete": "incomplete"},
        "said": {"pass": "kept", "fail": "violated", "incomplete": "not provable"},
        "signs": {"expected": "−", "observed": "+", "same": " ", "more": " "},
    }
    return made


def shown(value: Any) -> Any:
    """A value with every unseen character as its escape."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else printable(value)


def ours(name: str) -> str:
    """A file of this folder."""
    return (HERE / name).read_text("utf-8").strip()


def policy(style: str, script: str) -> str:
    """What a page may do: be styled by this style, be helped by this script, and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src {digest(style)}",
            f"script-src {digest(script)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def digest(text: str) -> str:
    """A text as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
