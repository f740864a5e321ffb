"""check_settings.py accepts documents that name every setting and option, and no others."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_settings.py"

PROGRAM = """#!/bin/sh
case "$*" in
    help) printf 'Commands:\\n  work        works\\n  help        helps\\n\\nExamples:\\n' ;;
    "help settings") printf 'output.order: sorted|keep (sorted); --order\\n      how\\nseed: a number (1); --seed\\n' ;;
    "work --help-all") printf '      --order sorted|keep     how\\n      --seed N                which\\n' ;;
esac
"""
FORMATS = "| `output.order` | `sorted`, `keep` | `sorted` | `--order` |\n| `seed` | a number | 1 | `--seed` |\n"
MANUAL = ".It Fl -order Cm sorted | keep\nHow.\n.It Fl -seed Ar n\nWhich.\n"
COMPLETION = """_shoal() {
    case ${COMP_WORDS[2]} in
        --order) COMPREPLY=(sorted keep) ;;
        *) COMPREPLY=(--order --seed) ;;
    esac
}
"""


class CheckSettings(unittest.TestCase):
    def check(self, formats=FORMATS, manual=MANUAL, completion=COMPLETION):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs").mkdir()
            (root / "cli").mkdir()
            (root / "docs/formats.md").write_text(formats)
            (root / "docs/frontier.md").write_text("")
            (root / "docs/shoal.1").write_text(manual)
            (root / "cli/completion.bash").write_text(completion)
            (root / "shoal").write_text(PROGRAM)
            (root / "shoal").chmod(0o755)
            result = subprocess.run([sys.executable, TOOL, "--root", root, "--program", root / "shoal"],
                                    capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def assert_bad(self, expected, **files):
        code, output = self.check(**files)
        self.assertEqual(code, 1)
        self.assertIn(expected, output)
        self.assertIn("2 settings, 2 options, 1 violations", output)

    def test_good_documents(self):
        self.assertEqual(self.check(), (0, "2 settings, 2 options, 0 violations\n"))

    def test_documents_that_lack_something(self):
        self.assert_bad("no row of seed", formats=FORMATS.replace("`seed`", "`sead`"))
        self.assert_bad("output.order may be keep", formats=FORMATS.replace("`keep`", "`kept`"))
        self.assert_bad("seed is 1 by default", formats=FORMATS.replace("| 1 |", "| 10 |"))
        self.assert_bad("--seed is seed", formats=FORMATS.replace("--seed", "--seeds"))

    def test_manual_that_lacks_something(self):
        self.assert_bad("lacks --seed", manual=MANUAL.replace("-seed", "-seeds"))
        self.assert_bad("--order may be keep", manual=MANUAL.replace("keep", "kept"))

    def test_completion_that_offers_something_else(self):
        self.assert_bad("--seed is in one", completion=COMPLETION.replace(" --seed", ""))
        self.assert_bad("--more is in one", completion=COMPLETION.replace(" --seed", " --seed --more"))
        self.assert_bad("--order: not", completion=COMPLETION.replace("sorted keep", "sorted"))


if __name__ == "__main__":
    unittest.main()
