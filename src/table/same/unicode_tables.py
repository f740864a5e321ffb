#!/usr/bin/env python3
"""Write what fold.c needs to know of Unicode as a C header, from the facts that Python has.

    unicode_tables.py OUTPUT

Canonical decompositions in full (but for Hangul, which are computed), combining classes, and full case folding; code
points ascend in each table. Run by CMake.
"""

import sys
import unicodedata

HANGUL = range(0xAC00, 0xAC00 + 11172)
SURROGATES = range(0xD800, 0xE000)
GROWTH_MAX = 4  # as in fold.c


def decompose(point):
    return [ord(c) for c in unicodedata.normalize("NFD", chr(point))]


def fold(point):
    return [ord(c) for c in chr(point).casefold()]


def write_array(out, kind, name, numbers):
    out.write(f"static const {kind} {name}[{len(numbers)}] = {{\n")
    for at in range(0, len(numbers), 12):
        out.write("    " + ", ".join(map(str, numbers[at:at + 12])) + ",\n")
    out.write("};\n")


def write_map(out, name, pairs):
    """Where each code point's texts begin among those of all, and one more for where the last ends."""
    starts = [0]
    for _, points in pairs:
        starts.append(starts[-1] + len(points))
    assert starts[-1] < 1 << 16 and all(len(points) <= GROWTH_MAX for _, points in pairs)
    write_array(out, "uint32_t", f"{name}_from", [point for point, _ in pairs])
    write_array(out, "uint16_t", f"{name}_at", starts)
    write_array(out, "uint32_t", f"{name}_to", [to for _, points in pairs for to in points])


def list_runs(points):
    """(first, last, class) of neighbours with the same combining class."""
    runs = []
    for point in points:
        kind = unicodedata.combining(chr(point))
        if kind == 0:
            continue
        if runs and runs[-1][1] == point - 1 and runs[-1][2] == kind:
            runs[-1][1] = point
        else:
            runs.append([point, point, kind])
    return runs


def main():
    points = [p for p in range(0x110000) if p not in SURROGATES]
    runs = list_runs(points)
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write(f"/* Unicode {unicodedata.unidata_version}; made by unicode_tables.py. */\n")
        write_map(out, "decompose", [(p, decompose(p)) for p in points
                                     if p not in HANGUL and decompose(p) != [p]])
        write_map(out, "fold", [(p, fold(p)) for p in points if fold(p) != [p]])
        write_array(out, "uint32_t", "class_first", [run[0] for run in runs])
        write_array(out, "uint32_t", "class_last", [run[1] for run in runs])
        write_array(out, "uint8_t", "class_of_run", [run[2] for run in runs])


main()
