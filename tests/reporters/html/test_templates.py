"""Templates put nothing into a page that could act there, and a page may do nothing but be read."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

from agenttest.quote import UNSEEN
from agenttest.reporters.html import templates
from agenttest.reporters.html.templates import Markup, environment, ours, policy
from tests.github import hostile

HERE = Path(templates.__file__).parent
TEMPLATES = sorted(HERE.glob("*.html"))
HARMLESS = {"content", "class", "id", "value", "href", "viewBox", "x", "width", "placeholder", "aria-label"}
HARMLESS |= {"aria-labelledby"}
ACTING = "<script>'\"&\u202e\ud800"


def rendered(source: str, value: object) -> str:
    return environment().from_string(source).render(value=value)


@pytest.mark.parametrize("source", ["{{ value }}", "<p title='{{ value }}'>", "{% set x = value %}{{ x }}"])
def test_a_text_is_escaped_and_what_is_unseen_in_it_is_shown(source: str) -> None:
    assert "&lt;script&gt;&#39;&#34;&amp;\\u202e\\ud800" in rendered(source, ACTING)


@pytest.mark.parametrize("text", [*hostile.COMMANDS, *hostile.FRAGMENTS])
def test_no_unseen_character_comes_through(text: str) -> None:
    assert not UNSEEN.search(rendered("{{ value }}", text))


def test_a_value_that_is_missing_is_a_fault_and_not_nothing() -> None:
    with pytest.raises(Exception, match="undefined"):
        rendered("{{ other }}", 1)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_takes_a_value_for_markup(path: Path) -> None:
    assert [] == re.findall(r"\bsafe\b|autoescape|Markup|{%-?\s*(?:raw|macro|call|filter)\b", path.read_text("utf-8"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_puts_a_value_where_it_could_act(path: Path) -> None:
    text = path.read_text("utf-8")
    attributes = dict.fromkeys(re.findall(r'([\w-]+)="[^"]*{{', text))

    assert not re.search(r"=\s*{{|<[^>]*\son\w+=|\bstyle=|\bsrc=|javascript:", text)
    assert set(attributes) <= HARMLESS


def test_markup_is_made_in_one_place() -> None:
    users = [path.name for path in HERE.glob("*.py") if re.search(r"\bMarkup\(", path.read_text("utf-8"))]

    assert ["templates.py"] == users


def test_a_part_of_a_page_is_taken_as_it_is() -> None:
    assert "<b>&</b>" == rendered("{{ value }}", Markup("<b>&</b>"))


def test_a_policy_allows_this_style_and_this_script_and_nothing_else() -> None:
    style, script = (
        base64.b64encode(hashlib.sha256(ours(name).encode()).digest()).decode() for name in ("style.css", "script.js")
    )

    assert [
        "default-src 'none'",
        f"style-src 'sha256-{style}'",
        f"script-src 'sha256-{script}'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ] == policy(ours("style.css"), ours("script.js")).split("; ")


@pytest.mark.parametrize("name", ["style.css", "script.js"])
def test_what_is_ours_ends_no_element_and_names_no_address(name: str) -> None:
    assert [] == re.findall(r"</|<!--|://|@import|url\(|innerHTML|eval", ours(name))
