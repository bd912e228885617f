#!/usr/bin/env python3
"""Groups C files that know nothing of each other, for checks that read them.

usage: tidy_groups.py BUILD_DIR OUTPUT_DIR <FILES

Most of clang-tidy's time goes into reading libraries' headers again. So each group is one file that
includes up to LARGEST of ours, compiled with the folders and definitions of all their commands.
GIO, which comes with JSON-GLib, takes four times as long as GLib: who does not read such a library
is in no group with one who does.
The script writes GROUP.c and compile_commands.json, for the groups and for each file alone, and
prints the groups' names.

A check must find in a group what it finds in each file alone. So no file shares a group with one
that uses a word which it or its command defines: nothing is hidden or replaced, and no function
can be followed into another file. A group that this script reads wrongly does not compile.
"""

import json
import os
import re
import shlex
import sys

LARGEST = 28  # files per group: with more, the last group keeps one processor busy alone

NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
LIBRARY = r"^#include <(?!sys/|glib/)\w[\w-]*/"
KEYWORDS = {"_Static_assert", "enum", "struct", "typedef", "union"}  # before a bracket
ACROSS_FILES = re.compile(r"-f(no-)?(fat-)?lto")  # of no concern to a check


def without_nested(code, opening, closing):
    """The code without the text between outer brackets."""
    depth, outside = 0, []
    for piece in re.split(f"([{re.escape(opening + closing)}])", code):
        if piece == closing:
            depth = max(0, depth - 1)
        if depth == 0:
            outside.append(piece)
        if piece == opening:
            depth += 1
    return "".join(outside)


def is_promise(statement):
    """Whether it only declares a function or type that is defined elsewhere."""
    return "{" not in statement and ("typedef" not in statement or "struct" in statement)


def defined_words(code, with_promises):
    """Macros and everything declared outside functions: names, tags and constants."""
    words = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", code, re.M))
    code = DIRECTIVE.sub(" ", code)
    for constants in re.findall(r"\benum\b\s*\w*\s*\{([^}]*)\}", code):
        words.update(re.findall(r"(?:^|,)\s*(\w+)", constants))
    for statement in re.split(r";|\}(?!\s*\w+\s*;)", without_nested(code, "{", "}")):
        if not with_promises and is_promise(statement):
            continue
        of_function = re.findall(r"\(\s*\*\s*(\w+)\s*\)", statement)
        if of_function and "typedef" in statement:
            words.update(of_function)
            continue
        head = without_nested(statement, "(", ")").split("=")[0].split("[")[0]
        for part in re.split(r"[{}]", head):
            found = [word for word in WORD.findall(part) if not word.startswith("G_")]
            words.update(found[-1:])
    return words - KEYWORDS


def read_code(path):
    """A file's code without comments and strings, the names of our headers that it includes, and
    whether it includes one of a library's many."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    return (NOT_CODE.sub(" ", text), re.findall(r'^#include "(\w+/[^"]*)"', text, re.M),
            re.search(LIBRARY, text, re.M) is not None)


class Headers:
    """The words that our headers define; each header is read once."""

    def __init__(self, root):
        self.root = root
        self.known = {}  # name: (words, names of headers, whether it reads a library)

    def reached_from(self, names):
        """Where the words come from that these headers, and the headers they include, define; and
        whether one of them reads a library."""
        places, waiting, seen, reads_library = {}, list(names), set(), False
        while waiting:
            name = waiting.pop()
            path = os.path.join(self.root, name)
            if name in seen or not os.path.exists(path):  # some are generated
                continue
            seen.add(name)
            if name not in self.known:
                code, *rest = read_code(path)
                self.known[name] = defined_words(code, False), *rest
            words, included, reads = self.known[name]
            places.update((word, name) for word in words)
            waiting += included
            reads_library = reads_library or reads
        return places, reads_library


class Command:
    """How a file is compiled. Some parts can be joined with those of other commands."""

    def __init__(self, entry):
        self.flags, self.folders, self.definitions = [], [], {}
        arguments = iter(shlex.split(entry["command"])[:-2])  # without -c and the file
        for argument in arguments:
            if argument == "-o":
                next(arguments)
            elif argument == "-isystem":
                self.folders.append((argument, next(arguments)))
            elif argument.startswith("-I"):
                self.folders.append((argument,))
            elif argument.startswith("-D") and argument[2] != "_":  # libraries read those
                self.definitions[argument[2:].split("=")[0]] = argument
            elif not ACROSS_FILES.match(argument):
                self.flags.append(argument)
        # Headers that the build's compiler has precompiled cannot be read by clang.
        if "-Winvalid-pch" in self.flags:
            self.flags.remove("-Winvalid-pch")
            at = self.flags.index("-include")
            del self.flags[at:at + 2]


def joined(commands):
    """The arguments of commands with the same flags."""
    folders = dict.fromkeys(folder for command in commands for folder in command.folders)
    definitions = dict.fromkeys(word for command in commands
                                for word in command.definitions.values())
    return [*commands[0].flags, *definitions, *(word for folder in folders for word in folder)]


class Source:
    def __init__(self, path, headers, command):
        code, included, reads_library = read_code(path)
        self.path = path
        self.command = command
        self.defined = defined_words(code, True)
        self.words = set(WORD.findall(code))
        self.places, headers_read_library = headers.reached_from(included)
        self.places.update(command.definitions)
        self.kind = set(command.flags), reads_library or headers_read_library

    def knows(self, other):
        if self.defined & (other.words | other.places.keys()):
            return True
        if other.defined & (self.words | self.places.keys()):
            return True
        ours, theirs = self.command.definitions.keys(), other.command.definitions.keys()
        if (ours - theirs) & other.words or (theirs - ours) & self.words:
            return True
        return any(other.places.get(word, place) != place
                   for word, place in self.places.items())


def make_groups(paths, entries):
    """Lists of files. Those with the most words come first, because they fit into few groups."""
    headers = Headers(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    sources = [Source(path, headers, Command(entries[path])) for path in paths]
    groups = []
    for source in sorted(sources, key=lambda source: (-len(source.words), source.path)):
        for group in groups:
            if (len(group) < LARGEST and group[0].kind == source.kind
                    and not any(source.knows(other) for other in group)):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def main():
    build, output = sys.argv[1:]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = {entry["file"]: entry for entry in reversed(json.load(file))}
    groups = make_groups(sys.stdin.read().splitlines(), entries)
    os.makedirs(output, exist_ok=True)
    commands = []
    for count, group in enumerate(groups):
        name = os.path.join(output, f"group_{count}.c")
        with open(name, "w", encoding="ascii") as file:
            for source in group:
                file.write(f'#include "{source.path}" // NOLINT(bugprone-suspicious-include)\n')
        for path, members in (name, group), *((source.path, [source]) for source in group):
            arguments = joined([source.command for source in members])
            commands.append({"directory": build, "file": path, "arguments": [*arguments, "-c", path]})
        print(name)
    with open(os.path.join(output, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(commands, file, indent=1)


if __name__ == "__main__":
    main()
