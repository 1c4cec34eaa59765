"""A tool call that was left in the text as markup is known by its opening; talk about calls is none."""

import pytest

from agenttest.sources.endpoint import markup

CALLS = {
    "Hermes, Qwen": '<tool_call>\n{"name": "wipe", "arguments": {}}\n</tool_call>',
    "Hermes with words before": 'I will do so.\n\n<tool_call>{"name": "wipe"',
    "Qwen Coder": "<tool_call>\n<function=wipe>\n<parameter=disk>\nall\n</parameter>",
    "Qwen Coder without its outer tag": "Now: <function=wipe>\n<parameter=disk>",
    "GLM": "<tool_call>wipe\n<arg_key>disk</arg_key>\n<arg_value>all</arg_value>\n</tool_call>",
    "GLM without arguments": "<tool_call>wipe</tool_call>",
    "LongCat": "<longcat_tool_call>wipe\n<longcat_arg_key>disk</longcat_arg_key>",
    "Seed": "<seed:tool_call>\n<function=wipe>",
    "MiniMax": '<minimax:tool_call>\n<invoke name="wipe">',
    "Jamba, Hunyuan": '<tool_calls>[{"name": "wipe"}]</tool_calls>',
    "Nemotron": '<TOOLCALL>[{"name": "wipe"}]</TOOLCALL>',
    "OLMo": '<function_calls>\nwipe(disk="all")\n</function_calls>',
    "Granite": '<function_call> {"name": "wipe"}',
    "Granite 3": '<|tool_call|>[{"name": "wipe"}]',
    "Claude": '<function_calls>\n<invoke name="wipe">',
    "Claude without its outer tag": 'So.\n<invoke name="wipe">\n<parameter name="disk">',
    "MiniCPM": '<function name="wipe"><param name="disk">',
    "a tag that was opened, and nothing more": "I will do so.\n<tool_call>\n",
    "Llama 3.1": '<function=wipe>{"disk": "all"}</function>',
    "Llama 3.1 on Groq": '<function=wipe{"disk": "all"}</function>',
    "Llama with its token": '<|python_tag|>{"name": "wipe"}',
    "Llama with a built-in tool": '<|python_tag|>brave_search.call(query="x")',
    "Llama without its token": '{"name": "wipe", "parameters": {"disk": "all"}}',
    "Llama, as the request has it": '{"type": "function", "function": {"name": "wipe", "parameters": {"disk": "all"}}',
    "Llama 4": '[wipe(disk="all"), wipe()]\n',
    "xLAM": '```json\n[{"name": "wipe", "arguments": {"disk": "all"}}]\n```',
    "Mistral": '[TOOL_CALLS] [{"name": "wipe"}]',
    "Mistral since v11": '[TOOL_CALLS]wipe[ARGS]{"disk": "all"}',
    "Mistral without ARGS": '[TOOL_CALLS]wipe{"disk": "all"}',
    "Phi": 'functools[{"name": "wipe"}]',
    "Gemma": "```tool_code\nwipe()\n```",
    "Gemma 4": "<|tool_call>call:wipe{}<tool_call|>",
    "FunctionGemma": "<start_function_call>call:wipe{disk:<escape>all<escape>}<end_function_call>",
    "Gemini": "print(default_api.wipe(disk='all'))",
    "DeepSeek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>wipe",
    "DeepSeek 3.2": '<｜DSML｜function_calls>\n<｜DSML｜invoke name="wipe">',
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.wipe:0",
    "LFM": "<|tool_call_start|>[wipe()]<|tool_call_end|>",
    "InternLM": '<|action_start|><|plugin|>{"name": "wipe"}',
    "Command": '<|START_ACTION|>[{"tool_name": "wipe"}]',
    "gpt-oss": '<|channel|>commentary to=functions.wipe <|constrain|>json<|message|>{"disk": "all"}',
    "gpt-oss without its tokens": 'commentary to=functions.wipe json{"disk": "all"}',
    "ReAct": "Thought: I must.\nAction: wipe\nAction Input: {}",
}
TALK = {
    "nothing of the kind": "Refunds take 30 days.",
    "a tag in prose": "Qwen writes a call between <tool_call> tags.",
    "an empty pair of tags": "It stands between <tool_call></tool_call>.",
    "a tag at the end": "The opening tag is <tool_call>",
    "an opening in backticks": 'Write `<tool_call>{"name": "x"}` for a call.',
    "an opening in quotes": "The words are '<function=wipe>' and \"[TOOL_CALLS][\".",
    "a token in backticks": "Llama has `<|python_tag|>` for it.",
    "the name of a token": "Mistral has [TOOL_CALLS] for it.",
    "a call in words": "I would call the tool wipe(disk).",
    "an object with a name": '{"name": "Ann", "tool": "hammer"}',
    "a description of a tool": '{"name": "wipe", "description": "Wipes.", "parameters": {}}',
    "a call inside of other data": '{"plan": [{"name": "wipe", "arguments": {}}]}',
    "a link with brackets": "[call us (toll free)](tel:1)",
    "a remark in brackets": "[calls(sic)]",
    "code of another kind": "```python\ntool_call = 1\n```",
    "an action in a list": "Action: call the customer\nOwner: Ann",
}


@pytest.mark.parametrize("model", CALLS)
def test_the_opening_of_a_call_is_found(model: str) -> None:
    assert markup.opening(CALLS[model])


@pytest.mark.parametrize("kind", TALK)
def test_talk_about_calls_is_no_call(kind: str) -> None:
    assert None is markup.opening(TALK[kind])


def test_the_opening_is_shown_on_one_line() -> None:
    assert "<tool_call> {" == markup.opening(f"So.\n{CALLS['Hermes, Qwen']}")


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call" * 200_000,
        "<tool_call>" + " " * 2_000_000 + "x",
        "<|" * 1_000_000 + "tool",
        "```" + " " * 2_000_000 + '"name"',
        "```a\n" + "\n" * 2_000_000 + '"name"',
        '{"id":"a",' * 200_000 + '"name"',
        "[tool(" * 300_000 + ")]",
        ("Action: x" + "\n" * 10) * 200_000,
        "<invoke" + " " * 2_000_000,
    ],
    ids=range(9),
)
def test_a_hostile_text_is_looked_through_in_time(text: str) -> None:
    assert None is markup.opening(text)  # would take minutes where it grew with the square
