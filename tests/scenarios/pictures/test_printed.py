"""Whole outputs: what commands print, and a sketch of each file that they write.

A file of expected/printed is a session: after each line "$ words" comes what the command printed,
then its files. Tables and pictures are long, so a checksum stands for the rows of a table, for a
member of a JSON file, and for the shapes of one kind in a picture.

GRIDLOOM_UPDATE_EXPECTED=1 writes the sessions again, after an intended change.
"""
import json
import os
import re
import unittest
import xml.etree.ElementTree as xml
import zlib

import chips
import gridloom
import sweeps

FOLDER = os.path.join(gridloom.SOURCE, "tests/scenarios/expected/printed")
SAMPLES = os.path.join(gridloom.SOURCE, "traces/samples")
ROUTING = os.path.join(gridloom.SOURCE, "workloads/routing")
EVENTS = os.path.join(gridloom.SOURCE, "tests/traces/noc_events")
SUITE = """\
source,case,quantity,unit,published,tolerance,kind,pace,run,base_run,field,scale,combine,note
paper,two,time,us,10,10 %,calibrated,quick,timed.lua us=20,,seconds_per_iteration,1e6,value,
paper,four,time,us,11,10 %,predicted,quick,timed.lua us=20,,seconds_per_iteration,1e6,value,a note
paper,six,words,,25,-,predicted,quick,timed.lua us=8,,metrics.words,1,value,a note
other,six,words,,24,1,predicted,quick,timed.lua us=8,,metrics.words,1,value,
"""
DESIGN = """return { summary = "s", script = "stencil25", chip = "wse2", timing_only = true,
    fixed = { steps = 2, block = 5, nx = 9, ny = 9 },
    axes = { { name = "memory.capacity_bytes", values = { 4096, 12288, 49152 } },
             { name = "nz", with = "memory.capacity_bytes", values = { 5, 5, 20 } } },
    record = { cores = "parameters.nx*parameters.ny", cells = "parameters.nz",
               seconds = "metrics.cycles_per_step_steady/850000000",
               across = "parameters.nx+parameters.ny", across_seconds = "7/850000000" } }
"""
MEASURED = """tile,tile_steps,resident,seconds,chosen
16x64,34,2,20,1
16x64,34,1,18,0
8x32,16,1,90,0
"""
LAUNCHES = """local cycles = host.number("tensix.kernel_init_cycles")
        for i = 1, 3 do
            host.wait(host.launch { { name = "k", kernel = function(core) core.delay(cycles) end } })
        end"""
INPUTS = {
    "timed.lua": sweeps.SCRIPT, "suite.csv": SUITE, "design.lua": DESIGN, "times.csv": MEASURED,
    "launches.lua": gridloom.workload(LAUNCHES),
    "ranges.ini": chips.chip_with_ranges(
        host__launch_us="25..38", tensix__kernel_init_cycles="200..400",
        chip__clock_hz="900000000..1100000000"),
    "sweep.lua": sweeps.sweep('{ name = "us", values = { 1, 4, 16 } }, '
                              '{ name = "mode", values = { "right", "sometimes" } }',
                              'record = { "seconds", "metrics.words" }')}
# Members that differ from run to run, or from chip file to chip file.
LEFT_OUT = ("host", "chip_parameters", "chip_digest", "gridloom")
# Lines with real time.
TIMES = re.compile(r" *simulated  in |\d+ of them now, in |.*\d runs? in [\d.]+ m?s$|[\d.]+ m?s$")


def checksum(value):
    return f"{zlib.crc32(str(value).encode()):08x}"


def rounded(value):
    """A JSON value whose numbers have nine digits, and without members that differ in every run."""
    if isinstance(value, dict):
        return {name: rounded(member) for name, member in value.items() if name not in LEFT_OUT}
    if isinstance(value, list):
        return [rounded(member) for member in value]
    return f"{value:.9g}" if isinstance(value, float) else value


def sketch_json(text):
    result = rounded(json.loads(text))
    for name, value in result.pop("metrics", {}).items():
        yield f"{name} {checksum(value) if isinstance(value, (dict, list)) else value}"
    yield f"all but metrics {checksum(result)}"


def sketch_svg(text):
    shapes = {}
    for shape in xml.fromstring(text).iter():
        kind = shape.tag.rpartition("}")[2]
        shapes.setdefault(kind, []).append(f"{shape.attrib} {shape.text}")
    for kind, found in shapes.items():
        yield f"{kind} {len(found)} {checksum(repr(found))}"


def sketch_table(text):
    lines = text.splitlines()
    yield f"{len(lines)} lines {checksum(text)} {lines[0][:60]}"


SKETCHES = {".json": sketch_json, ".svg": sketch_svg, ".csv": sketch_table, ".paje": sketch_table}


class Printed(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        for name, text in INPUTS.items():
            self.write(name, text)
        os.symlink(SAMPLES, self.path("samples"))
        os.symlink(EVENTS, self.path("events"))
        os.symlink(ROUTING, self.path("routing"))

    def written(self, known):
        """Sketches of the files that are new or that have changed."""
        for name in sorted(os.path.relpath(os.path.join(folder, name), self.folder)
                           for folder, _, names in os.walk(self.folder) for name in names):
            sketch = SKETCHES.get(os.path.splitext(name)[1])
            if sketch is not None and known.get(name) != self.read(name):
                known[name] = self.read(name)
                text = known[name].replace(gridloom.SOURCE, "SOURCE")
                yield from (f"{name}: {line}" for line in sketch(text))

    def session(self, kept):
        """The commands of a session, with what they print and write now."""
        known = dict(INPUTS)
        for words in re.findall(r"^\$ (.*)", kept, re.MULTILINE):
            done = self.gridloom(*words.split())
            lines = [line for line in done.stdout.splitlines() if not TIMES.match(line)]
            if done.returncode or done.stderr:
                lines.append(f"exit {done.returncode}: {done.stderr.rstrip()}")
            yield "\n".join([f"$ {words}", *lines, *self.written(known)])

    def test_commands_print_and_draw_what_they_did(self):
        for name in sorted(os.listdir(FOLDER)):
            with self.subTest(name):
                self.setUp()
                path = os.path.join(FOLDER, name)
                with open(path, encoding="utf-8") as file:
                    kept = file.read()
                now = "\n".join(self.session(kept)).replace(gridloom.SOURCE, "SOURCE") + "\n"
                if os.environ.get("GRIDLOOM_UPDATE_EXPECTED"):
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(now)
                self.maxDiff = None
                self.assertEqual(now, kept)


if __name__ == "__main__":
    unittest.main()
