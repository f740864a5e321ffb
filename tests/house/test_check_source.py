"""Every rule of check_source.py is broken once, in a tree of its own, and must be reported."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_source.py"
README = "# folder\n" + "text\n" * 12 + "`*.c`, `*.h`\n"


class CheckSource(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        for layer in ("base", "table", "requirement", "release", "method", "measure", "job"):
            self.write(f"src/{layer}/README.md", README)
            self.write(f"src/{layer}/{layer}.h", "")
        self.write("cli/README.md", README)
        self.write("include/shoal/shoal.h", '#include "ctx.h"\n#include "job.h"\n')
        self.write("include/shoal/ctx.h", "")
        self.write("include/shoal/job.h", "")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def check(self, *options):
        result = subprocess.run([sys.executable, TOOL, "--root", self.root, *options],
                                capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def assert_good(self, *options):
        self.assertEqual(self.check(*options), (0, ""))

    def assert_bad(self, expected, *options):
        code, output = self.check(*options)
        self.assertEqual(code, 1)
        self.assertIn(expected, output)
        self.assertEqual(output.count("\n"), 1, output)

    def test_good_tree(self):
        self.write("src/job/run.c", '#include <shoal/job.h>\n#include "../base/base.h"\n'
                                    '#include "../measure/measure.h"\n#include "job.h"\n')
        self.write("src/method/run_method.c", '#include "../release/release.h"\n'
                                              '#include "../requirement/requirement.h"\n')
        self.write("cli/main.c", '#include <shoal/shoal.h>\n#include "cli.h"\n')
        self.write("cli/cli.h", "")
        self.assert_good()

    def test_upward_include(self):
        self.write("src/base/up.c", '#include "../table/table.h"\n')
        self.assert_bad("src/base/up.c:1: base may not include table")

    def test_upward_public_include(self):
        self.write("src/base/up.c", "\n#include <shoal/job.h>\n")
        self.assert_bad("src/base/up.c:2: base may not include job")

    def test_umbrella_is_for_users(self):
        self.write("src/job/all.c", "#include <shoal/shoal.h>\n")
        self.assert_bad("may not include <shoal/shoal.h>")

    def test_layers_beside_each_other(self):
        for layer, other in (("requirement", "release"), ("release", "requirement"),
                             ("measure", "method"), ("method", "measure")):
            path = self.write(f"src/{layer}/beside.c", f'#include "../{other}/{other}.h"\n')
            self.assert_bad(f"{layer} may not include {other}")
            path.unlink()

    def test_rooms(self):
        for room in ("method/problem", "method/hilbert", "method/cluster"):
            self.write(f"src/{room}/README.md", README)
        self.write("src/method/problem/p.h", "")
        self.write("src/method/hilbert/h.h", '#include "../problem/p.h"\n')
        path = self.write("src/method/cluster/c.c", '#include "../problem/p.h"\n'
                                                    '#include "../../base/base.h"\n')
        self.assert_good()
        path.write_text('\n#include "../hilbert/h.h"\n')
        self.assert_bad("src/method/cluster/c.c:2: method/cluster may not include method/hilbert")
        path.write_text('#include "../../job/job.h"\n')
        self.assert_bad("method/cluster may not include job")
        path.unlink()
        self.write("src/method/method.h", '#include "cluster/d.h"\n')
        self.write("src/method/cluster/d.h", "")
        self.assert_bad("src/method/method.h:1: method may not include method/cluster")
        self.write("src/method/method.h", "")
        self.write("src/method/attic/README.md", README)
        self.write("src/method/attic/a.c", '#include "../problem/p.h"\n')
        self.assert_bad("unknown room method/attic")

    def test_full_room(self):
        for i in range(25):
            self.write(f"src/base/file{i}.c", "")
        self.assert_good()
        self.write("src/base/one_more.c", "")
        self.assert_bad("src/base:1: 26 source files")

    def test_private_header_in_cli_and_examples(self):
        for folder in ("cli", "examples"):
            path = self.write(f"{folder}/main.c", '#include "../src/base/base.h"\n')
            self.assert_bad(f"{folder}/main.c:1:")
            path.unlink()

    def test_include_that_depends_on_search_paths(self):
        self.write("src/job/run.c", '#include "base/base.h"\n')
        self.assert_bad("not found from here")

    def test_banned_functions(self):
        path = self.write("src/base/a.c", "void f(char *p)\n{\n    strcpy(p, p);\n}\n")
        self.assert_bad("src/base/a.c:3: strcpy is banned here")
        path.write_text("void f(void)\n{\n    exit (1);\n}\n")
        self.assert_bad("exit is banned here")
        path.write_text('/* exit(1) */\nconst char *s = "printf(";\nint snprintf(int);\n')
        self.assert_good()
        self.write("cli/main.c", "int main(void)\n{\n    exit(1);\n}\n")
        self.assert_good()

    def test_flag_in_lines_for_a_shell(self):
        self.write("src/base/style.c", '#define SHELL_LINES "shoal anonymize x.csv --spec y.yaml"\n')
        self.assert_good()

    def test_flag_in_a_text_of_the_library(self):
        self.write("src/base/style.c", '/* --missing */ "a{--ink:#000}" "--c0:#fff" "var(--ink)"\n'
                                       '"`missing.action`" "k - 1" "a -- b" "-1" "x-k"\n')
        self.write("cli/say.c", '"--missing"\n')
        self.assert_good()
        for text in ("give --missing", "(--missing)", "--missing keep", "which k (privacy.k, -k)."):
            self.write("src/base/style.c", f'\n"{text}"\n')
            self.assert_bad("src/base/style.c:2: names a flag of the program")

    def test_long_function(self):
        body = "    a();\n" * 100
        path = self.write("src/base/a.c", "void f(void)\n{\n" + body + "}\n")
        self.assert_good()
        path.write_text("void f(void)\n{\n" + body + "    a();\n}\n")
        self.assert_bad("src/base/a.c:2: a function of 101 lines")

    def test_wide_line(self):
        self.write("src/measure/wide.c", "/* " + "x" * 91 + "*/\n")
        self.assert_good()
        self.write("src/measure/wide.c", "\n/* " + "x" * 92 + "*/\n")
        self.assert_bad("src/measure/wide.c:2: 97 columns; at most 96")

    def test_width_is_counted_in_characters(self):
        self.write("src/measure/wide.c", "/* " + "\u2014" * 91 + "*/\n")
        self.assert_good()

    def test_type_of_two_meanings(self):
        self.write("src/base/one.h", "typedef struct shoal_i_one {\n    int x;\n} shoal_i_one;\n")
        self.write("src/table/two.h", "typedef struct shoal_i_two shoal_i_two;\n")
        self.write("src/table/two.c", "struct shoal_i_two {\n    int x;\n};\n"
                                      "/* struct shoal_i_one { */\n"
                                      "static int use(const struct shoal_i_one *one);\n")
        self.assert_good()
        self.write("src/table/other.h", "typedef int shoal_i_one;\n")
        self.assert_bad("src/table/other.h:1: the type shoal_i_one is declared in "
                        "src/base/one.h already")
        self.write("src/table/other.h", "\nstruct shoal_i_one {\n    int y;\n};\n")
        self.assert_bad("src/table/other.h:2: the type shoal_i_one is declared in "
                        "src/base/one.h already")
        self.write("src/table/other.h", "typedef void (*shoal_i_one)(int);\n")
        self.assert_bad("src/table/other.h:1: the type shoal_i_one is declared in "
                        "src/base/one.h already")

    def test_name_used_twice(self):
        self.write("src/base/run.c", "")
        self.write("cli/run.c", "")
        self.assert_bad("cli/run.c:1: the name is taken by src/base/run.c")

    def test_missing_and_short_readme(self):
        self.write("src/base/README.md", "short\n")
        self.assert_bad("src/base/README.md:1:")
        self.write("src/base/README.md", README)
        self.write("src/method/best/README.md", "a\nb\nc\nd\n")
        self.assert_bad("src/method/best/README.md:1: a README of 5 to 30")
        self.write("src/method/best/README.md", "# a\nb\nc\nd\ne\n")
        self.assert_good()
        (self.root / "src/base/README.md").unlink()
        self.assert_bad("got 0")

    def test_readme_has_a_title(self):
        self.write("src/base/README.md", README.replace("# folder", "#folder"))
        self.assert_bad("src/base/README.md:1: a README begins with '# '")

    def test_readme_of_other_folders(self):
        self.write("tools/tool.py", "")
        self.assert_bad("tools/README.md:1: a README")

    def test_readme_names_every_file(self):
        start = "# base\n" + "text\n" * 10
        self.write("src/base/pool_worker.c", "")
        for named in ("`base.h`", "`base.h`, `pool*.h`", "`base.[ch]`, pool_worker.c"):
            self.write("src/base/README.md", start + named + "\n")
            self.assert_bad("src/base/README.md:1: does not name pool_worker.c")
        for named in ("`base.h`, `pool_worker.h`", "`base.[ch]`, `pool_*.c`",
                      "`base.h`, [workers](pool_worker.c)"):
            self.write("src/base/README.md", start + named + "\n")
            self.assert_good()

    def test_documents_name_files_that_are_there(self):
        self.write("docs/README.md", README)
        path = self.write("docs/walk.md", "first `src/base/base.h`\nthen `src/base/gone.c`\n")
        self.write("docs/README.md", README + "[walk](walk.md)\n")
        self.assert_bad("docs/walk.md:2: src/base/gone.c is not there")
        path.write_text("first `src/base/base.h`, not https://a.b/src/x.c\n")
        self.assert_good()

    def test_umbrella_must_be_complete(self):
        self.write("include/shoal/csv.h", "")
        self.assert_bad("does not include csv.h")

    def test_library_symbols(self):
        source = self.write("extra/a.c", "#include <stdio.h>\nint counter = 1;\n"
                                         "const char *const names[] = {\"a\"};\n"
                                         "void f(void)\n{\n    printf(\"%d\", counter);\n}\n")
        compiled = self.root / "a.o"
        subprocess.run(["cc", "-c", "-fPIC", source, "-o", compiled], check=True)
        code, output = self.check("--library", compiled)
        self.assertEqual(code, 1)
        self.assertIn("uses printf", output)
        self.assertIn("has the variable counter", output)
        self.assertNotIn("names", output)

    def test_format(self):
        (self.root / ".clang-format").write_text("BasedOnStyle: LLVM\n")
        self.write("src/base/a.c", "int   a;\n")
        self.assert_bad("src/base/a.c:1: not formatted", "--format")


if __name__ == "__main__":
    unittest.main()
