"""A model's text → the opening of a tool call that was left in it as markup, if there is one.

What counts is an opening with the begin of a call behind it, or a token that is in no prose; the mere name of a tag, or
an opening in quotes or backticks, is talk about calls. A block of code with a whole call counts: it may well be one.
"""

from __future__ import annotations

import re

NAME = r"[^\W\d][\w.-]{0,63}"
QUOTED = "`'\"“‘«‹"
SIGNS = ("tool", "func", "invoke", "action", "python_tag", "dsml", "default_api", "call", '"name"', ")]")
TAG = r"(?:[a-z]{2,16}[:_])?(?:tool_calls?|toolcalls?|function_calls?|start_function_call|tool_use|tool_code)>"

FORMS = tuple(
    re.compile(form, re.IGNORECASE | re.MULTILINE)
    for form in (
        # tokens of chat templates: Llama, DeepSeek, Kimi, Granite, Phi, LFM, InternLM, Command, Apertus, Gemma
        rf"<(?<![{QUOTED}]<)[|｜][^<>\s]{{0,8}}"
        r"(?:tools?[ _▁]*calls?|function[ _▁]*calls?|python_tag|action_start|start_action|tools_prefix|dsml)"
        r"[^<>\n]{0,40}>",
        # tags with a call inside: Hermes, Qwen, GLM, MiniMax, Jamba, Nemotron, OLMo, FunctionGemma
        rf"<(?<![{QUOTED}]<){TAG}\s*(?:[\[{{]|<(?!/)|{NAME}\s*(?:[({{:]|<\w{{0,12}}arg_key|</\w{{0,12}}tool_call))",
        rf"^[ \t]*<{TAG}\s*\Z",
        # a tag that names the function: Llama, Qwen Coder, Seed, Functionary, Claude, MiniCPM
        rf"<(?<![{QUOTED}]<)function=[\"']?{NAME}[\"']?\s*[>({{\[]",
        rf"<(?<![{QUOTED}]<)(?:[a-z]{{2,16}}:)?(?:invoke|function)\s+name\s*=\s*[\"']",
        # Mistral, Phi, Gemma, Gemini, gpt-oss, and the words of ReAct
        rf"\[(?<![{QUOTED}]\[)TOOL_CALLS\]\s*(?:[\[{{]|{NAME}[\[{{])",
        r"functools\s?\[\s*\{",
        r"^[ \t]*```[ \t]*(?:tool_code|tool_calls?|function_calls?|tool_use)\b",
        rf"default_api\.{NAME}\(",
        rf"to=functions\.{NAME}",
        rf"^[ \t]*Action:[ \t]*{NAME}[ \t]*\n\s*Action Input:",
    )
)

# Where nothing but a call is the text, it needs no markup: Llama, xLAM; in Python's form Llama 4 and Gemma.
FENCED = r"\s*(?:```[ \t]*(?:\w{1,16}[ \t]*)?\n\s*)?"
WHOLE = re.compile(
    FENCED + r'(?:\[\s*)?\{\s*(?:"(?:id|type)"\s*:\s*"[^"\\]{0,80}"\s*,\s*)*(?:"function"\s*:\s*\{\s*)?'
    r'"name"\s*:\s*"[^"\\]{1,128}"\s*,\s*"(?:arguments|parameters)"\s*:\s*["{]'
)
PYTHON = re.compile(FENCED + rf"\[\s*{NAME}\(\s*(?:\)|{NAME}\s*=)")
PYTHON_END = re.compile(r"\)\s*,?\s*\]\s*(?:```)?\Z")


def opening(text: str) -> str | None:
    """The opening of the first form that is found, on one line; None where no call is left in the text."""
    lower = text.lower()
    if not any(sign in lower for sign in SIGNS):
        return None
    found = next((match for form in FORMS if (match := form.search(text))), None) or whole(text)
    return " ".join(found[0].split()) if found else None


def whole(text: str) -> re.Match[str] | None:
    """A text that is a call and nothing else."""
    if found := WHOLE.match(text):
        return found
    found = PYTHON.match(text)
    return found if found and PYTHON_END.search(text.rstrip()[-40:]) else None
