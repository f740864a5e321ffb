"""mutate.py finds the faults that it promises, and none in what is only said."""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))

import mutate  # noqa: E402

SOURCE = '''/* A comment with a < b && c. */
#include "x.h"

static const int table[] = {1, 2};

int f(int a, int b)
{
    /* if (a < b) { */
    if (a < b && !is_odd(a)) {
        return g(a, b) + 1; // never 5 > 4
    }
    assert(a == b);
    SHOAL_TRY(step(ctx, "a < b, 7"));
    total = total +
        7;
    free(a);
    return true;
}
'''


def after(source):
    """The changed lines of all faults, without the space before them."""
    lines = source.split("\n")
    return [(fault.kind, fault.apply(lines).strip()) for fault in mutate.find_faults("f.c", source)]


class Mutate(unittest.TestCase):
    def test_faults_of_a_function(self):
        self.assertEqual(after(SOURCE), [
            ("turned", "if (a <= b && !is_odd(a)) {"),
            ("turned", "if (a < b || !is_odd(a)) {"),
            ("turned", "if (a < b && is_odd(a)) {"),
            ("never", "if (false) {"),
            ("turned", "return g(a, b) - 1; // never 5 > 4"),
            ("off by one", "return g(a, b) + 2; // never 5 > 4"),
            ("swapped", "return g(b, a) + 1; // never 5 > 4"),
            ("left out", "(void)0;"),
            ("off by one", "8;"),
            ("turned", "return false;"),
        ])

    def test_texts_and_comments_keep_their_length(self):
        hidden = mutate.hide_words(SOURCE)
        self.assertEqual([len(line) for line in hidden.split("\n")], [len(line) for line in SOURCE.split("\n")])
        self.assertNotIn("comment", hidden)
        self.assertNotIn("a < b, 7", hidden)
        self.assertEqual(mutate.hide_words(r'''x = '"' + "\"//" /* " */ + 1;'''),
                         r'''x = ' ' + "    "         + 1;''')

    def test_each_fault_has_a_name_of_its_own(self):
        for path in mutate.list_sources(["src/requirement"]):
            names = [fault.name() for fault in mutate.find_faults(path, (ROOT / path).read_text())]
            self.assertEqual(len(names), len(set(names)))

    def test_every_room_has_tests(self):
        known = [path.stem for path in (ROOT / "tests").rglob("*.[cs]*")] + ["report_pages"]
        known += ["cli_" + path.stem for path in (ROOT / "tests/cli").glob("*.sh")]
        known += [path.stem for path in (ROOT / "tests/property").glob("*.py")]
        for folder, patterns in mutate.TESTS.items():
            self.assertTrue((ROOT / folder).is_dir(), folder)
            for pattern in patterns:
                self.assertTrue(any(re.search(pattern, name) for name in known), f"{folder}: {pattern}")

    def test_the_longest_prefix_counts(self):
        self.assertEqual(mutate.patterns_for("src/job/query/query_run.c"), mutate.TESTS["src/job/query"])
        self.assertEqual(mutate.patterns_for("src/method/method.c"), mutate.TESTS["src/method"])


if __name__ == "__main__":
    unittest.main()
