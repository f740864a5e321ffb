#!/usr/bin/env python3
"""Measure Shoal and write the tables of docs/performance.md.

    make bench                        builds the program and runs this
    bench/run.py --only stages        one table alone
    bench/run.py --quick              without the runs on 10,000,000 records
    bench/run.py --write              also rewrites the tables in docs/performance.md

Times are the fastest of several runs, because whatever else a machine does only adds to them; what is
compared is measured in turn in the same run, and the ratio is the figure. Files lie in build/bench. The
real data are looked for in $SHOAL_DATA or ../shared/data; what needs them is skipped, visibly,
where they are absent.
"""
import argparse
import json
import math
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "shoal"
WORK = ROOT / "build" / "bench"
DATA = pathlib.Path(os.environ.get("SHOAL_DATA", ROOT.parent / "shared" / "data"))
PAGE = ROOT / "docs" / "performance.md"
PICTURE = ROOT / "docs" / "growth.svg"

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bench" / "papers"))
import plot  # noqa: E402

CENSUS_QUASI = "age,sex,education,marital,race,workclass,country,zip"
KS = (2, 5, 10, 25, 50, 100)
METHODS = ("topdown", "bottomup", "mondrian", "mondrian:mode=relaxed", "mondrian:cuts=children")


class Table:
    """A Markdown table with a name, by which it finds its place in the page."""

    def __init__(self, name, head):
        self.name = name
        self.rows = [head, ["---"] + ["---:"] * (len(head) - 1)]

    def add(self, *cells):
        self.rows.append([str(cell) for cell in cells])

    def __str__(self):
        return "\n".join("| " + " | ".join(row) + " |" for row in self.rows) + "\n"


def run(command, env=None):
    """Run a command; its seconds, peak memory in bytes and standard output."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    output = process.stdout.read()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{errors.decode()}")
    return seconds, usage.ru_maxrss * 1024, output.decode()


def anonymize(source, *flags, runs=3):
    """The report of the fastest of several runs, with wall-clock seconds and peak memory."""
    best = None
    target = WORK / "release.csv"
    for _ in range(runs):
        seconds, memory, output = run(
            [PROGRAM, "anonymize", source, "-o", target, "--json", "--quiet", *flags])
        report = json.loads(output)
        report["wall"] = seconds
        report["memory"] = memory
        if best is None or seconds < best["wall"]:
            best = report
    return best


def census(records):
    """A generated file of so many records, made once."""
    path = WORK / f"census-{records}.csv"
    if not path.exists():
        run([PROGRAM, "generate", "census", "--records", str(records), "--seed", "1", "-o", path])
    with open(path, "rb") as file:  # warm; in pieces, since a child's peak memory starts from ours
        while file.read(1 << 20):
            pass
    return path


def sort_seconds(path, runs=3):
    env = dict(os.environ, LC_ALL="C")
    command = ["sort", "--parallel=2", "-o", WORK / "sorted.csv", path]
    return min(run(command, env)[0] for _ in range(runs))


ADULT_SPECS = {
    "X": """missing: {{tokens: ["?"], action: drop}}
columns:
  age: {{role: quasi, type: integer}}
  workclass: {{role: quasi, hierarchy: "{adult}/hierarchies_xu/workclass.csv"}}
  education-num: {{role: quasi, type: integer}}
  marital-status: {{role: quasi, hierarchy: "{adult}/hierarchies_xu/marital-status.csv"}}
  occupation: {{role: quasi}}
  race: {{role: quasi}}
  sex: {{role: quasi}}
  native-country: {{role: quasi}}
""",
    "H": """missing: {{tokens: ["?"], action: drop}}
columns:
""" + "".join(
        f'  {name}: {{{{role: quasi, hierarchy: "{{adult}}/hierarchies/{name}.csv"}}}}\n'
        for name in ("age", "workclass", "education", "marital-status", "occupation", "race",
                     "sex", "native-country")),
}


def adult_spec(configuration):
    path = WORK / f"adult-{configuration}.yaml"
    path.write_text(ADULT_SPECS[configuration].format(adult=DATA / "adult"))
    return path


def bench_adult():
    source = DATA / "adult" / "adult_train.csv"
    if not source.exists():
        print(f"skipped: Adult (no {source})")
        return
    table = Table("adult", ["configuration, method"] + [f"k={k}" for k in KS] + ["seconds at k=10"])
    for configuration in "XH":
        spec = adult_spec(configuration)
        for method in METHODS + ("best:effort=fast", "best"):
            cells = []
            for k in KS:
                report = anonymize(source, "--spec", spec, "-k", str(k), "--method", method)
                cells.append(f"{100 * report['gcp']:.2f}")
                if k == 10:
                    seconds = report["seconds"]["anonymize"]
            table.add(f"{configuration}, {method}", *cells, f"{seconds:.3f}")
    return table


def bench_gap():
    """How far from the best possible, proved."""
    source = DATA / "adult" / "adult_train.csv"
    if not source.exists():
        print(f"skipped: the bound on Adult (no {source})")
        return
    table = Table("gap", ["configuration"] + [f"k={k}" for k in KS])
    for configuration in "XH":
        spec = adult_spec(configuration)
        bounds, gaps = [], []
        for k in KS:
            report = anonymize(source, "--spec", spec, "-k", str(k), "--measure", "bound", runs=1)
            bounds.append(f"{100 * report['bound']['gcp']:.2f}")
            gaps.append(f"{report['bound']['gap']:.2f}")
        table.add(f"{configuration}, no release loses less than", *bounds)
        table.add(f"{configuration}, best is within so many times", *gaps)
    return table


def bench_high():
    """What a minute of search reaches."""
    source = DATA / "adult" / "adult_train.csv"
    if not source.exists():
        print(f"skipped: high effort on Adult (no {source})")
        return
    table = Table("high", ["configuration"] + [f"k={k}" for k in KS])
    for configuration in "XH":
        spec = adult_spec(configuration)
        losses, seconds = [], []
        for k in KS:
            report = anonymize(source, "--spec", spec, "-k", str(k), "--method", "best:effort=high",
                               runs=1)
            losses.append(f"{100 * report['gcp']:.2f}")
            seconds.append(f"{report['seconds']['anonymize']:.0f}")
        table.add(f"{configuration}, best:effort=high", *losses)
        table.add(f"{configuration}, seconds", *seconds)
    return table


def bench_requirements():
    """ARX's local recoding under l and t: 7 quasi-identifiers, occupation sensitive, k = 5."""
    source = DATA / "adult" / "adult_train.csv"
    if not source.exists():
        return
    spec = WORK / "adult-S.yaml"
    text = adult_spec("H").read_text()
    spec.write_text(re.sub(r"  occupation: .*", "  occupation: {role: sensitive}", text))
    table = Table("requirements", ["requirement, method", "GCP %", "method s"])
    for flags in ((), ("--l", "distinct:3"), ("--l", "distinct:5"), ("--t", "equal:0.2"),
                  ("--t", "js:0.05"), ("--alpha", "0.2"), ("--l", "entropy:6"), ("--beta", "1"),
                  ("--delta", "2")):
        for method in ("topdown", "mondrian", "specialize", "best:effort=fast", "best"):
            report = anonymize(source, "--spec", spec, "-k", "5", "--method", method, *flags)
            name = " ".join(("k = 5", *flags)).replace("--", "and ")
            table.add(f"{name}, {method}", f"{100 * report['gcp']:.2f}",
                      f"{report['seconds']['anonymize']:.3f}")
    return table


def bench_scale(quick):
    table = Table("scale", ["records", "file MB", "sort s", "shoal s", "ratio to sort",
                            "peak memory / file", "ratio to 1,000,000"])
    base = None
    for records in (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000):
        if quick and records > 1_000_000:
            break
        path = census(records)
        runs = 5 if records <= 1_000_000 else 2
        sort = sort_seconds(path, runs)
        report = anonymize(path, "--quasi", CENSUS_QUASI, "-k", "10", "--method", "topdown",
                           runs=runs)
        size = path.stat().st_size
        base = report["wall"] if records == 1_000_000 else base
        growth = f"{report['wall'] / base:.2f}" if base else ""
        table.add(f"{records:,}", f"{size / 1e6:.0f}", f"{sort:.2f}", f"{report['wall']:.2f}",
                  f"{report['wall'] / sort:.2f}", f"{report['memory'] / size:.2f}", growth)
    return table


GROWTH = (30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)


def processor_seconds(path, method, runs):
    """What all threads of the whole run take together: the least of several runs."""
    def children():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    seconds = []
    for _ in range(runs):
        start = children()
        anonymize(path, "--quasi", CENSUS_QUASI, "-k", "10", "--method", method, runs=1)
        seconds.append(children() - start)
    return min(seconds)


def bench_growth(quick, write):
    """Processor seconds end to end from 30,000 to 10,000,000 records, as table and picture."""
    methods = ("topdown", "best:effort=fast")
    sizes = [records for records in GROWTH if records <= 1_000_000 or not quick]
    curves = {method: [] for method in methods}
    for records in sizes:
        for method in methods:
            runs = 3 if records <= 1_000_000 else 1
            curves[method].append((records, processor_seconds(census(records), method, runs)))
    table = Table("growth", ["records"] + [head for method in methods for head in
                                           (f"{method}, CPU s", "per n log n, 1,000,000 = 1")])
    for i, records in enumerate(sizes):
        cells = []
        for method in methods:
            base = dict(curves[method])[1_000_000] / (1_000_000 * math.log(1_000_000))
            seconds = curves[method][i][1]
            cells += [f"{seconds:.2f}", f"{seconds / (records * math.log(records)) / base:.2f}"]
        table.add(f"{records:,}", *cells)
    base = dict(curves[methods[1]])[1_000_000] / (1_000_000 * math.log(1_000_000))
    curves["n log n"] = [(records, base * records * math.log(records)) for records in sizes]
    if write:
        PICTURE.write_text(plot.draw_curves("Growth on census, 8 quasi-identifiers, k = 10", curves,
                                            "records", "processor seconds", True, True),
                           encoding="utf-8")
    return table


def bench_memory(quick):
    """Runs within a limit of memory: what they take of it, and what they lose by it."""
    table = Table("memory", ["records", "method", "limit MB", "peak MB", "seconds", "GCP %",
                             "without limit: peak MB", "seconds", "GCP %"])
    for records, limit in ((300_000, 64), (1_000_000, 128), (10_000_000, 512)):
        if quick and records > 1_000_000:
            break
        path = census(records)
        for method in ("mondrian", "best:effort=fast", "best"):
            flags = ("--quasi", CENSUS_QUASI, "-k", "10", "--method", method)
            free = anonymize(path, *flags, runs=1)
            bound = anonymize(path, *flags, "--memory", f"{limit}M", runs=1)
            table.add(f"{records:,}", method, f"{limit * 1.048576:.0f}", f"{bound['memory'] / 1e6:.0f}",
                      f"{bound['wall']:.1f}", f"{100 * bound['gcp']:.2f}", f"{free['memory'] / 1e6:.0f}",
                      f"{free['wall']:.1f}", f"{100 * free['gcp']:.2f}")
    return table


def bench_stages():
    path = census(1_000_000)
    size = path.stat().st_size / 1e6
    table = Table("stages", ["stage of 1,000,000 records", "one thread s", "two threads s",
                             "speed-up", "MB/s on one thread"])
    flags = ("--quasi", CENSUS_QUASI, "-k", "10", "--method", "topdown")
    one = anonymize(path, *flags, "--threads", "1", runs=9)
    two = anonymize(path, *flags, "--threads", "2", runs=9)
    for stage, seconds in one["seconds"].items():
        other = two["seconds"][stage]
        table.add(stage, f"{seconds:.3f}", f"{other:.3f}", f"{seconds / max(other, 1e-9):.2f}",
                  f"{size / max(seconds, 1e-9):.0f}")
    return table


def bench_frontier():
    """LILI's sweep on the 45,222 complete records of Adult: what one point costs."""
    source = DATA / "adult" / "adult.csv"
    if not source.exists():
        return None
    columns = ("age", "workclass", "education", "marital-status", "race", "sex")
    spec = WORK / "adult-frontier.yaml"
    spec.write_text("missing: drop\ncolumns:\n" + "".join(
        f"  {name}: {{role: quasi, hierarchy: {DATA / 'adult' / 'hierarchies' / name}.csv}}\n"
        for name in columns) + "  occupation: {role: sensitive}\nfrontier:\n  sweep:\n"
        "    k: [10, 50, 100, 200, 500, 1000, 2000, 5000]\n    l: [3, 3.5, 4, 5]\n"
        "    t: [0.075, 0.1, 0.2, 0.4]\n    delta: [1, 1.5, 2, 3]\n  methods: [mondrian, topdown]\n")
    seconds, memory, output = run([PROGRAM, "frontier", source, "--spec", spec, "--json", "--quiet"])
    points = json.loads(output)["points"]
    table = Table("frontier", ["points", "done", "on the frontier", "seconds", "seconds a point", "memory MB"])
    done = [point for point in points if point["state"] == "done"]
    table.add(len(points), len(done), sum(point["frontier"] for point in done), f"{seconds:.2f}",
              f"{seconds / len(points):.3f}", f"{memory / 1e6:.0f}")
    return table


def bench_methods():
    path = census(1_000_000)
    table = Table("methods", ["method on 1,000,000 records", "GCP %", "method s", "end to end s"])
    for method in METHODS + ("best:effort=fast", "best"):
        runs = 1 if method.startswith(("best", "bottomup")) else 3
        report = anonymize(path, "--quasi", CENSUS_QUASI, "-k", "10", "--method", method,
                           runs=runs)
        table.add(method, f"{100 * report['gcp']:.2f}", f"{report['seconds']['anonymize']:.3f}",
                  f"{report['wall']:.2f}")
    return table


OPTIMUM_SPEC = """columns:
  age: {role: quasi, type: integer}
  income: {role: quasi, type: integer}
  job: {role: quasi}
  zip: {role: quasi, type: string, hierarchy: {prefix: 2}}
"""
OPTIMUM_KS = (2, 3, 4)
OPTIMUM_TABLES = 6  # of each size


ACS_QUASI = ("age", "sex", "educ", "marst", "race", "hispan", "citizen")
CLUST_METHODS = ("cluster", "cluster:adjust=split", "hilbert", "nonhomogeneous",
                 "mondrian", "topdown", "best")


def clust_methods():
    """What CLUST compares, as far as the program has it."""
    listed = {method["name"] for method in json.loads(run([PROGRAM, "methods", "--json"])[2])}
    return [method for method in CLUST_METHODS if method.split(":")[0] in listed]


def clust_table(name, head, values, measure):
    """A table with a row per method and a column per value; measure gives a cell."""
    methods = clust_methods()
    table = Table(name, [head] + [f"{value:,}" for value in values])
    for method in methods:
        table.add(method, *(measure(value, method) for value in values))
    return table


def acs_gcp(dimensions, k, method):
    report = anonymize(DATA / "acs" / "acs.csv", "--quasi", ",".join(ACS_QUASI[:dimensions]),
                       "-k", str(k), "--method", method, runs=1)
    return f"{100 * report['gcp']:.2f}"


def has_acs():
    if not (DATA / "acs").exists():
        print(f"ACS is not at {DATA}: skipped")
        return False
    return True


def bench_clust_columns():
    return has_acs() and clust_table(
        "clust-columns", "GCP % on ACS, k = 50; quasi-identifiers", range(3, 8),
        lambda dimensions, method: acs_gcp(dimensions, 50, method))


def bench_clust_k():
    return has_acs() and clust_table(
        "clust-k", "GCP % on ACS, 7 quasi-identifiers; k", range(50, 251, 50),
        lambda k, method: acs_gcp(7, k, method))


def bench_clust_records():
    """GCP and seconds in the method on census of growing size."""
    def measure(records, method):
        report = anonymize(census(records), "--quasi", CENSUS_QUASI.rsplit(",", 1)[0], "-k", "50",
                           "--method", method, runs=1 if method.startswith(("best", "non")) else 3)
        return f"{100 * report['gcp']:.2f} in {report['seconds']['anonymize']:.2f} s"
    return clust_table("clust-records", "census, 7 quasi-identifiers, k = 50; records",
                       range(100_000, 500_001, 100_000), measure)


def small_table(size, number):
    """A random table: ages evenly spread, incomes in a long tail, flat jobs, zips below two places."""
    draw = random.Random(1000 * size + number)
    path = WORK / "small.csv"
    lines = ["age,income,job,zip"]
    for _ in range(size):
        lines.append(f"{draw.randint(18, 80)},{int(draw.lognormvariate(10, 0.8))},"
                     f"{draw.choice('abcde')},{draw.randint(1, 4)}{draw.randint(1, 4)}")
    path.write_text("\n".join(lines) + "\n")
    return path


def bench_optimum():
    """How much more than the optimum the methods by classes lose, on tables that exact can solve."""
    spec = WORK / "small.yaml"
    spec.write_text(OPTIMUM_SPEC)
    listed = json.loads(run([PROGRAM, "methods", "--json"])[2])
    methods = [method["name"] for method in listed
               if method.get("shape", "classes") == "classes" and method["name"] != "exact"]
    ratios = {(method, k): [] for method in methods for k in OPTIMUM_KS}
    for size in range(12, 19):
        for number in range(OPTIMUM_TABLES):
            path = small_table(size, number)
            for k in OPTIMUM_KS:
                flags = ("--spec", spec, "-k", str(k), "--method")
                optimum = anonymize(path, *flags, "exact", runs=1)["ncp"]
                for method in methods:
                    loss = anonymize(path, *flags, method, runs=1)["ncp"]
                    ratios[method, k].append(loss / optimum)
    table = Table("optimum", ["loss over the optimum"] + [f"k={k}, {what}" for k in OPTIMUM_KS
                                                          for what in ("mean", "worst")])
    for method in methods:
        cells = []
        for k in OPTIMUM_KS:
            cells.append(f"{sum(ratios[method, k]) / len(ratios[method, k]):.3f}")
            cells.append(f"{max(ratios[method, k]):.3f}")
        table.add(method, *cells)
    return table


LILI_QUASI = ("age", "workclass", "education", "marital-status", "race", "sex")


def lili_files():
    """The 45,222 complete records of Adult and the spec of Li and Li's experiments."""
    source = WORK / "adult-complete.csv"
    lines = (DATA / "adult" / "adult.csv").read_text().splitlines(keepends=True)
    source.write_text("".join(line for line in lines if "?" not in line))
    names = lines[0].strip().split(",")
    rows = [f'  {name}: {{role: quasi, hierarchy: "{DATA / "adult" / "hierarchies" / name}.csv"}}'
            for name in LILI_QUASI]
    rows += ["  occupation: {role: sensitive}"]
    rows += [f"  {name}: {{role: identifier}}" for name in names
             if name not in LILI_QUASI and name != "occupation"]
    spec = WORK / "adult-L.yaml"
    spec.write_text("columns:\n" + "\n".join(rows) + "\n")
    return source, spec


def fastest(command, stage, runs=7):
    """The JSON of the run in which a stage took least."""
    reports = [json.loads(run(command)[2]) for _ in range(runs)]
    return min(reports, key=lambda report: report["seconds"][stage])


def bench_utility():
    """Privacy loss and utility loss of releases of Adult as Li and Li measure it."""
    if not (DATA / "adult" / "adult.csv").exists():
        print("skipped: utility (no Adult)")
        return
    source, spec = lili_files()
    table = Table("utility", ["release of Adult, 45,222 records", "populations", "privacy loss",
                              "utility loss", "measure s"])
    for method, k in (("mondrian", 10), ("mondrian", 100), ("mondrian", 5000), ("topdown", 10)):
        anonymize(source, "--spec", spec, "-k", str(k), "--method", method, runs=1)
        report = fastest([PROGRAM, "measure", source, WORK / "release.csv", "--spec", spec,
                          "--json"], "measure")
        table.add(f"{method}, k = {k}", report["populations"]["count"],
                  f"{report['privacy_loss']:.4f}", f"{report['utility_loss']:.4f}",
                  f"{report['seconds']['measure']:.3f}")
    report = fastest([PROGRAM, "measure", source, source, "--spec", spec, "--json"], "measure")
    table.add("the original", report["populations"]["count"], f"{report['privacy_loss']:.4f}",
              f"{report['utility_loss']:.4f}", f"{report['seconds']['measure']:.3f}")
    return table


def bench_query():
    """1,000 queries over releases of Adult, with their exact answers."""
    if not (DATA / "adult" / "adult.csv").exists():
        print("skipped: query (no Adult)")
        return
    source, spec = lili_files()
    table = Table("query", ["1,000 queries over Adult, k = 10", "mean error %", "median %", "s",
                            "marginal: mean error %", "median %", "s"])
    for method in ("mondrian", "topdown"):
        anonymize(source, "--spec", spec, "-k", "10", "--method", method, runs=1)
        for workload in ("xu-count", "xu-sum", "lili"):
            cells = []
            for estimator in ("uniform", "marginal"):
                report = fastest([PROGRAM, "query", WORK / "release.csv", "--original", source,
                                  "--spec", spec, "--workload", workload, "--estimator",
                                  estimator, "--json"], "query")
                cells += [f"{100 * report['query_error']:.1f}",
                          f"{100 * report['query_error_median']:.1f}",
                          f"{report['seconds']['query']:.3f}"]
            table.add(f"{method}, {workload}", *cells)
    return table


def write_page(tables):
    """Put each table between its markers in the page."""
    text = PAGE.read_text()
    for table in tables:
        pattern = rf"(<!-- {table.name} -->\n).*?(<!-- end -->)"
        text, count = re.subn(pattern, lambda m: m[1] + str(table) + m[2], text, flags=re.S)
        if count != 1:
            sys.exit(f"{PAGE} has no place for the table '{table.name}'")
    PAGE.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="no runs beyond 1,000,000 records")
    parser.add_argument("--only", help="one table: "
                             "adult, gap, high, requirements, methods, clust, optimum, stages, frontier, utility, "
                             "query, scale, growth or memory")
    parser.add_argument("--write", action="store_true", help="rewrite docs/performance.md")
    options = parser.parse_args()
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM} is missing; run make first")
    WORK.mkdir(parents=True, exist_ok=True)
    tables = []
    parts = {
        "adult": bench_adult,
        "gap": bench_gap,
        "high": bench_high,
        "requirements": bench_requirements,
        "methods": bench_methods,
        "clust-columns": bench_clust_columns,
        "clust-k": bench_clust_k,
        "clust-records": bench_clust_records,
        "optimum": bench_optimum,
        "stages": bench_stages,
        "frontier": bench_frontier,
        "utility": bench_utility,
        "query": bench_query,
        "scale": lambda: bench_scale(options.quick),
        "growth": lambda: bench_growth(options.quick, options.write),
        "memory": lambda: bench_memory(options.quick),
    }
    for name, part in parts.items():
        table = part() if options.only in (None, name, name.split("-")[0]) else None
        if table:
            print(f"\n{table.name}\n{table}", flush=True)
            tables.append(table)
    if options.write:
        write_page(tables)


if __name__ == "__main__":
    main()
