#!/usr/bin/env python3
"""Runs the rows of ratio.sh on two build folders in turn, and prints their ratios."""

import argparse
import json
import os
import sys
import tempfile
from dataclasses import dataclass, field

WAFER = "run stencil25 --chip wse2"
PCG = "run pcg iterations=2 unattributed=off"
TRACE_NAME = "ratio.pftrace"
TRACE = f"--trace $FOLDER/{TRACE_NAME}"


@dataclass
class Row:
    """One command on both sides. Of `commands`, a side runs the first that it knows."""

    name: str
    what: str
    commands: list
    quick: list  # likewise, and small; empty: the row is not quick
    case: str = ""  # of a bench: words of the line that counts, all of them
    threads: int = 0

    def is_validation(self):
        return self.commands[0].startswith("validate")


def wafer(name, what, usual, quick):
    return Row(name, what, [f"{WAFER} {usual}"], [f"{WAFER} {quick}"])


def pcg(name, what, words):
    small = "run pcg rows=2 cols=2 tiles=4 iterations=1"
    return Row(name, what, [f"{PCG} {words}", f"run pcg iterations=2 {words}"],
               [f"{small} {words}"])


def bench(name, place, threads):
    word = "thread" if threads == 1 else "threads"
    return Row(name, f"vecadd from {place}, 56 cores, {threads} {word}", ["bench_tensix"],
               ["bench_tensix --quick"], f"vecadd from {place.lower()}", threads)


ROWS = [
    wafer("wafer", "755 x 994 x 1000, one step, timing only, 2 threads",
          "nx=755 ny=994 nz=1000 steps=1 --timing-only --threads 2",
          "nx=60 ny=60 nz=50 steps=1 --timing-only --threads 2"),
    wafer("exact", "45 x 45 x 1000, grain=wavelet, 1 thread",
          "nx=45 ny=45 nz=1000 steps=1 grain=wavelet --timing-only --threads 1",
          "nx=20 ny=20 nz=50 steps=1 grain=wavelet --timing-only --threads 1"),
    wafer("data", "200 x 200 x 1000 with data, 2 threads",
          "nx=200 ny=200 nz=1000 steps=1 --threads 2",
          "nx=20 ny=20 nz=50 steps=1 --threads 2"),
    wafer("data1", "200 x 200 x 1000 with data, 1 thread",
          "nx=200 ny=200 nz=1000 steps=1 --threads 1",
          "nx=20 ny=20 nz=50 steps=1 --threads 1"),
    wafer("wafer_trace", "755 x 994 x 1000 traced in blocks, 2 threads",
          f"nx=755 ny=994 nz=1000 steps=1 --timing-only --threads 2 {TRACE}",
          f"nx=60 ny=60 nz=50 steps=1 --timing-only --threads 2 {TRACE}"),
    pcg("pcg", "PCG, 56 cores, BF16 with data, 1 thread", "--threads 1"),
    pcg("pcg2", "PCG, 2 threads", "--threads 2"),
    pcg("pcg_trace", "PCG with --trace, 1 thread", f"--threads 1 {TRACE}"),
    bench("l1", "L1", 1),
    bench("l1_2", "L1", 2),
    bench("dram", "DRAM", 1),
    bench("dram_2", "DRAM", 2),
    Row("reduce", "reduce over 512 x 512 PEs", ["run reduce --chip wse2 width=512 height=512"],
        ["run reduce --chip wse2 width=16 height=16"]),
    Row("validate_wse2", "validate wse2", ["validate wse2"], ["validate wse2 --quick"]),
    Row("validate", "validate everything", ["validate"], []),
]

# Two rows of one side: what their ratio is called, and which clock it is of.
WITHIN = [
    ("200 x 200 with data: 2 threads over 1, wall time", "data1", "data", "wall"),
    ("PCG: 2 threads over 1, wall time", "pcg", "pcg2", "wall"),
    ("from L1: 2 threads over 1, wall time", "l1", "l1_2", "wall"),
    ("from DRAM: 2 threads over 1, wall time", "dram", "dram_2", "wall"),
    ("PCG: with --trace over without, processor time", "pcg_trace", "pcg", "cpu"),
    ("PCG: with --trace over without, wall time", "pcg_trace", "pcg", "wall"),
    ("wafer: with --trace over without, processor time", "wafer_trace", "wafer", "cpu"),
    ("wafer: with --trace over without, wall time", "wafer_trace", "wafer", "wall"),
]


@dataclass
class Best:
    """The best times of one row on one side, in seconds, its cycles and its memory."""

    cpu: float = float("inf")
    wall: float = float("inf")
    memory: float = float("inf")  # peak in bytes, of its largest process
    cycles: set = field(default_factory=set)  # of a validation: how many runs it did

    def add(self, cpu, wall, cycles, memory):
        self.cpu = min(self.cpu, cpu)
        self.wall = min(self.wall, wall)
        self.memory = min(self.memory, memory)
        self.cycles.add(cycles)

    def is_known(self):
        return self.cpu != float("inf")


class Side:
    """A build folder, and what its last bench printed."""

    def __init__(self, folder, scratch):
        self.folder = folder
        self.scratch = scratch
        self.choices = {}  # by row: the command that this side knows
        self.lines = {}  # by command: of a bench, in this turn

    def spawn(self, program, words, output):
        """Runs a program; its processor time, wall time, memory and exit code."""
        start = os.times().elapsed
        process = os.posix_spawn(program, [program, *words], os.environ, file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
            (os.POSIX_SPAWN_OPEN, 2, output + ".err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
             0o644)])
        _, status, usage = os.wait4(process, 0)
        wall = os.times().elapsed - start
        return (usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024,
                os.waitstatus_to_exitcode(status))

    def run_bench(self, row, command):
        """Times and cycles of one line of a bench, which runs once a turn."""
        if command not in self.lines:
            name, *words = command.split()
            output = f"{self.scratch}/bench"
            program = f"{self.folder}/tests/bench/{name}"
            if not os.access(program, os.X_OK) or self.spawn(program, words, output)[3] != 0:
                return None
            with open(output, encoding="utf-8") as file:
                self.lines[command] = [json.loads(line) for line in file]
        for line in self.lines[command]:
            words = set(line["case"].lower().replace(",", "").split())
            if set(row.case.split()) <= words and line["threads"] == row.threads:
                cycles = line["cycles"]
                return (cycles / line["cycles_per_cpu_second"],
                        cycles / line["cycles_per_second"], cycles,
                        line.get("peak_rss_bytes", float("inf")))
        return None

    def run_command(self, command):
        """Times and cycles of one command of gridloom, or None if it fails."""
        words = command.replace("$FOLDER", self.scratch).split()
        result = f"{self.scratch}/result.json"
        words += ["-q", "--json", result]
        cpu, wall, memory, code = self.spawn(f"{self.folder}/tools/gridloom", words,
                                             f"{self.scratch}/output")
        trace = f"{self.scratch}/{TRACE_NAME}"
        if os.path.exists(trace):  # a run that replaces one waits for the disk
            os.unlink(trace)
        is_run = words[0] == "run"
        if code != 0 and (is_run or code in (1, 2)):  # a validation's row may be off
            return None
        with open(result, encoding="utf-8") as file:
            written = json.load(file)
        return cpu, wall, written["cycles"] if is_run else written["metrics"]["runs"], memory

    def run(self, row, commands):
        """Runs the first command that this side knows; None if it knows none."""
        for command in self.choices.get(row.name, commands):
            is_bench = command.startswith("bench")
            times = self.run_bench(row, command) if is_bench else self.run_command(command)
            if times is not None:
                self.choices[row.name] = [command]
                return times
        self.choices[row.name] = []
        return None


def measure(sides, rows, turns, is_quick):
    """The best of each row on each side: sides take turns, so that what else the machine
    does is shared out."""
    best = {row.name: [Best() for _ in sides] for row in rows}
    for turn in range(turns):
        for side in sides:
            side.lines = {}
        for row in rows:
            print(f"ratio: turn {turn + 1} of {turns}, {row.name}", file=sys.stderr)
            for i in (0, 1) if turn % 2 == 0 else (1, 0):
                times = sides[i].run(row, row.quick if is_quick else row.commands)
                if times is not None:
                    best[row.name][i].add(*times)
    return best


def seconds(value):
    return f"{value:.3g} s" if value < 1000 else f"{value:.0f} s"


def mebibytes(value):
    return "-" if value == float("inf") else f"{value / 2**20:.0f} MiB"


def cells_of(side):
    if not side.is_known():
        return ["-", "-", "-"]
    return [seconds(side.cpu), seconds(side.wall), mebibytes(side.memory)]


def ratio_of(row, old, new):
    """How many times faster, by processor time; by cycles a second if the model changed. Of
    validations whose suites changed, by processor time, too: runs differ in length."""
    if not old.is_known() or not new.is_known():
        return "-", "-", False
    was, now = max(old.cycles), max(new.cycles)
    if row.is_validation():
        changed = f"{was} to {now}" if was != now else f"{now}"
        return f"{old.cpu / new.cpu:.2f}", f"{changed} runs", False
    if old.cycles != new.cycles:
        return (f"{now / new.cpu / (was / old.cpu):.2f}",
                f"model changed: {was:,} to {now:,}", True)
    return f"{old.cpu / new.cpu:.2f}", f"{now:,}", False


def print_rows(rows, best, names):
    """The table of rows; whether cycles of one differ."""
    has_changed = False
    print(f"| what | {names[0]}: processor | wall | memory | {names[1]}: processor | wall | "
          "memory | ratio | cycles |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
    for row in rows:
        old, new = best[row.name]
        cells = cells_of(old) + cells_of(new)
        ratio, cycles, is_changed = ratio_of(row, old, new)
        has_changed |= is_changed
        print(f"| {row.what} | {' | '.join(cells)} | {ratio} | {cycles} |")
    return has_changed


def print_within(best, names):
    """The table of ratios within a side."""
    lines = []
    for what, above, below, clock in WITHIN:
        if above not in best or below not in best:
            continue
        pairs = zip(best[above], best[below])
        cells = [f"{getattr(a, clock) / getattr(b, clock):.2f}"
                 if a.is_known() and b.is_known() else "-" for a, b in pairs]
        lines.append(f"| {what} | {' | '.join(cells)} |")
    if lines:
        print(f"\n| within a side | {names[0]} | {names[1]} |\n|---|---:|---:|")
        print("\n".join(lines))


def choose_rows(names, is_quick):
    known = {row.name: row for row in ROWS}
    for name in names:
        if name not in known:
            sys.exit(f"ratio: no row '{name}'; known: {', '.join(known)}")
    rows = [known[name] for name in names] or ROWS
    return [row for row in rows if row.quick] if is_quick else rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="", help="names with commas between, or list")
    parser.add_argument("--turns", type=int, default=0)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--same", action="store_true", help="fail if cycles differ")
    parser.add_argument("--names", nargs=2, default=["old", "new"])
    parser.add_argument("folders", nargs="*")
    arguments = parser.parse_args()
    if arguments.rows == "list":
        print("\n".join(f"{row.name:14}{row.what}" for row in ROWS))
        return 0
    if len(arguments.folders) != 2:
        parser.error("give two build folders")
    if arguments.turns < 0:
        parser.error("--turns must be from 1")
    rows = choose_rows([name for name in arguments.rows.split(",") if name], arguments.quick)
    with tempfile.TemporaryDirectory() as scratch:
        sides = [Side(folder, scratch) for folder in arguments.folders]
        best = measure(sides, rows, arguments.turns or (1 if arguments.quick else 5),
                       arguments.quick)
    has_changed = print_rows(rows, best, arguments.names)
    print_within(best, arguments.names)
    if not any(side.is_known() for row in rows for side in best[row.name]):
        print("ratio: neither side could run any row", file=sys.stderr)
        return 1
    return 3 if has_changed and arguments.same else 0


if __name__ == "__main__":
    sys.exit(main())
