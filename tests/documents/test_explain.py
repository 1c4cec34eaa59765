"""An error of shape is told by the value's name, what it is, and what would be right."""

import pytest

from agenttest.documents import Document, jsonfile, schema, yamlfile
from agenttest.documents.explain import explain, nearest
from agenttest.documents.yamlfile import Bounds

SCHEMA = {
    "additionalProperties": False,
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z]+$", "$comment": "a word", "description": "a name"},
        "count": {"type": "integer", "minimum": 1, "maximum": 3},
        "share": {"type": "number", "exclusiveMinimum": 0},
        "sure": {"type": "boolean"},
        "part": {"type": "object"},
        "maybe": {"type": ["array", "null"]},
        "words": {"type": "array", "uniqueItems": True, "minItems": 1, "maxItems": 3, "items": {"maxLength": 5}},
        "kind": {"enum": ["chat", "tools"]},
        "one": {"const": 1},
        "long": {"minLength": 2},
        "either": {
            "anyOf": [
                {"type": "string", "pattern": "^[a-z]+$", "$comment": "a word"},
                {"type": "object", "additionalProperties": False, "properties": {"id": {"type": "string"}}},
            ],
            "$comment": "a word, or a mapping with id",
        },
        "odd": {"multipleOf": 2},
        "risk": {"pattern": "^(?:[Ll]ow|[Hh]igh)$", "examples": ["Low", "High"], "$comment": "one of Low, High"},
    },
    "patternProperties": {"^x-": True},
}
HOMES = {"source": ("an entry of sources",), "required": ("tools", "sources")}


def told(document: Document) -> list[str]:
    found = [problem for error in schema.errors(document.value, SCHEMA) for problem in explain(document, error, HOMES)]
    return [f"{problem.line}:{problem.column}: {problem.message}" for problem in sorted(found)]


def in_yaml(text: str) -> list[str]:
    return told(yamlfile.read("f", text, Bounds(9, 99, 999))[0])


def in_json(text: str) -> list[str]:
    return told(jsonfile.read("f", text, 9)[0])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id: 12:30", 'id is 12:30, which YAML reads as the number 750; quote it: "12:30"'),
        ("id: no", 'id is no, which YAML reads as the boolean false; quote it: "no"'),
        ("id: ~", 'id is ~, which YAML reads as no value; quote it: "~"'),
        ("id: null", 'id is null, which YAML reads as no value; quote it: "null"'),
        ("id:", "id is empty; should be a word (quote a text that begins with '#')"),
        ("id: ''", "id is empty; should be a word"),
        ("id: '  '", "id is blank ('  '); should be a word"),
        ("id: A1", "id is the text 'A1'; should be a word"),
        ("id: [a]", "id is a list; should be a word"),
        ("id: []", "id is an empty list; should be a word"),
        ("id: {a: b}", "id is a mapping; should be a word (quote a text that holds ': ' or begins with '{')"),
        ("{id: a, count: x}", "count is the text 'x'; should be an integer"),
        ("{id: a, count: '2'}", "count is the text '2'; should be an integer, without quotes"),
        ("{id: a, count: 'true'}", "count is the text 'true'; should be an integer"),
        ("{id: a, count: '2.5'}", "count is the text '2.5'; should be an integer"),
        ("{id: a, count: 2.0}", "count is the number 2.0; should be an integer"),
        ("{id: a, count: 0}", "count is 0; should be at least 1"),
        ("{id: a, count: 4}", "count is 4; should be at most 3"),
        ("{id: a, share: '2.5'}", "share is the text '2.5'; should be a number, without quotes"),
        ("{id: a, share: 0}", "share is 0; should be above 0"),
        ("{id: a, sure: 'true'}", "sure is the text 'true'; should be true or false, without quotes"),
        ("{id: a, sure: 1}", "sure is the number 1; should be true or false"),
        ("{id: a, sure: }", "sure is empty; should be true or false"),
        ("{id: a, part: 1}", "part is the number 1; should be a mapping"),
        ("{id: a, maybe: 1}", "maybe is the number 1; should be a list"),
        ("{id: a, words: []}", "words is an empty list; should have at least 1 entry"),
        ("{id: a, words: [a, b, c, d]}", "words has 4 entries; should have at most 3"),
        ("{id: a, words: [abcdef]}", "words[0] has 6 characters; should have at most 5"),
        ("{id: a, kind: Chat}", "kind is the text 'Chat'; did you mean 'chat'?"),
        ("{id: a, kind: vision}", "kind is the text 'vision'; should be one of chat, tools"),
        ("{id: a, kind: 1}", "kind is the number 1; should be one of chat, tools"),
        ("{id: a, one: 2}", "one is the number 2; should be 1"),
        ("{id: a, long: x}", "long is too short; should have at least 2 characters"),
        ("{id: a, either: 1}", 'either is 1, which YAML reads as the number 1; quote it: "1"'),
        ("{id: a, either: [a]}", "either is a list; should be a word, or a mapping with id"),
        ("{id: a, either: A}", "either is the text 'A'; should be a word"),
        ("{id: a, either: {id: 1}}", 'either.id is 1, which YAML reads as the number 1; quote it: "1"'),
        ("{id: a, risk: Hihg}", "risk is the text 'Hihg'; did you mean 'High'?"),
        ("{id: a, risk: LOW}", "risk is the text 'LOW'; did you mean 'Low'?"),
        ("{id: a, risk: none}", "risk is the text 'none'; should be one of Low, High"),
        ("{id: a, odd: 3}", "odd is not right: '3 is not a multiple of 2'"),
        ("count: 1", "the file lacks the key 'id'; add it: a name"),
        ("{id: a, size: 1}", f"unknown key 'size' in the file; known here: {', '.join(SCHEMA['properties'])}"),
        ("{id: a, Count: 1}", "unknown key 'Count' in the file; did you mean 'count'?"),
        ("{id: a, source: x}", "unknown key 'source' in the file; it belongs in an entry of sources"),
        ("{id: a, required: x}", "unknown key 'required' in the file; it belongs in tools or sources"),
        ("{id: a, on: 1}", 'the key on is read as the boolean true; quote it: "on"'),
    ],
)
def test_a_message_says_what_is_and_what_would_be_right(text: str, problem: str) -> None:
    assert [problem] == [found.split(": ", 1)[1] for found in in_yaml(text)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"id": 7}', "1:8: id is the number 7; should be a word"),
        ('{"id": null}', "1:8: id is null; should be a word"),
        ('{"id": {"a": 1}}', "1:8: id is an object; should be a word"),
        ('{"id": {}}', "1:8: id is an empty object; should be a word"),
        ('{"id": "a", "part": []}', "1:21: part is an empty list; should be an object"),
        (
            '{"id": "a", "part": "{\\"b\\": 1}"}',
            "1:21: part is the text '{\"b\": 1}'; should be an object, and not JSON in a text",
        ),
        ('{"id": "a", "sure": "true"}', "1:21: sure is the text 'true'; should be true or false, without quotes"),
    ],
)
def test_json_is_told_in_the_words_of_json(text: str, problem: str) -> None:
    assert [problem] == in_json(text)


def test_in_json_a_key_that_is_misspelt_and_misplaced_is_told_with_its_home() -> None:
    told = in_json('{"id": "a", "sourcee": "x"}')

    assert [
        "1:13: unknown key 'sourcee' in the file; did you mean 'source', which belongs in an entry of sources?"
    ] == told


def test_a_key_of_somebodys_own_is_no_unknown_one() -> None:
    assert [] == in_yaml("{id: a, x-owner: me}")


def test_a_misspelt_key_is_not_called_missing_too() -> None:
    assert ["1:1: unknown key 'iD' in the file; did you mean 'id'?"] == in_yaml("iD: a")


def test_an_unknown_key_stands_at_the_key() -> None:
    assert ["2:1: unknown key 'source' in the file; it belongs in an entry of sources"] == in_yaml("id: a\nsource: 12")


def test_every_repeated_entry_is_told_with_the_line_of_the_first() -> None:
    text = "id: a\nwords:\n  - x\n  - y\n  - x\n"

    assert ["5:5: words[2] is 'x' again (first on line 3); keep one"] == in_yaml(text)


def test_true_does_not_repeat_one() -> None:
    repeats = [found for found in in_yaml("{id: a, words: [1, true, 1]}") if "again" in found]

    assert ["1:26: words[2] is 1 again (first on line 1); keep one"] == repeats


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("promt", "prompt"),
        ("maxCalls", "max_calls"),
        ("max-calls", "max_calls"),
        ("MAX_CALL", "max_calls"),
        ("x", None),
    ],
)
def test_the_nearest_word_is_found_however_it_is_spelt(word: str, known: str | None) -> None:
    assert known == nearest(word, ["prompt", "max_calls", "expect"])


def test_a_very_long_word_is_compared_by_its_beginning() -> None:
    assert nearest("prompt" * 100_000, ["prompt"]) is None
