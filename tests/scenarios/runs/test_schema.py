"""The schemas of everything that commands write with --json: real results fit, changed ones do not."""
import copy
import json
import os
import random
import shutil
import stat
import subprocess
import unittest

import gridloom
import npy
from gridloom import CHECK, DONE, INPUT, SMALL, SOURCE

DEBIAN = "/usr/bin/python3"
PEER = os.path.join(SOURCE, "tests/scenarios/json_schemas.py")
SLEEP = "host.measure(function() host.sleep(1e-6) end, 2)"
DOT = ["dot", "rows=1", "cols=2", "tiles=1"]
WAFER = ["pcg", "--chip", "wse2", "nx=3", "ny=3", "nz=4", "iterations=2"]
J2D = ["model", "energy", "--program", "j2d", "--size", "1024x1024", "--steps", "64"]
JACOBI = ["model", "time", "--stencil", "jacobi2d"]
READS = [{"proc": "NCRISC", "zone": "NCRISC-KERNEL", "zone_phase": "begin", "sx": 1, "sy": 1, "timestamp": 1000}] + [
    {"proc": "NCRISC", "noc": "NOC_0", "vc": -1, "sx": 1, "sy": 1, "type": kind, "timestamp": time, **more}
    for kind, time, more in (("READ", 1100, {"dx": 2, "dy": 2, "num_bytes": 2048}), ("READ_BARRIER_START", 1170, {}),
                             ("READ_BARRIER_END", 1500, {}))]
HOST = f"""#!/usr/bin/env python3
import sys
sys.path.insert(0, {os.path.join(SOURCE, "tests", "scenarios")!r})
from metal_host import Host, mover
host = Host()
host.ask({{"do": "open"}})
host.launch(mover("void kernel_main() {{}}"))
host.end()
"""
SUITE = """source,case,quantity,unit,published,tolerance,kind,pace,run,base_run,field,scale,combine,note
paper,one,time,us,1,10 %,calibrated,quick,plain.lua,,seconds_per_iteration,2e6,value,
paper,two,time,us,9,-,predicted,quick,plain.lua,,seconds,1e6,value,
paper,gpu,time,us,7,-,context,quick,,,,,value,another machine
"""
DESIGNS = """return { summary = "s", script = "stencil25", chip = "wse2", fixed = { steps = 2, block = 5 }, timing_only = true,
    axes = { { name = "nx", values = { 9 } }, { name = "ny", with = "nx", values = { 9 } },
             { name = "memory.capacity_bytes", values = { 4096, 49152 } },
             { name = "nz", with = "memory.capacity_bytes", values = { 5, 10 } } },
    record = { cores = "parameters.nx*parameters.ny", cells = "parameters.nz",
               seconds = "metrics.cycles_per_step_steady/850000000" } }"""

# The schema, the words of a command that takes --json, and its exit code.
COMMANDS = [
    ("run", ["run", "plain.lua"]),
    ("run", ["run", "transfer", *SMALL]),
    ("run", ["run", *WAFER, "--in", "rhs=b.npy"]),
    ("run", ["run", "stencil7", "--system", "n300", "rows=1", "cols=2", "tiles=1"]),
    ("run", ["run", "vecadd", "tiles=1", "from=l1", "--check", "races", "--uncertainty", "2", "--samples-only"]),
    ("run", ["csl", "run", "csl"]),
    ("run", ["metal", "./host"]),
    ("compare", ["compare", "dot", "--chips", "wormhole_n300,wse2", "nx=32", "ny=32", "nz=2", "--model"]),
    ("diff", ["diff", "a", "b"], gridloom.CHECK),
    ("explain", ["explain", "a"]),
    ("explain", ["explain", "a/trace.pftrace", "b/trace.pftrace"]),
    ("roofline", ["roofline", "a", "--gpu", "h200"]),
    ("roofline", ["roofline", "--figure", "./figure.ini"]),
    ("tune", ["tune", "windows.lua", "--window", "x", "--hand", "2", "--objective",
              "max:metrics.gflops,min:metrics.size"]),
    ("validate", ["validate", "tiny.csv"]),
    ("sweep", ["sweep", "sweep.lua", "--db", "sweep.db"]),
    ("describe", ["describe", "wse2"]),
    ("noc-traffic", ["noc", "traffic", "--size", "3x3", "--rate", "0.1"]),
    ("noc-traffic", ["noc", "traffic", "--size", "3x3", "--rate", "0.2:0.8:0.6", "--saturation", "--resolution", "0.3",
                     "--compare", "xy,yx"]),
    ("noc-traffic", ["noc", "traffic", "--size", "3x3", "--batch", "2"]),
    ("noc-transfer", ["noc", "transfer", "--op", "write", "--from", "1,1", "--to", "2,2", "--bytes", "64"]),
    ("noc-transfer", ["noc", "transfer", "--op", "bidirectional", "--kernels", "2", "--from", "1,1", "--to", "2,2"]),
    ("noc-replay", ["noc", "replay", "trace.json"]),
    ("noc-replay", ["noc", "replay", "trace.json", "trace.json"]),
    ("gpu-figure", ["gpu", "figure", "2"]),
    ("gpu-stencil", ["gpu", "stencil"]),
    ("gpu-transform", ["gpu", "transform"]),
    ("gpu-transform", ["gpu", "transform", "--check"]),
    ("gpu-stencil", ["gpu", "stencil", "--sweep", "fusion=1:3"]),
    ("model-time", [*JACOBI, "--size", "512x512", "--steps", "64"]),
    ("model-time", [*JACOBI, "--size", "64x64", "--steps", "8", "--tile", "8x32",
                    "--tile-steps", "4", "--check"]),
    ("model-time", [*JACOBI, "--size", "1024x1024", "--steps", "64", "--surface"]),
    ("model-time", ["model", "time", "--campaign", "--stencil", "heat3d"]),
    ("model-time", ["model", "time", "--tile", "16x64", "--tile-steps", "16", "--shapes"]),
    ("model-time", [*JACOBI, "--size", "8192x8192", "--steps", "8192", "--measured", "times.csv"]),
    ("model-energy", [*J2D, "--tile", "16x64", "--tile-steps", "16", "--seconds", "1.5"]),
    ("model-energy", J2D),
    ("model-energy", ["model", "energy", "--regress-synthetic", "--rows", "runs.csv"]),
    ("model-energy", ["model", "energy", "--regress", "runs.csv"]),
    ("model-energy", ["model", "energy", "--extract-synthetic"]),
    ("model-energy", ["model", "energy", "--choose-synthetic", "--program", "j1d"]),
    ("model-area", ["model", "area", "--chip", "wse2"]),
    ("model-area", ["model", "area", "--chip", "gtx980"]),
    ("model-codesign", ["model", "codesign", "--area", "440:442", "--class", "2d", "--sizes", "1024:128"]),
    ("model-codesign", ["model", "codesign", "designs.lua"]),
    ("model-chain", ["model", "chain", "--sizes", "60,55,50", "--words", "64", "--single"]),
    ("model-chain", ["model", "chain", "--sizes", "64,32,48,32", "--words", "256", "--check"]),
    ("model-chain", ["model", "chain", "--random-chains", "3"]),
]


# Values that few places take.
ODD = [-1, 0.5, "odd", None, True, [], [-1], {}, {"odd": -1}]


def places_of(value, path=()):
    """Paths of all members; of an array, those of one item."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield (*path, name)
            yield from places_of(member, (*path, name))
    elif isinstance(value, list) and value:
        yield from places_of(value[-1], (*path, len(value) - 1))


def shortened(value):
    """A copy whose long arrays have their first items and the last: the peer takes a millisecond for each."""
    if isinstance(value, dict):
        return {name: shortened(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shortened(item) for item in (value if len(value) < 5 else [*value[:3], value[-1]])]
    return value


def changed(result, path, change):
    """A copy in which `change` was called with the object of a member and the member's name."""
    result = copy.deepcopy(result)
    at = result
    for name in path[:-1]:
        at = at[name]
    change(at, path[-1])
    return result


def mutants_of(result, count, draw):
    """Copies with one member missing, or of another value."""
    places = list(places_of(result))
    for path in draw.sample(places, min(count, len(places))):
        odd = draw.choice(ODD)
        yield changed(result, path, draw.choice([lambda at, name: at.pop(name),
                                                 lambda at, name, odd=odd: at.update({name: odd})]))


class Schema(gridloom.Scenario):
    def make_inputs(self):
        self.environment["XDG_CACHE_HOME"] = self.path("cache")
        self.write("plain.lua", gridloom.workload(SLEEP))
        self.write("windows.lua", gridloom.workload(
            SLEEP + ' host.metric("gflops", p.window_x) host.metric("size", p.window_x)',
            parameters="".join(f'{{ name = "{name}", type = "integer", default = 4, min = 1, max = 4, help = "h" }},'
                               for name in ("nx", "window_x"))))
        self.write("sweep.lua", 'return { summary = "s", script = "plain.lua", record = { c = "cycles" },'
                                'axes = { { name = "noc.hop_cycles", values = { 1, 2 } } } }')
        self.write("designs.lua", DESIGNS)
        self.write("tiny.csv", SUITE)
        self.write("times.csv", "tile,tile_steps,resident,seconds\n16x64,34,2,20\n128x32,10,2,18\n")
        self.write("figure.ini", "[figure]\ntitle = t\nper = second\n[one]\nrate = 6\nroofs = m;p\n"
                                 "kinds = memory;peak\nvalues = 8;12\nintensities = 3/2;used\n")
        self.write("trace.json", json.dumps(READS))
        self.write("b.npy", npy.dump([[[1.0] * 4] * 3] * 3))
        os.chmod(self.path(self.write("host", HOST)), stat.S_IRWXU)
        shutil.copytree(os.path.join(SOURCE, "tests/programs/csl/host"), self.path("csl"))
        for name, more in (("a", []), ("b", ["--set", "noc.hop_cycles=90"])):
            self.succeed("run", *DOT, *more, "--out", name, "-q")

    def make_results(self):
        """Runs every command; its file, and the schema that it should have."""
        self.make_inputs()
        files = {}
        for schema, words, *code in COMMANDS:
            name = f"{len(files)}.json"
            done = self.gridloom(*words, "--json", name)
            self.assertEqual(done.returncode, *code or [DONE], (words, done.stderr))
            files[name] = schema
        return files

    def check(self, *files):
        """What --check says of each file: its schema if it fits, or the mismatch."""
        done = self.gridloom("schema", "--check", *files)
        fits = dict(line.split(": fits schema ") for line in done.stdout.splitlines())
        wrong = dict(line.removeprefix("gridloom: ").split(": ", 1) for line in done.stderr.splitlines())
        self.assertEqual(sorted([*fits, *wrong]), sorted(files))
        self.assertEqual(done.returncode, INPUT if wrong else DONE)
        return fits, wrong

    def peer(self, results):
        """Mismatches that python3-jsonschema finds: by name, lists."""
        if subprocess.run([DEBIAN, "-c", "import jsonschema"], capture_output=True, check=False).returncode:
            self.skipTest("no python3-jsonschema")
        names = {schema for schema, _ in results.values()}
        self.write("schemas.json", json.dumps({name: json.loads(self.succeed("schema", name).stdout) for name in names}))
        done = self.gridloom(PEER, "schemas.json", program=DEBIAN, stdin=None, input=json.dumps(results))
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        return json.loads(done.stdout)

    def test_every_command_writes_what_its_schema_says_and_nothing_else(self):
        files = self.make_results()
        results = {name: shortened(json.loads(self.read(name))) for name in files}

        fits, wrong = self.check(*files)
        found = self.peer({name: (schema, results[name]) for name, schema in files.items()})

        self.assertEqual((fits, wrong), (files, {}))
        for name, texts in found.items():
            self.assertEqual(texts, [], COMMANDS[int(name[:-5])])
        self.assertEqual(set(files.values()) | {"result", "gpu-measured"}, set(self.names()))
        # Scripts may add numbers; this one does not.
        run = json.loads(self.succeed("schema", "run").stdout)["properties"]["metrics"]["properties"]
        self.assertLessEqual(set(results["0.json"]["metrics"]), set(run))
        self.assertBothAgree(files, results)

    def assertBothAgree(self, files, results):
        """Changed results are refused by both, or by neither; most are."""
        draw = random.Random(1)
        mutants = {}
        for name, schema in files.items():
            for number, mutant in enumerate(mutants_of(results[name], 5, draw)):
                # What names the schema may not change.
                if (mutant.get("workload"), mutant.get("schema_version")) == (
                        results[name].get("workload"), results[name].get("schema_version")):
                    self.write(f"m{number}-{name}", json.dumps(mutant))
                    mutants[f"m{number}-{name}"] = (schema, mutant)

        fits, wrong = self.check(*mutants)
        found = self.peer(mutants)

        for name, (schema, mutant) in mutants.items():
            if fits.get(name, schema) == schema:
                self.assertEqual(name in wrong, bool(found[name]), (wrong.get(name), found[name], schema))
        self.assertGreater(len(wrong), len(mutants) / 2)

    def names(self):
        return [line.split()[0] for line in self.succeed("schema").stdout.splitlines()[1:]]

    def test_results_of_gpus_fit(self):
        folder = os.path.join(SOURCE, "traces/gpu")
        files = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".json")]

        fits, _ = self.check(*files)

        self.assertEqual(set(fits.values()), {"gpu-measured"})

    def test_schemas_are_listed_printed_and_written_whole(self):
        names = self.names()
        self.succeed("schema", "--out", "new/schemas")
        self.succeed("schema", "--out", "two", "run", "result")

        self.assertEqual(sorted(os.listdir(self.path("new/schemas"))), sorted(name + ".json" for name in names))
        self.assertEqual(sorted(os.listdir(self.path("two"))), ["result.json", "run.json"])
        for name in names:
            text = self.succeed("schema", name).stdout
            self.assertEqual(self.read(f"new/schemas/{name}.json"), text)
            for line in text.splitlines():
                if '"$ref"' in line:  # it needs no other file
                    self.assertIn('"$ref" : "#/$defs/', line)

    def test_what_is_wrong_is_told_in_one_line(self):
        self.succeed("run", "transfer", *SMALL, "--json", "a.json", "-q")
        result = json.loads(self.read("a.json"))
        for path, value, says in (
                (["cycles"], -1, "/cycles: -1, allowed is at least 0 (gridloom schema run)"),
                (["check", "status"], "ok", '/check/status: "ok", allowed is "pass", "fail" or "skipped"'),
                (["counters", "flops"], "many", '/counters/flops: "many", allowed is a whole number'),
                (["busy", "math"], 1.5, "/busy/math: 1.5, allowed is at most 1"),
                (["overrides", "a/b"], 1, "/overrides/a~1b: 1, allowed is a text"),
                (["roofs", 0, "value"], "\x1b[31m", '/roofs/0/value: "\\u001b[31m", allowed is a number'),
                (["host"], None, "/host: null, allowed is an object"),
                (["schema_version"], 2, "/schema_version: 2, allowed is 1")):
            with self.subTest(path):
                self.write("b.json", json.dumps(changed(result, path, lambda at, name, v=value: at.update({name: v}))))
                self.assertFails(INPUT, ["gridloom: b.json: " + says], "schema", "--check", "b.json")
        self.write("b.json", json.dumps(changed(result, ["metrics", "device_seconds"], lambda at, name: at.pop(name))))
        self.assertFails(INPUT, ['gridloom: b.json: /metrics: there is no "device_seconds" (gridloom schema run)'],
                         "schema", "--check", "b.json")
        done = self.gridloom("schema", "--check", "b.json", "a.json", "none.json")
        self.assertEqual((done.returncode, done.stdout), (INPUT, "a.json: fits schema run\n"))
        self.assertEqual([line.split(": ")[:2] for line in done.stderr.splitlines()],
                         [["gridloom", "b.json"], ["gridloom", "none.json"]])

    def test_other_files_and_words_are_refused(self):
        self.write("a.json", "{}")
        self.write("list.json", "[1]")
        self.write("half.json", '{ "schema_version": 1,\n "gri')
        self.write("deep.json", "[" * 5000 + "]" * 5000)
        self.write("empty.json", "")
        for says, words in (
                ("a.json: no result of gridloom, it has no schema_version", ["--check", "a.json"]),
                ("list.json: no result of gridloom", ["--check", "list.json"]),
                ("half.json: ", ["--check", "half.json"]),
                ("deep.json: no result of gridloom, its objects lie too deep", ["--check", "deep.json"]),
                ("empty.json: ", ["--check", "empty.json"]),
                ("no.json: No such file", ["--check", "no.json"]),
                ("--check: no file;", ["--check"]),
                ("--partial belongs to --check", ["--partial", "run"]),
                ("--check writes nothing", ["--check", "a.json", "--out", "new"]),
                ("noc: no such schema; known are compare, ", ["noc"]),
                ("noc: no such schema; known are compare, ", ["--out", "new", "run", "noc"]),
                ("2 names, one is printed", ["run", "diff"])):
            with self.subTest(words):
                self.assertFails(INPUT, [says], "schema", *words)

    def test_commands_that_read_results_refuse_what_is_none(self):
        self.succeed("run", *DOT, "--json", "a.json", "-q")
        result = json.loads(self.read("a.json"))
        says = ['b.json: /counters/flops: "x", allowed is a whole number (gridloom schema run)']
        self.write("b.json", json.dumps({**result, "counters": {**result["counters"], "flops": "x"}}))
        for words in (["report", "b.json", "-o", "new.html"], ["diff", "a.json", "b.json"], ["roofline", "b.json"],
                      ["plot", "roofline", "b.json", "-o", "new.svg"],
                      ["compare", "dot", "--chips", "wormhole_n300", "--beside", "b.json"]):
            with self.subTest(words):
                self.assertFails(INPUT, says, *words)
        # Those of older versions have fewer members.
        del result["check"], result["metrics"]["device_seconds"]
        self.write("old.json", json.dumps(result))
        self.succeed("report", "old.json", "-o", "page.html")
        self.succeed("schema", "--check", "--partial", "old.json")
        self.assertFails(INPUT, ['old.json: there is no "check" (gridloom schema run)'], "schema", "--check", "old.json")


if __name__ == "__main__":
    unittest.main()
