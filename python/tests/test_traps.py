"""What data frames do to data unasked: right, or a sentence."""

import datetime

import pytest

import shoal
from conftest import frame_of, rows_of

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")


def run(data, **more):
    return shoal.anonymize(data, **{"k": 2, "quasi": ["age"], "method": "mondrian", **more})


def test_a_pandas_index_is_not_released():
    frame = pandas.DataFrame({"age": [20, 21, 30, 31], "ill": list("abab")},
                             index=pandas.Index(["P1", "P2", "P3", "P4"], name="patient"))
    release = run(frame, sensitive="ill", rest="release")
    assert release.columns == ["age", "ill"]
    assert "patient" not in str(release.to_pandas()) and "P1" not in str(release.to_arrow())
    assert list(release.to_pandas().index) == [0, 1, 2, 3]
    assert list(release.class_of.index) == ["P1", "P2", "P3", "P4"]
    # As polars and pyarrow hand it over, it has no role and is left out.
    arrow = pyarrow.Table.from_pandas(frame)
    assert "patient" in arrow.column_names
    assert run(arrow, sensitive="ill").columns == ["age", "ill"]
    # Several levels, and one that is named like a column.
    levels = frame.set_index("age", drop=False, append=True)
    assert run(levels, sensitive="ill").columns == ["age", "ill"]


def test_zip_codes_that_became_numbers_are_warned_of():
    frame = pandas.DataFrame({"zip": [3705, 3706, 53703, 53704], "age": [1, 2, 3, 4]})
    with pytest.warns(shoal.PrivacyWarning, match='"zip" is named like a code') as caught:
        release = run(frame, quasi=["zip"])
    assert {warning.filename for warning in caught} == {__file__}  # at the caller's line
    mine = [notice for notice in release.warnings if notice.code == "code-as-number"]
    assert [notice.column for notice in mine] == ["zip"]
    with pytest.raises(shoal.WarnedError):
        run(frame, quasi=["zip"], strict=True)
    codes = sorted({notice.code for notice in release.warnings})
    lived_with = run(frame, quasi=["zip"], strict=True, accept=codes)
    assert lived_with.warnings and all(notice.is_accepted for notice in lived_with.warnings)
    for other in (run(frame.assign(zip=["03705", "03706", "53703", "53704"]), quasi=["zip"]), run(frame, quasi=["age"])):
        assert "code-as-number" not in {notice.code for notice in other.warnings}


def test_whole_numbers_that_became_floats_by_gaps():
    frame = pandas.DataFrame({"age": [20, 21, None, 30, 31]})
    assert str(frame["age"].dtype) == "float64"
    release = run(frame, missing="keep")
    whole = run({"age": [20, 21, None, 30, 31]}, missing="keep")
    assert rows_of(release.to_dict()) == rows_of(whole.to_dict())
    assert "20.0" not in str(release.to_dict())
    # Numbers that are no whole ones stay what they are.
    assert shoal.table(pandas.DataFrame({"age": [1.5, None]})).types["age"] == "real"
    assert shoal.table(pandas.DataFrame({"age": [1.0, 2.0]})).types["age"] == "real"
    # As they are released, they come back as they came.
    kept = run(pandas.DataFrame({"age": [1, 1, 2, 2], "visits": [1, None, 3, 4]}), insensitive="visits")
    assert kept.to_pandas()["visits"].dropna().tolist() == [1, 3, 4]


def test_mixed_object_columns():
    mixed = pandas.DataFrame({"age": [1, 2], "note": [1, "x"]}, dtype=object)
    with pytest.raises(shoal.FormatError, match="several types") as caught:
        run(mixed)
    assert caught.value.column == "note"
    assert "int, str" in str(caught.value)
    with pytest.raises(shoal.FormatError) as caught:
        run({"age": [1, 2], "note": [1, "x"]})
    assert caught.value.column == "note"


def test_nan_and_none_are_missing_alike():
    nan = float("nan")
    frames = [
        pandas.DataFrame({"age": [1.5, None, nan, 2.5]}),
        pandas.DataFrame({"age": pandas.array([1.5, None, pandas.NA, 2.5], dtype="Float64")}),
        polars.DataFrame({"age": [1.5, None, nan, 2.5]}),
        pyarrow.table({"age": [1.5, None, nan, 2.5]}),
        {"age": [1.5, None, nan, 2.5]},
    ]
    assert [shoal.table(frame).missing for frame in frames] == [{"age": 2}] * 5
    with pytest.raises(shoal.FormatError):
        run(frames[0])
    assert {len(run(frame, missing="drop")) for frame in frames} == {2}
    texts = pandas.DataFrame({"sex": ["F", None, nan, "M", pandas.NA]}, dtype=object)
    assert shoal.table(texts).missing == {"sex": 3}
    times = pandas.DataFrame({"day": pandas.to_datetime(["2024-01-01", None])})
    assert shoal.table(times).missing == {"day": 1}


def test_categories_that_no_record_has():
    category = pandas.CategoricalDtype(["a", "b", "secret"], ordered=True)
    frame = pandas.DataFrame({"age": [1, 1, 2, 2], "ill": pandas.Series(list("abab"), dtype=category)})
    release = run(frame, sensitive="ill", l="distinct:2")
    assert shoal.table(frame).distinct["ill"] == 2
    assert "secret" not in list(release.to_pandas()["ill"].cat.categories)
    for other in (polars.DataFrame(frame), pyarrow.Table.from_pandas(frame)):
        assert "secret" not in str(run(other, sensitive="ill").to_arrow()["ill"].chunk(0).dictionary)


def test_dates_and_time_zones():
    day = datetime.date(2024, 5, 1)
    frame = pandas.DataFrame({"day": pandas.to_datetime(["2024-05-01", "2024-05-02"])})
    assert shoal.table(frame).types["day"] == "date"
    assert shoal.table({"day": [day, None]}).to_dict() == {"day": [day, None]}
    assert shoal.table(polars.DataFrame({"day": [day]})).types["day"] == "date"
    aware = pandas.DataFrame({"at": pandas.to_datetime(["2024-05-01 00:30"]).tz_localize("Europe/Berlin")})
    assert shoal.table(aware).to_dict() == {"at": ["2024-04-30T22:30:00Z"]}
    released = run(pandas.DataFrame({"age": [1, 1], "at": pandas.to_datetime(["2024-05-01 10:00"] * 2).tz_localize(
        "Europe/Berlin")}), insensitive="at").to_pandas()
    assert str(released["at"].dtype).endswith("Europe/Berlin]")
    assert str(released["at"][0]) == "2024-05-01 10:00:00+02:00"
    spans = pandas.DataFrame({"stay": pandas.to_timedelta(["1 day"])})
    with pytest.raises(shoal.UnsupportedError) as caught:
        run(spans, quasi="stay")
    assert caught.value.column == "stay"


def test_names_that_are_no_texts():
    with pytest.raises(TypeError, match="Names of columns are texts"):
        run(pandas.DataFrame([[1, 2]]))
    several = pandas.DataFrame([[1, 2]], columns=pandas.MultiIndex.from_tuples([("a", "b"), ("a", "c")]))
    with pytest.raises(TypeError):
        run(several)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_types_come_back_as_they_came():
    frame = pandas.DataFrame({
        "age": [20, 21, 30, 31],
        "small": pandas.array([1, 2, 3, 4], dtype="int8"),
        "price": [1.5, 2.5, 3.5, 4.5],
        "on": [True, False, True, False],
        "text": list("abcd"),
        "kind": pandas.Categorical(list("xyxy")),
        "day": pandas.to_datetime(["2024-05-01"] * 4),
        "gap": pandas.array([1, None, 3, 4], dtype="Int64"),
    })
    kept = list(frame.columns[1:])
    back = run(frame, insensitive=kept).to_pandas()
    for name in ("small", "price", "on", "text", "day"):
        assert str(back[name].dtype) == str(frame[name].dtype), name
    assert str(back["kind"].dtype) == "category"
    ours = polars.DataFrame(frame)
    out = run(ours, insensitive=kept).to_polars()
    for name in ("small", "price", "on", "text", "gap"):
        assert out.schema[name] == ours.schema[name], name


def test_slices_chunks_and_views():
    whole = pyarrow.table({"age": list(range(100)), "sex": ["F", "M"] * 50})
    parts = pyarrow.concat_tables([whole.slice(i * 10, 10) for i in range(10)])
    expected = rows_of(run(whole, quasi=["age", "sex"]).to_dict())
    assert rows_of(run(parts, quasi=["age", "sex"]).to_dict()) == expected
    assert rows_of(run(whole.to_reader(7), quasi=["age", "sex"]).to_dict()) == expected
    assert rows_of(run(polars.DataFrame(parts), quasi=["age", "sex"]).to_dict()) == expected
    assert rows_of(run(whole.to_batches()[0], quasi=["age", "sex"]).to_dict()) == expected
    odd = whole.to_pandas()[::-2]
    assert len(run(odd, quasi=["age", "sex"])) == 50


def test_shuffled_rows_give_the_same_release(people):
    frame = people.to_pandas()
    asked = dict(k=5, quasi=["age", "sex", "education"], sensitive="income", effort="fast")
    first = shoal.anonymize(frame, **asked).to_pandas()
    second = shoal.anonymize(frame.sample(frac=1, random_state=1), **asked).to_pandas()
    assert first.equals(second)


def test_without_pyarrow(python):
    """pandas alone: columns are handed over one by one."""
    result = python('''
import sys
sys.modules["pyarrow"] = None
import pandas, shoal
frame = pandas.DataFrame({"age": [20, 21, 30, 31], "ill": ["a", "b", "a", None]}, index=list("wxyz"))
release = shoal.anonymize(frame, k=2, quasi=["age"], sensitive="ill", method="mondrian")
print(release.to_pandas().to_dict("list"))
''')
    assert result.returncode == 0, result.stderr
    assert "[20..21]" in result.stdout and "nan" in result.stdout.lower() or "None" in result.stdout


def test_without_any_library(python):
    result = python('''
import sys
for name in ("pyarrow", "pandas", "polars", "duckdb", "numpy", "tqdm"):
    sys.modules[name] = None
import shoal
release = shoal.anonymize({"age": [20, 21, 30, 31]}, k=2, quasi="age", method="mondrian", progress=True)
print(release.to_dict(), list(release.class_of), release._repr_html_()[:4])
try:
    release.to_pandas()
except ImportError as error:
    print(error)
''')
    assert result.returncode == 0, result.stderr
    assert "{'age': ['[20..21]', '[20..21]', '[30..31]', '[30..31]']}" in result.stdout
    assert "pandas" in result.stdout


def test_spark_tables_are_taken_by_to_arrow():
    class SparkFrame:
        """As pyspark 4 has it, without a JVM."""

        def toArrow(self):
            return pyarrow.table({"age": [1, 1]})

    assert len(run(SparkFrame())) == 2


def test_numbers_of_numpy():
    numpy = pytest.importorskip("numpy")
    data = {"age": numpy.array([1, 2, 3, 4]), "x": numpy.array([0.5, numpy.nan, 1.5, 2.5])}
    table = shoal.table(data)
    assert table.types == {"age": "integer", "x": "real"} and table.missing["x"] == 1
    release = shoal.anonymize(data, k=numpy.int64(2), quasi="age", suppress=numpy.float64(0), method="mondrian")
    assert release.report["classes"] == 2


def test_strange_names_and_values():
    data = {"Ä ge=1,2": [1, 2], 'quote"': ["é\n", "日本"]}
    release = shoal.anonymize(data, k=2, quasi=["Ä ge=1,2"], sensitive=['quote"'], method="mondrian")
    assert sorted(release.to_dict()['quote"']) == ["é\n", "日本"]
    with pytest.raises(shoal.FormatError):
        shoal.table({"age": ["a\0b"]})
    with pytest.raises(shoal.InvalidError):
        shoal.table({"": [1]})


def test_people_with_several_records():
    data = {"age": [20, 20, 20, 30, 31, 32], "who": ["a", "a", "a", "b", "c", "d"]}
    release = run(data, person="who", k=2)
    assert release.columns == ["age"]
    # Three records of one person are no class: somebody else is in it.
    assert "20" not in release.to_dict()["age"]
    assert "20" in run(data, k=2).to_dict()["age"]


def test_grids():
    release = run({"age": [21, 22, 38, 39]}, k=4, grids={"age": 10})
    assert set(release.to_dict()["age"]) == {"[20..40]"}
