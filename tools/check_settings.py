#!/usr/bin/env python3
"""Check that documents and completion say of every setting and option what the program says.

    check_settings.py [--program shoal] [--root FOLDER]

The program prints its tables: `shoal help settings` every setting with its values, default and option, `shoal
COMMAND --help-all` every option. Of each setting docs/formats.md or docs/frontier.md must have a row with its words, its
default and its option; the man page must have every option, and the words of those that take words; completion must
offer just the options of each command, and those words. Prints one line per violation and ends with 1 if there is any.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

WORDS = re.compile(r"[a-z_]+(?:\|[a-z_]+)+$")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_settings(program):
    """(key, words, default, option) of every setting; option is None where there is none."""
    for line in run(program, "help", "settings").splitlines():
        match = re.match(r"([a-z_.]+): (.*?)(?: \(([^()]*)\))?(?:; (--[a-z-]+))?$", line)
        if match:
            key, values, default, option = match.groups()
            yield key, values.split("|") if WORDS.match(values) else [], default, option


def read_options(program, command):
    """The options of a command with what stands for their values."""
    help_text = run(program, command, "--help-all")
    return dict(re.findall(r"(?m)^ {2,6}(?:-[a-z], )?(--[a-z-]+)(?: (\S+))?(?= {2}|$)", help_text))


def read_commands(program):
    listed = run(program, "help").split("Commands:\n")[1].split("\n\n")[0]
    return [name for name in re.findall(r"(?m)^  (\w+) ", listed) if name != "help"]


def find_rows(documents, key):
    """The rows of tables about a setting, as one text; "" when there are none."""
    parts = key.split(".")
    name = key
    if parts[0] == "privacy":
        name = parts[1]
    elif key.startswith("frontier.max."):
        name = "frontier.max"
    rows = re.findall(rf"(?m)^\| `{re.escape(name)}`.*\n(?:\| \|.*\n)*", documents)
    return "".join(rows)


def check_documents(root, settings):
    documents = "".join((root / "docs" / name).read_text() for name in ("formats.md", "frontier.md"))
    for key, words, default, option in settings:
        rows = find_rows(documents, key)
        if not rows:
            yield f"docs/formats.md has no row of {key}"
            continue
        for word in words:
            if f"`{word}`" not in rows:
                yield f"docs/formats.md does not say that {key} may be {word}"
        if default and not re.search(rf"(?<![\w.]){re.escape(default)}(?![\w.])", rows):
            yield f"docs/formats.md does not say that {key} is {default} by default"
        if option and option != "--k" and not re.search(rf"{option}(?![a-z-])", rows):
            yield f"docs/formats.md does not say that {option} is {key}"
        if key.startswith("frontier.max.") and f"`{key.split('.')[2]}`" not in documents:
            yield f"docs/frontier.md does not name the figure of {key}"
        if key == "privacy.k.column" and "column:" not in rows:
            yield f"docs/formats.md does not have {key}"


def check_manual(root, options, settings):
    manual = (root / "docs/shoal.1").read_text()
    items = re.split(r"(?m)^\.It ", manual)
    words_of = {option: words for _, words, _, option in settings if option and words}
    for option, value in sorted(options.items()):
        flag = re.compile(rf"(?:Fl |, )-{option[2:]}(?![a-z-])")
        about = "".join(item for item in items if flag.search(item.split("\n")[0]))
        if not about:
            yield f"docs/shoal.1 lacks {option}"
            continue
        words = value.split("|") if WORDS.match(value) else words_of.get(option, []) if value else []
        for word in words:
            if not re.search(rf"\b{word}\b", about):
                yield f"docs/shoal.1 does not say that {option} may be {word}"


def complete(root, program, *words):
    script = ('. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=(); _shoal; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    folder = Path(program).resolve().parent if "/" in str(program) else None
    path = {"PATH": f"{folder}:/usr/bin:/bin"} if folder else None
    result = subprocess.run(["bash", "-c", script, "bash", root / "cli/completion.bash", "shoal",
                             *words], capture_output=True, text=True, env=path)
    return result.stdout.split()


def check_completion(root, program, command, options):
    offered = [word for word in complete(root, program, command, "--") if word.startswith("--")]
    for option in sorted(set(offered) ^ set(options)):
        yield f"completion of {command}: {option} is in one of it and the help only"
    for option, value in sorted(options.items()):
        if WORDS.match(value) and complete(root, program, command, option, "") != value.split("|"):
            yield f"completion of {command} {option}: not {value}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--program", default="shoal")
    arguments = parser.parse_args()

    settings = list(read_settings(arguments.program))
    violations = list(check_documents(arguments.root, settings))
    all_options = {}
    for command in read_commands(arguments.program):
        options = read_options(arguments.program, command)
        violations += check_completion(arguments.root, arguments.program, command, options)
        all_options.update(options)
    violations += check_manual(arguments.root, all_options, settings)
    print(f"{len(settings)} settings, {len(all_options)} options, {len(violations)} violations")
    print("\n".join(violations), end="\n" if violations else "")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
