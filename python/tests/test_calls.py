"""Every call, from every library, against the program."""

import inspect
import json
import math
import pickle

import pytest

import shoal
from conftest import EXAMPLES, LIBRARIES, frame_of, rows_of


def test_the_release_is_that_of_the_program_to_the_byte(frame, asked, program, tmp_path):
    release = shoal.anonymize(frame, **asked)
    release.to_csv(tmp_path / "ours.csv")
    result = program("anonymize", EXAMPLES / "patients.csv", "-o", tmp_path / "theirs.csv",
                     "--spec", EXAMPLES / "patients.yaml")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    assert release.report.holds and all(release.verdicts)


def test_files_are_run_as_the_program_runs_them(program, tmp_path):
    report = shoal.anonymize(EXAMPLES / "patients.csv", tmp_path / "ours.csv", spec=EXAMPLES / "patients.yaml")
    program("anonymize", EXAMPLES / "patients.csv", "-o", tmp_path / "theirs.csv", "--spec",
            EXAMPLES / "patients.yaml", check=True)
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    assert report.holds and report["records"] == 60


@pytest.mark.parametrize("method", [
    method.name for method in shoal.methods()
    if method.name not in ("exact", "nonhomogeneous", "anatomy")  # small tables only; drawn anew in each run
])
def test_each_method_as_the_program(method, patients, program, tmp_path):
    asked = dict(quasi=["age", "sex"], sensitive="diagnosis", identifier=["name", "zip", "job"], k=2, seed=3)
    flags = ["--quasi", "age,sex", "--sensitive", "diagnosis", "--identifier", "name,zip,job", "-k", "2", "--seed",
             "3", "--method", method]
    if method in ("anatomy", "bucketize"):
        asked["l"] = 2
        flags += ["--l", "2"]
    release = shoal.anonymize(patients, method=method, **asked)
    second = tmp_path / "ours.sensitive.csv" if release.shape == "buckets" else None
    release.to_csv(tmp_path / "ours.csv", sensitive_path=second)
    result = program("anonymize", EXAMPLES / "patients.csv", "-o", tmp_path / "theirs.csv", *flags)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    if second:
        assert second.read_bytes() == (tmp_path / "theirs.sensitive.csv").read_bytes()
        assert rows_of(release.sensitive.to_dict()) == rows_of(release.sensitive.to_polars())


def test_the_same_kind_comes_back(frame, library, asked):
    release = shoal.anonymize(frame, **asked)
    back = release.frame
    assert type(back) is type(frame)
    assert len(rows_of(back)) == len(release) == 60
    assert list(release.to_dict()) == release.columns
    for way in (release.to_pandas, release.to_polars, release.to_arrow, release.to_duckdb, release.to_dict):
        assert rows_of(way()) == rows_of(release.to_dict())


def test_streams_are_taken_by_others(asked, patients):
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    release = shoal.anonymize(patients, **asked)
    expected = rows_of(release.to_dict())
    assert rows_of(pyarrow.table(release)) == expected
    assert rows_of(polars.DataFrame(release)) == expected
    assert duckdb.sql("select count(*) from release").fetchall() == [(60,)]
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert rows_of(pandas.DataFrame.from_arrow(release)) == expected
    # And back again: a release of ours is a table like any other.
    assert shoal.verify(pyarrow.table(release), k=3, quasi=asked["quasi"]).holds


def test_verify(frame, library, asked, patients):
    release = shoal.anonymize(frame, **asked)
    assert shoal.verify(release).holds
    assert shoal.verify(release.frame, k=3, quasi=asked["quasi"]).holds
    report = shoal.verify(release.frame, k=4, quasi=asked["quasi"])
    assert not report.holds and not report.verdicts[0]
    assert report.verdicts[0].worst_class_size == 3
    assert report.verdicts[0].failing_records == 60
    assert not shoal.verify(frame, k=2, quasi=asked["quasi"]).holds


def test_measure_and_risk(frame, asked):
    release = shoal.anonymize(frame, **asked)
    for report in (shoal.measure(frame, release), shoal.measure(frame, release.frame, spec=release.spec)):
        assert report.gcp == pytest.approx(release.gcp, abs=1e-12)
        assert 0 < report["privacy_loss"] < 1
    both = shoal.risk(frame, release)
    alone = shoal.risk(frame, quasi=asked["quasi"], k=3)
    assert both.to_dict()["command"] == alone.to_dict()["command"] == "risk"


def test_attack(frame, asked, tmp_path):
    release = shoal.anonymize(frame, **asked)
    report = shoal.attack(frame, release)
    found = {attack.name: attack for attack in report.attacks}
    assert found["linkage"].people == 60 and found["linkage"].promise == pytest.approx(1 / 3)
    assert found["linkage"].beyond == 0 and found["linkage"].kept and found["linkage"]
    record, chance = found["linkage"].worst_records[0]
    assert chance == found["linkage"].worst <= 1 / 3 and 0 <= record < 60
    assert found["presence"].reason and math.isnan(found["presence"].reached)
    assert "BEYOND" not in report.text.splitlines()[1]
    assert len(pickle.loads(pickle.dumps(report)).attacks) == len(report.attacks)
    by_file = tmp_path / "release.csv"
    release.to_csv(by_file)
    again = {attack.name: attack for attack in shoal.attack(frame, by_file, release, spec=release.spec).attacks}
    assert again["linkage"].reached == found["linkage"].reached
    named = shoal.anonymize(frame, attack_names=["linkage", "homogeneity"], **asked).report.attacks
    assert [attack.name for attack in named] == ["linkage", "homogeneity"]
    with pytest.raises(shoal.InvalidError, match="presence"):
        shoal.attack(frame, release, attack_names="presence")
    with pytest.raises(ValueError, match="At most"):
        shoal.attack(frame, release, *[release] * 16)


def test_inspect(frame):
    report = shoal.inspect(frame)
    assert report.spec.columns["age"] == "quasi"
    assert "columns:" in report.yaml


def test_refine(frame, asked):
    release = shoal.anonymize(frame, **{**asked, "method": "mondrian"})
    better = shoal.refine(frame, release, effort="fast")
    assert better.gcp <= release.gcp
    assert shoal.verify(better).holds
    again = shoal.refine(frame, release.frame, spec=release.spec, effort="fast")
    assert rows_of(again.to_dict()) == rows_of(better.to_dict())


def test_frontier(frame, asked):
    result = shoal.frontier(frame, quasi=asked["quasi"], sensitive="diagnosis", identifier="name",
                            sweep={"k": [2, 5], "l": ["distinct:2"]}, methods=["mondrian"], axes=["highest_risk", "gcp"],
                            limits={"highest_risk": 0.3})
    assert [point.requirement for point in result] == ["k 2", "k 5", "l distinct 2"]
    assert len(result) == 3 and result.best
    chosen = result.recommended
    assert chosen.requirement == "k 5" and chosen["highest_risk"] <= 0.2
    release = shoal.anonymize(frame, spec=chosen.spec)
    assert release.gcp == pytest.approx(chosen["gcp"], abs=1e-12)
    picture = result.plot()
    assert picture.svg.startswith("<svg") and picture._repr_svg_() == picture.svg
    assert result.csv.splitlines()[0].startswith("requirement,")


def test_query_and_sessions(frame, asked, patients):
    release = shoal.anonymize(frame, **asked)
    exact = sum(1 for age in patients["age"] if age < 40)
    answer = shoal.query(release, "COUNT WHERE age < 40", original=frame)
    assert answer.exact == exact and float(answer) == answer.estimate
    assert answer.error == pytest.approx(abs(answer.estimate - exact) / exact)
    session = shoal.Session(release, original=frame)
    assert session.ask("COUNT WHERE age < 40").estimate == answer.estimate
    assert session.workload("xu-count", queries=20, columns=["age", "sex"]).error >= 0
    plain = shoal.anonymize(frame, quasi=["age"], sensitive="diagnosis", identifier=["name", "zip", "job", "sex"], k=3,
                            method="mondrian")
    without = shoal.query(plain, "COUNT WHERE diagnosis = flu")
    assert without.estimate == patients["diagnosis"].count("flu")
    assert math.isnan(without.exact)


def test_queries_of_files(asked, tmp_path, patients):
    shoal.anonymize(EXAMPLES / "patients.csv", tmp_path / "release.csv", spec=EXAMPLES / "patients.yaml")
    answer = shoal.query(tmp_path / "release.csv", "COUNT WHERE age < 40", original=EXAMPLES / "patients.csv",
                         spec=EXAMPLES / "patients.yaml")
    assert answer.exact == sum(1 for age in patients["age"] if age < 40)
    report = shoal.measure(EXAMPLES / "patients.csv", tmp_path / "release.csv", spec=EXAMPLES / "patients.yaml")
    assert report.gcp > 0
    # A file beside a table: it is read first.
    mixed = shoal.measure(patients, tmp_path / "release.csv", spec=EXAMPLES / "patients.yaml")
    assert mixed.gcp == pytest.approx(report.gcp, abs=1e-12)
    better = shoal.refine(EXAMPLES / "patients.csv", tmp_path / "release.csv", tmp_path / "better.csv",
                          spec=EXAMPLES / "patients.yaml", effort="fast")
    assert better.gcp <= report.gcp
    assert shoal.verify(tmp_path / "better.csv", spec=EXAMPLES / "patients.yaml").holds


def test_delimiters(patients, asked, tmp_path):
    release = shoal.anonymize(patients, **asked)
    for delimiter, sign in (("tab", "\t"), (";", ";")):
        release.to_csv(tmp_path / "out.csv", delimiter=delimiter)
        assert (tmp_path / "out.csv").read_text().startswith(sign.join(release.columns) + "\n")
    with pytest.raises(shoal.InvalidError):
        release.to_csv(tmp_path / "other.csv", delimiter="tabulator")


def test_generate(tmp_path, program):
    table = shoal.generate("census", 200, seed=7)
    assert len(table) == 200 and table.types["age"] == "integer"
    assert shoal.generate("census", 200, seed=7, output=tmp_path / "ours.csv") is None
    program("generate", "--kind", "census", "--records", "200", "--seed", "7", "-o", tmp_path / "theirs.csv")
    table.to_csv(tmp_path / "table.csv")
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "table.csv").read_bytes()


def test_a_box_per_record(patients):
    release = shoal.anonymize(patients, quasi=["age", "sex"], identifier=["name", "zip", "job"], k=3,
                              sensitive="diagnosis", method="nonhomogeneous")
    assert release.shape == "records"
    assert shoal.verify(release, original=patients).holds


def test_classes_belong_to_the_maker(patients, asked):
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(patients, index=[f"row {i}" for i in range(60)])
    release = shoal.anonymize(frame, **asked)
    assert list(release.class_of.index) == list(frame.index)
    assert list(release.record_risk) == pytest.approx([1 / 3] * 60)
    sizes = release.class_of.value_counts()
    assert list(release.class_sizes) == [sizes[i] for i in range(release.class_count)]
    # Records of a class are within what it shows.
    for record, number in enumerate(release.class_of):
        shown = release.describe_class(int(number))["age"]
        assert shown.least <= patients["age"][record] <= shown.greatest
    # Rows stand for records: what is released as it is must be theirs.
    rows = release.to_dict()
    for row, record in enumerate(release.record_of):
        assert rows["diagnosis"][row] == patients["diagnosis"][record]
    assert isinstance(shoal.anonymize(frame_of("polars", patients), **asked).class_of, polars.Series)
    assert isinstance(shoal.anonymize(frame_of("pyarrow", patients), **asked).class_of, pyarrow.Array)
    with pytest.raises(IndexError):
        release.describe_class(release.class_count)


def test_a_table_is_coded_once(patients, asked):
    table = shoal.table(patients)
    assert shoal.table(table) is table
    assert table.columns == list(patients) and len(table) == 60
    assert table.missing["age"] == 0 and table.distinct["sex"] == 2
    assert table.to_dict() == patients
    assert rows_of(shoal.anonymize(table, **asked).to_dict()) == rows_of(shoal.anonymize(patients, **asked).to_dict())


def test_population_and_hierarchies_from_frames(library, patients):
    jobs = {}
    for line in (EXAMPLES / "job.csv").read_text().splitlines():
        value, *labels = line.split(";" if ";" in line else ",")
        jobs[value] = labels
    depth = max(len(labels) for labels in jobs.values())
    levels = {"job": list(jobs)}
    for level in range(depth):
        levels[f"level {level}"] = [labels[level] for labels in jobs.values()]
    common = dict(quasi=["age", "job"], identifier=["name", "zip"], sensitive="diagnosis", k=3, method="topdown")
    expected = shoal.anonymize(patients, hierarchies={"job": EXAMPLES / "job.csv"}, **common)
    for given in (jobs, shoal.table(frame_of(library, levels))):
        release = shoal.anonymize(patients, hierarchies={"job": given}, **common)
        assert rows_of(release.to_dict()) == rows_of(expected.to_dict())
    population = {name: patients[name] * 2 for name in ("age", "job")}
    release = shoal.anonymize(patients, k_map=4, population=frame_of(library, population),
                              hierarchies={"job": jobs}, **{**common, "k": 2})
    assert release.report.holds and release.verdicts[1].key == "k_map"


def test_signatures_tell_their_arguments():
    assert "k" in inspect.signature(shoal.anonymize).parameters
    assert "method" not in inspect.signature(shoal.verify).parameters
    for call in (shoal.anonymize, shoal.verify, shoal.measure, shoal.risk, shoal.attack, shoal.inspect, shoal.refine,
                 shoal.frontier, shoal.query, shoal.generate):
        assert call.__doc__ and ">>>" in call.__doc__


def test_reports_in_full(patients, asked, tmp_path):
    release = shoal.anonymize(patients, report_detail="full", **asked)
    assert release.report.html.startswith("<!DOCTYPE html>")
    release.report.write(tmp_path / "report.html")
    release.report.write(tmp_path / "report.json")
    release.report.write_external(tmp_path / "external.html")
    assert json.loads((tmp_path / "report.json").read_text())["holds"] is True
    with pytest.raises(shoal.InvalidError):
        release.report.write(tmp_path / "report.docx")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["external.html", "report.html", "report.json"]


def test_pages_have_a_title_and_lines_to_sign(patients, asked):
    about = {"title": "Patients <2025>", "author": "A & B", "purpose": "to teach", "date": "2026-03-31"}
    signed = ["Data protection officer", "Head of research"]
    report = shoal.anonymize(patients, report_detail="full", report_sign_off=signed,
                             **{f"report_{key}": text for key, text in about.items()}, **asked).report
    assert json.loads(report.json)["about"] == {**about, "sign_off": signed}
    for page in (report.html, report.external):
        assert "<h1>Patients &lt;2025&gt;</h1>" in page and "A &amp; B" in page
        assert page.count('class="who"') == 2
    assert 'id="samples"' in report.html
    assert 'id="samples"' not in report.external
    assert "✓" in report._repr_html_()


def test_points_tell_all_that_they_ask_for(patients):
    found = shoal.frontier(patients, quasi=["age", "sex"], sensitive="diagnosis", k=3, frontier_methods="mondrian",
                           frontier_sweep={"k": [5], "l": ["distinct:2"]}, frontier_max_highest_risk=0.5)
    assert [point.asks for point in found] == ["k 5", "l distinct 2 and k 3"]
    shown = found._repr_html_()
    assert "l distinct 2 and k 3" in shown and "Privacy loss: what" in shown
    assert "shoal anonymize" not in found.html  # the table is in memory: there is only a spec
    assert "privacy:" in found.html
