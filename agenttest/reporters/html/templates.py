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


def block(name: str, **values: Any) -> Any:
    """A part of a page, which a page takes as markup."""
    from markupsafe import Markup

    return Markup(render(name, **values))  # noqa: S704 (made by a template, so escaped)


@cache
def environment() -> Environment:
    """The templates, and what all of them know."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    made = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        auto_reload=False,
        finalize=shown,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    style, script = ours("style.css"), ours("script.js")
    made.globals = {
        "style": Markup(style),  # noqa: S704 (our own file)
        "script": Markup(script),  # noqa: S704 (our own file)
        "policy": policy(style, script),
        "marks": {"pass": "✓", "fail": "✗", "incomplete": "?"},
        "words": {"pass": "passed", "fail": "failed", "incomplete": "incomplete"},
        "said": {"pass": "kept", "fail": "violated", "incomplete": "not provable"},
        "signs": {"expected": "−", "observed": "+", "same": " ", "more": " "},
    }
    return made


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
