#!/usr/bin/env python3
"""Checks who includes whom, and the sizes, names and text of source files.

usage: check_layers.py ROOT. Prints `file:line: message` for each finding.
"""
import os
import re
import sys

MAY_INCLUDE = {  # room -> rooms whose public headers it may include
    "sim": set(),
    "arch": {"sim"},
    "workloads": {"arch", "sim"},
    "traces": {"sim"},
    "tools": {"sim", "arch", "workloads", "traces"},
    "tests": {"sim", "arch", "workloads", "traces", "tools"},
}
PUBLIC = {  # room -> its folders that are public, as its root is
    "arch": {"border", "chipfile", "memory", "model", "number", "traffic"},
    "traces": {"file", "picture", "reading", "report", "result", "roofline", "schema",
               "suite", "table", "writing"},
    "workloads": {"npy"},
}
MAY_USE = {  # room -> folder -> other folders of the room; "" is every folder of it
    "sim": {"": {"queue"}},
    "arch": {"": {"border", "chipfile", "memory", "noc", "number"}},
    "workloads": {
        "script": {"sandbox"},
        "npy": {"sandbox"},
        "buffer": {"sandbox", "npy"},
        "numbers": {"sandbox", "buffer"},
        "reference": {"sandbox", "buffer", "numbers"},
        "sparse": {"sandbox", "buffer", "reference"},
        "host": {"sandbox", "script", "buffer", "numbers", "reference", "sparse"},
        "tensix": {"sandbox", "script", "buffer", "host"},
        "metal": {"sandbox", "host", "tensix"},
        "csl": {"sandbox", "host", "wafer"},
        "wafer": {"sandbox", "script", "buffer", "host"},
        "board": {"sandbox", "script", "buffer", "host"},
        "batch": set(),
        "sweep": {"sandbox", "script"},
        "network": {"sandbox", "script"},
        "tune": set(),
    },
    "traces": {
        "result": {"file", "table"},
        "reading": {"file", "result", "schema", "writing"},
        "roofline": {"file", "reading", "suite"},
        "schema": {"file"},
        "table": {"file"},
        "picture": {"file", "reading", "roofline", "suite", "table"},
        "writing": {"file", "reading"},
        "report": {"file", "reading", "result"},
        "suite": {"file", "reading"},
    },
    "tools": {"manual": {"gridloom"}},
}
ONLY_IN = {  # header -> the only files that may touch it
    r"(simgrid|xbt)/": r"sim/system\.c$|tests/",
    r"cmocka": r"tests/",
    r"(lua5\.4/)?(lua|lauxlib|lualib|luaconf)\.h$": r"(workloads|tests)/",
    # Closed forms stand beside simulations: simulation code must not know them, and they must
    # not run a simulation.
    r"tools/gridloom/compare/estimate": r"tools/gridloom/compare/|tests/",
    r"arch/model/": r"arch/model/|tools/|tests/",
    r"sim/(engine|process|channel|resource)\.h": r"(?!arch/model/)",
}
CLOSED_ROOT = {"arch"}  # rooms whose root files do not know their subfolders
MAX_LINES = {".c": 500, ".h": 150}
FOREIGN_LINES = {".cpp": 500, ".h": 260, ".hpp": 260}
MAX_FILES = 60  # of a folder, but for these:
MORE_FILES = {"workloads/experiments", "traces/gpu", "traces/reference"}
FEWER_FILES = {"tools/gridloom": 40}
MAX_ROOT_HEADERS = {"arch": 26}
VAGUE = {"util", "utils", "common", "misc", "helper", "helpers", "base", "manager"}
CODE = {".c", ".h", ".def"}
# Headers and sources for programs of others, in C++: not of our rooms.
FOREIGN = re.compile(r"workloads/metal/(device|host)/")
FOREIGN_NAMES = re.compile(r"workloads/(metal/(device|host/include)|csl/host)/")  # given by others
CUDA = {".cpp", ".hpp", ".cu", ".cuh"}  # measures GPUs; no room but tools/gpu has it
NAMED = CODE | CUDA | {".lua", ".py", ".sh"}
ASCII = CODE | CUDA | {".lua", ".ini", ".py", ".md"}
TEXT = ASCII | {"", ".sh", ".txt", ".cmake", ".json", ".xml", ".proto", ".js", ".in"}
SKIP = {"build", "out", "__pycache__", "node_modules"}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)')
PURPOSE = re.compile(r"/\* \w((?!\*/).)*\.\s*\*/", re.DOTALL)
FOREIGN_PURPOSE = re.compile(r"// \w[^\n]*(\n// [^\n]*)*[.:]\n|/\* \w[^\n]*\. \*/\n")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FUNCTION = re.compile(r"^[a-zA-Z_][\w *\n]*?[\s*]([a-z]\w*)\([^;{]*?\)\s*"
                      r"(?:G_\w+\([^)]*\)\s*)?[;{]", re.MULTILINE)
TYPE = re.compile(r"^(?:typedef (?:struct|enum|union) \w+ |\} )(\w+);", re.MULTILINE)
# Their last bit differs between x86-64 and aarch64 (glibc 2.36). sqrt() rounds as IEEE 754
# says; exp, log, pow, sin and functions made of them agreed on 20,000 numbers each.
UNLIKE = re.compile(r"\b(cbrt|erfc?|exp2|hypot|[lt]gamma)\((?!\))")
# f(g(&error), error): which argument comes first differs between machines.
UNORDERED = re.compile(r"&(\w+)\)\s*,\s*\1\)")
# A cast to 32 bits or fewer may cut a number off. Masks, builtins and constants may not.
NARROWING = re.compile(r"(?<!sizeof)\((?:u?int(?:8|16|32)_t|g?u?int(?:8|16|32)?|unsigned)\) "
                       r"(?![~\d]|__builtin_|g_bit_|[A-Z][A-Z\d_]+\b(?!\()|sizeof\b)")
CHECKED_ROOMS = {"arch", "sim", "workloads"}  # which narrow by sim/narrow.h
PATTERNS = {  # files that handle numbers as patterns of bits
    "sim/narrow.h", "sim/random.h", "arch/number/half.c", "arch/tensix/bf16_rounding.h",
    "arch/tensix/compute/bf16_tile.c",
    "arch/tensix/format.c", "arch/tensix/number.h", "arch/tensix/compute/fpu.c",
    "arch/tensix/compute/fpu_lane.h", "arch/tensix/compute/fpu_matmul_floats.c",
    "arch/tensix/compute/fpu_part.h",
    "arch/tensix/compute/fpu_reduce.c", "arch/tensix/compute/sfpu_lanes.c",
    "arch/tensix/compute/packer.h", "arch/tensix/compute/sfpu.c",
    "arch/tensix/compute/sfpu_notation.h", "arch/tensix/compute/sfpu_number.c",
    "arch/tensix/compute/sfpu_program.c",
    "arch/tensix/riscv/arithmetic.def", "arch/tensix/riscv/decode.c",
    "arch/tensix/riscv/execute.c", "arch/wse/ce/live.c", "arch/wse/ce/machine.c", "arch/wse/ce/step.c",
    "arch/wse/print.c", "arch/wse/program/execute.c", "arch/wse/program/number.c",
    "arch/wse/program/operation.c", "arch/wse/program/step.c", "arch/wse/program/step.def",
    "workloads/csl/code/bits.h", "arch/wse/router/control.c", "workloads/buffer/number_format.c",
    "workloads/buffer/number_format.h", "workloads/buffer/number_array.c",
    "workloads/reference/dst.c", "workloads/reference/reference.c",
    "workloads/reference/units.c"}
# Names and forms there are those of somebody else's C++ API.
FOREIGN = re.compile(r"workloads/metal/(device|host/include)/")
MACHINE_PATH = re.compile(r"(?<![\w.~})*-])/(work|home|root|Users)/")


def source_files(root):
    """Paths from the root of all hand-written files, in a fixed order."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIP and f[0] != ".")
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def subfolder(parts):
    """The folder of a room that a path lies in; '' is the room's root."""
    return parts[1] if len(parts) > 2 else ""


def include_fault(path, bracket, target):
    """Why the file at `path` may not include `target`, or None."""
    for header, files in ONLY_IN.items():
        if re.match(header, target) and not re.match(files, path):
            return f"<{target}> belongs only in {files}"
    here, there = path.split("/"), target.split("/")
    is_ours = there[0] in MAY_INCLUDE and len(there) > 1
    if bracket == "<":
        return f"<{target}> is ours: write it in quotes" if is_ours else None
    if not is_ours or "." in there or ".." in there:
        return f'"{target}" is not written from the root of the tree'
    room, part, other = here[0], subfolder(here), subfolder(there)
    is_public = len(there) == 2 or other in PUBLIC.get(there[0], set())
    if room == "tests":
        return None
    if there[0] != room:
        if there[0] not in MAY_INCLUDE.get(room, set()):
            return f'{room}/ may not include {there[0]}/: "{target}"'
        return None if is_public else f'"{target}" is private to {there[0]}/'
    if not other or other == part:
        return None
    if not part and path.endswith(".h") and not is_public:
        return f'a public header may not include a private one: "{target}"'
    if not part and (room not in CLOSED_ROOT or is_public):
        return None
    uses = MAY_USE.get(room, {})
    if other == "internal" or other in uses.get("", set()) | uses.get(part, set()):
        return None
    return f'"{target}" is private to {room}/{other}/'


def cycle_faults(includes):
    """One finding for each include that closes a cycle."""
    done, trail = set(), []

    def visit(path):
        trail.append(path)
        for line, target in includes.get(path, ()):
            if target in trail:
                cycle = " -> ".join(trail[trail.index(target):] + [target])
                yield path, line, f"includes form a cycle: {cycle}"
            elif target not in done:
                yield from visit(target)
        done.add(trail.pop())

    for path in sorted(includes):
        if path not in done:
            yield from visit(path)


def code_faults(path, suffix, lines, includes):
    """(line, message) for rules that only C files must keep; notes their includes."""
    if suffix in MAX_LINES and len(lines) > MAX_LINES[suffix]:
        yield MAX_LINES[suffix] + 1, f"{len(lines)} lines, at most {MAX_LINES[suffix]}"
    if not PURPOSE.match("\n".join(lines)):
        yield 1, "does not begin with a sentence, in a comment, on what it is for"
    room = path.split("/")[0]
    text = "\n".join(lines)
    for match in UNORDERED.finditer(text):
        yield text.count("\n", 0, match.end()) + 1, (
            f"{match.group(1)} may be read before the call that sets it")
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield number, "tab"
        match = UNLIKE.search(line)
        if match and not path.startswith("tests/"):
            yield number, f"{match.group(1)}() differs between machines"
        if room in CHECKED_ROOMS and path not in PATTERNS and NARROWING.search(line):
            yield number, "a cast that may cut a number off; sim/narrow.h has checked ones"
        match = INCLUDE.match(line)
        if match:
            includes.setdefault(path, []).append((number, match.group(2)))
            fault = include_fault(path, *match.groups())
            if fault:
                yield number, fault


def foreign_faults(suffix, lines):
    """(line, message) for rules that files of C++ must keep."""
    if suffix in FOREIGN_LINES and len(lines) > FOREIGN_LINES[suffix]:
        yield FOREIGN_LINES[suffix] + 1, f"{len(lines)} lines, at most {FOREIGN_LINES[suffix]}"
    if suffix in FOREIGN_LINES and not FOREIGN_PURPOSE.match("\n".join(lines) + "\n"):
        yield 1, "does not begin with a sentence, in a comment, on what it is for"


def prefixes(text):
    """(line, first word) of all functions and types that a header declares."""
    text = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    for match in FUNCTION.finditer(text):
        yield text.count("\n", 0, match.start(1)) + 1, match.group(1).split("_")[0]
    for match in TYPE.finditer(text):
        word = re.match(r"[A-Z][a-z0-9]*", match.group(1))
        if word:
            yield text.count("\n", 0, match.start()) + 1, word.group().lower()


def prefix_faults(declared):
    """One finding for each header whose prefix belongs to another room: {word: {room: place}}."""
    for word, rooms in sorted(declared.items()):
        if len(rooms) > 1:
            names = ", ".join(sorted(rooms))
            path, line = rooms[max(rooms)]
            yield path, line, f"the prefix '{word}' belongs to one room, not to {names}"


def text_faults(suffix, lines):
    """(line, message) for rules that every text must keep."""
    for number, line in enumerate(lines, 1):
        if suffix in ASCII and not line.isascii():
            yield number, "not ASCII"
        if MACHINE_PATH.search(line):
            yield number, "path of one machine"


def name_faults(path, suffix):
    """(line, message) for folders and files that are not called by a noun."""
    folders, stem = path.split("/")[:-1], os.path.basename(path)[: -len(suffix) or None]
    words = re.split(r"[_.-]", stem) if suffix in NAMED else []
    for word in VAGUE.intersection(folders + words):
        yield 1, f"'{word}' says nothing: name it by its noun"


def folder_faults(paths):
    """(folder, line, message) for folders with too many files to find the way in."""
    counts, headers = {}, {}
    for path in paths:
        folder = os.path.dirname(path)
        counts[folder] = counts.get(folder, 0) + 1
        headers[folder] = headers.get(folder, 0) + path.endswith(".h")
    for folder, count in sorted(counts.items()):
        most = FEWER_FILES.get(folder, MAX_FILES)
        if count > most and folder not in MORE_FILES:
            yield folder, 0, f"{count} files, at most {most}: which rooms are in it?"
        if headers[folder] > MAX_ROOT_HEADERS.get(folder, MAX_FILES):
            yield folder, 0, f"{headers[folder]} headers, at most {MAX_ROOT_HEADERS[folder]}"


def findings(root):
    """(path, line, message) for every fault below `root`."""
    code_count, includes, declared = 0, {}, {}
    paths = list(source_files(root))
    yield from folder_faults(paths)
    for path in paths:
        suffix = os.path.splitext(path)[1]
        is_foreign = FOREIGN_NAMES.match(path) is not None
        faults = [] if is_foreign else list(name_faults(path, suffix))
        if suffix in TEXT:
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                lines = file.read().split("\n")
            lines = lines[:-1] if lines[-1] == "" else lines
            faults += text_faults(suffix, lines)
            if FOREIGN.match(path):
                faults += foreign_faults(suffix, lines)
                suffix = ""
            if suffix in CODE:
                code_count += 1
                faults += code_faults(path, suffix, lines, includes)
            room = path.split("/")[0]
            if suffix == ".h" and room != "tests" and not is_foreign:
                for line, word in prefixes("\n".join(lines)):
                    declared.setdefault(word, {}).setdefault(room, (path, line))
        yield from ((path, line, message) for line, message in sorted(faults))
    yield from cycle_faults(includes)
    yield from prefix_faults(declared)
    if code_count == 0:
        yield root, 0, "no source file found"


def main(arguments):
    if len(arguments) != 2:
        print("usage: check_layers.py ROOT", file=sys.stderr)
        return 1
    count = 0
    for path, line, message in findings(arguments[1]):
        print(f"{path}:{line}: {message}")
        count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
