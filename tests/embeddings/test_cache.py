"""Vectors in a folder: asked for once, shared by processes, and sound after a kill or damage."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pipeline.embeddings.cache import CachedEmbedder
from pipeline.embeddings.memory import RememberingEmbedder
from schemas.errors import StoreError
from tests.embeddings.build import LetterEmbedder

TEXTS = ["a clause", "another one", "café", "", "a clause"]
WIDTH = 16 * 4  # bytes of a vector of the letter embedder


def files(folder):
    """The one folder of a model: keys and vectors."""
    (inside,) = [path for path in folder.iterdir() if path.is_dir()]
    return inside / "keys.bin", inside / "vectors.f32"


def test_a_text_is_asked_for_once(tmp_path):
    """A second call, and another object on the folder, give the same bytes and ask only for what is new."""
    model = LetterEmbedder()
    first = CachedEmbedder(model, tmp_path)(TEXTS)
    assert first.tobytes() == LetterEmbedder()(TEXTS).tobytes()
    again = CachedEmbedder(model, tmp_path)
    assert again(TEXTS[::-1]).tobytes() == first[::-1].tobytes()
    again([*TEXTS, "new"])
    assert model.asked == [["a clause", "another one", "café", ""], ["new"]]
    keys, vectors = files(tmp_path)
    assert (keys.stat().st_size, vectors.stat().st_size) == (5 * 40, 5 * WIDTH)


def test_models_do_not_mix(tmp_path):
    """Another name, such as of other weights, has vectors of its own, whatever letters it is made of."""
    one, two = LetterEmbedder(), LetterEmbedder()
    one.name, two.name = "../../a/b", "../../a:b"
    CachedEmbedder(one, tmp_path)(TEXTS)
    CachedEmbedder(two, tmp_path)(TEXTS)
    assert two.asked
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("cut", [1, 7, 40, 41, 64, 70])
def test_a_tail_that_was_cut_off_is_dropped(tmp_path, which, cut):
    """After a crash that lost the end of a file the rest is used, what is missing is written again, and only that."""
    whole = CachedEmbedder(LetterEmbedder(), tmp_path)(TEXTS)
    path = files(tmp_path)[which]
    os.truncate(path, path.stat().st_size - cut)
    model = LetterEmbedder()
    assert CachedEmbedder(model, tmp_path)(TEXTS).tobytes() == whole.tobytes()
    assert 1 <= len(model.asked[0]) <= 2
    after = LetterEmbedder()
    assert CachedEmbedder(after, tmp_path)(TEXTS).tobytes() == whole.tobytes()
    assert after.asked == []
    assert [file.stat().st_size for file in files(tmp_path)] == [4 * 40, 4 * WIDTH]


@pytest.mark.parametrize("which", [0, 1])
def test_a_half_written_tail_is_written_over(tmp_path, which):
    """Bytes of an append that a kill broke off are no vectors, and the next append takes their place."""
    model = LetterEmbedder()
    CachedEmbedder(model, tmp_path)(TEXTS)
    with files(tmp_path)[which].open("ab") as file:
        file.write(b"\x07" * 39)
    CachedEmbedder(model, tmp_path)([*TEXTS, "new"])
    fresh = LetterEmbedder()
    found = CachedEmbedder(fresh, tmp_path)([*TEXTS, "new"])
    assert fresh.asked == []
    assert found.tobytes() == LetterEmbedder()([*TEXTS, "new"]).tobytes()


@pytest.mark.parametrize(("which", "offset"), [(0, 5), (0, 33), (1, 3)])
def test_damage_is_noticed_and_mended(tmp_path, which, offset):
    """A byte that changed on disk is never handed out as a vector: the row is computed again."""
    CachedEmbedder(LetterEmbedder(), tmp_path)(TEXTS)
    with files(tmp_path)[which].open("r+b") as file:
        file.seek(offset)
        file.write(b"\xff")
    model = LetterEmbedder()
    assert CachedEmbedder(model, tmp_path)(TEXTS).tobytes() == LetterEmbedder()(TEXTS).tobytes()
    assert model.asked == [["a clause"]]
    CachedEmbedder(model, tmp_path)(TEXTS)
    assert len(model.asked) == 1


def test_a_model_that_changed_behind_its_name_is_refused(tmp_path):
    """Vectors of another length under the same name are refused: what is there was made by another model."""

    class Longer(LetterEmbedder):
        def __call__(self, texts):
            rows = np.ones((len(texts), 20), dtype=np.float32)
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    CachedEmbedder(LetterEmbedder(), tmp_path)(["one"])
    with pytest.raises(StoreError, match="the model behind the name was changed"):
        CachedEmbedder(Longer(), tmp_path)(["two"])


def test_a_newer_format_is_refused(tmp_path):
    """A folder that a newer Lineproof wrote is refused with what to do."""
    CachedEmbedder(LetterEmbedder(), tmp_path)(["one"])
    about = files(tmp_path)[0].with_name("about.json")
    about.write_text('{"dimension": 16, "format": 9}')
    with pytest.raises(StoreError, match=r"format 9, this Lineproof reads 1; remove"):
        CachedEmbedder(LetterEmbedder(), tmp_path)


WRITER = """
import sys
from pathlib import Path
from pipeline.embeddings.cache import CachedEmbedder
from tests.embeddings.build import LetterEmbedder
cached = CachedEmbedder(LetterEmbedder(), Path(sys.argv[1]))
for start in range(0, 200, 5):
    cached([f"text {number} of all" for number in range(start, start + 10)])
print("done", flush=True)
for number in range(10**6 if sys.argv[2] == "on" else 0):
    cached([f"text {sys.argv[2]} {number} {i}" for i in range(50)])
"""


def start_writer(folder, project, mode):
    """A process that fills the folder, five texts of ten anew each time, and with 'on' never stops."""
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), mode], cwd=project, stdout=subprocess.PIPE, text=True
    )


def test_two_processes_write_each_text_once(tmp_path, project):
    """Two writers of the same texts leave each of them once, and sound."""
    writers = [start_writer(tmp_path, project, "off") for _ in range(2)]
    assert [writer.communicate(timeout=120)[0] for writer in writers] == ["done\n"] * 2
    keys, vectors = files(tmp_path)
    assert keys.stat().st_size == 205 * 40
    assert vectors.stat().st_size == 205 * WIDTH
    texts = [f"text {number} of all" for number in range(205)]
    model = LetterEmbedder()
    assert CachedEmbedder(model, tmp_path)(texts).tobytes() == LetterEmbedder()(texts).tobytes()
    assert model.asked == []


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
def test_kill_9_loses_nothing_that_was_written(tmp_path, project):
    """A writer killed in the middle leaves a folder that the next process reads and goes on with."""
    writer = start_writer(tmp_path, project, "on")
    assert writer.stdout is not None
    assert writer.stdout.readline() == "done\n"
    keys = files(tmp_path)[0]
    until = time.monotonic() + 60
    while keys.stat().st_size < 400 * 40 and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(writer.pid, signal.SIGKILL)
    writer.communicate(timeout=60)
    texts = [f"text {number} of all" for number in range(205)]
    model = LetterEmbedder()
    found = CachedEmbedder(model, tmp_path)([*texts, "after"])
    assert model.asked == [["after"]]
    assert found.tobytes() == LetterEmbedder()([*texts, "after"]).tobytes()


def test_memory_is_bounded_and_forgets_the_oldest(tmp_path):
    """Without a folder the last vectors are kept, up to a number."""
    model = LetterEmbedder()
    kept = RememberingEmbedder(model, max_vectors=2)
    assert kept(["a", "b", "a"]).tobytes() == LetterEmbedder()(["a", "b", "a"]).tobytes()
    kept(["a"])
    kept(["c"])
    kept(["a", "c"])
    kept(["b"])
    assert model.asked == [["a", "b"], ["c"], ["b"]]
    assert kept.name == "letters"
