"""Chat templates of strangers: rendered in a process that ends at its limits."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.checkpoints import tiny
from support.packages import needs

from rmaudit.engines.template import TemplateError, TemplateProcess
from rmaudit.errors import InputError
from rmaudit.models.checkpoint import read_checkpoint

pytestmark = [needs("transformers"), pytest.mark.model, pytest.mark.slow]
TURN = [{"role": "user", "content": "?"}]
ENDLESS = "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"
DOUBLING = (
    "{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}"
    "{{ n.x }}"
)
HUGE = '{{ ("x" * 1000000000) * 10 }}'


@pytest.fixture
def ended() -> Iterator[list[TemplateProcess]]:
    made: list[TemplateProcess] = []
    yield made
    for process in made:
        process.close()


@pytest.mark.parametrize(
    ("template", "said"),
    [
        (ENDLESS, "takes more than 1 s"),
        (HUGE, "needs more than|takes more than"),
        (DOUBLING, "needs more than"),
        ('{{ "x" * 20000000 }}', "it makes 20,000,000 characters"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "calls itself without end"),
        ("{{ raise_exception('no') }}", "^no$"),
        ("{% if %}", "Expected an expression"),
        ("{{ messages.__class__.__mro__ }}", "unsafe"),
    ],
)  # fmt: skip
def test_a_template_that_goes_too_far_is_an_error(
    ended: list[TemplateProcess], template: str, said: str
) -> None:
    process = TemplateProcess(template, {}, seconds=1.0, memory=1 << 29)
    ended.append(process)
    with pytest.raises(TemplateError, match=said):
        process.render(TURN)


def test_an_ordinary_one_is_what_the_library_renders(ended: list[TemplateProcess]) -> None:
    from transformers.utils.chat_template_utils import render_jinja_template

    template = (
        "{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}ö:"
    )
    process = TemplateProcess(template, {"bos_token": "<s>", "more": ["a", "b"]})
    ended.append(process)
    for content in ("hi", "two\nlines", "\ue0000\ue001 \x00 \ud800 😀", "x" * 300_000):
        chat = [{"role": "user", "content": content}]
        told = render_jinja_template(
            conversations=[chat],
            chat_template=template,
            add_generation_prompt=True,
            bos_token="<s>",
        )
        assert process.render(chat) == told[0][0]


def test_it_starts_again_after_a_limit_and_threads_share_it(ended: list[TemplateProcess]) -> None:
    template = (
        "{% if messages[0].content == 'stop' %}" + ENDLESS + "{% endif %}{{ messages[0].content }}"
    )
    process = TemplateProcess(template, {}, seconds=1.0)
    ended.append(process)
    with pytest.raises(TemplateError):
        process.render([{"role": "user", "content": "stop"}])
    found: dict[str, str] = {}

    def ask(text: str) -> None:
        for _ in range(20):
            found[text] = process.render([{"role": "user", "content": text}])

    threads = [threading.Thread(target=ask, args=(text,)) for text in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {text: text for text in "abc"}


def test_it_knows_no_key_of_its_user(
    ended: list[TemplateProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    process = TemplateProcess("x", {})
    ended.append(process)
    process.render(TURN)
    environment = Path(f"/proc/{process._process.pid}/environ").read_bytes()
    assert b"secret-key" not in environment


def test_no_process_is_left(ended: list[TemplateProcess]) -> None:
    process = TemplateProcess("x", {})
    number = process._process.pid
    process.render(TURN)
    del process
    until = time.monotonic() + 5
    while os.path.exists(f"/proc/{number}") and time.monotonic() < until:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{number}")


def test_a_checkpoint_with_an_endless_template_is_refused_before_loading(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "m", template=ENDLESS)
    with pytest.raises(InputError, match=r"the chat template of .* takes more than 5 s"):
        read_checkpoint(folder)
