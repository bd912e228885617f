#!/usr/bin/env python3
"""What a PE's step costs on small and on whole wafers: processor time of bench_wse, by size.

Prints a table and draws growth.svg. Set-up and the exact slice are left out, as in bench_wse.
A flat line is a simulator whose cost grows with the wafer and no faster."""

import argparse
import json
import os
import subprocess
import sys

SIZES = [(45, 45), (100, 100), (200, 200), (400, 400), (755, 994)]
QUICK = [(30, 30), (40, 40)]
MICROSECONDS = 1e6


class Failed(Exception):
    """A program did not do what it was asked for."""


def call(words):
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failed(f"{words[0]}: {error.strerror}") from error
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: {done.stderr.strip() or 'failed'}")
    return done.stdout


def measure(build, size, layers, threads):
    """One step of a wafer of this size: { pes, cycles, seconds of a PE's step, memory }."""
    columns, rows = size
    text = call([f"{build}/tests/bench/bench_wse", "--case", "stream", str(columns), str(rows),
                 str(layers), str(threads)])
    lines = [json.loads(line) for line in text.splitlines()]
    if len(lines) != 1 or lines[0]["pes"] != columns * rows:
        raise Failed(f"{build}: its bench_wse does not know --case")
    line = lines[0]
    return {"pes": line["pes"], "cycles": line["cycles"], "memory": line["peak_rss_bytes"],
            "seconds": line["cycles"] / line["pe_cycles_per_cpu_second"]}


def best_of(build, sizes, layers, threads, turns):
    """The best of some turns of each size. All sizes take turns, so that what else the machine
    does is shared out."""
    best = {}
    for turn in range(turns):
        for size in sizes:
            print(f"growth: turn {turn + 1} of {turns}, {size[0]} x {size[1]}", file=sys.stderr)
            now = measure(build, size, layers, threads)
            if size not in best or now["seconds"] < best[size]["seconds"]:
                best[size] = now
    return best


def print_table(best, sizes):
    least = min(best[size]["seconds"] for size in sizes)
    print("| PEs | a PE's step, processor | over the least | memory |")
    print("|---|---:|---:|---:|")
    for size in sizes:
        row = best[size]
        print(f"| {size[0]} x {size[1]} | {row['seconds'] * MICROSECONDS:.3g} us | "
              f"{row['seconds'] / least:.2f} | {row['memory'] / 2**20:.0f} MiB |")
    most = max(best[size]["seconds"] for size in sizes)
    print(f"\nLargest over least: {most / least:.2f}")


def draw(build, folder, best, sizes):
    """With gridloom's own picture of scaling, from a result for each size."""
    os.makedirs(folder, exist_ok=True)
    paths = []
    for size in sizes:
        row = best[size]
        path = f"{folder}/growth_{size[0]}x{size[1]}.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"schema_version": 1, "workload": "a PE's step", "chip": "wse2",
                       "parameters": {"PEs": row["pes"]}, "cycles": row["cycles"],
                       "seconds_per_iteration": row["seconds"]}, file)
        paths.append(path)
    call([f"{build}/tools/gridloom", "plot", "scaling", *paths, "--over", "PEs",
          "--ideal", "flat", "-o", f"{folder}/growth.svg",
          "--title", "Processor time of a PE's step over the PEs of the wafer"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     epilog="The folder gets growth.svg and a result by size.")
    parser.add_argument("build", help="a build folder with tools/gridloom and tests/bench in it")
    parser.add_argument("folder", help="where to write")
    parser.add_argument("--turns", type=int, default=3, help="runs of each size (default: 3)")
    parser.add_argument("--threads", type=int, default=1, help="of the host (default: 1)")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try it")
    arguments = parser.parse_args()
    if arguments.turns < 1 or arguments.threads < 1:
        parser.error("--turns and --threads must be from 1")
    sizes, layers = (QUICK, 20) if arguments.quick else (SIZES, 1000)
    try:
        best = best_of(arguments.build, sizes, layers, arguments.threads, arguments.turns)
        print_table(best, sizes)
        draw(arguments.build, arguments.folder, best, sizes)
    except Failed as error:
        print(f"growth: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
