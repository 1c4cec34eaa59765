"""A mistake in YAML is told in words that help whoever wrote it, at its place."""

import pytest
import yaml

from agenttest.documents import yamlfile
from agenttest.documents.yamlfile import Bounds
from agenttest.documents.yamlsyntax import syntax_problem
from agenttest.errors import InvalidInput

TAB = "a tab stands here; indent with spaces"
FITS_NONE = (
    "the indentation of this line fits none above; indent keys of one level alike, and entries of one list alike"
)
ENDED = "the value has ended before this; quote the whole text"
BEGUN = "the text before this colon has begun already; quote a text that holds ': '"
DEEPER = "this key is indented deeper than the one above, which has a value already; indent keys of one level alike"
NO_COLON = "this line has no ':' and continues no text; write `key: value`"
COLUMN = "a list begins beside its key; write each entry on a line of its own, after '- '"
ESCAPE = r"this escape is none of YAML's; write the character itself, or \\ for a backslash"
MISTAKES = {
    "a tab as indentation": ("a:\n\tb: 1\n", f"2:1: {TAB}"),
    "a tab after spaces": ("a:\n  \tb: 1\n", f"2:3: {TAB}"),
    "a tab after a dash": ("a:\n  -\tb: 1\n", f"2:4: {TAB}"),
    "a tab below a text": ("a:\n  b: x\n\tc: y\n", f"3:1: {TAB}"),
    "a key indented less": ("a:\n    b: 1\n  c: 2\n", f"3:3: {FITS_NONE}"),
    "an entry indented less": ("a:\n  - x\n - y\n", f"3:2: {FITS_NONE}"),
    "an entry among keys": ("a: 1\n- b\n", f"2:1: {FITS_NONE}"),
    "a key among entries": ("a:\n  - b\n  c: 1\n", f"3:3: {FITS_NONE}"),
    "a key indented more": ("a: 1\n  b: 2\n", f"2:4: {DEEPER}"),
    "no colon": ("version: 1\nagent\n  model: x\n", f"2:1: {NO_COLON}"),
    "no space after a colon": (
        "version:1\nagent: {}\n",
        "2:6: the line above, 'version:1', has no space after its colon; write one",
    ),
    "a colon in a text": ("prompt: Hello: world\n", f"1:14: {BEGUN}"),
    "a colon after a quoted text": ('a: "x": y\n', f"1:7: {BEGUN}"),
    "text after a quoted text": ('a: "x" y\n', f"1:8: {ENDED}"),
    "an apostrophe in single quotes": ("a: 'it's'\n", f"1:8: {ENDED}"),
    "text after brackets": ("a: [x] said\n", f"1:8: {ENDED}"),
    "a bracket too many": ("a: [x]]\n", f"1:7: {ENDED}"),
    "no closing quote": ('a: "abc\nb: c\n', "1:4: the quote that opens here is never closed; close it"),
    "no closing bracket": ("a: [x, y\nb: 1\n", "2:2: ',' or ']' should stand before this, for the '[' at 1:4"),
    "no closing brace": ("a: {x: y\n", "2:1: ',' or '}' should stand before this, for the '{' at 1:4"),
    "two commas": ("a: [x,, y]\n", "1:7: a value is missing before this; write it, or remove the comma or colon"),
    "a list beside its key": ("a: - b\n", f"1:4: {COLUMN}"),
    "a text that begins with %": ("a: %x\n", "1:4: a text begins with '%'; quote the text"),
    "a text that begins with @": ("a: @x\n", "1:4: a text begins with '@'; quote the text"),
    "a text that begins with `": ("a: `x`\n", "1:4: a text begins with '`'; quote the text"),
    "a text that begins with |": ("a: |b\n", "1:4: a text begins with '|' or '>'; quote the text"),
    "a text that begins with *": ("a: *b* c\n", "1:4: a text begins with '*' or '&'; quote the text"),
    "a text that begins with &": ("a: & b\n", "1:4: a text begins with '*' or '&'; quote the text"),
    "a text that begins with !": ("a: !e!b\n", "1:4: a text begins with '!'; quote the text"),
    "a text that begins with :": (
        ": b\nc\n",
        "1:1: the key before this colon is missing; write it, or quote a text that begins with ':'",
    ),
    "a short escape": ('a: "\\u12"\n', f"1:7: {ESCAPE}"),
    "two values": ("[a]\nb: 1\n", "2:1: the document has ended before this; keep one document to a file"),
    "an unknown directive": ("%YAML 3.0\n---\na: 1\n", "1:1: a line begins with '%'; remove it"),
}


def problem(text: str) -> str:
    with pytest.raises(InvalidInput) as caught:
        yamlfile.read("f.yml", text, Bounds(32, 1_000, 1_000))
    (found,) = caught.value.problems
    return str(found).removeprefix("f.yml:")


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_usual_mistake_is_told_at_its_place(mistake: str) -> None:
    text, told = MISTAKES[mistake]

    assert told == problem(text)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_parser_without_libyaml_tells_the_same(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlfile, "LOADER", yaml.SafeLoader)
    text, told = MISTAKES[mistake]

    assert told == problem(text)


def test_half_a_character_is_told() -> None:
    assert f"1:7: {ESCAPE}" == problem('a: "\\ud83d"')


def test_an_unknown_escape_is_told_where_it_stands() -> None:
    assert f"1:7: {ESCAPE}" == problem('a: "C:\\dir"\n')


def test_the_line_ends_of_the_file_count() -> None:
    assert f"3:1: {TAB}" == problem("a: 1\r\nb:\r\tc: 1\r")


def test_another_mistake_is_told_in_the_parsers_words() -> None:
    error = yaml.MarkedYAMLError("while reading", None, "found a thing", yaml.Mark("f.yml", 5, 1, 2, None, None))

    found = str(syntax_problem("f.yml", "a:\n  b", error))

    assert found.startswith("f.yml:2:3: the text is not YAML: found a thing while reading; ")
