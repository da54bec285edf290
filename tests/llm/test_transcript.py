"""The transcript: durable, shared by threads and processes, readable by an auditor, never lost in silence."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading

import pytest

from pipeline.llm import Transcript
from pipeline.llm.transcript import LAYOUT_VERSION, PastFailure, call_key
from pipeline.llm.wire import Question, Usage
from schemas.errors import SchemaVersionError, StoreError

QUESTION = Question("m", ({"role": "user", "content": "Ünïcode?"},), "Reply", {"type": "object"}, 100, 0.0)
USAGE = Usage(input_tokens=7, cached_tokens=2, output_tokens=3)


def begin(transcript: Transcript, question: Question = QUESTION) -> int:
    """A row for the question, as sent."""
    return transcript.begin(question, "chat", purpose="arbiter", prompt_name="arbiter", left_out=("temperature",))


def test_a_request_is_on_disk_before_it_is_answered(tmp_path):
    """Another connection sees the row as soon as `begin` returns; it is no answer yet."""
    path = tmp_path / "new" / "calls.sqlite"
    with Transcript(path) as transcript:
        begin(transcript)
        with sqlite3.connect(path) as other:
            assert other.execute("SELECT status, reply FROM llm_calls").fetchall() == [("sent", None)]
        other.close()
        assert transcript.lookup(call_key(QUESTION)) is None
        assert transcript.calls() == ()


def test_an_answer_is_found_again_by_its_key(tmp_path):
    """With all that was sent and received, marked as read from the transcript."""
    path = tmp_path / "calls.sqlite"
    with Transcript(path) as transcript:
        made = transcript.answer(begin(transcript), '{"ä": 1}'.encode(), USAGE, seconds=1.5, attempts=2)
    with Transcript(path) as transcript:
        found = transcript.lookup(call_key(QUESTION))
        assert found is not None
        assert found == made.model_copy(update={"from_cache": True})
        assert transcript.calls() == (found,)
    assert (made.reply, made.input_tokens, made.output_tokens, made.attempts) == ('{"ä": 1}', 7, 3, 2)
    assert made.request == {**QUESTION.as_json(), "left_out": ["temperature"]}


def test_a_failed_call_is_on_record_and_no_answer(transcript):
    """The latest failure can be read, for a replay."""
    call = transcript.fail(begin(transcript), PastFailure("ModelUnavailableError", "down"), seconds=1, attempts=4)
    assert (call.status, call.error, call.reply) == ("failed", "down", None)
    assert transcript.lookup(call_key(QUESTION)) is None
    assert transcript.past_failure(call_key(QUESTION)) == ("ModelUnavailableError", "down")


@pytest.mark.parametrize(
    "other",
    [
        Question("n", QUESTION.messages, "Reply", QUESTION.schema, 100, 0.0),
        Question("m", ({"role": "user", "content": "?"},), "Reply", QUESTION.schema, 100, 0.0),
        Question("m", QUESTION.messages, "Other", QUESTION.schema, 100, 0.0),
        Question("m", QUESTION.messages, "Reply", {}, 100, 0.0),
        Question("m", QUESTION.messages, "Reply", QUESTION.schema, 101, 0.0),
        Question("m", QUESTION.messages, "Reply", QUESTION.schema, 100, None),
    ],
)
def test_the_key_covers_everything_that_may_change_the_reply(other):
    """Model, messages, schema, limits."""
    assert call_key(other) != call_key(QUESTION)


def test_the_key_is_the_same_on_every_machine():
    """It is written down here, so that a change of its making is noticed: it would orphan every transcript."""
    assert call_key(QUESTION) == "8664ceb873c4728d470818a5c3243998c935cbaf3047eb9ab84f2b9b5f61416a"


@pytest.mark.parametrize("content", [b"this is no database, whatever its name says\n" * 50, b"\x00" * 8192])
def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path, content):
    """The message says what to do; nothing is deleted."""
    path = tmp_path / "calls.sqlite"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"calls\.sqlite.*damaged.*move the file"):
        Transcript(path)
    assert path.read_bytes() == content


def test_damage_inside_the_file_is_a_store_error(tmp_path):
    """Also when it shows only later than on opening."""
    path = tmp_path / "calls.sqlite"
    with Transcript(path) as transcript:
        for number in range(50):
            question = Question("m", ({"role": "user", "content": "x" * 3000},), "R", {"n": number}, 100, 0.0)
            transcript.answer(begin(transcript, question), b"{}", USAGE, seconds=0, attempts=1)
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"), Transcript(path) as transcript:  # noqa: PT012 - either may raise
        transcript.lookup(call_key(QUESTION))
        begin(transcript)


def test_a_row_that_makes_no_sense_is_a_store_error(tmp_path):
    """A request that is no JSON."""
    path = tmp_path / "calls.sqlite"
    with Transcript(path) as transcript:
        transcript.answer(begin(transcript), b"{}", USAGE, seconds=0, attempts=1)
    with sqlite3.connect(path) as other:
        other.execute("UPDATE llm_calls SET request = '{'")
    other.close()
    with Transcript(path) as transcript, pytest.raises(StoreError, match="damaged"):
        transcript.lookup(call_key(QUESTION))


def test_a_database_of_another_program_is_not_touched(tmp_path):
    """Its tables stay as they are."""
    path = tmp_path / "calls.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE photos (id)")
    other.close()
    with pytest.raises(StoreError, match="another program"):
        Transcript(path)


def test_a_newer_layout_is_refused(tmp_path):
    """With both numbers."""
    path = tmp_path / "calls.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(SchemaVersionError, match=rf"layout 99.*up to {LAYOUT_VERSION}"):
        Transcript(path)


def test_a_folder_in_the_place_of_the_file_is_a_store_error(tmp_path):
    """A path that cannot be a file."""
    with pytest.raises(StoreError, match="cannot be used"):
        Transcript(tmp_path)


def test_a_replay_needs_a_transcript_and_writes_nothing(tmp_path):
    """A missing file is an error, an existing one stays as it is, also in a folder that cannot be written."""
    path = tmp_path / "calls.sqlite"
    with pytest.raises(StoreError, match="no transcript to replay"):
        Transcript(path, offline=True)
    with Transcript(path) as transcript:
        transcript.answer(begin(transcript), b"{}", USAGE, seconds=0, attempts=1)
    before = path.read_bytes()
    tmp_path.chmod(0o555)
    try:
        with Transcript(path, offline=True) as transcript:
            assert transcript.lookup(call_key(QUESTION)) is not None
            with pytest.raises(StoreError):
                begin(transcript)
    finally:
        tmp_path.chmod(0o755)
    assert path.read_bytes() == before


def test_threads_share_one_transcript(transcript):
    """Every exchange of every thread is there, none twice."""

    def work(first: int) -> None:
        for number in range(first, first + 10):
            question = Question("m", ({"role": "user", "content": str(number)},), "R", {}, 1, None)
            transcript.answer(begin(transcript, question), b"{}", USAGE, seconds=0, attempts=1)

    threads = [threading.Thread(target=work, args=(first,)) for first in range(0, 40, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(call.request["messages"][0]["content"]) for call in transcript.calls()) == list(range(40))


WRITER = """
import sys
from tests.llm.test_transcript import *
with Transcript(sys.argv[1]) as transcript:
    for number in range(10):
        question = Question("m", ({"role": "user", "content": f"{sys.argv[2]}-{number}"},), "R", {}, 1, None)
        transcript.answer(begin(transcript, question), b"{}", USAGE, seconds=0, attempts=1)
"""


def test_processes_share_one_file(tmp_path, project):
    """They may all create it at once; every exchange is there in the end."""
    path = tmp_path / "calls.sqlite"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(number)], cwd=project) for number in range(4)
    ]
    assert [writer.wait(60) for writer in writers] == [0] * 4
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT count(*) FROM llm_calls WHERE status = 'answered'").fetchone() == (40,)
    other.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_transcript_survives_a_fork(tmp_path):
    """A child opens the file anew instead of using the connection of its parent."""
    with Transcript(tmp_path / "calls.sqlite") as transcript:
        begin(transcript)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                transcript.answer(begin(transcript), b"{}", USAGE, seconds=0, attempts=1)
                status = 0
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        assert transcript.lookup(call_key(QUESTION)) is not None
