#!/usr/bin/env python3
"""Check the rules of the tree that a compiler does not know.

    check_source.py [--root FOLDER] [--format]     layers, names, banned functions, length of
                                                   functions, READMEs of folders; clang-format
    check_source.py --library libshoal.a           symbols: banned functions, variables

Prints one line per violation, "file:line: what", and ends with 1 if there is any.
"""

import argparse
import fnmatch
import os
import re
import subprocess
import sys
from pathlib import Path

# What the files of a layer, a folder under src/, may include, besides their own folder: an order in which
# every layer sees those before it, with requirement beside release and method beside measure.
LAYERS = ["base", "table", "hierarchy", "box", "lattice", "requirement", "release", "method",
          "measure", "attack", "spec", "report", "job"]
BESIDE = {("requirement", "release"), ("release", "requirement"),
          ("method", "measure"), ("measure", "method")}

# A layer may be divided into rooms, folders of its own folder: which of the others each may
# include. "" is the layer's own folder.
METHOD_COMMON = {"problem", "grouping"}
ROOMS = {
    "base": {"": {"compress"}, "compress": {""}, "figures": {""}},
    "table": {"": set(), "arrow": {""}, "csv": {"", "source"}, "generate": {""}, "same": {""}, "source": {""}},
    "method": {
        "": {"problem", "grouping", "finish"},
        "problem": set(),
        "grouping": {"problem"},
        "divide": METHOD_COMMON,
        "bottomup": METHOD_COMMON,
        "specialize": METHOD_COMMON,
        "incognito": METHOD_COMMON,
        "cluster": METHOD_COMMON,
        "hilbert": METHOD_COMMON,
        "exact": METHOD_COMMON,
        "nonhomogeneous": METHOD_COMMON | {"hilbert"},
        "cells": {"problem"},
        "best": METHOD_COMMON | {"cells", "exact", "hilbert", "incognito", "finish"},
        "buckets": METHOD_COMMON | {"finish"},
        "finish": METHOD_COMMON,
    },
    "measure": {
        "": {"query", "bound", "risk"},
        "query": set(),
        "bound": set(),
        "risk": set(),
    },
    "job": {
        "": set(),
        "input": set(),
        "measure": {"input", "release"},
        "verify": {"input", "measure", "release"},
        "division": {"input"},
        "fragments": {"input", "division"},
        "release": {"input"},
        "anonymize": {"input", "measure", "verify", "fragments", "release"},
        "query": {"input", "measure", "release"},
        "frontier": {"input", "measure", "verify"},
        "inspect": {"input"},
        "attack": {"input", "measure", "release"},
    },
}
# The layer a public header belongs to; the umbrella is for users alone.
PUBLIC_LAYERS = {"api": "base", "ctx": "base", "table": "table", "csv": "table", "arrow": "table",
                 "generate": "table",
                 "hierarchy": "hierarchy", "spec": "spec", "report": "report", "release": "job", "query": "job",
                 "job": "job", "division": "job", "attack": "job"}

BANNED_EVERYWHERE = {"strcpy", "strcat", "sprintf", "vsprintf", "gets", "rand", "srand", "strtok",
                     "atoi", "atol", "atof", "alloca"}
BANNED_IN_LIBRARY = {"printf", "fprintf", "vprintf", "vfprintf", "puts", "putchar", "perror", "exit",
                     "_exit", "abort", "getenv", "setlocale", "system", "popen", "random"}
BANNED_SYMBOLS = BANNED_EVERYWHERE | BANNED_IN_LIBRARY | {"stdout", "stderr", "stdin"}

SOURCE_FOLDERS = ["include", "src", "server", "cli", "python", "examples", "tests", "bench"]
FUNCTION_LINES_MAX = 100
COLUMNS_MAX = 96
README_LINES = range(10, 31)
ROOM_README_LINES = range(5, 31)  # a room of a layer may be small
SOURCES_MAX = 25  # of a folder
README_FOLDERS = ["server", "cli", "python", "tests", "bench", "docs", "tools"]  # and those of src/
# A file of the tree as documents name it; names in capitals stand for others.
NAMED_PATH = re.compile(r"(?<![\w/.])(?:src|server|cli|include|tests|tools|bench|cmake)/[\w/.-]+\.(?:[ch]|py|sh|cmake)\b")
NAMED_IN_README = {".c", ".h", ".py", ".sh", ".md"}

# Declarations of private types: of the tag, where its body stands, and of the name.
TYPE_TAG = re.compile(r"\b(?:struct|union|enum)\s+(shoal_i_\w+)\s*\{")
TYPE_NAME = re.compile(r"^\}\s*(shoal_i_\w+)\s*;|\btypedef\s[^;{}()]*?\b(shoal_i_\w+)\s*;|"
                       r"\btypedef\s[^;{}()]*\(\s*\*\s*(shoal_i_\w+)\s*\)", re.M)

# A flag of the program in a text of the library; in styles, --name: defines and var(--name) uses a
# property.
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
# Lines for a shell, which only the program runs, stand beside this word.
FOR_A_SHELL = "SHELL_LINES"
FLAG = re.compile(r"(?:(?:^|[^\w(;{-])\(?--[a-z][\w-]*(?![\w:-])|(?:^|[\s(])-[a-zA-Z](?!\w))")

# Sections that hold variables; constants with pointers in them lie in .data.rel.ro.
VARIABLE_SECTIONS = re.compile(r"^(\.data(?!\.rel\.ro)|\.bss|\.tdata|\.tbss|\*COM\*)")


def strip_comments_and_strings(text):
    """Blank out comments and literals, keeping the lines where they are."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def source_files(root, *folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".h"):
                yield path


class Checker:
    def __init__(self, root):
        self.root = root
        self.violations = []

    def report(self, path, line, message):
        name = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        self.violations.append(f"{name}:{line}: {message}")

    def room_of(self, path):
        """The folder of a file below src/: a layer, or "layer/room"; None for other files."""
        parts = path.relative_to(self.root).parts
        return "/".join(parts[1:-1]) if parts[0] == "src" and len(parts) > 2 else None

    def check_room(self, path, line, room, target):
        layer, _, inner = room.partition("/")
        target_layer, _, target_inner = target.partition("/")
        for name, its_layer, its_inner in ((room, layer, inner),
                                           (target, target_layer, target_inner)):
            if its_layer not in LAYERS or its_inner not in ROOMS.get(its_layer, {"": set()}):
                self.report(path, line, f"unknown room {name}")
                return
        if room == target:
            return
        if layer == target_layer:
            allowed = target_inner in ROOMS[layer][inner]
        else:
            allowed = LAYERS.index(target_layer) < LAYERS.index(layer) and \
                (layer, target_layer) not in BESIDE
        if not allowed:
            self.report(path, line, f"{room} may not include {target}")

    def check_includes(self, path, lines):
        room = self.room_of(path)
        for line, text in enumerate(lines, 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', text)
            if not match:
                continue
            kind, name = match.groups()
            if kind == "<" and name.startswith("shoal/"):
                public = Path(name).stem
                if room and public not in PUBLIC_LAYERS:
                    self.report(path, line, f"the library may not include <{name}>")
                elif room:
                    self.check_public_include(path, line, room, PUBLIC_LAYERS[public])
            elif kind == '"':
                self.check_private_include(path, line, room, name)

    def check_public_include(self, path, line, room, layer):
        if room.partition("/")[0] != layer:
            self.check_room(path, line, room, layer)

    def check_private_include(self, path, line, room, name):
        target = Path(os.path.normpath(path.parent / name))
        if not target.exists():
            self.report(path, line, f'"{name}" is not found from here; name it by its relative path')
        elif room:
            self.check_room(path, line, room, self.room_of(target))
        elif target.parent != path.parent:
            self.report(path, line, f'"{name}": only <shoal/...> and files of its own folder here')

    def check_functions(self, path, text, banned):
        for match in re.finditer(r"\b(\w+)\s*\(", text):
            if match.group(1) in banned:
                line = text.count("\n", 0, match.start()) + 1
                self.report(path, line, f"{match.group(1)} is banned here")

    def check_flags(self, path, text):
        """The library is also used without the program: it names settings by their keys."""
        code = re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match.group()), text,
                      flags=re.S)
        for line, row in enumerate(code.splitlines(), 1):
            if FOR_A_SHELL not in row and any(FLAG.search(literal) for literal in LITERAL.findall(row)):
                self.report(path, line, "names a flag of the program; quote the key of the setting: "
                                        "`missing.action: drop`")

    def check_lengths(self, path, lines):
        # By our format the brace of a function, and no other, stands alone in the first column.
        start = None
        for line, text in enumerate(lines, 1):
            if text.rstrip() == "{":
                start = line
            elif text.startswith("}") and start:
                if line - start - 1 > FUNCTION_LINES_MAX:
                    self.report(path, start,
                                f"a function of {line - start - 1} lines; at most {FUNCTION_LINES_MAX}")
                start = None

    def check_widths(self, path, lines):
        for line, text in enumerate(lines, 1):
            if len(text) > COLUMNS_MAX:
                self.report(path, line, f"{len(text)} columns; at most {COLUMNS_MAX}")

    def check_types(self):
        """A private type means one thing: its tag and its name are declared in one file each."""
        for pattern in (TYPE_TAG, TYPE_NAME):
            seen = {}
            for path in source_files(self.root, "src"):
                text = strip_comments_and_strings(path.read_text())
                for match in pattern.finditer(text):
                    name = next(filter(None, match.groups()))
                    first = seen.setdefault(name, path)
                    if first != path:
                        line = text.count("\n", 0, match.start()) + 1
                        self.report(path, line, f"the type {name} is declared in "
                                                f"{first.relative_to(self.root)} already")

    def check_names(self):
        seen = {}
        for path in source_files(self.root, "src", "server", "cli", "python"):
            if path.name in seen:
                other = seen[path.name].relative_to(self.root)
                self.report(path, 1, f"the name is taken by {other}")
            seen[path.name] = path

    def check_readmes(self):
        layers = [path for path in (self.root / "src").rglob("*") if path.is_dir()]
        others = [self.root / name for name in README_FOLDERS if (self.root / name).is_dir()]
        for folder in sorted(layers + others):
            readme = folder / "README.md"
            text = readme.read_text() if readme.exists() else ""
            count = len(text.splitlines())
            lines = README_LINES if folder.parent in (self.root, self.root / "src") else \
                ROOM_README_LINES
            if count not in lines:
                self.report(readme, 1, f"a README of {lines[0]} to {lines[-1]} lines "
                                       f"is wanted here; got {count}")
            elif not text.startswith("# "):
                self.report(readme, 1, "a README begins with '# ' and what the folder is for")
            else:
                self.check_named(readme, text)

    def check_paths(self):
        """Documents name files that are there."""
        for path in sorted(self.root.glob("*.md")) + sorted((self.root / "docs").rglob("*.md")) + \
                sorted((self.root / "src").rglob("*.md")):
            if path.name == "CHANGELOG.md":
                continue  # tells of files that were
            for line, text in enumerate(path.read_text().splitlines(), 1):
                for name in re.findall(NAMED_PATH, text):
                    if not re.search(r"NAME|ROOM", name) and not (self.root / name).exists():
                        self.report(path, line, f"{name} is not there")

    def check_sizes(self):
        for folder in sorted(path for path in (self.root / "src").rglob("*") if path.is_dir()):
            count = len(list(folder.glob("*.c")))
            if count > SOURCES_MAX:
                self.report(folder, 1, f"{count} source files; divide it, {SOURCES_MAX} are "
                                       "enough for a room")

    def check_named(self, readme, text):
        """Every file is named: `x.h`, which stands for x.c too, `x.[ch]`, `x_*.c` or by a link."""
        marked = re.findall(r"`([^`]+)`|\]\(([^)]+)\)", text)
        names = re.findall(r"[\w./*\[\]-]+", " ".join(code or link for code, link in marked))
        stems = {Path(name).stem for name in names}
        for path in sorted(readme.parent.iterdir()):
            if path != readme and path.suffix in NAMED_IN_README and path.stem not in stems and \
                    not any(fnmatch.fnmatch(path.name, name) for name in names):
                self.report(readme, 1, f"does not name {path.name}")

    def check_umbrella(self):
        umbrella = self.root / "include/shoal/shoal.h"
        text = umbrella.read_text() if umbrella.exists() else ""
        for path in source_files(self.root, "include/shoal"):
            if path != umbrella and f'#include "{path.name}"' not in text:
                self.report(umbrella, 1, f"does not include {path.name}")
            if path != umbrella and path.stem not in PUBLIC_LAYERS:
                self.report(path, 1, "belongs to no layer; add it to tools/check_source.py")

    def check_sources(self):
        for path in source_files(self.root, *SOURCE_FOLDERS):
            text = path.read_text()
            code = strip_comments_and_strings(text)
            top = path.relative_to(self.root).parts[0]
            banned = BANNED_EVERYWHERE | (BANNED_IN_LIBRARY if top == "src" else set())
            self.check_functions(path, code, banned)
            self.check_lengths(path, code.splitlines())
            self.check_widths(path, text.splitlines())
            if top == "src":
                self.check_flags(path, text)
            if top in ("src", "server", "cli", "python", "examples"):
                self.check_includes(path, text.splitlines())

    def check_library(self, library):
        """Functions the library must not call, and variables it must not have."""
        output = subprocess.run(["nm", "--format=sysv", library], check=True, capture_output=True,
                                text=True).stdout
        for row in output.splitlines():
            fields = [field.strip() for field in row.split("|")]
            if len(fields) != 7:
                continue
            name, kind, section = fields[0], fields[2], fields[6]
            if section == "*UND*" and name.split("@")[0] in BANNED_SYMBOLS:
                self.report(Path(library), 0, f"uses {name}")
            elif fields[3] in ("OBJECT", "TLS") and VARIABLE_SECTIONS.match(section):
                self.report(Path(library), 0, f"has the variable {name} ({kind} in {section})")

    def check_format(self):
        files = list(source_files(self.root, *SOURCE_FOLDERS))
        result = subprocess.run(["clang-format", "--dry-run", "--Werror", *files],
                                capture_output=True, text=True)
        first = {}
        for name, line in re.findall(r"^(.*?):(\d+):\d+: error: code should be clang-formatted",
                                     result.stderr, re.M):
            first.setdefault(name, int(line))
        for name, line in first.items():
            self.report(Path(name), line, "not formatted; run `make format`")
        if result.returncode != 0 and not first:
            self.report(self.root, 0, result.stderr.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--library", help="check the symbols of this library instead")
    parser.add_argument("--format", action="store_true", help="check the format too")
    options = parser.parse_args()

    checker = Checker(options.root.resolve())
    if options.library:
        checker.check_library(options.library)
    else:
        checker.check_sources()
        checker.check_names()
        checker.check_types()
        checker.check_readmes()
        checker.check_sizes()
        checker.check_paths()
        checker.check_umbrella()
    if options.format:
        checker.check_format()
    print("\n".join(checker.violations), end="\n" if checker.violations else "")
    return 1 if checker.violations else 0


if __name__ == "__main__":
    sys.exit(main())
