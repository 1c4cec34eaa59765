"""What a contract's parts must not say against each other is told at its place, and nothing else is."""

import pytest

from tests.suites.contract.contracts import FIND_AND_PAY, marked, scenario, text, told

ADD = "add it there or remove it here"
TWO = "remove one of the two"
NOTHING = "expect asks for nothing; add an assertion, such as response: {contains: [a text]}"
RULES = {
    "a text in both lists": (
        "{response: {contains: [x], excludes: [y, ^x]}}",
        f"response.excludes[1] is 'x', which is in contains too; {TWO}",
    ),
    "a forbidden tool is required": (
        "{tools: {required: [pay], forbidden: [^pay]}}",
        f"tools.forbidden[0] is 'pay', which is in required too; {TWO}",
    ),
    "a forbidden tool is required with arguments": (
        "{tools: {required: [{name: pay, arguments: {}}], forbidden: [^pay]}}",
        f"tools.forbidden[0] is 'pay', which is in required too; {TWO}",
    ),
    "a forbidden tool is in the sequence": (
        "{tools: {exact_sequence: [pay], forbidden: [^pay]}}",
        f"tools.forbidden[0] is 'pay', which is in exact_sequence too; {TWO}",
    ),
    "a forbidden tool is allowed": (
        "{tools: {allowed: [pay], forbidden: [^' pay']}}",
        f"tools.forbidden[0] is 'pay', which is in allowed too; {TWO}",
    ),
    "required more often than in the sequence": (
        "{tools: {required: [pay, ^pay], exact_sequence: [pay]}}",
        f"tools.required[1] is 'pay', required more often than it stands in exact_sequence; {ADD}",
    ),
    "required, and the sequence is empty": (
        "{tools: {required: [^pay], exact_sequence: []}}",
        f"tools.required[0] is 'pay', required more often than it stands in exact_sequence; {ADD}",
    ),
    "fewer calls than required": (
        "{tools: {required: [pay, pay], max_calls: ^1}}",
        "tools.max_calls is 1, but required needs 2; raise it or ask for fewer",
    ),
    "fewer calls than the sequence": (
        "{tools: {exact_sequence: [pay], max_calls: ^0}}",
        "tools.max_calls is 0, but exact_sequence needs 1; raise it or ask for fewer",
    ),
    "required and not allowed": (
        "{tools: {required: [^pay], allowed: [find]}}",
        f"tools.required[0] is 'pay', which is not in allowed; {ADD}",
    ),
    "in the sequence and not allowed": (
        "{tools: {exact_sequence: [^pay], allowed: null}}",
        f"tools.exact_sequence[0] is 'pay', which is not in allowed; {ADD}",
    ),
    "nothing asked": ("^{}", NOTHING),
    "only empty lists": ("^{response: {contains: []}, tools: null, sources: {required: null}}", NOTHING),
    "a text twice": (
        "{response: {contains: [x, y, ^x]}}",
        "response.contains[2] is 'x' again (first on line 7); keep one",
    ),
    "a tool forbidden twice": (
        "{tools: {forbidden: [pay, ^pay]}}",
        "tools.forbidden[1] is 'pay' again (first on line 7); keep one",
    ),
    "a tool allowed twice, with space": (
        "{tools: {allowed: [pay, ^' pay']}}",
        "tools.allowed[1] is 'pay' again (first on line 7); keep one",
    ),
    "a source twice, with space": (
        "{sources: {required: ['faq ', ^faq]}}",
        "sources.required[1] is 'faq' again (first on line 7); keep one",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_contradiction_is_told_at_its_place(rule: str) -> None:
    expect, problem = RULES[rule]
    contract, place = marked(text(expect))

    assert [f"{place}: {problem}"] == told(contract)


@pytest.mark.parametrize(
    "expect",
    [
        "{response: {contains: [x], excludes: [xy]}}",
        "{response: {contains: [x], excludes: [' x']}}",
        "{response: {contains: [x, 'x ']}}",
        "{tools: {required: [pay, pay], exact_sequence: [pay, find, pay], allowed: [find, pay], max_calls: 3}}",
        "{tools: {required: [pay, pay]}}",
        "{tools: {required: [], exact_sequence: []}}",
        "{tools: {allowed: []}}",
        "{tools: {allowed: null}}",
        "{tools: {exact_sequence: null, max_calls: 0}}",
        "{tools: {allowed: [], max_calls: 5}}",
        "{tools: {exact_sequence: [pay, pay]}}",
        "{tools: {forbidden: [never_declared]}}",
        "{refusal: true, response: {contains: [Sure]}}",
        "{sources: {required: [a, A]}}",
    ],
)
def test_what_can_be_kept_is_no_contradiction(expect: str) -> None:
    assert [] == told(text(expect))


OFFER = "which this scenario does not offer; add it to"


@pytest.mark.parametrize(
    ("expect", "more", "problem"),
    [
        ("{tools: {required: [^fly]}}", "", f"tools.required[0] is 'fly', {OFFER} agent.tools"),
        ("{tools: {allowed: [find, ^fly]}}", "", f"tools.allowed[1] is 'fly', {OFFER} agent.tools"),
        ("{tools: {exact_sequence: [^fly]}}", "", f"tools.exact_sequence[0] is 'fly', {OFFER} agent.tools"),
        (
            "{tools: {required: [^pay]}}",
            "available_tools: [find]",
            f"tools.required[0] is 'pay', {OFFER} available_tools",
        ),
        (
            "{tools: {required: [^pay]}}",
            "available_tools: null",
            f"tools.required[0] is 'pay', {OFFER} available_tools",
        ),
        (
            "{refusal: true}",
            "available_tools: [find, ^fly]",
            "available_tools[1] is 'fly', which agent.tools does not have; declare it there",
        ),
        (
            "{refusal: true}",
            "available_tools: [find, ^find]",
            "available_tools[1] is 'find' again (first on line 6); keep one",
        ),
    ],
)
def test_what_is_asked_must_be_offered(expect: str, more: str, problem: str) -> None:
    contract, place = marked(text(expect, agent=FIND_AND_PAY, more=more))

    assert [f"{place}: {problem}"] == told(contract)


def test_forbidden_tools_need_no_declaration() -> None:
    assert [] == told(
        text("{tools: {forbidden: [fly]}}", agent="{tools: [{name: find, description: d, parameters: {}}]}")
    )


def test_without_declared_tools_any_may_be_asked_for() -> None:
    assert [] == told(text("{tools: {required: [fly]}}", agent="{tools: []}"))


def test_offered_tools_must_be_declared_even_where_none_are() -> None:
    problem = "6:21: available_tools[0] is 'fly', which agent.tools does not have; declare it there"

    assert [problem] == told(text("{refusal: true}", more="available_tools: [fly]"))


def test_names_are_compared_without_surrounding_space() -> None:
    agent = "{tools: [{name: ' find', description: d, parameters: {}}]}"

    assert [] == told(
        text("{tools: {required: ['find '], allowed: [find]}}", agent=agent, more="available_tools: [find]")
    )


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ("{response: {contains: ^x}}", "response.contains is the text 'x'; should be a list of texts"),
        ("{response: ^[x]}", "response is a list; should be a mapping"),
        ("{^contains: [x]}", "unknown key 'contains' in expect; it belongs in response"),
        ("{tools: {exact_sequence: ^pay}}", "tools.exact_sequence is the text 'pay'; should be a list of tool names"),
        ("{tools: {allowed: ^x, required: [y]}}", "tools.allowed is the text 'x'; should be a list of tool names"),
        ("{tools: {max_calls: ^true, required: [x]}}", "tools.max_calls is the boolean true; should be an integer"),
        ("{tools: {max_calls: ^-1, required: [x]}}", "tools.max_calls is -1; should be at least 0"),
    ],
)
def test_an_error_of_shape_makes_no_contradiction_up(expect: str, problem: str) -> None:
    contract, place = marked(text(expect))

    assert [f"{place}: {problem}"] == told(contract)


def test_tools_of_the_wrong_shape_make_none_unavailable() -> None:
    found = told(text("{tools: {required: [find]}}", agent="{tools: {find: {}}}", more="available_tools: [find]"))

    assert ["2:16: agent.tools is a mapping; should be a list of tools"] == found


def test_an_id_stands_once() -> None:
    twice = text("{refusal: true}") + "- {id: ' desk', prompt: x, expect: {refusal: true}}\n"

    assert ["8:8: id is 'desk' again (first on line 4); give each its own"] == told(twice)


def test_ids_differ_by_case() -> None:
    assert [] == told(text("{refusal: true}") + "- {id: Desk, prompt: x, expect: {refusal: true}}\n")


def test_a_tools_name_stands_once() -> None:
    agent = FIND_AND_PAY.replace("name: pay", "name: ^'find '")
    contract, place = marked(text("{refusal: true}", agent=agent))

    assert [f"{place}: agent.tools[1].name is 'find' again (first on line 2); give each its own"] == told(contract)


@pytest.mark.parametrize(
    ("expect", "agent"),
    [
        ("{tools: {required: [{name: a, arguments: {^1: x}}]}}", "{}"),
        ("{refusal: true}", "{tools: [{name: a, description: d, parameters: {^1: x}}]}"),
    ],
)
def test_names_of_arguments_and_parameters_are_text(expect: str, agent: str) -> None:
    contract, place = marked(text(expect, agent=agent))

    assert [f'{place}: the key 1 is read as the number 1; quote it: "1"'] == told(contract)


def test_deeper_in_arguments_a_key_may_be_what_it_is() -> None:
    assert [] == told(text("{tools: {required: [{name: a, arguments: {ids: {1: x}}}]}}"))


def many(count: int) -> str:
    """As many texts in a list."""
    return "{response: {contains: [" + ", ".join(f"t{index}" for index in range(count)) + "]}}"


def test_a_file_may_hold_250_assertions() -> None:
    assert 250 == len(scenario(many(250)).assertions)


def test_the_251st_assertion_is_told_at_its_scenario() -> None:
    second = f"- {{id: more, prompt: x, expect: {many(1)}}}\n"
    third = f"- {{id: most, prompt: x, expect: {many(9)}}}\n"

    assert ["8:3: scenarios[1] holds assertion number 251; a file may have 250, split it"] == told(
        text(many(250)) + second + third
    )


def test_every_kind_of_assertion_is_counted() -> None:
    tools = "{required: [b], allowed: [b], forbidden: [c], exact_sequence: [b], max_calls: 1}"
    others = f"{{response: {{excludes: [a]}}, tools: {tools}, refusal: false, sources: {{required: [d]}}}}"
    second = f"- {{id: more, prompt: x, expect: {others}}}\n"

    assert [] == told(text(many(242)) + second)
    assert 1 == len(told(text(many(243)) + second))
