"""manifest.json as a record: what is read is written again, and what is damaged is named."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from pydantic import BaseModel, ValidationError
from support.run_samples import FOLDER, SAMPLES, name_of

from rmaudit.errors import InputError
from rmaudit.run.directory import MANIFEST, RunDir
from rmaudit.run.files import DIFFERENCES, ROW_FILES
from rmaudit.run.manifest import Identity, RunManifest
from rmaudit.run.open_record import OpenRecord
from rmaudit.run.schema import SCHEMA_VERSION

ANSWERS = FOLDER / "schema-1" / "answers"
Place = tuple[str | int, ...]
WRONG = [["no", {"such": "thing"}], 0.5, {"a": {"b": None}}, "text", True]


def content() -> dict[str, Any]:
    return dict(json.loads((ANSWERS / MANIFEST).read_text()))


def of(path: Path, data: dict[str, Any]) -> RunManifest:
    (path / MANIFEST).write_text(json.dumps(data))
    return RunDir(path).manifest()


@pytest.mark.parametrize("path", SAMPLES, ids=name_of)
def test_what_is_read_is_written_again_byte_for_byte(path: Path, tmp_path: Path) -> None:
    RunDir(tmp_path).write_manifest(RunDir.open(path).manifest())
    assert (tmp_path / MANIFEST).read_bytes() == (path / MANIFEST).read_bytes()


def test_there_is_a_sample_of_each_schema() -> None:
    folders = {path.parent.name for path in SAMPLES}
    assert folders == {f"schema-{version}" for version in range(1, SCHEMA_VERSION + 1)}


def records_in(kind: Any) -> Iterator[tuple[type[OpenRecord], Place]]:
    """The records that a type holds, and where: the first of a list, the split `dev` of a card."""
    if isinstance(kind, type) and issubclass(kind, OpenRecord):
        yield kind, ()
        return
    step: Place = {list: (0,), dict: ("dev",)}.get(get_origin(kind), ())
    for part in get_args(kind):
        for record, place in records_in(part):
            yield record, (*step, *place)


def levels(model: type[BaseModel], at: Place = ()) -> Iterator[Place]:
    """The place of every declared field."""
    for name, field in model.model_fields.items():
        yield (*at, name)
        for record, place in records_in(field.annotation):
            yield from levels(record, (*at, name, *place))


FIELDS = list(levels(RunManifest))


def with_wrong(place: Place, wrong: Any) -> dict[str, Any]:
    """The sample with one field spoilt, in parts that it lacks too."""
    data = content()
    inner: Any = data
    for part, after in pairwise(place):
        if isinstance(inner, dict) and inner.get(part) is None:
            inner[part] = [{}] if after == 0 else {}
        inner = inner[part]
    inner[place[-1]] = wrong
    return data


@pytest.mark.parametrize("place", FIELDS, ids=lambda place: ".".join(map(str, place)))
def test_a_field_of_the_wrong_type_is_named(place: Place, tmp_path: Path) -> None:
    named, refused = ".".join(map(str, place)), 0
    for wrong in WRONG:
        data = with_wrong(place, wrong)
        try:
            RunManifest.model_validate(data)
        except ValidationError as error:
            places = [one["loc"][: len(place)] for one in error.errors()]
            if place not in places:
                continue  # this value is one that the field can hold
            refused += 1
            with pytest.raises(InputError, match=re.escape(str(tmp_path))) as found:
                of(tmp_path, data)
            if places[0] == place and place != ("schema_version",):
                assert f"is damaged, field {named}" in found.value.message
    assert refused >= (0 if place == ("judge", "spot_check") else 2)


def test_no_field_joins_a_schema_unseen() -> None:
    """Where this fails: raise `SCHEMA_VERSION`, and make a sample and a list of its fields."""
    lines = [".".join(map(str, place)) for place in FIELDS]
    for file in (*ROW_FILES, DIFFERENCES):
        lines += [f"{file.name} {field.name}" for field in dataclasses.fields(file.line)]
    path = FOLDER / f"schema-{SCHEMA_VERSION}" / "fields.txt"
    assert "\n".join(lines) + "\n" == path.read_text()


@pytest.mark.parametrize("field", ["target", "seeds", "identity", "status", "judge"])
def test_a_missing_field_is_named(field: str, tmp_path: Path) -> None:
    data = content()
    del data[field]
    with pytest.raises(InputError, match=rf"manifest\.json is damaged, field {field}: is missing"):
        of(tmp_path, data)


def test_a_newer_schema_is_refused_before_its_fields_are_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"reads up to {SCHEMA_VERSION}"):
        of(tmp_path, {"schema_version": SCHEMA_VERSION + 1})


def test_unknown_keys_are_kept_where_they_stand(tmp_path: Path) -> None:
    data = {"first": [1], **content(), "last": {"x": None}}
    data["judge"] = {"of_a_later_version": 1, **data["judge"]}
    data["sets"][0]["weight"] = 0.5
    data["seeds"]["labels"] = "free"
    manifest = of(tmp_path, data)
    manifest.status = "interrupted"
    assert list(manifest.as_dict()) == list(data)
    assert manifest.as_dict() == data | {"status": "interrupted"}
    assert json.dumps(manifest.judge.as_dict()) == json.dumps(data["judge"])


def test_what_was_never_given_is_not_written_and_what_is_set_comes_last() -> None:
    manifest = RunDir(ANSWERS).manifest()
    assert manifest.sequential is None
    assert "sequential" not in manifest.as_dict()
    manifest.recorded_differences = 3
    assert list(manifest.as_dict())[-1] == "recorded_differences"
    more = manifest.engine.adding({"device": "cuda", "new": 1})
    assert list(more.as_dict())[-1] == "new"
    assert list(manifest.engine.as_dict()) == list(more.as_dict())[:-1]


def test_identities_differ_by_name() -> None:
    one = Identity(seed=1, judge="builtin", judge_version=4, temperature=0)
    two = Identity(seed=1, judge="openai:m", temperature=0.0, labeler="builtin")
    assert one.differences(two) == {
        "judge": ("builtin", "openai:m"),
        "judge_version": (4, None),
        "labeler": (None, "builtin"),
    }
    assert one.names() == ["seed", "judge", "judge_version", "temperature"]


def test_a_damaged_manifest_is_an_input_error_of_every_reader(cli: Any, tmp_path: Path) -> None:
    shutil.copytree(ANSWERS, tmp_path / "run")
    data = content()
    data["seeds"]["run"] = "one"
    (tmp_path / "run" / MANIFEST).write_text(json.dumps(data))
    for words in (
        ["gate", "run"],
        ["report", "run", "--md"],
        ["compare", "run", "run"],
        ["show", "run", "x"],
        ["fix", "run", "--train", "synth:1"],
    ):
        done = cli(*words)
        assert done.code == 2, done.err
        assert "run/manifest.json is damaged, field seeds.run:" in done.err
