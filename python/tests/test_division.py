"""A table in parts: the verbs of the extension that clusters are served by (include/shoal/division.h)."""

import pytest

import shoal
from shoal import _core
from shoal._runtime import QUIET

QUASI = ["age", "zip", "sex", "race"]


def make_spec(**more):
    asked = dict(k=5, quasi=QUASI, sensitive="income", method="mondrian",
                 hierarchies={"zip": shoal.prefix(5)}, seed=1)
    return shoal.Spec(**{**asked, **more})


def parts_of(columns, count, offset=0):
    """The records dealt out, from another one on."""
    rows = len(next(iter(columns.values())))
    return [
        {name: values[offset + p : rows : count] + (values[:offset] if p == 0 else [])
         for name, values in columns.items()}
        for p in range(count)
    ]


def texts_of(rows):
    """Rows as texts, sorted: a division gives columns that are released as they are as texts."""
    return sorted(tuple(map(str, row)) for row in rows)


def build(spec, parts):
    values = None
    for part in parts:
        more = _core.values_count(QUIET, spec._handle, shoal.table(part)._handle)
        more = _core.values_read(QUIET, spec._handle, _core.values_write(QUIET, more))
        if values is None:
            values = more
        else:
            _core.values_add(QUIET, values, more)
    return values, _core.division_build(QUIET, spec._handle, values)


def cut(spec, division, parts, most):
    open_ones = _core.division_cut(QUIET, division, None, most)
    rounds = 0
    while open_ones:
        counts = None
        sent = _core.division_read(QUIET, spec._handle, _core.division_write(QUIET, division))
        for part in parts:
            more = _core.division_count(QUIET, sent, shoal.table(part)._handle)
            more = _core.counts_read(QUIET, division, _core.counts_write(QUIET, more))
            if counts is None:
                counts = more
            else:
                _core.counts_add(QUIET, counts, more)
        open_ones = _core.division_cut(QUIET, division, counts, most)
        rounds += 1
    return rounds


def solve(spec, division, parts):
    _, sizes = _core.division_facts(division)
    rows_of = [{name: [] for name in parts[0]} for _ in sizes]
    for part in parts:
        routed = memoryview(_core.division_route(QUIET, division, shoal.table(part)._handle)).cast("I")
        for row, fragment in enumerate(routed):
            for name, values in part.items():
                rows_of[fragment][name].append(values[row])
    rows, classes = [], None
    for fragment, records in enumerate(rows_of):
        table, more, whose = _core.division_solve(QUIET, division, shoal.table(records)._handle, fragment)
        published = {name: values for name, _, values in _core.table_values(table)}
        whose = memoryview(whose).cast("I")
        assert sorted(whose) == list(range(len(records["age"])))
        kept = [name for name in published if name not in QUASI][0]  # the sensitive column
        assert [str(records[kept][record]) for record in whose] == published[kept]
        more = _core.classes_read(QUIET, spec._handle, _core.classes_write(QUIET, more))
        rows += zip(*(values for _, _, values in _core.table_values(table)))
        if classes is None:
            classes = more
        else:
            _core.classes_add(QUIET, classes, more)
    return texts_of(rows), classes


@pytest.fixture(scope="module")
def people():
    columns = shoal.generate("census", 3000).to_dict()
    columns["zip"] = [str(code) for code in columns["zip"]]
    return columns


@pytest.mark.parametrize("more", [{}, {"l": 2}, {"t": ("equal", 0.5), "sensitive": "occupation"}])
def test_parts_give_the_release_of_the_whole(people, more):
    spec = make_spec(**more)
    whole = shoal.anonymize(people, spec=spec)
    expected = texts_of(zip(*whole.to_dict().values()))
    for count, offset in ((1, 0), (3, 7)):
        parts = parts_of(people, count, offset)
        values, division = build(spec, parts)
        records, columns = _core.values_facts(values)
        assert records == 3000 and dict(columns)["sex"] == 2 and dict(columns)["education"] == 0
        assert cut(spec, division, parts, 800) > 0
        total, sizes = _core.division_facts(division)
        assert total == sum(sizes) == 3000 and len(sizes) >= 4 and max(sizes) <= 800
        rows, classes = solve(spec, division, parts)
        assert rows == expected
        outcome = _core.division_verify(QUIET, division, classes)
        assert outcome["holds"] and outcome["records"] == 3000 and outcome["failing"] == ""
        assert outcome["classes"] == whole.report["classes"]
        assert outcome["gcp"] == pytest.approx(whole.gcp, rel=1e-12)


def test_a_value_that_the_division_lacks(people):
    spec = make_spec()
    _, division = build(spec, parts_of(people, 2)[:1])
    other = {name: list(values) for name, values in parts_of(people, 2)[1].items()}
    # The only value of the part that the other part lacks.
    other["zip"] = [people["zip"][0]] * len(other["zip"])
    other["zip"][3] = "99999x"
    for verb in (_core.division_count, _core.division_route):
        with pytest.raises(shoal.FormatError, match="the division lacks") as failure:
            verb(QUIET, division, shoal.table(other)._handle)
        assert failure.value.record == 3 and failure.value.column == "zip"
        assert "99999x" not in str(failure.value)


def test_records_of_another_fragment_and_too_few(people):
    spec = make_spec()
    _, division = build(spec, [people])
    fewer = {name: values[1:] for name, values in people.items()}
    with pytest.raises(shoal.InvalidError):
        _core.division_solve(QUIET, division, shoal.table(fewer)._handle, 0)
    with pytest.raises(shoal.InvalidError, match="no fragment 1"):
        _core.division_solve(QUIET, division, shoal.table(people)._handle, 1)


def test_bytes_of_another_spec_and_damaged_ones(people):
    spec = make_spec()
    values, division = build(spec, [people])
    other = make_spec(k=6)
    for read, written in ((_core.values_read, _core.values_write(QUIET, values)),
                          (_core.division_read, _core.division_write(QUIET, division))):
        with pytest.raises(shoal.InvalidError):
            read(QUIET, other._handle, written)
        with pytest.raises(shoal.FormatError):
            read(QUIET, spec._handle, written[:-1])
    with pytest.raises(shoal.InvalidError):
        _core.values_add(QUIET, values, _core.values_count(QUIET, other._handle, shoal.table(people)._handle))


def test_a_division_outlives_the_spec_it_was_made_by(people):
    spec = make_spec()
    _, division = build(spec, [people])
    del spec
    _, classes, _ = _core.division_solve(QUIET, division, shoal.table(people)._handle, 0)
    assert _core.division_verify(QUIET, division, classes)["holds"]


def test_classes_of_a_release_that_does_not_hold(people):
    spec = make_spec()
    _, division = build(spec, [people])
    release = shoal.anonymize(people, spec=spec)
    rows = release.to_dict()
    rows = {name: values[1:] for name, values in rows.items()}
    classes = _core.classes_count(QUIET, spec._handle, shoal.table(rows)._handle)
    outcome = _core.division_verify(QUIET, division, classes)
    assert not outcome["holds"] and outcome["records"] == 2999


def test_what_cannot_be_divided_is_told_before_any_work(people):
    with pytest.raises(shoal.UnsupportedError, match="A division is supported for"):
        _core.values_count(QUIET, make_spec(method="incognito")._handle, shoal.table(people)._handle)


def test_other_objects_are_refused(people):
    spec = make_spec()
    values, division = build(spec, [people])
    for call in (
        lambda: _core.division_build(QUIET, spec._handle, division),
        lambda: _core.division_cut(QUIET, values, None, 5),
        lambda: _core.counts_add(QUIET, values, values),
        lambda: _core.classes_write(QUIET, division),
    ):
        with pytest.raises(ValueError):
            call()


def test_warnings_about_columns_go_to_the_log():
    heard = []
    rows = {"age": [20 + i % 9 for i in range(400)], "ill": [f"v{i}" for i in range(400)],
            "zip": [str(500 + i % 40) if i else "x" for i in range(400)]}
    spec = shoal.Spec(k=2, quasi=["age", "zip"], sensitive="ill", method="mondrian")
    values = _core.values_count(QUIET, spec._handle, shoal.table(rows)._handle)
    _core.division_build((None, lambda level, text, where: heard.append((level, text)), False, 0), spec._handle, values)
    assert any(level == 1 and text.endswith("[near-unique-column]") and '"ill"' in text for level, text in heard)
    assert any(text.endswith("[stray-values]") and '"zip"' in text for _, text in heard)
