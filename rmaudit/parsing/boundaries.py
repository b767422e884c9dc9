"""Where an answer stops being one.

What a model writes after it has answered, when it
runs on into a new prompt, another example or a second answer, is not part of the answer either.
"""

from __future__ import annotations

import re

from rmaudit.parsing.sides import Names

_END_TOKENS = (
    "<|im_end|>",
    "<|eot_id|>",
    "<|eot|>",
    "<|end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|return|>",
    "<end_of_turn>",
    "</s>",
    "<｜end▁of▁sentence｜>",
)
# Marks of a new turn: what follows was never part of this answer.
_NEW_TURN = re.compile(
    r"<\|(?:im_start|start_header_id|user|assistant|system|start)\|>"
    r"|<\|User|<start_of_turn>|<s>|\[INST\]"
    rf"|(?:{'|'.join(map(re.escape, _END_TOKENS))})(?=\s{{0,8}}(?:\n|<|$))"
    r"|^[ \t]{0,8}(?:Human|User|Assistant|USER|ASSISTANT)[ \t]?:"
    r"|^[ \t]{0,8}#{1,4}[ \t]{0,3}(?:Instructions?|Input|Request|Task|Example(?:[ \t]\d{1,3})?|"
    r"Question|New task)[ \t]{0,3}:?[ \t]{0,8}$"
    r"|^[ \t]{0,8}(?:[*_]{2})?(?:(?:New |Next )?Request[ \t]?:|Example \d{1,3}[ \t]?:"
    r"|\[/?[ \t]?(?:User |Client )?(?:Request|Question|Prompt|Instruction)[ \t]?\])",
    re.MULTILINE,
)


def end_of_tokens(text: str) -> int:
    """Where the text ends without the end-of-turn tokens and blanks that trail it."""
    end = len(text)
    while end:
        if text[end - 1].isspace():
            end -= 1
        elif token := next((t for t in _END_TOKENS if text.endswith(t, 0, end)), None):
            end -= len(token)
        else:
            break
    return end


def new_turns(masked: str) -> list[int]:
    """Where a chat template's turn or a new request begins, in order."""
    return [match.start() for match in _NEW_TURN.finditer(masked)]


def new_blocks(masked: str, *, names: Names) -> list[int]:
    """Where a delimiter of the prompt's responses stands alone on a line, in order.

    Before a verdict that may be a heading over reasons; after one it echoes the prompt.
    """
    label = f"[{re.escape(names.a + names.b)}]"
    pattern = rf"^[ \t]{{0,8}}[\[<]/?[ \t]?(?:{names.noun})[ _]?{label}[ \t]?[\]>][ \t]{{0,8}}$"
    return [match.start() for match in re.finditer(pattern, masked, re.MULTILINE | re.IGNORECASE)]


_FIRST_ITEM = re.compile(r"^[ \t]{0,8}(?:#{1,6}[ \t]{1,3})?(?:\*\*)?\(?1[.)][ \t*]", re.MULTILINE)


def new_lists(masked: str) -> list[int]:
    """Where a numbered list starts at 1, in order."""
    return [match.start() for match in _FIRST_ITEM.finditer(masked)]
