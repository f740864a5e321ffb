"""Signals, threads, processes, progress, logging, pickling, notebooks, leaks."""

import concurrent.futures
import gc
import logging
import multiprocessing
import pickle
import threading
import time
import tracemalloc
import warnings

import pytest

import shoal
from conftest import frame_of, rows_of

ASKED = dict(k=5, quasi=["age", "sex", "education"], sensitive="income", method="mondrian")
LONG = dict(k=10, quasi=["age", "zip", "sex", "education", "marital"], effort="high")


# --- Stopping. ------------------------------------------------------------------------------------

INTERRUPTED = '''
import os, signal, sys, threading, time
import shoal
people = shoal.generate("census", 200_000)
sent = [0.0]
def interrupt():
    time.sleep(0.5)
    sent[0] = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    shoal.anonymize(people, k=10, quasi=["age", "zip", "sex", "education", "marital"], effort="high", time="10m")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - sent[0] < 1.0)
    release = shoal.anonymize(shoal.generate("census", 100), k=2, quasi=["age"], method="mondrian")
    print("goes on", len(release))
'''


def test_an_interrupt_ends_a_run_within_a_second(python):
    result = python(INTERRUPTED)
    assert result.stdout.split("\n")[:2] == ["interrupted True", "goes on 100"], result.stderr


def test_an_interrupted_file_run_leaves_nothing(python, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    result = python('''
import os, signal, sys, threading, time
import shoal
shoal.generate("census", 200_000, output=sys.argv[1] + "/in.csv")
threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    shoal.anonymize(sys.argv[1] + "/in.csv", sys.argv[1] + "/out.csv", k=10,
                    quasi=["age", "zip", "sex", "education", "marital"], effort="high", time="10m")
except KeyboardInterrupt:
    print("interrupted")
''', folder)
    assert result.stdout == "interrupted\n", result.stderr
    assert [path.name for path in folder.iterdir()] == ["in.csv"]


def test_the_interpreter_ends_in_the_middle_of_a_run(python):
    result = python('''
import threading, time
import shoal
people = shoal.generate("census", 100_000)
def run():
    try:
        shoal.anonymize(people, k=10, quasi=["age", "zip", "sex", "education"], effort="high", time="10m")
    except shoal.CancelledError:
        pass
for _ in range(3):
    threading.Thread(target=run, daemon=True).start()
time.sleep(0.5)
print("ends")
''', timeout=60)
    assert (result.returncode, result.stdout) == (0, "ends\n"), result.stderr


def test_exceptions_of_the_progress_callback(people):
    class Stop(Exception):
        pass

    def fail(stage, fraction):
        raise Stop(stage)

    with pytest.raises(Stop):
        shoal.anonymize(people, **ASKED, progress=fail)
    with pytest.raises(shoal.CancelledError):
        shoal.anonymize(people, **LONG, progress=lambda stage, fraction: False)
    with pytest.raises(TypeError):
        shoal.anonymize(people, **ASKED, progress=lambda: None)
    # An exit is an exception, too.
    def leave(stage, fraction):
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        shoal.anonymize(people, **ASKED, progress=leave)
    assert shoal.anonymize(people, **ASKED).report.holds


# --- Progress and logging. ------------------------------------------------------------------------


def test_progress_is_told_in_order_on_the_calling_thread(people):
    told = []
    shoal.anonymize(people, **ASKED, progress=lambda stage, fraction: told.append(
        (stage, fraction, threading.get_ident())))
    assert {ident for *_, ident in told} == {threading.get_ident()}
    stages = [stage for stage, *_ in told]
    assert "anonymize" in stages and "verify" in stages
    for stage in set(stages):
        fractions = [fraction for name, fraction, _ in told if name == stage]
        assert fractions == sorted(fractions) and 0 <= fractions[0] and fractions[-1] <= 1
    assert stages == sorted(stages, key=stages.index), "a stage came again"


def test_a_bar(people, capsys):
    pytest.importorskip("tqdm")
    shoal.anonymize(people, **ASKED, progress=True)
    assert "anonymize" in capsys.readouterr().err


def test_a_callback_may_call_again(people):
    """Calls have a context each."""
    sizes = []

    def nested(stage, fraction):
        if not sizes:
            sizes.append(len(shoal.generate("census", 50)))

    shoal.anonymize(people, **ASKED, progress=nested)
    assert sizes == [50]


def test_warnings_and_log(caplog):
    data = {"age": list(range(100)), "email": [f"p{i}@x.org" for i in range(100)]}
    asked = dict(k=5, quasi="age", rest="release", method="mondrian")
    with caplog.at_level(logging.DEBUG, logger="shoal"), pytest.warns(shoal.PrivacyWarning) as caught:
        release = shoal.anonymize(data, **asked)
    assert [str(w.message) for w in caught] == [notice.message for notice in release.warnings]
    assert {w.message.code for w in caught} == {notice.code for notice in release.warnings}
    assert "email" in {w.message.column for w in caught} and {w.filename for w in caught} == {__file__}
    assert any(record.levelno == logging.WARNING and record.name == "shoal" for record in caplog.records)
    assert "p7@" not in caplog.text
    assert "email" in release._repr_html_()
    # Turned into errors, as careful people do.
    with warnings.catch_warnings(), pytest.raises(shoal.PrivacyWarning):
        warnings.simplefilter("error", shoal.PrivacyWarning)
        shoal.anonymize(data, **asked)


def test_nothing_is_printed(python):
    result = python('''
import shoal, warnings
warnings.simplefilter("ignore")
data = {"age": list(range(100)), "email": [f"p{i}@x.org" for i in range(100)]}
shoal.anonymize(data, k=5, quasi="age", rest="release")
try:
    shoal.anonymize(data, k=5, quasi=["agee", "emial"])
except shoal.Error:
    pass
''')
    assert (result.stdout, result.stderr) == ("", "")


# --- Threads and processes. -----------------------------------------------------------------------


def test_the_lock_is_released(people):
    """While a run lasts, other threads of Python go on."""
    table = shoal.generate("census", 100_000)
    done = threading.Event()
    counted = [0]

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    before = counted[0]
    shoal.anonymize(table, k=10, quasi=["age", "zip", "sex", "education"], effort="fast")
    after = counted[0]
    done.set()
    other.join()
    assert after - before > 10


def test_several_threads_at_once(people):
    expected = rows_of(shoal.anonymize(people, **ASKED).to_dict())
    session = shoal.Session(shoal.anonymize(people, **ASKED), original=people)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        releases = list(pool.map(lambda _: shoal.anonymize(people, **ASKED), range(8)))
        answers = list(pool.map(lambda age: session.ask(f"COUNT WHERE age < {age}").exact, [30, 40, 50] * 4))
    assert all(rows_of(release.to_dict()) == expected for release in releases)
    assert answers == [session.ask(f"COUNT WHERE age < {age}").exact for age in [30, 40, 50] * 4]


def gcp_of(spec):
    return shoal.anonymize(shoal.generate("census", 500), spec=spec).gcp


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_several_processes(way, people):
    shoal.anonymize(people, **ASKED)  # the parent has used threads before
    spec = shoal.Spec(**ASKED)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(way)) as pool:
        assert list(pool.map(gcp_of, [spec] * 4)) == [gcp_of(spec)] * 4
        failed = pool.submit(gcp_of, spec.replace(k=501))
        assert isinstance(failed.exception(), shoal.UnsatisfiableError)


def test_a_fork_while_another_thread_runs(python):
    result = python('''
import os, threading, time
import shoal
people = shoal.generate("census", 100_000)
def run():
    try:
        shoal.anonymize(people, k=10, quasi=["age", "zip", "sex", "education"], effort="high", time="10m")
    except shoal.CancelledError:
        pass
threading.Thread(target=run, daemon=True).start()
time.sleep(0.3)
child = os.fork()
if child == 0:
    release = shoal.anonymize(shoal.generate("census", 100), k=2, quasi="age", method="mondrian")
    os._exit(len(release) != 100)
print(os.waitpid(child, 0)[1])
''', timeout=60)
    assert result.stdout == "0\n", result.stderr


# --- Pickling, notebooks. -------------------------------------------------------------------------


def test_specs_and_reports_pickle(people, patients, asked):
    release = shoal.anonymize(patients, **asked)
    spec = pickle.loads(pickle.dumps(release.spec))
    assert spec == release.spec and hash(spec) == hash(release.spec)
    assert rows_of(shoal.anonymize(patients, spec=spec).to_dict()) == rows_of(release.to_dict())
    for report in (release.report, shoal.inspect(patients), shoal.query(release, "COUNT WHERE age < 40",
                                                                         original=patients),
                   shoal.frontier(patients, quasi="age", sweep={"k": [2]}, methods=["mondrian"])):
        copy = pickle.loads(pickle.dumps(report))
        assert copy == report and copy.text == report.text and type(copy) is type(report)
    table = pickle.loads(pickle.dumps(shoal.table(patients)))
    assert table.to_dict() == patients
    with pytest.raises(TypeError, match="to_arrow"):
        pickle.dumps(release)


def test_html_shows_no_cells(patients, asked):
    release = shoal.anonymize(patients, **asked)
    secrets = set(patients["diagnosis"]) | set(patients["name"]) | set(patients["zip"])
    frontier = shoal.frontier(patients, quasi="age", sweep={"k": [2, 3]}, methods=["mondrian"])
    for shown in (release, release.report, release.spec, frontier, shoal.inspect(patients)):
        html = shown._repr_html_()
        assert html.startswith("<div") and not any(secret in html for secret in secrets)
    assert "every class has at least 3 records" in release._repr_html_()
    named = shoal.anonymize({"<b>": [1, 1]}, k=2, quasi="<b>", method="mondrian")
    assert "<b>," not in named._repr_html_() and "&lt;b&gt;" in named._repr_html_()
    assert repr(release).startswith("<shoal.Release: 60 rows, 20 classes, GCP")


# --- Memory. --------------------------------------------------------------------------------------


def every_entry(library, patients, asked):
    """Each way into the extension, those that fail included. The frame is new: pandas remembers who looked at one."""
    frame = frame_of(library, patients)
    release = shoal.anonymize(frame, **asked, progress=lambda *_: None)
    release.to_dict(), release.to_arrow(), release.class_of, release.record_risk, release.describe_class(0)
    shoal.verify(release)
    shoal.measure(frame, release)
    shoal.risk(frame, release)
    shoal.inspect(frame)
    shoal.Session(release, original=frame).ask("COUNT WHERE age < 40")
    shoal.frontier(frame, quasi="age", sweep={"k": [2]}, methods=["mondrian"])
    pickle.loads(pickle.dumps(release.spec))
    shoal.settings(), shoal.methods(), shoal.generate("census", 20)
    for wrong in (dict(k=61, quasi="age"), dict(k=2, quasi="agee"), dict(k=2, quasi="age", l=2)):
        try:
            shoal.anonymize(frame, **wrong)
        except shoal.Error:
            pass
    try:
        shoal.anonymize(frame, **asked, progress=lambda *_: 1 / 0)
    except ZeroDivisionError:
        pass


def test_no_objects_are_left_behind(library, patients, asked, caplog):
    caplog.set_level(logging.CRITICAL, logger="shoal")  # or pytest keeps the lines
    tracemalloc.start()
    try:
        for _ in range(3):  # until caches are filled
            every_entry(library, patients, asked)
        gc.collect()
        before = tracemalloc.take_snapshot()
        for _ in range(5):
            every_entry(library, patients, asked)
        gc.collect()
        after = tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
    own = [tracemalloc.Filter(True, "*/shoal/*")]
    if library == "pandas":  # which leaves something behind when pyarrow looks at a column, without us too
        own.append(tracemalloc.Filter(False, "*/shoal/_table.py"))
    grown = sum(entry.size_diff for entry in after.filter_traces(own).compare_to(before.filter_traces(own), "filename"))
    assert grown < 2000, grown
