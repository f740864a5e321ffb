"""The program, as the Python package would be it: for golden cases of the program (test_golden.py).

Commands and options that the package has are run through it, in memory; what it writes and prints must be what
the program writes and prints. Everything else (usage, standard input, JSON with names of files, warnings on a
terminal, and how failures are worded) is left to the program itself; a failure here must be one there.

    SHOAL_PROGRAM   the program
    SHOAL_COUNT     a file that gets a line for each command that was run through the package
"""

import os
import subprocess
import sys
import warnings

import shoal

# Options of the program that have another name than their argument.
OPTIONS = {
    "numeric": "output_numeric", "categorical": "output_categorical", "measure": "measure_figures",
    "min-support": "measure_min_support", "sampling-fraction": "risk_sampling_fraction", "shape": "measure_shape",
    "risk-threshold": "risk_thresholds", "sweep": "frontier_sweep", "try": "frontier_methods", "axes": "frontier_axes",
    "max-risk": "frontier_max_highest_risk", "max-gcp": "frontier_max_gcp",
    "max-privacy-loss": "frontier_max_privacy_loss", "max-utility-loss": "frontier_max_utility_loss",
}
OF_COLUMNS = {"hierarchy": "hierarchies", "weight": "weights", "type": "types", "populations": "populations"}
ROLES = ["quasi", "sensitive", "identifier", "insensitive", "person"]
OPERANDS = {"anonymize": 1, "verify": 1, "measure": 2, "risk": 1, "query": 2, "refine": 2, "inspect": 1, "frontier": 1}
SETTINGS = {setting.keyword: setting for setting in shoal.settings()}


class DoesNotApply(Exception):
    """A matter of the program alone."""


def value_of(keyword, text):
    kind = SETTINGS[keyword].type
    try:
        return int(text) if kind == "whole number" else float(text) if kind == "number" else text
    except ValueError:
        raise DoesNotApply from None


def add_setting(arguments, name, text):
    keyword = OPTIONS.get(name, name.replace("-", "_"))
    if keyword not in SETTINGS or keyword.startswith("input_"):
        raise DoesNotApply(name)
    if SETTINGS[keyword].adds_up:
        arguments.setdefault(keyword, []).append(text)
    else:
        arguments[keyword] = value_of(keyword, text)


def parse(words):
    """Operands, output, whether it is quiet, and the arguments of the call."""
    operands, arguments, other = [], {}, {"output": None, "quiet": False, "original": None}
    words = iter(words)
    for word in words:
        if word == "-" or not word.startswith("-"):
            operands.append(word)
            continue
        if word == "--quiet":
            other["quiet"] = True
            continue
        if word == "--strict":
            arguments["strict"] = True
            continue
        if word == "--keep-order":
            arguments["output_order"] = "keep"
            continue
        name, _, text = word.lstrip("-").partition("=")
        if not text:
            text = next(words, None)
        if text is None or name in ("json", "help", "show-values", "progress", "memory", "missing-tokens") or "report" in name:
            raise DoesNotApply(name)
        if name in ("o", "output"):
            other["output"] = text
        elif name in ("original", "estimator"):
            other[name] = text
        elif name in ROLES:
            arguments.setdefault(name, []).extend(text.split(","))
        elif name in OF_COLUMNS:
            column, _, said = text.partition("=")
            if name == "weight":
                try:
                    said = float(said)
                except ValueError:
                    raise DoesNotApply from None
            arguments.setdefault(OF_COLUMNS[name], {})[column] = said
        elif name == "grid" and ("=" in text or "grid" in arguments):
            column, _, step = text.partition("=")
            if not step or column in arguments.get("grids", {}):  # twice for the same
                raise DoesNotApply(name)
            arguments.setdefault("grids", {})[column] = step
        elif name == "spec":
            arguments["spec"] = text
        else:
            add_setting(arguments, name, text)
    return operands, arguments, other


def write(release, path):
    second = path[:-4] + ".sensitive.csv" if release.shape == "buckets" else None
    delimiter = release.spec.get("output_delimiter")
    if path == "-":
        release.to_csv(".golden", delimiter=delimiter)
        with open(".golden", "rb") as file:
            sys.stdout.buffer.write(file.read())
        os.unlink(".golden")
    else:
        release.to_csv(path, sensitive_path=second, delimiter=delimiter)


def run(words):
    if not words or words[0] not in OPERANDS:
        raise DoesNotApply
    command = words[0]
    operands, arguments, other = parse(words[1:])
    makes = command in ("anonymize", "refine")
    tables = operands[:-1] if command == "query" else operands
    if not OPERANDS[command] <= len(operands) <= 2 or "-" in tables or (makes and not (other["output"] and other["quiet"])):
        raise DoesNotApply
    if any(os.path.exists(path[:-4] + ".sensitive.csv") for path in tables):  # buckets are two files
        raise DoesNotApply
    if not makes and other["output"]:  # specs, and tables of points: files of the program
        raise DoesNotApply
    if makes and (os.path.exists(other["output"]) or "sensitive_table" in other):
        raise DoesNotApply
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        read = [shoal.table(path) for path in tables]
        if command == "query":
            result = shoal.query(read[0], operands[-1], estimator=other.get("estimator"), **arguments,
                                 original=None if other["original"] is None else shoal.table(other["original"]))
        elif command == "verify" and other["original"]:
            result = shoal.verify(read[0], original=shoal.table(other["original"]), **arguments)
        else:
            result = getattr(shoal, command)(*read, **arguments)
    if told:  # on a terminal they name options of the program
        program = [os.environ["SHOAL_PROGRAM"], *words]
        subprocess.run(program, stdout=subprocess.DEVNULL)
    with open(os.environ["SHOAL_COUNT"], "a") as file:
        file.write(command + "\n")
    if makes:
        write(result, other["output"])
        return 0
    if not other["quiet"]:
        sys.stdout.write(result.text)
    return 0 if command not in ("verify", "frontier") or result.holds else 4


def main():
    failed = False
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
        return code
    except DoesNotApply:
        pass
    except (shoal.Error, TypeError, ValueError):
        failed = True
    code = subprocess.run([os.environ["SHOAL_PROGRAM"], *sys.argv[1:]]).returncode
    if failed and code == 0:
        print("the package failed where the program did not", file=sys.stderr)
        return 99
    return code


if __name__ == "__main__":
    sys.exit(main())
