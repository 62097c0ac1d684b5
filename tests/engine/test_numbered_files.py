"""The files of a checkpoint: numbered, found again, written whole or not at all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from messages import told
from penstock.dynamic.checkpoint import Checkpoint

SAVED = '{"version": 2, "states": {"a": {"state": "7", "type": "Counter"}}}'


def holding(value: int | str) -> Checkpoint:
    checkpoint = Checkpoint()
    checkpoint.set_state("a", value, "Counter")
    return checkpoint


def test_files_are_numbered_on_from_the_highest_there_is(tmp_path):
    pattern = str(tmp_path / "new" / "ck_{seq:04d}.json")
    checkpoint = holding(7)
    assert [Path(checkpoint.save(pattern)).name for _ in range(2)] == ["ck_0000.json", "ck_0001.json"]
    assert Path(pattern.format(seq=1)).read_text() == SAVED
    assert Path(checkpoint.save(tmp_path / "other_{seq}")).name == "other_2"
    assert Path(holding(0).save(pattern)).name == "ck_0002.json"
    Path(pattern.format(seq=41)).write_text(SAVED)
    assert Path(checkpoint.save(pattern)).name == "ck_0042.json"


def test_load_takes_the_highest_number_and_save_goes_on_from_it(tmp_path):
    for name in ("ck_0009.json", "ck_12.json", "ck_x.json", "ck_-20.json", "ck_0030.json.bak", ".ck_0040.json.partial"):
        (tmp_path / name).write_text(SAVED)
    (tmp_path / "ck_0050.json").mkdir()
    checkpoint = Checkpoint()
    assert checkpoint.load(str(tmp_path / "ck_{seq:04d}.json")) == str(tmp_path / "ck_12.json")
    assert Path(checkpoint.save(tmp_path / "fresh_{seq}.json")).name == "fresh_13.json"


def test_of_two_files_with_one_number_load_takes_the_one_save_would_write(tmp_path):
    for name in ("ck_5.json", "ck_0005.json"):
        (tmp_path / name).write_text(SAVED)
    assert Path(Checkpoint().load(tmp_path / "ck_{seq}.json")).name == "ck_5.json"
    assert Path(Checkpoint().load(tmp_path / "ck_{seq:04d}.json")).name == "ck_0005.json"


STAR = "c" if os.name == "nt" else "c*"  # which no name on Windows may have


@pytest.mark.parametrize("pattern", ["run_{seq}/ck.json", "{{{seq}}}.json", f"g[1]/{STAR}_{{seq}}0", "{seq:0>3}"])
def test_the_number_may_stand_anywhere(pattern, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    paths = [holding(0).save(pattern) for _ in range(12)]
    assert paths[-1] == pattern.format(seq=11)
    assert Checkpoint().load(pattern) == paths[-1]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("ck.json", "must include `{seq}`"),
        ("ck_{foo}_{seq}.json", r"Unsupported field {foo}"),
        ("ck_{}_{seq}.json", r"Unsupported field {}"),
        ("ck_{seq!r}.json", "Unsupported field {seq!r}"),
        ("ck_{seq}_{seq}.json", "at most once in a checkpoint pattern"),
        ("ck_{seq:4d}.json", "does not write plain digits"),
        ("ck_{seq:x}.json", "does not write plain digits"),
        ("ck_{seq:zz}.json", "does not write plain digits"),
    ],
)
def test_patterns_are_held_to_the_same_rule_every_time(pattern, message, tmp_path):
    checkpoint = holding(0)
    for _ in range(2):
        with pytest.raises(ValueError, match=message):
            checkpoint.save(tmp_path / pattern)
        with pytest.raises(ValueError, match=message):
            checkpoint.load(tmp_path / pattern)
        checkpoint.save(tmp_path / "{seq}")
    assert sorted(os.listdir(tmp_path)) == ["0", "1"]


@pytest.mark.parametrize("folder", ["", "missing", "0"])
def test_nothing_to_load(folder, tmp_path):
    holding(0).save(tmp_path / "{seq}")
    with pytest.raises(FileNotFoundError, match="No checkpoint file matches filename"):
        Checkpoint().load(tmp_path / folder / "ck_{seq}.json")


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / "3").write_text("{")
    checkpoint = Checkpoint()
    with pytest.raises(json.JSONDecodeError) as raised:
        checkpoint.load(tmp_path / "{seq}")
    assert str(tmp_path / "3") in told(raised.value)
    assert not checkpoint.is_loaded


@pytest.mark.parametrize("failing", [["fsync"], ["link", "replace"]], ids=str)
def test_a_save_that_fails_leaves_nothing_behind_and_can_be_repeated(failing, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    checkpoint = holding(0)
    checkpoint.save(tmp_path / "{seq}")
    with monkeypatch.context() as broken:
        for function in failing:
            broken.setattr(os, function, fail)
        with pytest.raises(OSError, match="disk full"):
            checkpoint.save(tmp_path / "{seq}")
    assert os.listdir(tmp_path) == ["0"]
    assert Path(checkpoint.save(tmp_path / "{seq}")).name == "1"


DIES_WHILE_SAVING = """
    import os, signal, sys
    from penstock.dynamic.checkpoint import Checkpoint

    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    checkpoint = Checkpoint()
    for number in (7, 8):
        checkpoint.set_state("a", number, "Counter")
        if number == 8:
            setattr(os, sys.argv[2], die)
        checkpoint.save(sys.argv[1])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
@pytest.mark.parametrize("moment", ["fsync", "link", "unlink"])
def test_a_process_killed_while_saving_leaves_the_file_before(moment, tmp_path):
    pattern = str(tmp_path / "{seq}.json")
    died = subprocess.run([sys.executable, "-c", textwrap.dedent(DIES_WHILE_SAVING), pattern, moment], timeout=120)
    assert died.returncode == -signal.SIGKILL
    checkpoint = Checkpoint()
    newest = 1 if moment == "unlink" else 0
    assert checkpoint.load(pattern) == pattern.format(seq=newest)
    assert checkpoint.serialize() == SAVED.replace("7", str(7 + newest))
    assert [name for name in os.listdir(tmp_path) if name.endswith(".partial")]
    assert checkpoint.save(pattern) == pattern.format(seq=newest + 1)
    assert sorted(os.listdir(tmp_path)) == [f"{number}.json" for number in range(newest + 2)]


SAVES_SLOWLY = """
    import os, sys
    from penstock.dynamic.checkpoint import Checkpoint

    synced = os.fsync

    def sync(descriptor):
        print(flush=True)
        input()
        synced(descriptor)

    os.fsync = sync
    checkpoint = Checkpoint()
    checkpoint.set_state("a", 7, "Counter")
    checkpoint.save(sys.argv[1])
"""


def test_what_another_process_is_writing_is_left_alone(tmp_path):
    pattern = str(tmp_path / "{seq}.json")
    command = [sys.executable, "-c", textwrap.dedent(SAVES_SLOWLY), pattern]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as slow:
        slow.stdout.readline()
        assert holding(8).save(pattern) == pattern.format(seq=0)
        assert len([name for name in os.listdir(tmp_path) if name.endswith(".partial")]) == 1
        slow.communicate("\n" * 9)
    assert slow.returncode == 0
    assert Path(pattern.format(seq=0)).read_text() == SAVED.replace("7", "8")
    assert Path(pattern.format(seq=1)).read_text() == SAVED


def test_nobody_overwrites_what_others_save_at_the_same_time(tmp_path):
    def saved(saver):
        states = [f"{saver}-{number}" for number in range(25)]
        return [(holding(state).save(tmp_path / "{seq}.json"), state) for state in states]

    with ThreadPoolExecutor(4) as pool:
        every = [each for some in pool.map(saved, range(4)) for each in some]
    assert len({path for path, _ in every}) == 100
    for path, state in every:
        assert f'"state": "{state}"' in Path(path).read_text()


def test_disks_without_second_names_for_files_will_do(tmp_path, monkeypatch):
    def fail(*_):
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", fail)
    assert [Path(holding(7).save(tmp_path / "{seq}.json")).name for _ in range(2)] == ["0.json", "1.json"]
    assert sorted(os.listdir(tmp_path)) == ["0.json", "1.json"]
