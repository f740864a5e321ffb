#!/usr/bin/env python3
"""Put small faults into sources, one at a time, and see whether a test notices.

    mutate.py [--sample N] [--seed S] [--patience T] [--log FILE] [--again] [--sanitize] [--list] FILE|FOLDER...

Faults are comparisons and logic turned round, constants and sums off by one, checks and steps left out,
arguments swapped. A sample of them, drawn by the seed, is tried in a copy of the tree below build/mutate. There tests
and program link a shared library, so that a fault takes one compilation and one link.

Every test program is run once without a fault and with lines counted (gcov); a fault is then shown to the programs that
run its line and to the scripts, those first that are likely to catch it in little time, until one fails. One that takes ten times as long as without
the fault fails, too. What passes is a survivor: either a test is missing, or the fault changes nothing that anybody could see.
Faults after which the compiler makes the same object code as before are left out, as are those that do not compile.
Survivors are listed at the end, with what was changed.

--patience leaves out tests when those before take so many seconds without a fault; where some were left out, the fault is
"undecided", and not counted as a survivor before --again has asked all.
--log keeps a line of JSON for every fault; those that it names are not tried again, so that a run can be continued.
--again tries only those that survived or are undecided by the log: after new tests. The last line of a fault counts.
--sanitize shows what passes to the same test programs once more, its source compiled with the address and
undefined-behaviour sanitizers, as `make test` has them.

Not a part of `make test`.
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
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "mutate"

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

    def show(self, lines):
        return f"{self.path}:{self.line + 1}: {self.kind}\n-{lines[self.line]}\n+{self.apply(lines)}"


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


def name_faults(faults, lines):
    """Names that stay when lines move: what is changed, and the how manyeth change of that kind it is."""
    seen = Counter()
    names = []
    for fault in faults:
        text = f"{fault.path}: {fault.kind}: {lines[fault.line].strip()} => {fault.apply(lines).strip()}"
        names.append(f"{text} [{seen[text]}]")
        seen[text] += 1
    return names


def list_sources(names):
    """The .c files below the names that were given, as paths from the root of the tree."""
    found = []
    for name in names:
        path = (ROOT / name).resolve() if not Path(name).is_absolute() else Path(name)
        if not path.exists():
            sys.exit(f"mutate.py: there is no {name}")
        found += sorted(path.rglob("*.c")) if path.is_dir() else [path]
    return [str(path.relative_to(ROOT)) for path in found]


# --- The copy of the tree, and its builds. ---------------------------------------------------------------

WARNINGS = "-w -Werror=incompatible-pointer-types -Werror=int-conversion"
SANITIZERS = "-g -fsanitize=address,undefined -fno-sanitize-recover=all"


def run(command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", **options)


def must(command, **options):
    result = run(command, **options)
    if result.returncode != 0:
        sys.exit(f"{command}\n{result.stdout[-4000:]}{result.stderr[-4000:]}")
    return result.stdout


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def copy_tree(to):
    """What has changed since the last copy is copied, so that little is built again."""
    names = run(["git", "-C", str(ROOT), "ls-files", "-z", "-c", "-o", "--exclude-standard"]).stdout
    wanted = {name for name in names.split("\0") if name and (ROOT / name).is_file()}
    for name in wanted:
        if not (to / name).exists() or (to / name).read_bytes() != (ROOT / name).read_bytes():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)
    for path in to.rglob("*"):
        if path.is_file() and str(path.relative_to(to)) not in wanted:
            path.unlink()


class Build:
    """The copy, built in one way."""

    def __init__(self, name, flags):
        self.source, self.folder = WORK / "tree", WORK / name
        must(["cmake", "-G", "Ninja", "-S", str(self.source), "-B", str(self.folder), "-DCMAKE_BUILD_TYPE=Debug",
              "-DSHOAL_TESTS=ON", "-DSHOAL_QUICK_LINKS=ON", f"-DCMAKE_C_FLAGS_DEBUG={flags} {WARNINGS}",
              # Thin: an archive of names is made at once.
              "-DCMAKE_C_ARCHIVE_CREATE=<CMAKE_AR> qcT <TARGET> <OBJECTS>"])
        must(["ninja", "-C", str(self.folder), "tests/all", "shoal_program"])
        self.compile = {}
        for entry in json.loads((self.folder / "compile_commands.json").read_text()):
            output = entry.get("output") or re.search(r" -o (\S+)", entry["command"]).group(1)
            if "shoal.dir" in output:  # of the library
                name = os.path.relpath(entry["file"], self.source)
                self.compile[name] = (entry["command"], self.folder / output)
        # Links libshoal.so anew. Those who wrap functions are linked with the objects.
        self.link = self.last_command("libshoal.so")
        self.relink = {name: self.last_command(f"tests/{name}") for name in ("test_fragments_verify", "test_frontier_verify")}
        self.tests = self.list_tests()

    def last_command(self, target):
        commands = must(["ninja", "-C", str(self.folder), "-t", "commands", target]).splitlines()
        return next(text for text in reversed(commands) if " -o " in text)

    def list_tests(self):
        listed = json.loads(must(["ctest", "--test-dir", str(self.folder), "--show-only=json-v1"]))
        tests = {}
        for test in listed["tests"]:
            properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
            labels = set(properties.get("LABELS", []))
            if "command" in test and not {"source", "headers", "docs", "deep", "house", "examples", "oracle"} & labels:
                tests[test["name"]] = (test["command"], properties["WORKING_DIRECTORY"])
        return tests

    def is_program(self, test):
        """Of this build, and no script."""
        return self.tests[test][0][0].startswith(str(self.folder))

    def shell(self, command):
        return run(command, shell=True, cwd=self.folder, env=dict(os.environ, CCACHE_DISABLE="1")).returncode == 0

    def run_test(self, test, seconds, variables=None, is_sanitized=False):
        """Whether it passes within so many seconds of a processor."""
        command, folder = self.tests[test]
        if test in self.relink and not self.shell(self.relink[test]):
            return False

        def limit():
            if not is_sanitized:  # else terabytes are reserved
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.setsid()
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where this tool runs in the background
            signal.signal(signal.SIGQUIT, signal.SIG_DFL)

        # Failing allocations take most of the time of a test, and seldom tell what others do not.
        variables = dict(os.environ, SHOAL_TEST_SKIP="*allocation*", **(variables or {}))
        with subprocess.Popen(command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=limit) as process:
            try:
                return process.wait(timeout=8 * seconds) in (0, 77)
            except subprocess.TimeoutExpired:
                return False
            finally:
                if process.poll() is None:  # too late, or this tool is stopped
                    os.killpg(process.pid, signal.SIGKILL)


# --- Which test runs which line. -------------------------------------------------------------------------


class Coverage:
    """Of every test that passes: its time, and the lines of the named sources that it runs. Scripts run the program again and
    again; of these nobody counts lines ("lines" is None), and any could run any."""

    def __init__(self, plain, sources):
        self.file = WORK / "coverage.json"
        self.plain, self.sources = plain, sources
        known = json.loads(self.file.read_text()) if self.file.exists() else {"sources": {}, "tests": {}}
        build = Build("coverage", "-O1 --coverage")
        now = {path: digest(build.source / path) for path in sources}
        moved = {path for path in now if known["sources"].get(path) != now[path]}
        self.tests = {}
        for name, (command, _) in build.tests.items():
            stamp = hashlib.sha256("".join(digest(Path(word)) for word in command if Path(word).is_file()
                                           and not word.endswith(("/shoal", "/python3"))).encode()).hexdigest()
            entry = known["tests"].get(name)
            if not entry or entry["stamp"] != stamp or moved & (entry["lines"] or {}).keys():
                entry = self.measure(build, name) if build.is_program(name) else self.measure_script(name)
                entry["stamp"] = stamp
            self.tests[name] = entry
            self.file.write_text(json.dumps({"sources": now, "tests": {**known["tests"], **self.tests}}))
        # Lines that any test could be asked about.
        self.lines = {path: set() for path in now}
        for entry in self.tests.values():
            for path, lines in (entry["lines"] or {}).items():
                self.lines[path].update(lines)

    def measure_script(self, name):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        passes = self.plain.run_test(name, 600)
        return {"passes": passes, "seconds": self.spent(name, passes, before), "lines": None}

    @staticmethod
    def spent(name, passes, before):
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not passes:
            print(f"not used, as it fails without a fault: {name}", flush=True)
        return round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 3)

    def measure(self, build, name):
        counts = WORK / "counts"
        shutil.rmtree(counts, ignore_errors=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        passes = build.run_test(name, 600, {"GCOV_PREFIX": str(counts), "GCOV_PREFIX_STRIP": str(len(build.folder.parts) - 1)})
        seconds = self.spent(name, passes, before)
        lines = {}
        objects = [build.compile[path][1].relative_to(build.folder).with_suffix("") for path in self.sources]
        found = [path for path in objects if (counts / path).with_suffix(".c.gcda").exists()]
        for path in found:
            shutil.copy((build.folder / path).with_suffix(".c.gcno"), (counts / path).parent)
        if found and passes:
            listed = run(["gcov", "-j", "-t", *(str(path.with_suffix(".c.gcda")) for path in found)], cwd=counts).stdout
            for text in listed.splitlines():
                for file in json.loads(text)["files"]:
                    path = os.path.relpath(build.folder / file["file"], build.source)
                    run_lines = sorted({line["line_number"] for line in file["lines"] if line["count"]})
                    if path in self.sources and run_lines:
                        lines[path] = run_lines
        return {"passes": passes, "seconds": seconds, "lines": lines}

    def tests_of(self, path, number, function):
        """Tests that run a line (counted from 1), else those that run some line of its function, which begins at a line."""
        def that_run(wanted):
            return [name for name, entry in self.tests.items() if entry["passes"]
                    and (entry["lines"] is None or wanted & set(entry["lines"].get(path, ())))]
        # A statement of several lines is counted at one of them.
        for near in (0, -1, -2):
            if number + near in self.lines[path] and number + near >= function:
                return that_run({number + near})
        return that_run(set(range(function, number + 1)))


# --- Trying. ---------------------------------------------------------------------------------------------


class Record:
    """What tests have caught, to ask the best first."""

    def __init__(self):
        self.asked, self.caught = Counter(), Counter()

    def add(self, path, names, catcher):
        for name in names:
            for place in (path, str(Path(path).parent), ""):
                self.asked[place, name] += 1
                self.caught[place, name] += name == catcher

    def share(self, path, name):
        """How likely it is to catch the next fault; at first by words that both names have."""
        words = set(re.split(r"[/_.]", path)) - {"src", "c", "job", "method"}
        guess = 0.3 if words & set(name.split("_")) else 0.004 if name.startswith("cli_") else 0.1
        for place in ("", str(Path(path).parent), path):
            guess = (self.caught[place, name] + 2 * guess) / (self.asked[place, name] + 2)
        return guess


class Trial:
    """A build into which faults are put."""

    def __init__(self, build, coverage, record, patience=None, is_sanitizing=False):
        self.build, self.coverage, self.record = build, coverage, record
        self.patience, self.is_sanitizing = patience, is_sanitizing
        # The one source that has them is not all of a program, so that their library has to come first.
        names = [must(["gcc", f"-print-file-name={name}"]).strip() for name in ("libasan.so", "libubsan.so")]
        self.sanitized = {"LD_PRELOAD": ":".join(names)}

    def order(self, fault, lines, only_programs):
        function = max(number for number in range(fault.line + 1) if lines[number].startswith("{") or number == 0) + 1
        names = [name for name in self.coverage.tests_of(fault.path, fault.line + 1, function)
                 if not only_programs or (self.build.is_program(name) and name not in self.build.relink)]
        return sorted(names, key=lambda name: -self.record.share(fault.path, name) / (0.05 + self.seconds(name)))

    def seconds(self, name):
        return self.coverage.tests[name]["seconds"]

    def ask(self, fault, lines, variables=None):
        """What became of it, the first test that fails, and those that were asked."""
        asked = []
        spent = 0
        outcome = "SURVIVED"
        for name in self.order(fault, lines, bool(variables)):
            if self.patience and spent + self.seconds(name) > self.patience:
                outcome = "undecided"
                continue
            spent += self.seconds(name)
            asked.append(name)
            if not self.build.run_test(name, 5 + 10 * self.seconds(name), variables, bool(variables)):
                return "caught", name, asked
        return outcome, None, asked

    def ask_sanitized(self, fault, lines):
        """The test that fails when the source, as it is now, is watched."""
        command, _ = self.build.compile[fault.path]
        link = self.build.link.replace(" -shared ", f" -shared {SANITIZERS} ", 1)
        if not self.build.shell(f"{command} {SANITIZERS}") or not self.build.shell(link):
            return None
        _, test, _ = self.ask(fault, lines, self.sanitized)
        return test and f"{test} (sanitized)"

    def try_fault(self, fault, source):
        """What became of it: (outcome, test that caught it, how many tests were asked)."""
        lines = source.split("\n")
        target = self.build.source / fault.path
        command, output = self.build.compile[fault.path]
        pristine = output.read_bytes()
        changed = list(lines)
        changed[fault.line] = fault.apply(lines)
        try:
            target.write_text("\n".join(changed))
            if not self.build.shell(command):
                return "does not compile", None, 0
            if output.read_bytes() == pristine:
                return "same code", None, 0
            if not self.build.shell(self.build.link):
                return "caught", "link", 0
            outcome, test, asked = self.ask(fault, lines)
            self.record.add(fault.path, asked, test)
            if self.is_sanitizing and not test:
                test = self.ask_sanitized(fault, lines)
            return "caught" if test else outcome, test, len(asked)
        finally:
            target.write_text(source)
            output.write_bytes(pristine)


TRIED = ("caught", "SURVIVED", "undecided")


def read_log(path):
    """The last entry of each fault, by its name."""
    if not path or not path.exists():
        return {}
    return {entry["fault"]: entry for entry in map(json.loads, path.read_text().splitlines())}


def try_all(trial, faults, sources, wanted, log):
    """Counts of outcomes, and what survived."""
    outcomes = Counter()
    kept = []
    for name, fault in faults:
        if sum(outcomes[outcome] for outcome in TRIED) >= wanted:
            break
        start = time.monotonic()
        outcome, test, asked = trial.try_fault(fault, sources[fault.path])
        outcomes[outcome] += 1
        if outcome in ("SURVIVED", "undecided"):
            kept.append((name, fault))
        tried = sum(outcomes[outcome] for outcome in TRIED)
        print(f"{tried:4} {outcome:16} {fault.name()} {test or ''} {asked} asked, {time.monotonic() - start:.1f} s", flush=True)
        if log:
            with open(log, "a") as file:
                file.write(json.dumps({"fault": name, "outcome": outcome, "test": test, "asked": asked,
                                       "shown": fault.show(sources[fault.path].split("\n"))}) + "\n")
    return outcomes, kept


def draw(sources, seed):
    """All faults with their names, in the order of a sample."""
    faults = []
    for path, source in sources.items():
        found = find_faults(path, source)
        faults += zip(name_faults(found, source.split("\n")), found)
    random.Random(seed).shuffle(faults)
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="faults to try (20)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the sample (1)")
    parser.add_argument("--patience", type=float, metavar="T", help="seconds of tests for a fault (all)")
    parser.add_argument("--log", type=Path, metavar="FILE", help="keep what became of each fault; go on from there")
    parser.add_argument("--again", action="store_true", help="only what survived by the log")
    parser.add_argument("--sanitize", action="store_true", help="show survivors to the sanitizers, too")
    parser.add_argument("--list", action="store_true", help="only show the faults of the sample")
    parser.add_argument("sources", nargs="+", metavar="FILE|FOLDER")
    options = parser.parse_args()

    sources = {path: (ROOT / path).read_text() for path in list_sources(options.sources)}
    faults = draw(sources, options.seed)
    if options.list:
        for _, fault in faults[:options.sample]:
            print(fault.show(sources[fault.path].split("\n")))
        print(f"{len(faults)} faults in {len(sources)} files")
        return 0

    os.nice(max(0, 10 - os.nice(0)))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the source is put back
    copy_tree(WORK / "tree")
    plain = Build("plain", "-O2")
    coverage, record, known = Coverage(plain, sources), Record(), read_log(options.log)
    for entry in known.values():
        if entry["test"]:
            record.add(entry["shown"].split(":")[0], [entry["test"]], entry["test"])
    if options.again:
        faults = [(name, fault) for name, fault in faults if known.get(name, {}).get("outcome") in ("SURVIVED", "undecided")]
    else:
        faults = [(name, fault) for name, fault in faults if name not in known]
    trial = Trial(plain, coverage, record, options.patience, options.sanitize)
    outcomes, kept = try_all(trial, faults, sources, options.sample, options.log)
    for _, fault in kept:
        print("\n" + fault.show(sources[fault.path].split("\n")))
    print(f"\n{sum(outcomes[outcome] for outcome in TRIED)} faults, {outcomes['caught']} caught, {outcomes['SURVIVED']} survived, "
          f"{outcomes['undecided']} undecided")
    return 1 if kept else 0


if __name__ == "__main__":
    sys.exit(main())
