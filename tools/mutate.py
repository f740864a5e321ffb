#!/usr/bin/env python3
"""Put small faults into sources, one at a time, and see whether a test notices.

    mutate.py [--sample N] [--seed S] [--log FILE] [--all-tests] [--list] FILE|FOLDER...

Faults are comparisons and logic turned round, constants and sums off by one, checks and steps left out,
arguments swapped. A sample of them, drawn by the seed, is tried: each is put into a copy of the tree below
build/mutate, built there, and the tests that concern its folder (TESTS below) are run, the quickest first,
until one fails. What passes all of them is tried once more under the address and undefined-behaviour
sanitizers, as `make test` has them, by the test programs alone. A fault that passes there, too, is a survivor: either a test is missing, or
it changes nothing that anybody could see. Faults after which the compiler makes the same object code as before are left
out, as are those that do not compile. Survivors are listed at the end, with what was changed.

--log keeps a line of JSON for every fault; those that it names are not tried again, so that a run can be
continued after new tests (remove the lines of survivors to try these again).
--all-tests runs all other tests of the tree, too, before it calls a fault a survivor.

Not a part of `make test`: a few faults a minute on one processor.
"""

import argparse
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "mutate"

# Which tests concern a folder: the longest prefix counts. Patterns of names, as for ctest -R.
RUNS = r"^cli_(anonymize|missing|own_k|require|constant|equal|one_record)"
TESTS = {
    "cli": [r"^cli_"],
    "src/base": [r"^test_(ctx|pool|random|arena|buffer|json|file|text|hash|sha256|sort|entropy|spool|fork|sized|entry|warnings)$"],
    "src/table": [r"^test_(csv|dictionary|sort_keys|column|table|arrays|arrow|generate|job$)", r"^fuzz_csv", r"^cli_(bad|missing)"],
    "src/hierarchy": [r"^test_hierarchy", r"^fuzz_hierarchy", r"^cli_(hierarchy|bad_hierarchy)"],
    "src/box": [r"^test_(scan|box_tree|measure|methods|bound|prices|bottomup|release)$"],
    "src/lattice": [r"^test_(lattice|prices|incognito|specialize|bound)"],
    "src/requirement": [r"^test_(requirement|verify|job_requirements|population|people|anatomy|fragments_demands|methods)",
                        r"^cli_(require|own_k)", r"^random_populations"],
    "src/release": [r"^test_(release|verify|measure|answer|tradeoff|job|fragments$|fragments_verify|nonhomogeneous|refine)",
                    r"^fuzz_release", RUNS, r"^cli_(buckets|measure|query|refine|nonhomogeneous)", r"^random_"],
    "src/measure": [r"^test_(measure|verify|population|tradeoff|distribution|origin|bound|nonhomogeneous|frontier|job)",
                    r"^cli_(measure|bound|verify|anonymize_report|nonhomogeneous)", r"^random_"],
    "src/measure/query": [r"^test_(answer|query|tradeoff)", r"^cli_query"],
    "src/measure/risk": [r"^test_(risk|job_risk)", r"^cli_(risk|report)"],
    "src/measure/bound": [r"^test_(bound|prices)", r"^cli_(bound|measure)"],
    "src/spec": [r"^test_(spec|requirement_request|sized)", r"^fuzz_spec", r"^cli_(bad_spec|anonymize_spec|require|frontier|effort)"],
    "src/report": [r"^test_(job|frontier|report)", r"^report_pages", r"^cli_"],
    "src/job": [r"^test_(job|memory_runs|verify_release|entry)", RUNS, r"^cli_", r"^random_"],
    "src/job/division": [r"^test_(division|fragments|fragments_verify)$"],
    "src/job/release": [r"^test_(memory_runs|entry|division)$"],
    "src/job/verify": [r"^test_(verify_release|memory_runs|job|job_requirements|job_buckets|frontier_verify)$", r"^cli_verify"],
    "src/job/fragments": [r"^test_(fragments|fragments_demands|fragments_verify|division)$", r"^cli_anonymize_memory"],
    "src/job/frontier": [r"^test_(frontier|report)", r"^cli_(frontier|report_frontier)"],
    "src/job/inspect": [r"^test_inspect", r"^cli_inspect"],
    "src/job/measure": [r"^test_(job|query|frontier|tradeoff)", r"^cli_(measure|risk|hierarchy|bound|report|anonymize)", r"^report_pages"],
    "src/job/query": [r"^test_query", r"^fuzz_query", r"^cli_query"],
    "src/method": [r"^test_(methods|people|effort)$", RUNS, r"^random_releases"],
    "src/method/best": [r"^test_(candidate_pool|improve|keep_cheaper|refine|starts|effort|lattice|prices|methods)$", r"^cli_(best|effort|refine)"],
    "src/method/bottomup": [r"^test_(bottomup|methods|starts)$"],
    "src/method/buckets": [r"^test_(anatomy|job_buckets)$", r"^cli_buckets", r"^random_buckets"],
    "src/method/cluster": [r"^test_(cluster|methods|starts)$"],
    "src/method/divide": [r"^test_(methods|starts)$", RUNS],
    "src/method/exact": [r"^test_(exact|starts|methods)$", r"^cli_exact"],
    "src/method/finish": [r"^test_(methods|starts|bottomup|cluster|improve)$", RUNS],
    "src/method/grouping": [r"^test_(mend|methods|improve|keep_cheaper|starts|cluster|bottomup|fragments)$", RUNS],
    "src/method/hilbert": [r"^test_(hilbert|methods)$"],
    "src/method/incognito": [r"^test_(incognito|methods)$"],
    "src/method/nonhomogeneous": [r"^test_(ring|nonhomogeneous)$", r"^cli_nonhomogeneous", r"^random_releases"],
    "src/method/problem": [r"^test_(people|methods|effort|population|starts)$", r"^random_populations"],
    "src/method/specialize": [r"^test_(specialize|methods)$"],
}

# --- Faults. ---------------------------------------------------------------------------------------------

TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-",
          "-": "+", "+=": "-=", "-=": "+="}
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|<|>|\+|-)(?= )")
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
WORD = re.compile(r"\b(true|false)\b")
NEGATION = re.compile(r"!(?=[\w(])")
CONDITION = re.compile(r"^\s*(?:\} else )?if \((.*)\) \{$")
STEP = re.compile(r"^\s*(?:SHOAL_TRY\(.*\);|\w[\w.\[\]>-]* (?:[-+*/|&]|<<)?= .*;|\w[\w.\[\]>-]*(?:\+\+|--);|\w+\(.*\);)$")
PAIR = re.compile(r"(?<=[(,] )(\w+), (\w+)(?=[,)])|(?<=\()(\w+), (\w+)(?=[,)])")
# Lines in which a fault says nothing: not run, only told, or only seen by a sanitizer.
DULL = re.compile(r"^\s*(?:#|\*|//|/\*)|assert\(|\bfree\(|_(?:free|clear|log|warn)\(|\b(?:typedef|enum|goto|sizeof)\b|SHOAL_ALLOC"
                  r"|^\s*(?:static |extern )*const\b.*=|_MAX\b|^\s*SHOAL_TRY\(shoal_i_check_cancelled|_prefetch")


class Fault:
    """A stretch of one line of a file, and what stands there instead."""

    def __init__(self, path, line, start, end, text, kind):
        self.path, self.line, self.start, self.end, self.text, self.kind = path, line, start, end, text, kind

    def apply(self, lines):
        line = lines[self.line]
        return line[:self.start] + self.text + line[self.end:]

    def name(self):
        return f"{self.path}:{self.line + 1}:{self.start}:{self.kind}"


def hide_words(source):
    """The source with comments and the insides of texts blanked out, each line as long as before."""
    def blank(match):
        text = match.group(0)
        if text[0] == "/":
            return re.sub(r"[^\n]", " ", text)
        return text[0] + " " * (len(text) - 2) + text[-1]
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, source, flags=re.S)


def is_statement_start(code, number):
    """Whether the line before ends what it says, so that this one begins something."""
    before = next((line.rstrip() for line in reversed(code[:number]) if line.strip()), "")
    return not before or before[-1] in ";{}:" or before.lstrip().startswith("#")


def find_faults(path, source):
    """All faults of a file, in order."""
    code = hide_words(source).split("\n")
    faults = []
    depth = 0
    for number, line in enumerate(code):
        inside = depth > 0 and not line.startswith(("static ", "const ", "typedef ", "struct ", "}"))
        depth += line.count("{") - line.count("}")
        if not inside or DULL.search(line):
            continue

        def add(start, end, text, kind):
            faults.append(Fault(path, number, start, end, text, kind))

        for match in OPERATOR.finditer(line):
            add(*match.span(), TURNED[match.group()], "turned")
        for match in NUMBER.finditer(line):
            add(*match.span(), str(int(match.group()) + 1), "off by one")
        for match in WORD.finditer(line):
            add(*match.span(), "false" if match.group() == "true" else "true", "turned")
        for match in NEGATION.finditer(line):
            add(*match.span(), "", "turned")
        for match in PAIR.finditer(line):
            one, two = [group for group in match.groups() if group]
            if one != two and not (one.isdigit() or two.isdigit()) and one not in ("ctx", "void"):
                add(*match.span(), f"{two}, {one}", "swapped")
        match = CONDITION.match(line)
        if match:
            add(*match.span(1), "false", "never")
        if STEP.match(line) and is_statement_start(code, number):
            add(len(line) - len(line.lstrip()), len(line), "(void)0;", "left out")
    return faults


def list_sources(names):
    """The .c files below the names that were given, as paths from the root of the tree."""
    found = []
    for name in names:
        path = (ROOT / name).resolve() if not Path(name).is_absolute() else Path(name)
        if not path.exists():
            sys.exit(f"mutate.py: there is no {name}")
        found += sorted(path.rglob("*.c")) if path.is_dir() else [path]
    return [str(path.relative_to(ROOT)) for path in found]


def patterns_for(path):
    """The patterns of tests that concern a file."""
    folders = [folder for folder in TESTS if path == folder or path.startswith(folder + "/")]
    return TESTS[max(folders, key=len)] if folders else [r"^test_"]


# --- The copy of the tree, and its tests. ----------------------------------------------------------------


def run(command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", **options)


class Tree:
    """A copy of the sources, built, with what its tests take."""

    def __init__(self, work, sanitizers=""):
        self.source, self.build = work / "tree", work / f"build{'-sanitized' if sanitizers else ''}"
        self.patience = 4 if sanitizers else 1  # times the time of a test
        self.twin = None
        if not sanitizers:
            self.copy()
        flags = ["-DCMAKE_BUILD_TYPE=Debug", "-DSHOAL_TESTS=ON", f"-DSHOAL_SANITIZE={sanitizers}",
                 f"-DCMAKE_C_FLAGS_DEBUG={'-O1' if sanitizers else '-O2'} -w -Werror=incompatible-pointer-types "
                 "-Werror=int-conversion",
                 # Thin: an archive of names is made at once.
                 "-DCMAKE_C_ARCHIVE_CREATE=<CMAKE_AR> qcT <TARGET> <OBJECTS>"]
        self.must(["cmake", "-G", "Ninja", "-S", str(self.source), "-B", str(self.build), *flags])
        if not sanitizers: # else little of it is needed, and built when it is
            self.must(["ninja", "-j2", "-C", str(self.build), "tests/all", "shoal_program"])
        self.objects = self.list_objects()
        self.tests = self.list_tests()
        self.times_file = work / "times.json"
        self.times = json.loads(self.times_file.read_text()) if self.times_file.exists() else {}

    def sanitized(self):
        """The same sources, with the fault that is in them, built with sanitizers."""
        if not self.twin:
            self.twin = Tree(WORK, "address,undefined")
            self.twin.times = self.times
            # Asked before they are built, ctest does not tell how its tests are run.
            here, there = str(self.build) + "/", str(self.twin.build) + "/"
            self.twin.tests = {name: ([word.replace(here, there) for word in command], folder)
                               for name, (command, folder) in self.tests.items()}
        return self.twin

    def must(self, command):
        result = run(command)
        if result.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{result.stdout[-4000:]}{result.stderr[-4000:]}")

    def copy(self):
        """What has changed since the last copy is copied, so that little is built again."""
        names = run(["git", "-C", str(ROOT), "ls-files", "-z", "-c", "-o", "--exclude-standard"]).stdout
        wanted = {name for name in names.split("\0") if name and (ROOT / name).is_file()}
        for name in wanted:
            to = self.source / name
            if not to.exists() or to.read_bytes() != (ROOT / name).read_bytes():
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, to)
        for path in self.source.rglob("*"):
            if path.is_file() and str(path.relative_to(self.source)) not in wanted:
                path.unlink()

    def list_objects(self):
        entries = json.loads((self.build / "compile_commands.json").read_text())
        objects = {}
        for entry in entries:
            name = os.path.relpath(entry["file"], self.source)
            objects[name] = entry.get("output") or re.search(r" -o (\S+)", entry["command"]).group(1)
        return objects

    def list_tests(self):
        listed = json.loads(run(["ctest", "--test-dir", str(self.build), "--show-only=json-v1"]).stdout)
        tests = {}
        for test in listed["tests"]:
            properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
            labels = properties.get("LABELS", [])
            if "command" in test and not {"source", "headers", "docs", "deep"} & set(labels):
                tests[test["name"]] = (test["command"], properties["WORKING_DIRECTORY"])
        return tests

    def is_program(self, test):
        """Of this build, and no script."""
        return self.tests[test][0][0].startswith(str(self.build))

    def target_of(self, test):
        return os.path.relpath(self.tests[test][0][0], self.build) if self.is_program(test) else "shoal_program"

    def build_targets(self, targets):
        return run(["ninja", "-j2", "-C", str(self.build), *sorted(set(targets))]).returncode == 0

    def digest(self, path):
        return hashlib.sha256((self.build / self.objects[path]).read_bytes()).hexdigest()

    def run_test(self, test, seconds):
        """Whether it passes within a time."""
        command, folder = self.tests[test]

        def limit():
            if self.patience == 1: # sanitizers reserve terabytes
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
            os.setsid()

        # Failing allocations take most of the time of a test, and seldom tell what others do not.
        variables = dict(os.environ, SHOAL_TEST_SKIP="*allocation*")
        with subprocess.Popen(command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=limit) as process:
            try:
                return process.wait(timeout=seconds) in (0, 77)
            except subprocess.TimeoutExpired:
                return False
            finally:
                if process.poll() is None:  # too late, or this tool is stopped
                    os.killpg(process.pid, signal.SIGKILL)

    def time_tests(self, names):
        """How long each takes without a fault; those that fail even so are of no use."""
        for name in names:
            if name not in self.times:
                start = time.monotonic()
                passes = self.run_test(name, 600)
                self.times[name] = time.monotonic() - start if passes else None
                if not passes:
                    print(f"not used, as it fails without a fault: {name}")
        self.times_file.write_text(json.dumps(self.times))

    def tests_for(self, path, with_all):
        """Names of tests, the quickest first; all others behind them if these are wanted."""
        near = [name for name in self.tests if any(re.search(p, name) for p in patterns_for(path))]
        self.time_tests(near)
        order = sorted((name for name in near if self.times[name] is not None), key=self.times.get)
        if with_all:
            rest = [name for name in self.tests if name not in near]
            self.time_tests(rest)
            order += sorted((name for name in rest if self.times[name] is not None), key=self.times.get)
        return order


# --- Trying. ---------------------------------------------------------------------------------------------

LINKED_AT_ONCE = 4


def find_failing(tree, path, with_all, only_programs=False):
    """The first test that fails, None when all pass."""
    names = [name for name in tree.tests_for(path, with_all) if not only_programs or tree.is_program(name)]
    for first in range(0, len(names), LINKED_AT_ONCE):
        some = names[first:first + LINKED_AT_ONCE]
        if not tree.build_targets(tree.target_of(name) for name in some):
            return "link"
        for name in some:
            if not tree.run_test(name, tree.patience * (15 + 10 * tree.times[name])):
                return name
    return None


def try_fault(tree, fault, source, with_all):
    """What became of it: (outcome, test). The source is put back by the caller."""
    lines = source.split("\n")
    lines[fault.line] = fault.apply(lines)
    (tree.source / fault.path).write_text("\n".join(lines))
    if not tree.build_targets([tree.objects[fault.path]]):
        return "does not compile", None
    if tree.digest(fault.path) == tree.pristine[fault.path]:
        return "same code", None
    test = find_failing(tree, fault.path, with_all)
    if not test:
        test = find_failing(tree.sanitized(), fault.path, with_all, only_programs=True)
        test = test and f"{test} (sanitized)"
    return ("caught", test) if test else ("SURVIVED", None)


def show(fault, source):
    lines = source.split("\n")
    return f"{fault.path}:{fault.line + 1}: {fault.kind}\n-{lines[fault.line]}\n+{fault.apply(lines)}"


def try_all(tree, faults, sources, wanted, log, with_all):
    tried = survived = 0
    kept = []
    tree.pristine = {}
    for fault in faults:
        if tried >= wanted:
            break
        target = tree.source / fault.path
        source = sources[fault.path]
        if fault.path not in tree.pristine:
            tree.build_targets([tree.objects[fault.path]])
            tree.pristine[fault.path] = tree.digest(fault.path)
        start = time.monotonic()
        try:
            outcome, test = try_fault(tree, fault, source, with_all)
        finally:
            target.write_text(source)
        counts = outcome in ("caught", "SURVIVED")
        tried += counts
        survived += outcome == "SURVIVED"
        if outcome == "SURVIVED":
            kept.append(show(fault, source))
        print(f"{tried:4} {outcome:16} {fault.name()} {test or ''} {time.monotonic() - start:.1f} s", flush=True)
        if log:
            with open(log, "a") as file:
                file.write(json.dumps({"fault": fault.name(), "outcome": outcome, "test": test,
                                       "shown": show(fault, source)}) + "\n")
    return tried, survived, kept


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="faults to try (20)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the sample (1)")
    parser.add_argument("--log", type=Path, metavar="FILE", help="keep what became of each fault; go on from there")
    parser.add_argument("--all-tests", action="store_true", help="try all tests before a fault is a survivor")
    parser.add_argument("--list", action="store_true", help="only show the faults of the sample")
    parser.add_argument("sources", nargs="+", metavar="FILE|FOLDER")
    options = parser.parse_args()

    sources = {path: (ROOT / path).read_text() for path in list_sources(options.sources)}
    faults = [fault for path, source in sources.items() for fault in find_faults(path, source)]
    random.Random(options.seed).shuffle(faults)
    if options.list:
        for fault in faults[:options.sample]:
            print(show(fault, sources[fault.path]))
        print(f"{len(faults)} faults in {len(sources)} files")
        return 0
    if options.log and options.log.exists():
        known = {json.loads(line)["fault"] for line in options.log.read_text().splitlines()}
        faults = [fault for fault in faults if fault.name() not in known]
    os.nice(10)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the source is put back
    tree = Tree(WORK)
    tried, survived, kept = try_all(tree, faults, sources, options.sample, options.log, options.all_tests)
    for text in kept:
        print("\n" + text)
    print(f"\n{tried} faults, {tried - survived} caught, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
