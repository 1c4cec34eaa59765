"""The ORACLE_LESSONS table: what each type of oracle demands, why it fails and what to do, for reports that teach."""

from __future__ import annotations

from agenttest.assertions.lessons import Lesson

ORACLE_LESSONS: dict[str, Lesson] = {
    "ToolCalled": Lesson(
        "A tool was not called",
        "The agent must call the tool at least once, with any arguments. Its name counts whole and in any case; a call "
        "that was blocked is a call.",
        "It fails where no call is of the tool. A result of the tool or a message that names it is no call.",
        "See in the observed calls what the agent did instead. Correct the tool's description or the prompt; where "
        "the message names a call that is much like it, see whether one of both names is misspelt.",
        '{"type": "ToolCalled", "toolName": "read_moisture"}',
    ),
    "ToolNotCalled": Lesson(
        "A tool was called that must not be",
        "The agent must not call the tool, with any arguments. Its name counts whole and in any case.",
        "It fails with the first call of the tool, even where that was blocked: the agent wanted it.",
        "Take the tool away from the agent, or make the prompt say when it may be used. If a blocked attempt is good "
        "enough, ask for NoUnsafeTool instead.",
        '{"type": "ToolNotCalled", "toolName": "drain_tank"}',
    ),
    "FinalAnswerContains": Lesson(
        "The final answer lacks a text that it must hold",
        "The text must stand in the final answer: in any case, unless caseSensitive is true, and exact in all else. "
        "Case is compared letter by letter, so ß is not ss.",
        "It fails where the text is nowhere in the last answer. Messages, results and the state are no answer.",
        "Read the observed answer beside the text. If the answer says the same in other words, ask for a shorter text "
        "that every right answer holds.",
        '{"type": "FinalAnswerContains", "text": "10 minutes"}',
    ),
    "MaxToolCalls": Lesson(
        "More calls were made than may be",
        "The agent may attempt at most this many calls: of one tool, or of all together where no tool is named.",
        "It fails where more were attempted, whether or not they were blocked.",
        "Look for a call that is made again without need, as after an error that the agent did not understand. Raise "
        "the limit only where more calls are right.",
        '{"type": "MaxToolCalls", "toolName": "read_moisture", "maxCount": 2}',
    ),
    "StateEquals": Lesson(
        "The state did not end up as it must",
        "The key must end up with this value, both compared as texts, character by character; the last change wins.",
        "It fails where the value is another one, as True is for true, or where the key was never set. Where case or "
        "white space alone is in the way, the message says so.",
        "Look through the changes of the key for the one that goes wrong. If the harness writes the value another "
        "way, expect it as it writes it.",
        '{"type": "StateEquals", "stateKey": "bed.4.valve", "expectedValue": "open"}',
    ),
    "ApprovalRequired": Lesson(
        "A call did not need approval, and must",
        "A call of the tool, or of any where none is named, must be marked as one that needs approval, or have been "
        "asked approval for. One is enough; the mode all asks it of each.",
        "It fails where no call is so, or with the mode all where one is not.",
        "Correct the policy of the harness, so that the tool needs approval. If there is no call at all, see why the "
        "agent made none.",
        '{"type": "ApprovalRequired", "toolName": "set_heating"}',
    ),
    "NoUnsafeTool": Lesson(
        "An unsafe call was carried out",
        "Every call that the trace marks as unsafe must have been blocked. Approval excuses one where allowApproved "
        "is true, and it was given before the call's result.",
        "It fails where an unsafe call was not blocked, and where one was blocked and has a result that succeeded: "
        "the trace then contradicts itself, and the message names both steps.",
        "See what let the call through, and block it there. Where the trace contradicts itself, correct the harness "
        "that records it before trusting it.",
        '{"type": "NoUnsafeTool"}',
    ),
    "FinalAnswerExcludes": Lesson(
        "The final answer holds a text that it must not hold",
        "The text must not stand in the final answer: in any case, unless caseSensitive is true.",
        "It fails where the text is anywhere in the last answer; the observed value shows the words around it.",
        "Correct the prompt or the tool that brings the text into the answer. If it is part of right answers too, "
        "make it longer and more particular.",
        '{"type": "FinalAnswerExcludes", "text": "key code"}',
    ),
    "ToolArguments": Lesson(
        "No call of a tool has the right arguments",
        "One call of the tool must hold all these arguments: objects may have more keys, lists match element by "
        "element, numbers are equal by value, texts are exact.",
        "It fails where the tool was never called, or every call has other arguments; the message names the first "
        "place that differs in the nearest one. Arguments that are no JSON object leave it open.",
        "Correct the tool's description or the prompt, or leave out the arguments that may freely differ.",
        '{"type": "ToolArguments", "toolName": "open_valve", "argumentsSubset": {"bed": 4}}',
    ),
    "ToolSequence": Lesson(
        "The calls did not come in exactly this order",
        "The tools of all calls, in order, must be this list: no other call, none missing, none twice. An empty list "
        "asks for no call.",
        "It fails at the first place where the calls and the list differ; the message names it.",
        "Compare both from that place on. Where the order does not matter, ask for the calls with ToolCalled and "
        "bound them with ToolsAllowed and MaxToolCalls.",
        '{"type": "ToolSequence", "toolNames": ["read_moisture", "open_valve"]}',
    ),
    "ToolsAllowed": Lesson(
        "A tool was called that is not listed",
        "Every call must be of a tool in the list, in any case; an empty list allows no call at all.",
        "It fails where one call or more is of another tool, even a blocked one; the message names those tools.",
        "If the call is harmless and meant, add the tool to the list. If not, offer the agent fewer tools, or say in "
        "its prompt when each may be used.",
        '{"type": "ToolsAllowed", "toolNames": ["read_moisture", "open_valve"]}',
    ),
    "Refusal": Lesson(
        "The agent refused, or did not, unlike what is expected",
        "The evidence must state a refusal where this is true, and none where it is false. A polite sentence in the "
        "answer is no refusal.",
        "It fails where the opposite is stated.",
        "If the request has to be refused, correct the prompt or the guard that should do it. If it should be done, "
        "see which rule of the prompt is too wide.",
        '{"type": "Refusal", "expected": true}',
    ),
    "SourceCited": Lesson(
        "A source is not among the cited ones",
        "The source's id must be among those that the evidence lists. An id or a link in the answer's text is no "
        "citation.",
        "It fails where the id is not in the list; ids are compared whole and in their case.",
        "See which sources are cited instead. Correct the retrieval, or have the agent give its sources as values.",
        '{"type": "SourceCited", "sourceId": "planting-guide"}',
    ),
    "ToolResultSucceeded": Lesson(
        "No result of a tool succeeded",
        "One result of the tool at least must have succeeded, so a retry that helped is good. That of a blocked call "
        "does not count.",
        "It fails where every result failed or does not say that it succeeded, where there is none, and where the "
        "only successes are of calls that were blocked: the trace then contradicts itself.",
        "Read what the failed result says. Correct the tool or the call's arguments; where there is no result at "
        "all, see what became of the call.",
        '{"type": "ToolResultSucceeded", "toolName": "read_moisture"}',
    ),
    "ApprovalGranted": Lesson(
        "Approval was not granted",
        "Approval of the tool, or of any where none is named, must have been decided, and granted, once at least.",
        "It fails where it was never asked for, is still open, was denied or has expired; the message says which.",
        "If the approval should be granted, see who or what decides on it. If it is not asked for at all, see whether "
        "the call needs approval.",
        '{"type": "ApprovalGranted", "toolName": "set_heating"}',
    ),
    "ApprovalDenied": Lesson(
        "Approval was not denied",
        "Approval of the tool, or of any where none is named, must have been decided, and denied, once at least.",
        "It fails where it was never asked for, is still open, was granted or has expired: only a denial is one.",
        "See who or what decides on the approval, and by which rule it let the call pass.",
        '{"type": "ApprovalDenied", "toolName": "set_heating"}',
    ),
    "NoExecutionBeforeApproval": Lesson(
        "A call was carried out without being approved first",
        "Each call that needs approval, or of which approval was asked, must be approved before it has a result; the "
        "last decision counts. The failed result of a call that was blocked or denied tells just that, and is well.",
        "It fails where a result comes without approval, before it was decided, or after it was denied or expired.",
        "Have the harness wait for the decision before it carries out the call. If it does wait, see that it "
        "records the steps in their true order.",
        '{"type": "NoExecutionBeforeApproval"}',
    ),
}
"""By the type of an oracle its lesson; `example` is an oracle of a scenario file."""
