#!/usr/bin/env python3
"""What the shared library exports is what the public headers declare, and nothing else; and every
public function with a context begins as src/base/entry.h says.

    exported.py SOURCE_FOLDER LIBSHOAL.SO
"""

import re
import subprocess
import sys
from pathlib import Path

# The life and the settings of a context have rules of their own (src/base/context.c).
OWN_RULES = re.compile(r"shoal_ctx_")


def strip(text):
    """Without comments, preprocessor lines and the braces of extern "C"."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    return re.sub(r'extern "C" \{', "", text)


def declarations(header):
    """Name and text of each function that a header declares."""
    text = strip(header.read_text())
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", " ", text)
    for statement in text.replace("}", " ").split(";"):
        match = re.search(r"\b(\w+)\s*\(", statement)
        if match and "typedef" not in statement.split():
            yield match.group(1), " ".join(statement.split())


def exported(library):
    output = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                            capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in output.splitlines()}


def bodies(source):
    """The body of each function that is not static, by name."""
    found = {}
    for path in sorted((source / "src").rglob("*.c")):
        text = path.read_text()
        for match in re.finditer(r"^(?!static)\w[^\n;{}]*?\b(shoal_\w+)\([^;{}]*\)\n\{\n(.*?)^\}",
                                 text, re.M | re.S):
            found[match.group(1)] = match.group(2)
    return found


def main():
    source, library = Path(sys.argv[1]), sys.argv[2]
    mistakes = []
    declared = {}
    for header in sorted((source / "include/shoal").glob("*.h")):
        for name, text in declarations(header):
            declared[name] = text
            if not text.startswith("SHOAL_API "):
                mistakes.append(f"{header.name}: {name} is declared without SHOAL_API")
            if not name.startswith("shoal_") or name.startswith("shoal_i_"):
                mistakes.append(f"{header.name}: {name} is no public name")
    symbols = exported(library)
    mistakes += [f"{name} is declared and not exported" for name in declared.keys() - symbols]
    mistakes += [f"{name} is exported and not declared" for name in symbols - declared.keys()]

    body_of = bodies(source)
    for name, text in declared.items():
        body = body_of.get(name, "")
        handed_on = re.match(r"\s*return (shoal_(?!i_)\w+)\([^;]*;\s*$", body)
        if handed_on:
            body = body_of.get(handed_on.group(1), "")
        if re.search(r"\(\s*shoal_ctx \*", text) and not OWN_RULES.match(name) and \
                "SHOAL_ENTER" not in body:
            mistakes.append(f"{name} does not begin with SHOAL_ENTER or SHOAL_ENTER_FOR")
    if len(declared) < 100:
        mistakes.append(f"only {len(declared)} functions were found in the headers")
    print("\n".join(sorted(mistakes)), end="\n" if mistakes else "")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
