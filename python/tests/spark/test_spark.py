"""shoal.spark on a cluster of two executors, against the program and the package on one machine."""

import datetime
import decimal
import json
import os
import signal
import threading
import time
import warnings

import pytest

import shoal
import shoal.spark
from cluster import QUASI, adult, census, executors, kept, persons, program, program_rows, rows_of, scratch, session
from shoal.spark import _calls, _cluster, _divide, _write
from shoal.spark.__main__ import main

SMALL = 12_000
ZIP = {"zip": shoal.prefix(5)}


@pytest.fixture(autouse=True)
def nothing_is_left():
    """Every call lets go of what Spark kept for it."""
    before = kept()
    yield
    assert kept() <= before


def make(frame, **asked):
    release = shoal.spark.anonymize(frame, **asked)
    try:
        return release, rows_of(release.df)
    finally:
        release.unpersist()


def spec_of(**more):
    return shoal.Spec(**{**dict(k=5, quasi=QUASI, sensitive="occupation", method="mondrian", hierarchies=ZIP,
                                types={"zip": "string"}, seed=1), **more})


# --- The same release as on one machine. ------------------------------------------------------

ASKED = {
    "k": {},
    "l": {"l": ["distinct:3", 1.5]},
    "t": {"t": "equal:0.6"},
}


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_mondrian_is_the_program_s_release_on_adult(asked):
    path, frame, columns = adult()
    spec = shoal.Spec(k=10, method="mondrian", **columns, **ASKED[asked])
    release, rows = make(frame, spec=spec, fragment_records=10_000)
    assert rows == program_rows(path, spec)
    assert release.report["fragments"] > 3 or asked == "t"
    assert all(release.verdicts) and release.report.holds


@pytest.mark.parametrize("asked", [*ASKED, "persons"])
def test_mondrian_is_the_program_s_release_of_a_million_records(asked):
    if asked == "persons":
        path, frame = persons(1_000_000)
        spec = spec_of(k=10, person="person", l="distinct:2")
    else:
        path, frame = census(1_000_000)
        spec = spec_of(k=10, **ASKED[asked])
    release, rows = make(frame, spec=spec)
    assert rows == program_rows(path, spec)
    assert len(release) == 1_000_000 and release.report["largest_fragment"] <= 250_000
    assert [verdict.holds for verdict in release.verdicts] == [True] * len(release.verdicts)


def test_persons_are_counted_and_never_released():
    path, frame = persons(SMALL)
    spec = spec_of(person="person", l="distinct:2")
    release, rows = make(frame, spec=spec, fragment_records=4000)
    assert rows == program_rows(path, spec)
    assert release.report["fragments"] > 1
    whole = shoal.anonymize(path, spec=spec)
    assert [v.asked for v in release.verdicts] == [v.asked for v in whole.verdicts]
    assert [v.worst for v in release.verdicts] == [v.worst for v in whole.verdicts]
    assert release.report["persons"] == len({row["person"] for row in frame.select("person").collect()})
    assert "person" not in release.df.columns and not any(name.startswith("shoal_") for name in release.df.columns)


def test_a_k_of_each_record_s_own():
    path, frame = census(SMALL)
    frame = frame.withColumn("wish", (frame["age"] % 7 + 2).cast("int"))
    release, rows = make(frame, spec=spec_of(k_column="wish"), fragment_records=4000)
    records = frame.toPandas()
    expected = shoal.anonymize(records, spec=spec_of(k_column="wish"))
    assert rows == sorted(tuple(map(str, row)) for row in zip(*expected.to_dict().values()))
    assert [verdict.key for verdict in release.verdicts] == ["k", "record_k"] and all(release.verdicts)


def test_best_loses_no_more_than_a_limit_of_memory_does():
    path, frame = census(24_000)
    spec = spec_of(k=10, method="best", quasi=["age", "sex", "education", "marital", "race", "workclass"],
                   hierarchies={}, types={}, effort="normal")
    spec_path, out = scratch() / "best.yaml", scratch() / "best.csv"
    spec.write(spec_path)
    told = program("anonymize", path, "-o", out, "--spec", spec_path, "--memory", "128M", "--json").stdout
    release, rows = make(frame, spec=spec, fragment_records=12_000)
    assert release.report["fragments"] > 1
    assert release.gcp <= 1.01 * json.loads(told)["gcp"]
    # What one machine says of the very rows.
    released = dict(zip(release.df.columns, zip(*rows)))
    assert shoal.measure(path, {name: list(cells) for name, cells in released.items()}, spec=spec).gcp == pytest.approx(
        release.gcp, rel=1e-9)


def test_partitions_and_order_change_nothing():
    _, frame = census(SMALL)
    asked = dict(spec=spec_of(method="topdown"), fragment_records=4000)
    _, expected = make(frame, **asked)
    assert make(frame.repartition(7).orderBy("income"), **asked)[1] == expected
    assert make(frame.coalesce(1), keep=False, **asked)[1] == expected


def test_spark_4_0_has_no_partitions_by_number(monkeypatch):
    _, frame = census(SMALL)
    asked = dict(spec=spec_of(), fragment_records=3000)
    _, expected = make(frame, **asked)
    monkeypatch.setattr(_divide, "_place", lambda frame, count: frame.repartition(3, frame["place"]))
    assert make(frame, **asked)[1] == expected


def test_many_partitions_are_added_up_by_executors(monkeypatch):
    _, frame = census(SMALL)
    asked = dict(spec=spec_of(l="distinct:2"), fragment_records=4000)
    _, expected = make(frame, **asked)
    monkeypatch.setattr(_divide, "_COLLECTED_PARTS", 2)
    assert make(frame.repartition(6), **asked)[1] == expected


def test_an_executor_that_is_killed_costs_time_and_nothing_else(monkeypatch):
    _, frame = census(200_000)
    asked = dict(spec=spec_of(), fragment_records=30_000)
    _, expected = make(frame, **asked)
    victims = executors()
    assert len(victims) == 2
    killed = []
    notes = _divide.Division.check_notes

    def while_fragments_are_solved(division, rows):
        def kill():
            time.sleep(0.5)
            os.kill(victims[0], signal.SIGKILL)
            killed.append(victims[0])

        thread = threading.Thread(target=kill)
        thread.start()
        try:
            return notes(division, rows)
        finally:
            thread.join()

    monkeypatch.setattr(_divide.Division, "check_notes", while_fragments_are_solved)
    assert make(frame, **asked)[1] == expected
    assert killed
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (len(executors()) < 2 or victims[0] in executors()):
        time.sleep(0.2)
    assert len(executors()) == 2 and victims[0] not in executors()


# --- Nothing is published that was not verified. ----------------------------------------------


def lie(monkeypatch, change):
    """Let released rows be changed on their way."""
    solve = _divide.Division.solve
    monkeypatch.setattr(_divide.Division, "solve", lambda division: change(solve(division)))


def test_a_class_that_is_too_small_is_not_published(monkeypatch):
    from pyspark.sql import functions as f

    _, frame = census(SMALL)
    # The first row of the first fragment, and it alone, shows another text.
    lie(monkeypatch, lambda rows: rows.withColumn(
        "age", f.when(rows["shoal_note"].isNotNull() & (rows["shoal_fragment"] == 0), "[1..2]").otherwise(rows["age"])))
    with pytest.raises(shoal.RejectedError, match="at least 5 records, which 1 of"):
        shoal.spark.anonymize(frame, spec=spec_of(), fragment_records=4000)
    assert kept() == 0


def test_sensitive_values_that_are_too_alike_are_not_published(monkeypatch):
    from pyspark.sql import functions as f

    _, frame = census(SMALL)
    lie(monkeypatch, lambda rows: rows.withColumn(
        "occupation", f.when(rows["shoal_fragment"] == 1, "Sales").otherwise(rows["occupation"])))
    with pytest.raises(shoal.RejectedError, match="different values of occupation"):
        shoal.spark.anonymize(frame, spec=spec_of(l="distinct:2"), fragment_records=4000)


def test_records_that_are_lost_are_missed(monkeypatch):
    _, frame = census(SMALL)
    lie(monkeypatch, lambda rows: rows.where("not (shoal_fragment = 0 and shoal_note is null and occupation = 'Sales')"))
    with pytest.raises(shoal.RejectedError, match="rows of 12000 records|which .* classes do not meet"):
        shoal.spark.anonymize(frame, spec=spec_of(k=1), fragment_records=4000)


def test_a_fragment_that_is_lost_is_missed(monkeypatch):
    _, frame = census(SMALL)
    lie(monkeypatch, lambda rows: rows.where("shoal_fragment != 1"))
    with pytest.raises(shoal.RejectedError, match="fragments came back"):
        shoal.spark.anonymize(frame, spec=spec_of(), fragment_records=4000)


def test_persons_who_are_too_few_are_not_published(monkeypatch):
    from pyspark.sql import functions as f

    _, frame = persons(SMALL)
    lie(monkeypatch, lambda rows: rows.withColumn(
        "shoal_person", f.when(rows["shoal_fragment"] == 0, "p1").otherwise(rows["shoal_person"])))
    with pytest.raises(shoal.RejectedError, match="at least 5 persons"):
        shoal.spark.anonymize(frame, spec=spec_of(person="person"), fragment_records=4000)


# --- What goes wrong. -------------------------------------------------------------------------


def drawn_anew(frame, column):
    """A frame whose values are others in each pass."""

    def run(batches):
        import random

        import pyarrow

        for batch in batches:
            place = batch.schema.get_field_index(column)
            yield batch.set_column(place, column, pyarrow.array([random.randrange(17, 90) for _ in range(batch.num_rows)],
                                                                batch.schema.field(place).type))

    return frame.mapInArrow(run, frame.schema)


def test_an_input_that_changes_is_noticed():
    _, frame = census(SMALL)
    with pytest.raises(shoal.InvalidError, match="The input changed while it was read"):
        shoal.spark.anonymize(drawn_anew(frame, "age"), spec=spec_of(), fragment_records=3000, keep=False)


def test_records_that_come_later_are_noticed(tmp_path):
    _, frame = census(SMALL)
    place = str(tmp_path / "growing")
    frame.write.parquet(place)
    growing = session().read.parquet(place)
    build = _divide.Division.build

    class Growing(_divide.Division):
        def build(self):
            build(self)
            frame.limit(10).write.mode("append").parquet(place)
            self.frame = session().read.parquet(place)
            self._chunks = _divide.pick(self.frame, self.columns.sent).mapInArrow(
                _divide._worker.pack(self._task), _divide.PARTS)

    run = _calls._Run(growing, spec_of(), _divide.Limits(fragment_records=3000, keep=False))
    run.division.__class__ = Growing
    with pytest.raises(shoal.InvalidError, match="more or fewer records"):
        run.make()
    run.division.close()


def test_a_value_that_the_division_lacks(monkeypatch):
    from pyspark.sql import functions as f

    _, frame = census(SMALL)
    build = _divide.Division.build

    def build_and_change(division):
        build(division)
        other = frame.withColumn("zip", f.when(f.col("income") == 3300, "ZZZ99").otherwise(f.col("zip")))
        division._chunks = _divide.pick(other, division.columns.sent).mapInArrow(
            _divide._worker.pack(division._task), _divide.PARTS)

    monkeypatch.setattr(_divide.Division, "build", build_and_change)
    with pytest.raises(shoal.InvalidError, match="input changed while it was read: a column") as failure:
        shoal.spark.anonymize(frame, spec=spec_of(), fragment_records=3000, keep=False)
    assert failure.value.column == "zip" and "ZZZ99" not in str(failure.value)


def test_nested_columns_are_refused_before_a_job_starts():
    frame = session().sql("select 1 as age, array(1, 2) as visits, struct(1 as a) as more, map('a', 1) as tags")
    for name, what in (("visits", "lists"), ("more", "structures"), ("tags", "maps")):
        with pytest.raises(shoal.UnsupportedError, match=f'"{name}" holds {what}'):
            shoal.spark.anonymize(frame, k=2, quasi=["age", name])
    with pytest.raises(shoal.UnsupportedError, match="holds"):
        shoal.spark.anonymize(frame, k=2, quasi="age", rest="release")
    with pytest.raises(shoal.NotFoundError, match='no column "zip"; the DataFrame has age, visits'):
        shoal.spark.anonymize(frame, k=2, quasi=["age", "zip"])


@pytest.mark.parametrize("asked, error, words", [
    ({"method": "incognito"}, shoal.UnsupportedError, "On Spark Shoal serves the methods best"),
    ({"method": "best", "time": 5}, shoal.UnsupportedError, "go by the clock"),
    ({"output_numeric": "mean"}, shoal.UnsupportedError, "range or minmax"),
    ({"output_order": "keep"}, shoal.UnsupportedError, "no order"),
    ({"memory": "1G"}, shoal.UnsupportedError, "fragment_records"),
    ({"fragment_records": 5}, shoal.InvalidError, "at least 1000"),
    ({"most_values": True}, shoal.InvalidError, "whole number"),
])
def test_what_cannot_be_served_is_refused_with_the_reason(asked, error, words):
    _, frame = census(SMALL)
    limits = {name: asked.pop(name) for name in ("fragment_records", "most_values") if name in asked}
    with pytest.raises(error, match=words):
        shoal.spark.anonymize(frame, spec=spec_of(), **asked, **limits)


def test_too_many_different_values():
    _, frame = census(SMALL)
    with pytest.raises(shoal.LimitError, match='"zip" has more than 100 different values') as failure:
        shoal.spark.anonymize(frame, spec=spec_of(), most_values=100)
    assert failure.value.column == "zip"


def test_a_part_that_no_cut_may_divide():
    frame = session().sql("select 'x' as a, id % 5 as s from range(5000)")
    with pytest.raises(shoal.LimitError, match="cannot be cut further.*fragment_records to 5000"):
        shoal.spark.anonymize(frame, k=2, quasi="a", sensitive="s", method="mondrian", fragment_records=1000)


def test_no_release_exists():
    _, frame = census(SMALL)
    with pytest.raises(shoal.UnsatisfiableError):
        shoal.spark.anonymize(frame, spec=spec_of(l="distinct:99"))
    with pytest.raises(shoal.InvalidError, match="no records"):
        shoal.spark.anonymize(frame.where("age > 1000"), spec=spec_of())


def test_other_objects_and_streams():
    with pytest.raises(TypeError, match="takes DataFrames of Spark; got dict"):
        shoal.spark.anonymize({"age": [1]}, k=1, quasi="age")
    stream = session().readStream.format("rate").load()
    with pytest.raises(shoal.UnsupportedError, match="A stream has no end"):
        shoal.spark.anonymize(stream, k=1, quasi="value")


def test_another_version_on_an_executor(monkeypatch):
    _, frame = census(SMALL)
    monkeypatch.setattr(shoal, "__version__", "9.9.9")
    with pytest.raises(shoal.Error, match="driver has shoal 9.9.9, an executor"):
        shoal.spark.anonymize(frame, spec=spec_of())


def test_another_pyspark(monkeypatch):
    import pyspark

    monkeypatch.setattr(pyspark, "__version__", "3.5.1")
    with pytest.raises(ImportError, match="needs pyspark 4.*version 3.5.1 is installed"):
        _cluster.check_pyspark()


def test_no_java(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(shoal.spark.ClusterError, match="needs Java 17"):
        _cluster.check_java()


@pytest.mark.parametrize("text, error, words", [
    ("...ModuleNotFoundError: No module named 'shoal'\n", shoal.spark.ClusterError, "no package shoal"),
    ("ModuleNotFoundError: No module named 'pyarrow'", shoal.spark.ClusterError, "pyarrow or numpy"),
    ("java.lang.OutOfMemoryError: Java heap space", shoal.OutOfMemoryError, "memoryOverhead"),
    ("ExecutorLostFailure (executor 3 exited caused by one of the running tasks)", shoal.spark.ClusterError, "lost again"),
    ("[FAILED_READ_FILE.FILE_NOT_EXIST] x", shoal.spark.ClusterError, "was there when the job began"),
])
def test_failures_of_spark_in_sentences(text, error, words):
    from pyspark.errors import PySparkException

    with pytest.raises(error, match=words):
        with _cluster.translating(1000):
            raise PySparkException(text)


def test_failures_that_nobody_knows_stay_what_they_are():
    with pytest.raises(ZeroDivisionError):
        with _cluster.translating(1000):
            raise ZeroDivisionError


def other_cluster(script, **settings):
    """A cluster with other settings, in a process of its own."""
    import subprocess
    import sys

    code = f"""
import os, sys
import pyspark
os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
os.environ["PYSPARK_PYTHON"] = sys.executable
from pyspark.sql import SparkSession
builder = SparkSession.builder.master("local-cluster[1,1,512]")
for key, value in {{"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF",
                    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
                    "spark.executor.memory": "512m", "spark.task.maxFailures": "1", **{settings!r}}}.items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()
import shoal, shoal.spark
frame = spark.sql("select cast(id % 80 as int) as age, cast(id % 9000 as string) as zip from range(200000)")
try:
    shoal.spark.anonymize(frame, k=5, quasi=["age", "zip"], method="mondrian")
except shoal.Error as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    return done.stdout


def test_executors_without_the_package(tmp_path):
    """What stands in their way is found first there, and says what Python says of a package that is not there."""
    (tmp_path / "shoal").mkdir()
    (tmp_path / "shoal" / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'shoal'\")\n")
    told = other_cluster("", **{"spark.executorEnv.PYTHONPATH": str(tmp_path)})
    assert "ClusterError An executor has no package shoal. Install the wheel" in told


def test_executors_with_too_little_memory():
    told = other_cluster("", **{"spark.executor.pyspark.memory": "420m",
                                "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", "")})
    assert "OutOfMemoryError An executor ran out of memory" in told or "Executors were lost again and again" in told


# --- Columns of all kinds, reports, writing. --------------------------------------------------


@pytest.fixture(scope="module")
def mixed():
    return session().sql("""
        select cast(20 + id % 30 as smallint) as age, date_add(date'1990-01-01', cast(id % 400 as int)) as born,
               cast(id % 50 / 4 as decimal(8,2)) as price, id % 2 = 0 as smokes,
               timestamp_seconds(1700000000 + id * 61) as seen, if(id % 7 = 0, null, concat('v', id % 3)) as ill,
               cast(id % 11 as tinyint) as small, cast(id / 8 as double) as weight from range(1500)""")


def test_columns_that_are_released_as_they_are_keep_their_type(mixed):
    asked = dict(k=4, quasi=["age", "born"], sensitive=["ill", "price"], insensitive=["smokes", "seen", "small", "weight"],
                 method="mondrian", l={"ill": "distinct:2"})
    release, rows = make(mixed, **asked)
    types = dict(release.df.dtypes)
    assert types == {"age": "string", "born": "string", "price": "decimal(8,2)", "smokes": "boolean",
                     "seen": "timestamp", "ill": "string", "small": "tinyint", "weight": "double"}
    whole = shoal.anonymize(mixed.toArrow(), **asked)
    assert release.gcp == pytest.approx(whole.gcp, rel=1e-12)

    def several(table):
        return sorted(tuple(map(str, row)) for row in zip(*(table.column(name).to_pylist()
                                                            for name in ("age", "born", "price", "smokes", "ill", "small"))))

    assert several(release.df.toArrow()) == several(whole.to_arrow())
    assert {"code-as-number"} >= {notice.code for notice in release.warnings} - {
        notice.code for notice in whole.warnings}


def test_least_and_greatest_values(mixed):
    asked = dict(k=4, quasi=["age", "born", "price"], method="mondrian", output_numeric="minmax", sensitive="ill")
    release, rows = make(mixed, **asked)
    assert dict(release.df.dtypes) == {"age_min": "bigint", "age_max": "bigint", "born_min": "date", "born_max": "date",
                                       "price_min": "double", "price_max": "double", "ill": "string"}
    whole = shoal.anonymize(mixed.toArrow(), **asked).to_dict()
    assert rows == sorted(tuple("" if cell is None else str(cell) for cell in row) for row in zip(*whole.values()))
    assert isinstance(release.df.first()["born_min"], datetime.date)
    assert isinstance(mixed.first()["price"], decimal.Decimal)


def test_missing_values_and_weights():
    _, frame = census(SMALL)
    from pyspark.sql import functions as f

    gaps = frame.withColumn("race", f.when(f.col("income") % 700 != 0, f.col("race")))
    with pytest.raises(shoal.FormatError) as failure:
        shoal.spark.anonymize(gaps, spec=spec_of())
    assert failure.value.column == "race"
    for action in ("drop", "keep"):
        spec = spec_of(missing=action, weights={"age": 3}, suppress=0.01)
        release, rows = make(gaps, spec=spec)
        whole = shoal.anonymize(gaps.toPandas(), spec=spec)
        assert rows == sorted(tuple("" if c is None else str(c) for c in row) for row in zip(*whole.to_dict().values()))
        assert release.gcp == pytest.approx(whole.gcp, rel=1e-9)


def test_warnings_are_those_of_the_package():
    _, frame = census(SMALL)
    from pyspark.sql import functions as f

    asked = dict(k=2, quasi=["age", "sex"], sensitive="occupation", method="mondrian", rest="release",
                 insensitive="zip")
    numbered = frame.select("age", "sex", "occupation", f.monotonically_increasing_id().alias("number"),
                            f.col("zip").cast("int").alias("zip"))
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        release, _ = make(numbered, **asked)
    whole = shoal.anonymize(numbered.toPandas(), **asked)
    codes = {(notice.code, notice.column) for notice in release.warnings}
    assert ("near-unique-column", "number") in codes and ("code-as-number", "zip") in codes
    assert codes <= {(notice.code, notice.column) for notice in whole.warnings}
    assert len([one for one in given if issubclass(one.category, shoal.PrivacyWarning)]) == len(codes)
    with pytest.raises(shoal.WarnedError):
        shoal.spark.anonymize(numbered, **asked, strict=True)


def test_verify_measure_and_inspect():
    path, frame = census(SMALL)
    spec = spec_of(l="distinct:2", t="js:0.6")
    release = shoal.spark.anonymize(frame, spec=spec, fragment_records=4000)
    local = {name: [cell for cell in release.df.toArrow().column(name).to_pylist()] for name in release.df.columns}
    report = shoal.spark.verify(release)
    expected = shoal.verify(local, spec=spec)
    assert report.holds and expected.holds
    for mine, theirs in zip(report.verdicts, expected.verdicts):
        assert (mine.asked, mine.holds, mine.worst_class_size) == (theirs.asked, theirs.holds, theirs.worst_class_size)
        assert mine.worst == pytest.approx(theirs.worst, rel=1e-9)
    harder = shoal.spark.verify(release.df, spec=spec, k=50)
    theirs = shoal.verify(local, spec=spec, k=50)
    assert not harder.holds and harder.verdicts[0].failing_classes == theirs.verdicts[0].failing_classes
    assert harder.verdicts[0].failing_records == theirs.verdicts[0].failing_records
    measured = shoal.spark.measure(frame, release)
    assert measured.gcp == pytest.approx(shoal.measure(path, local, spec=spec).gcp, rel=1e-9)
    assert measured.gcp == pytest.approx(release.gcp, rel=1e-9)
    assert measured["highest_risk"] == 1 / release.report["smallest_class"]
    assert measured["average_risk"] == release.report["classes"] / SMALL
    release.unpersist()
    inspection = shoal.spark.inspect(frame, sample=2000)
    assert inspection["all_records"] == SMALL and 1000 < inspection["sampled_records"] < 2600
    assert set(inspection.spec.columns) >= {"age", "zip", "occupation"}
    with pytest.raises(shoal.NotFoundError, match='no column "occupation"'):
        shoal.spark.verify(release.df.drop("occupation"), spec=spec)


@pytest.mark.parametrize("format", ["parquet", "csv", "orc", "json", "table"])
def test_written_whole_and_as_it_was_verified(format, tmp_path):
    _, frame = census(SMALL)
    release = shoal.spark.anonymize(frame, spec=spec_of())
    place = "releases" if format == "table" else str(tmp_path / "release")
    shoal.spark.write(release, place, format=format)
    back = (session().table(place) if format == "table"
            else session().read.format(format).option("header", True).load(place).select(*release.df.columns))
    assert rows_of(back) == rows_of(release.df)
    with pytest.raises(shoal.FileError, match="there already"):
        shoal.spark.write(release, place, format=format)
    shoal.spark.write(release, place, format=format, overwrite=True)
    if format == "table":
        assert [table.name for table in session().catalog.listTables()] == ["releases"]
        session().sql("drop table releases")
    else:
        assert [path.name for path in tmp_path.iterdir()] == ["release"]
    release.unpersist()


def test_what_was_written_wrongly_is_deleted(monkeypatch, tmp_path):
    _, frame = census(SMALL)
    release = shoal.spark.anonymize(frame, spec=spec_of())
    write = _write._Folder.write
    monkeypatch.setattr(_write._Folder, "write", lambda self, frame: write(self, frame.limit(SMALL - 1)))
    with pytest.raises(shoal.RejectedError, match="not what was verified"):
        shoal.spark.write(release, str(tmp_path / "release"))
    assert list(tmp_path.iterdir()) == []

    def stop(self, overwrite):
        raise KeyboardInterrupt

    monkeypatch.undo()
    monkeypatch.setattr(_write._Folder, "rename", stop)
    with pytest.raises(KeyboardInterrupt):
        shoal.spark.write(release, str(tmp_path / "release"))
    assert list(tmp_path.iterdir()) == []
    release.unpersist()


@pytest.mark.parametrize("format", ["parquet", "table"])
def test_what_was_there_stays_where_its_successor_gets_no_name(format, monkeypatch, tmp_path):
    _, frame = census(SMALL)
    release = shoal.spark.anonymize(frame, spec=spec_of())
    kind = _write._Table if format == "table" else _write._Folder
    place = "before" if format == "table" else str(tmp_path / "before")
    shoal.spark.write(release, place, format=format)
    move = kind._move

    def fail(self, source, target):
        if target == place and not source.endswith("old"):
            raise shoal.FileError("no name")
        move(self, source, target)

    monkeypatch.setattr(kind, "_move", fail)
    with pytest.raises(shoal.FileError, match="no name"):
        shoal.spark.write(release, place, format=format, overwrite=True)
    back = session().table(place) if format == "table" else session().read.parquet(place)
    assert rows_of(back.select(*release.df.columns)) == rows_of(release.df)
    if format == "table":
        assert [table.name for table in session().catalog.listTables()] == ["before"]
        session().sql("drop table before")
    else:
        assert [path.name for path in tmp_path.iterdir()] == ["before"]
    release.unpersist()


def test_stopping_it_leaves_nothing(monkeypatch):
    _, frame = census(SMALL)

    def stop(*arguments, **more):
        raise KeyboardInterrupt

    before = kept()
    monkeypatch.setattr(_calls, "verify_frame", stop)
    with pytest.raises(KeyboardInterrupt):
        shoal.spark.anonymize(frame, spec=spec_of())
    assert kept() == before


def test_the_command(tmp_path, capsys):
    path, frame = census(SMALL)
    spec = spec_of()
    spec.write(tmp_path / "spec.yaml")
    _, expected = make(frame, spec=spec)
    source, out, told = tmp_path / "people.csv", tmp_path / "release.parquet", tmp_path / "report.json"
    source.write_bytes(path.read_bytes())
    words = ["anonymize", str(source), str(out), "--spec", str(tmp_path / "spec.yaml"), "--report", str(told)]
    assert main(words) == 0
    assert "Verified  every class has at least 5 records" in capsys.readouterr().out
    assert rows_of(session().read.parquet(str(out))) == expected
    assert json.loads(told.read_text())["records"] == SMALL
    assert main(words) == 1 and "is there already" in capsys.readouterr().err
    assert main(["verify", str(out), "--spec", str(tmp_path / "spec.yaml")]) == 0
    assert main(["verify", str(out), "--spec", str(tmp_path / "spec.yaml"), "--set", "privacy.k=500"]) == 4
    capsys.readouterr()
    assert main(["measure", str(source), str(out), "--spec", str(tmp_path / "spec.yaml")]) == 0
    assert "Loss      GCP" in capsys.readouterr().out
    assert main(["verify", str(source), "--format", "parquet", "--spec", str(tmp_path / "spec.yaml")]) == 1
    assert "Spark failed: " in capsys.readouterr().err
    assert main(["inspect", str(source), "-o", str(tmp_path / "start.yaml")]) == 0
    assert shoal.Spec.read(tmp_path / "start.yaml").columns
    assert main(["anonymize", str(source), str(tmp_path / "x"), "--spec", str(tmp_path / "spec.yaml"),
                 "--set", "privacy.l=distinct:99"]) == 3
    assert not (tmp_path / "x").exists()
