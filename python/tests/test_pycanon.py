"""Twenty releases, by pycanon: k, alpha, l and t as Shoal's verdicts have them.

Runs where pycanon is installed (python/requirements/peers.txt), in make test-deep.
"""

import pytest

import shoal

anonymity = pytest.importorskip("pycanon.anonymity", reason="pycanon is in another environment; see make test-deep")
pandas = pytest.importorskip("pandas")

pytestmark = pytest.mark.deep

QUASI = ["age", "sex", "education", "marital"]
RELEASES = [(method, k, seed) for method in ("topdown", "mondrian", "hilbert", "cluster", "bottomup")
            for k, seed in ((2, 1), (3, 2), (5, 3), (10, 4))]


@pytest.mark.parametrize("method, k, seed", RELEASES)
def test_pycanon_agrees(method, k, seed):
    people = shoal.generate("census", 100, seed=seed).to_pandas()
    release = shoal.anonymize(people, k=k, quasi=QUASI, sensitive="income", method=method, seed=seed)
    frame = release.to_pandas().astype(str)
    report = shoal.verify(frame, quasi=QUASI, sensitive="income", k=1, alpha=1.0, l="distinct:1", t="equal:1")
    worst = {verdict.key: verdict.worst for verdict in report.verdicts}
    assert worst["k"] == anonymity.k_anonymity(frame, QUASI) >= k
    alpha, smallest = anonymity.alpha_k_anonymity(frame, QUASI, ["income"])
    assert worst["alpha"] == pytest.approx(alpha) and smallest == worst["k"]
    assert worst["l"] == anonymity.l_diversity(frame, QUASI, ["income"])
    assert worst["t"] == pytest.approx(anonymity.t_closeness(frame, QUASI, ["income"]), abs=1e-9)


def test_there_are_twenty():
    assert len(RELEASES) == 20
