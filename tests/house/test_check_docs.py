"""check_docs.py accepts documents that tell the truth and no others."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_docs.py"


class CheckDocs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        program = self.root / "program"
        program.write_text('#!/bin/sh\nif [ "$1" = fail ]; then echo oops >&2; exit 4; fi\n'
                           'echo "took 0.123 s"\necho one\necho two\n')
        program.chmod(0o755)

    def check(self, text):
        document = self.root / "doc.md"
        document.write_text(text)
        result = subprocess.run([sys.executable, TOOL, "--program", self.root / "program", document],
                                capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def assert_good(self, block, count=1):
        self.assertEqual(self.check(f"# T\n```console\n{block}```\n"),
                         (0, f"{count} examples, 0 failed\n"))

    def assert_bad(self, block):
        code, output = self.check(f"# T\n```console\n{block}```\n")
        self.assertEqual(code, 1)
        self.assertIn("doc.md:3: $ ", output)

    def test_exact_output(self):
        self.assert_good("$ shoal run\ntook 0.123 s\none\ntwo\n")
        self.assert_bad("$ shoal run\ntook 0.123 s\none\nthree\n")
        self.assert_bad("$ shoal run\ntook 0.123 s\none\n")
        self.assert_bad("$ shoal run\n")

    def test_wildcards(self):
        self.assert_good("$ shoal run\ntook ... s\none\ntwo\n")
        self.assert_good("$ shoal run\n...\ntwo\n")
        self.assert_good("$ shoal run\ntook 0.123 s\n...\n")
        self.assert_bad("$ shoal run\ntook ... minutes\none\ntwo\n")
        self.assert_bad("$ shoal run\n...\nthree\n")

    def test_errors_and_exit_codes(self):
        self.assert_good("$ shoal fail; echo $?\noops\n4\n")
        self.assert_bad("$ shoal fail; echo $?\noops\n0\n")

    def test_commands_share_a_folder(self):
        self.assert_good("$ echo a > file\n$ cat file\na\n", count=2)

    def test_continued_command(self):
        self.assert_good("$ echo a \\\n>   b\na b\n")

    def test_a_dot_is_a_dot(self):
        self.assert_bad("$ shoal run\ntook 0x123 s\none\ntwo\n")

    def test_other_blocks_are_left_alone(self):
        self.assertEqual(self.check("```sh\n$ false\nno\n```\n```\n$ false\nno\n```\n"),
                         (0, "0 examples, 0 failed\n"))

    def test_hanging_input_is_closed(self):
        self.assert_good("$ cat\n")


if __name__ == "__main__":
    unittest.main()
