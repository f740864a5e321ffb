"""The judge of Spark's counts, plain Python, against the library's own verifier on random classes."""

import random

import numpy
import pytest

import shoal
from shoal import _core
from shoal._runtime import QUIET
from shoal.spark import _judge

TOKENS = ["?", ""]
TEXTS = ["a", "b", "c", "d", "a", "a", "?", ""]
TREE = {"a": ["x", "*"], "b": ["x", "*"], "c": ["y", "*"], "d": ["y", "*"]}
NUMBERS = ["1", "5", "10", "20", "3", "?"]
KEYS = ("k", "k_column", "alpha", "l", "t", "delta", "beta")


def draw(values, seed, count=400):
    drawn = random.Random(seed)
    return {"q": [f"c{drawn.randrange(12)}" for _ in range(count)], "s": [drawn.choice(values) for _ in range(count)]}


def count(rows, order=None):
    """Classes and domain, counted the slow way."""
    cells = [None if cell in TOKENS else cell for cell in rows["s"]]
    values = sorted({cell for cell in cells if cell is not None}, key=order) + [None] * (None in cells)
    classes = {}
    for key, cell in zip(rows["q"], cells):
        classes.setdefault(key, {})
        classes[key][cell] = classes[key].get(cell, 0) + 1
    starts, places, counts = [], [], []
    for histogram in classes.values():
        starts.append(len(counts))
        places += [values.index(cell) for cell in histogram]
        counts += histogram.values()
    sizes = numpy.array([sum(histogram.values()) for histogram in classes.values()])
    return (_judge.Classes(sizes, numpy.array(starts), numpy.array(places), numpy.array(counts)),
            values, [cells.count(value) for value in values])


def compare(rows, spec, order=None, tree=False):
    report = shoal.verify(rows, spec=spec)
    classes, values, totals = count(rows, order)
    nodes = ()
    if tree:
        table = shoal.table({"s": values, "q": ["1"] * len(values)})
        nodes = _core.hierarchy_nodes(QUIET, spec._handle, table._handle, "s")
    domain = _judge.Domain(tuple(values), tuple(totals), *(tuple(part) for part in nodes))
    asked = [one for one in _judge.list_asked({key: spec.get(key) for key in KEYS}, ["s"]) if one.column]
    verdicts = [verdict for verdict in report.verdicts if verdict.column]
    assert len(asked) == len(verdicts) > 0
    for one, verdict in zip(asked, verdicts):
        figure, holds = _judge.judge(one, classes, domain, TOKENS)
        worst, _, failing, records = _judge.summarize(one, figure, holds, classes.sizes)
        assert (one.key, one.kind, one.column) == (verdict.key, verdict.kind, verdict.column)
        assert worst == pytest.approx(verdict.worst, rel=1e-12)
        assert (failing, records) == (verdict.failing_classes, verdict.failing_records), verdict.asked
        assert one.larger_is_safer == verdict.larger_is_safer
        title, asks, what = _judge.words(one, "record")
        assert (title, what) == (verdict.title, verdict.figure)
        if one.kind not in ("values", "limits"):
            assert asks == verdict.asked


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("asked", [
    {"alpha": 0.4}, {"alpha": "0.3:b,c"}, {"alpha": "0.2:b"}, {"l": 2}, {"l": "distinct:5"}, {"l": "entropy:3.2"},
    {"l": "recursive:1.5:2"}, {"l": "recursive:0.9:3"}, {"t": 0.02}, {"t": "equal:0.1"}, {"delta": 0.5}, {"beta": 0.3},
    {"beta": "enhanced:0.9"}, {"beta": "enhanced:5"}, {"l": [2, "distinct:4"], "t": ["equal:0.05", "js:0.01"]},
], ids=str)
def test_as_the_library_judges(asked, seed):
    compare(draw(TEXTS, seed), shoal.Spec(quasi="q", sensitive="s", k=1, **asked))


@pytest.mark.parametrize("seed", range(4))
def test_distances_along_an_order_and_a_tree(seed):
    compare(draw(NUMBERS, seed), shoal.Spec(quasi="q", sensitive="s", k=1, t="ordered:0.1", types={"s": "integer"}), int)
    compare(draw(list("abcd"), seed),
            shoal.Spec(quasi="q", sensitive="s", k=1, t="hierarchical:0.08", hierarchies={"s": TREE}), tree=True)


def test_a_value_that_a_class_lacks():
    compare(draw(["a"] * 30 + ["b"], 1), shoal.Spec(quasi="q", sensitive="s", k=1, delta=3))


def test_limits_of_a_spec():
    spec = shoal.Spec.from_yaml(
        'columns: {q: quasi, s: sensitive}\nprivacy: {k: 1, alpha: [{limits: {b: 0.15, c: 0.3}}, {value: 0.3, values: [a]}]}')
    compare(draw(TEXTS, 3), spec)


def test_requirements_are_read_as_specs_write_them():
    spec = shoal.Spec.from_yaml('''
columns: {a: quasi, d: sensitive, e: sensitive}
privacy:
  k: {value: 3, column: kk}
  alpha: [{value: 0.4, values: ["x", "y, z", "q:1"], column: d}, {limits: {x: 0.3, "y=1": 0.2}, column: d}, 0.5]
  l: [{value: 2, kind: {recursive: 3}, column: e}]
''')
    asked = _judge.list_asked({key: spec.get(key) for key in KEYS}, ["d", "e"])
    assert [(one.key, one.kind, one.column) for one in asked] == [
        ("k", "", ""), ("record_k", "", ""), ("alpha", "values", "d"), ("alpha", "limits", "d"),
        ("alpha", "general", "d"), ("alpha", "general", "e"), ("l", "recursive", "e")]
    assert asked[2].names == ("x", "y, z", "q:1") and asked[2].value == 0.4
    assert asked[3].names == ("x", "y=1") and asked[3].limits == (0.3, 0.2)
    assert (asked[6].value, asked[6].c) == (2, 3)
