"""Bad input: the right exception, with place and sentence."""

import ctypes
import pickle

import pytest

import shoal
from conftest import EXAMPLES, frame_of
from shoal import _errors


def message(kind, call, *arguments, **keywords):
    with pytest.raises(kind) as caught:
        call(*arguments, **keywords)
    text = str(caught.value)
    assert text.rstrip()[-1] in ".?"
    return caught.value


def test_each_status_has_a_class():
    names = [kind.__name__ for kind in _errors.CLASSES[1:]]
    assert len(set(names)) == 12
    assert all(issubclass(kind, shoal.Error) for kind in _errors.CLASSES)
    assert all(getattr(shoal, name) is kind for name, kind in zip(names, _errors.CLASSES[1:]))
    header = (EXAMPLES.parent / "include/shoal/ctx.h").read_text()
    words = header[header.index("SHOAL_OK = 0"):header.index("} shoal_status")]
    assert words.count("SHOAL_E") == 12, "a new status needs a class"
    for kind, base in [(shoal.InvalidError, ValueError), (shoal.FormatError, ValueError),
                       (shoal.NotFoundError, LookupError), (shoal.MissingFileError, FileNotFoundError),
                       (shoal.OutOfMemoryError, MemoryError), (shoal.FileError, OSError),
                       (shoal.UnsupportedError, NotImplementedError), (shoal.LimitError, ValueError)]:
        assert issubclass(kind, base)


@pytest.mark.parametrize("kind", [*_errors.CLASSES, shoal.MissingFileError], ids=lambda kind: kind.__name__)
def test_exceptions_pickle(kind):
    error = kind("It went wrong.", record=3, column="age", source="in.csv", line=5, mistakes=("a", "b"))
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind and copy.__dict__ == error.__dict__ and str(copy) == str(error)


def test_warnings_pickle():
    copy = pickle.loads(pickle.dumps(shoal.PrivacyWarning("Look.", "near-unique-column", "name")))
    assert (str(copy), copy.code, copy.column) == ("Look.", "near-unique-column", "name")


def test_no_such_column(frame):
    error = message(shoal.NotFoundError, shoal.anonymize, frame, k=3, quasi=["agee"])
    assert 'no column "agee"; did you mean "age"?' in str(error)


def test_several_mistakes_are_told_at_once(frame):
    with pytest.raises(shoal.NotFoundError) as caught:
        shoal.anonymize(frame, k=3, quasi=["agee", "zipp"])
    assert len(caught.value.mistakes) == 2 and '"zipp"' in str(caught.value)


def test_a_column_twice(patients):
    assert message(shoal.InvalidError, shoal.anonymize, patients, k=3, quasi=["age", "age"]).column == "age"
    message(shoal.InvalidError, shoal.anonymize, patients, k=3, quasi=["age"], sensitive="age")
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    twice = pandas.DataFrame([[1, 2]], columns=["age", "age"])
    assert message(shoal.FormatError, shoal.anonymize, twice, k=2, quasi="age").column == "age"
    arrow = pyarrow.table([[1, 2], [3, 4]], names=["age", "age"])
    message(shoal.FormatError, shoal.anonymize, arrow, k=2, quasi="age")


def test_empty_frames(library):
    empty = frame_of(library, {"age": [], "sex": []}) if library != "duckdb" else None
    if empty is None:
        duckdb = pytest.importorskip("duckdb")
        empty = duckdb.sql("select 1 as age, 'F' as sex where false")
    message(shoal.Error, shoal.anonymize, empty, k=2, quasi=["age", "sex"])
    pandas = pytest.importorskip("pandas")
    message(shoal.FormatError, shoal.anonymize, pandas.DataFrame(), k=2, quasi=["age"])


def test_nested_and_complex_columns():
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    for nested in (pyarrow.table({"age": [1, 2], "visits": [[1], [2, 3]]}),
                   polars.DataFrame({"age": [1, 2], "visits": [[1], [2, 3]]}),
                   pandas.DataFrame({"age": [1, 2], "visits": [[1], [2, 3]]}),
                   pyarrow.table({"age": [1, 2], "visits": [{"a": 1}, {"a": 2}]})):
        assert message(shoal.UnsupportedError, shoal.anonymize, nested, k=2, quasi="age").column == "visits"
    wild = pandas.DataFrame({"age": [1, 2], "z": [1j, 2j]})
    assert message(shoal.UnsupportedError, shoal.anonymize, wild, k=2, quasi="age").column == "z"
    wild = {"age": [1, 2], "z": [1j, 2j]}
    assert message(shoal.UnsupportedError, shoal.anonymize, wild, k=2, quasi="age").column == "z"
    infinite = {"age": [1.5, float("inf")]}
    assert message(shoal.FormatError, shoal.anonymize, infinite, k=2, quasi="age").record == 1


@pytest.mark.parametrize("data", [None, 7, [1, 2], [{"age": 1}], object(), b"x", {1: [2]}, {"age": 5}],
                         ids=lambda data: type(data).__name__)
def test_objects_that_are_no_table(data):
    message(TypeError, shoal.anonymize, data, k=2, quasi="age")


def test_a_lazy_frame_is_collected_first():
    polars = pytest.importorskip("polars")
    assert "collect()" in str(message(TypeError, shoal.anonymize, polars.LazyFrame({"age": [1]}), k=2, quasi="age"))
    pandas = pytest.importorskip("pandas")
    message(TypeError, shoal.anonymize, pandas.Series([1, 2]), k=2, quasi="age")


def test_columns_of_unequal_length():
    assert message(shoal.FormatError, shoal.anonymize, {"age": [1], "sex": []}, k=2, quasi="age").column == "sex"


def test_hierarchies_that_do_not_fit(patients):
    def run(job):
        return message((shoal.Error, TypeError), shoal.anonymize, patients, k=3, quasi=["job"],
                       hierarchies={"job": job})

    whole = {job: ["*"] for job in patients["job"]}
    shoal.anonymize(patients, k=3, quasi=["job"], identifier="name", hierarchies={"job": whole}, method="mondrian")
    lacking = dict(list(whole.items())[1:])
    assert isinstance(run(lacking), shoal.FormatError)
    assert isinstance(run({}), shoal.InvalidError)
    assert isinstance(run({"clerk": []}), shoal.InvalidError)
    assert isinstance(run({"clerk": {"a": 1}}), TypeError)
    assert isinstance(run(5), TypeError)
    assert isinstance(run([["clerk", "*"]]), TypeError)
    assert isinstance(run({job: [job[:1]] for job in whole}), shoal.FormatError)  # no common root
    assert isinstance(run("no_such_file.csv"), shoal.MissingFileError)
    pandas = pytest.importorskip("pandas")
    gaps = pandas.DataFrame({"job": [*whole][:3] + [None], "root": ["*"] * 4})
    assert isinstance(run(gaps), shoal.FormatError)
    message(TypeError, shoal.anonymize, patients, k=3, quasi=["job"], hierarchies=["job"])
    message(TypeError, shoal.anonymize, patients, k=3, quasi=["job"], hierarchies={1: "flat"})
    message(shoal.InvalidError, shoal.anonymize, patients, k=3, quasi=["age"], hierarchies={"age": shoal.widths(5, 7)})


@pytest.mark.parametrize("k", ["10", "ten", 2.5, True, None, [3], 3j], ids=repr)
def test_k_is_a_whole_number(k, patients):
    kind = shoal.InvalidError if k is None else TypeError  # None: nothing is asked for
    message(kind, shoal.anonymize, patients, k=k, quasi="age")


def test_arguments_out_of_range(patients):
    for wrong in (dict(k=0), dict(k=-1), dict(k=3, suppress=2.0), dict(k=3, effort="lazy"),
                  dict(k=3, method="bestt"), dict(k=3, l="distinct:x"), dict(k=3, seed=-1), dict(k=3, threads=300),
                  dict(k=3, types={"age": "number"}), dict(k=3, weights={"age": -1})):
        message(shoal.InvalidError, shoal.anonymize, patients, quasi="age", **wrong)
    for wrong in (dict(kk=3), dict(k=3, quasy="age"), dict(k=3, frontier_axes="gcp"), dict(k=3, weights=2),
                  dict(k=3, suppress="0.1"), dict(k=3, progress=5), dict(k=3, spec=5), dict(k=3, sensitive=5),
                  dict(k=3, sensitive=[5]), dict(k=3, method=7j)):
        message(TypeError, shoal.anonymize, patients, quasi="age", **wrong)
    assert "did you mean 'quasi'" in str(message(TypeError, shoal.anonymize, patients, k=3, quasy="age"))
    message(TypeError, shoal.verify, patients, k=3, quasi="age", method="best")


def test_contradictions(patients, tmp_path):
    message(shoal.InvalidError, shoal.anonymize, patients, k=3, quasi=["age"], identifier=["age"])
    message(shoal.InvalidError, shoal.anonymize, patients, k=3)  # no quasi column
    message(shoal.InvalidError, shoal.anonymize, patients, quasi="age")  # nothing is asked for
    message(shoal.InvalidError, shoal.anonymize, patients, k=3, l=2, quasi="age")  # no sensitive column
    message(shoal.UnsatisfiableError, shoal.anonymize, patients, k=61, quasi="age")
    message(shoal.UnsupportedError, shoal.anonymize, patients, k=3, quasi="age", memory="1G")
    message(TypeError, shoal.anonymize, patients, tmp_path / "out.csv", k=3, quasi="age")
    message(shoal.InvalidError, shoal.frontier, patients, quasi="age", limits={"loss": 1.0})
    message(ValueError, shoal.generate, "cencus", 10)
    message(TypeError, shoal.generate, "census", "10")
    message(shoal.InvalidError, shoal.generate, "census", 0)
    message(shoal.InvalidError, shoal.generate, "census", -1)


def test_files_that_are_not_there(tmp_path):
    for call in (lambda: shoal.anonymize(tmp_path / "in.csv", tmp_path / "out.csv", k=2, quasi="age"),
                 lambda: shoal.anonymize(tmp_path / "in.csv", k=2, quasi="age"),
                 lambda: shoal.Spec.read(tmp_path / "spec.yaml"), lambda: shoal.verify(tmp_path / "x", k=2, quasi="a")):
        with pytest.raises(FileNotFoundError) as caught:
            call()
        assert isinstance(caught.value, shoal.NotFoundError)
    with pytest.raises(ValueError):
        shoal.anonymize("a\0b", k=2, quasi="age")
    with pytest.raises(OSError):
        shoal.anonymize(tmp_path, k=2, quasi="age")
    (tmp_path / "broken.yaml").write_text("columns: {age: quazi}\nprivacy: {k: x}\n")
    error = message(shoal.Error, shoal.Spec.read, tmp_path / "broken.yaml")
    assert error.line == 1 and len(error.mistakes) == 2


def test_too_many_rows_are_refused_early():
    pyarrow = pytest.importorskip("pyarrow")
    huge = pyarrow.table({"age": pyarrow.nulls(2**31)})
    message(shoal.LimitError, shoal.anonymize, huge, k=2, quasi="age")

    class Frame:
        def __len__(self):
            return 2**31

        def __arrow_c_stream__(self, requested_schema=None):
            raise AssertionError("was not refused early")

    message(shoal.LimitError, shoal.verify, Frame(), k=2, quasi="age")


def test_streams_that_fail():
    pyarrow = pytest.importorskip("pyarrow")

    def batches():
        yield pyarrow.record_batch({"age": [1, 2]})
        raise RuntimeError("secret cell")

    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema({"age": pyarrow.int64()}), batches())
    with pytest.raises(OSError) as caught:
        shoal.anonymize(reader, k=2, quasi="age")
    assert "secret" not in str(caught.value)

    class Liar:
        def __arrow_c_stream__(self, requested_schema=None):
            return "no capsule"

    with pytest.raises(ValueError):
        shoal.anonymize(Liar(), k=2, quasi="age")
    stream = shoal.table({"age": [1, 2]}).__arrow_c_stream__()

    class Once:
        def __arrow_c_stream__(self, requested_schema=None):
            return stream

    assert len(shoal.table(Once())) == 2
    message(ValueError, shoal.table, Once())  # used up


def test_messages_do_not_quote_cells(patients):
    secret = {**patients, "age": [*patients["age"][:-1], None]}
    for shows in (False, True):
        with pytest.raises(shoal.FormatError) as caught:
            shoal.anonymize(secret, k=3, quasi="age", show_values=shows)
        assert caught.value.record == 59
    text = {**patients, "diagnosis": ["very secret"] * 60}
    error = message(shoal.FormatError, shoal.anonymize, text, k=3, quasi="age", sensitive="diagnosis", types={"diagnosis": "integer"})
    assert "secret" not in str(error) and error.record == 0 and error.column == "diagnosis"
    error = message(shoal.FormatError, shoal.anonymize, text, k=3, quasi="age", sensitive="diagnosis", types={"diagnosis": "integer"},
                    show_values=True)
    assert "very secret" in str(error)


def test_the_library_inside_is_hidden():
    """Nobody else in the process sees its symbols."""
    core = ctypes.CDLL(shoal._core.__file__)
    assert core.PyInit__core
    with pytest.raises(AttributeError):
        core.shoal_ctx_new
