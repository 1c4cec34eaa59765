"""The LESSONS table: what each kind of assertion demands, why it fails and what to do, for reports that teach."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lesson:
    """One kind in whole sentences. `title` says what was broken; `example` is a part of a contract's `expect`."""

    title: str
    demand: str
    failure: str
    remedy: str
    example: str


LESSONS: dict[str, Lesson] = {
    "response_contains": Lesson(
        "The answer lacks a text that it must hold",
        "The final answer must hold the text exactly, character by character: letter case, spaces, line ends and "
        "Unicode forms all count.",
        "It fails where the text is nowhere in the answer. Where only letter case, white space, invisible characters "
        "or a Unicode form stand in the way, the message says so.",
        "Read the observed answer beside the expected text. If the answer is wrong, correct the agent; if it says the "
        "same in other words, ask for a shorter text that every right answer holds.",
        "response:\n  contains: [open until 19:00]",
    ),
    "response_excludes": Lesson(
        "The answer holds a text that it must not hold",
        "The final answer must not hold the text, compared exactly, character by character.",
        "It fails where the text stands anywhere in the answer; the observed value shows the words around it.",
        "Correct the prompt or the tool that brings the text into the answer. If the text is part of right answers "
        "too, make it longer and more particular.",
        "response:\n  excludes: [I guess]",
    ),
    "tool_required": Lesson(
        "A required tool call was not made",
        "The agent must call the tool. Where arguments are given, one call must hold them all: objects may have more "
        "keys, lists match element by element, numbers are equal by value. Each entry needs a call of its own.",
        "It fails where the tool was never called, where every call has other arguments (the message names the first "
        "that differs), or where other entries need each of the calls.",
        "See in the observed calls what the agent did instead. Correct the tool's description or the prompt, or take "
        "out of the contract the arguments that may freely differ.",
        "tools:\n  required:\n    - name: book_slot\n      arguments: {doctor: Amsel}",
    ),
    "tools_allowed": Lesson(
        "A tool was called that is not allowed",
        "Every call must be of a tool in the list; an empty list allows no call at all.",
        "It fails where one call or more is of another tool; the message names those tools.",
        "If the call is harmless and meant, add the tool to the list. If not, offer the agent fewer tools or say in "
        "its prompt when each may be used.",
        "tools:\n  allowed: [find_slot, book_slot]",
    ),
    "tool_forbidden": Lesson(
        "A forbidden tool was called",
        "The agent must not call this tool in this scenario, with any arguments.",
        "It fails with the first call of the tool; the message says how often it was called.",
        "Take the failure as it is: the agent did what it must never do here. Take the tool away from it, put a check "
        "before the call, or make the prompt say when the tool may be used.",
        "tools:\n  forbidden: [cancel_slot]",
    ),
    "tool_exact_sequence": Lesson(
        "The tools were not called in exactly this order",
        "The names of all calls, in order, must be this list: no other call, none missing, none twice. An empty list "
        "asks for no call.",
        "It fails at the first place where the calls and the list differ; the message names it.",
        "Compare both lists from that place on. Where the order does not matter to your users, ask for the calls with "
        "tools.required and bound them with tools.allowed and tools.max_calls.",
        "tools:\n  exact_sequence: [find_slot, book_slot]",
    ),
    "tool_max_calls": Lesson(
        "Too many tool calls were made",
        "The agent may make at most this many calls, of all tools together.",
        "It fails where more calls were made; a repeated or needless call is the usual reason.",
        "Look in the observed calls for one that is made again without need, as after an error that the agent did not "
        "understand. Raise the limit only where more calls are right.",
        "tools:\n  max_calls: 2",
    ),
    "refusal": Lesson(
        "The agent did not refuse, or refused, as it must",
        "The agent must state a refusal as a value where this is true, and must state none where it is false. A "
        "polite sentence in the answer is no refusal.",
        "It fails where the agent's own statement is the opposite of what is expected.",
        "If the request has to be refused, correct the prompt or the guard that should do it. If the agent refuses "
        "what it should do, see which rule of its prompt is too wide.",
        "refusal: true",
    ),
    "source_required": Lesson(
        "A required source is not cited",
        "The source's id must be among those that the agent cites as values. An id or a link in the answer's text is "
        "no citation.",
        "It fails where the id is not in the list; ids are compared whole.",
        "See which sources are cited instead. Correct the retrieval, or have the agent give its sources as values.",
        "sources:\n  required: [opening-hours]",
    ),
}

UNPROVEN = (
    "Where the evidence is not whole, nothing is decided: the assertion is incomplete, which is never a pass, and its "
    "message says what to record so that it can be decided."
)
