"""mutate.py finds the faults that it promises, and none in what is only said."""

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

    def test_names_stay_when_lines_move(self):
        def names(source):
            faults = mutate.find_faults("f.c", source)
            return mutate.name_faults(faults, source.split("\n"))
        self.assertEqual(names(SOURCE), names("/* One line more. */\n" + SOURCE))
        twice = names(SOURCE + SOURCE)
        self.assertEqual(len(twice), len(set(twice)))

    def test_tests_that_run_the_line_are_asked(self):
        coverage = mutate.Coverage.__new__(mutate.Coverage)
        coverage.tests = {"near": {"passes": True, "seconds": 1, "lines": {"f.c": [4, 9]}},
                          "far": {"passes": True, "seconds": 1, "lines": {"f.c": [4]}},
                          "broken": {"passes": False, "seconds": 1, "lines": {"f.c": [9]}},
                          "elsewhere": {"passes": True, "seconds": 1, "lines": {"g.c": [9]}}}
        coverage.lines = {"f.c": {4, 9}}
        self.assertEqual(coverage.tests_of("f.c", 9, 3), ["near"])
        self.assertEqual(coverage.tests_of("f.c", 10, 3), ["near"])  # second line of a statement
        self.assertEqual(coverage.tests_of("f.c", 14, 3), ["near", "far"])  # of the function
        self.assertEqual(coverage.tests_of("f.c", 14, 12), [])

    def test_who_catches_most_is_asked_first(self):
        record = mutate.Record()
        self.assertEqual(record.share("a/f.c", "one"), record.share("a/f.c", "two"))
        record.add("a/f.c", ["one", "two"], "two")
        self.assertGreater(record.share("a/f.c", "two"), record.share("a/f.c", "one"))
        self.assertGreater(record.share("a/f.c", "two"), record.share("a/g.c", "two"))
        self.assertGreater(record.share("a/g.c", "two"), record.share("b/g.c", "two"))


if __name__ == "__main__":
    unittest.main()
