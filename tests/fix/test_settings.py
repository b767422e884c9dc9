"""The published settings on the data and devices at hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.fix.training.settings import (
    GIB,
    PUBLISHED,
    Size,
    TrainingSettings,
    bytes_of_completion,
    fit,
    memory_estimate,
    table,
)


@pytest.mark.parametrize(
    ("devices", "per_device", "accumulation"), [(1, 4, 256), (4, 4, 64), (8, 4, 32), (16, 2, 32)]
)
def test_the_papers_rollout_on_so_many_devices(
    devices: int, per_device: int, accumulation: int
) -> None:
    found = fit(PUBLISHED, n_prompts=22_000, devices=devices, per_device=per_device)
    # 256 prompts x 8 samples = 2,048 completions, in two optimizer steps of 1,024.
    assert (found.prompts, found.per_rollout) == (256, 2048)
    assert (found.per_device, found.accumulation) == (per_device, accumulation)
    assert found.per_device * found.accumulation * devices == 1024
    assert found.passes_per_rollout == 2 * accumulation


def test_few_prompts_shrink_the_rollout_and_the_table_says_so() -> None:
    found = fit(PUBLISHED, n_prompts=90, devices=1, per_device=64)
    # 90 x 8 = 720 completions, 360 an update; the largest pass up to 64 that divides 360 is 60.
    assert (found.prompts, found.per_device, found.accumulation) == (90, 60, 6)
    notes = {line.name: line.note for line in table(found, PUBLISHED, n_prompts=90)}
    assert notes["prompts a rollout"] == "shrunk from 256 to the 90 prompts of the train set"
    assert "inference" in notes["ratio of"]
    assert "inference" in notes["KL beta"]


def test_steps_of_two_epochs_drop_the_last_rollout_that_is_not_full() -> None:
    found = fit(TrainingSettings(prompts=16), n_prompts=90, devices=1, per_device=4)
    # 90 // 16 = 5 rollouts an epoch, two updates each, two epochs.
    assert found.total_steps(90) == 20
    assert TrainingSettings(steps=7).total_steps(90) == 6  # whole rollouts


def test_too_few_prompts_for_the_devices() -> None:
    with pytest.raises(ValueError, match="cannot be shared by 16 devices"):
        fit(TrainingSettings(samples=8), n_prompts=3, devices=16, per_device=1)


@given(
    st.integers(1, 400), st.integers(2, 16), st.integers(1, 16), st.integers(1, 64),
    st.integers(1, 300),
)  # fmt: skip
def test_a_fitted_rollout_is_full_and_shared_evenly(
    n: int, samples: int, devices: int, per_device: int, prompts: int
) -> None:
    asked = TrainingSettings(prompts=prompts, samples=samples)
    try:
        found = fit(asked, n_prompts=n, devices=devices, per_device=per_device)
    except ValueError:
        assert all(p * samples % (2 * devices) for p in range(1, min(n, prompts) + 1))
        return
    assert found.prompts <= min(n, prompts)
    assert found.per_device <= per_device
    assert found.per_device * found.accumulation * devices * 2 == found.prompts * samples


def test_the_estimate_by_hand() -> None:
    size = Size(parameters=2**30, hidden=1000, layers=10, vocabulary=100_000)
    # A token takes 4 x (3 x 100,000 + 34 x 10 x 1,000) = 2.56 million bytes without checkpointing,
    # 4 x (300,000 + 10,000) = 1.24 million with it.
    assert bytes_of_completion(size, tokens=100, checkpointing=False) == 256_000_000
    assert bytes_of_completion(size, tokens=100, checkpointing=True) == 124_000_000
    full = memory_estimate(size, TrainingSettings(per_device=2), tokens=100, checkpointing=True)
    assert full["weights, gradients, optimizer"] == 16
    assert full["together"] == pytest.approx(16 + 2 * 124_000_000 / GIB)
    lora = memory_estimate(size, TrainingSettings(lora_rank=16), tokens=100, checkpointing=True)
    assert lora["weights, gradients, optimizer"] == pytest.approx(2.16)
