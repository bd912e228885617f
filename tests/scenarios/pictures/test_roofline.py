"""Runs and GPUs under their roofs: numbers computed by hand, files, and refusals."""
import csv
import io
import json
import math
import os
import re
import struct
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom

SVG = "{http://www.w3.org/2000/svg}"
CORES = 4
# pcg on 2 x 2 Tensix cores: traces/gpu has results for this workload.
PCG = ["pcg", "rows=2", "cols=2", "tiles=1", "iterations=1"]
WAFER = ["stencil7", "--chip", "wse2", "nx=3", "ny=2", "nz=4"]
FORMATS = ": runs of different formats stand side by side: "
SIZES = ": runs of different sizes stand side by side: "


def keys_of(chip):
    """The numbers of a chip file, read without the program."""
    keys, section = {}, ""
    with open(os.path.join(gridloom.SOURCE, "arch/chips", chip + ".ini"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("["):
                section = line.strip()[1:-1]
            elif "=" in line and not line.startswith("#"):
                name, _, value = line.partition("=")
                keys[f"{section}.{name.strip()}"] = value.strip()
    return keys


class Roofline(gridloom.Scenario):
    MADE = {}       # results of other tests' runs, by their words

    def succeed(self, *words, **options):
        """Small runs stand beside large ones of traces/gpu, in other formats, and the program says
        so."""
        done = self.gridloom(*words, **options)
        others = [line for line in done.stderr.splitlines() if SIZES not in line and FORMATS not in line]
        self.assertEqual((done.returncode, others), (gridloom.DONE, []), words)
        return done

    def run_one(self, *words, name="t"):
        if words not in self.MADE:
            self.succeed("run", *words, "-q", "--json", "made.json")
            self.MADE[words] = self.read("made.json")
            os.remove(self.path("made.json"))
        self.write(name + ".json", self.MADE[words])
        return json.loads(self.MADE[words])

    def roofline(self, *words):
        """The command's JSON object."""
        self.succeed("roofline", *words, "-q", "--json", "r.out")
        return json.loads(self.read("r.out"))["metrics"]

    def machine(self, metrics, index=0):
        machine = metrics["machines"][index]
        return machine, {roof["name"]: roof for roof in machine["roofs"]}

    def write_json(self, name, value):
        self.write(name, json.dumps(value))

    def gpu_result(self, chip="h200", **changes):
        """A result as tools/gpu writes it: 2e12 FLOP and 4e12 B in 2 s."""
        result = {
            "schema_version": 1, "gridloom": "0.1.0", "workload": "pcg", "chip": chip,
            "parameters": {}, "seconds": 2.0, "iterations": 1,
            "counters": {"flops": 2_000_000_000_000, "fp32_flops": 2_000_000_000_000,
                         "dram_bytes": 4_000_000_000_000},
            "metrics": {"measured": True, "device_seconds": 99.0},
            "roofs": [{"name": "DRAM", "unit": "bytes per second", "value": 4e12,
                       "achieved": 2e12, "source": "h200-copy.json: measured copy"}],
            "check": {"status": "pass"},
        }
        result.update(changes)
        return result


class Numbers(Roofline):
    def test_intensities_of_a_wormhole_run_are_counters_over_counters(self):
        result = self.run_one(*PCG)
        counters = result["counters"]
        machine, roofs = self.machine(self.roofline("t.json"))
        for name, counter in (("L1", "sram_bytes"), ("unpack", "unpacked_bytes"),
                              ("pack", "packed_bytes"), ("NoC links", "noc_bytes"),
                              ("NoC into cores", "received_bytes")):
            self.assertAlmostEqual(roofs[name]["intensity"] / (counters["flops"] / counters[counter]),
                                   1, places=9, msg=name)
        self.assertAlmostEqual(machine["rate"] / (counters["flops"]
                                                  / result["metrics"]["device_seconds"]), 1)
        self.assertEqual(counters["sram_bytes"],
                         counters["unpacked_bytes"] + counters["packed_bytes"])

    def test_roofs_of_a_wormhole_run_follow_from_its_chip_file(self):
        self.run_one(*PCG)
        _, roofs = self.machine(self.roofline("t.json"))
        keys = {name: float(value) for name, value in keys_of("wormhole_n300").items()
                if re.fullmatch(r"[\d.]+", value)}
        clock = keys["chip.clock_hz"]
        expected = {
            "FPU": CORES * keys["fpu.instruction_rows"] * 16 * clock,
            "SFPU": CORES * 2 * keys["sfpu.lane_count"] * clock,
            "unpack": CORES * keys["unpack.l1_bytes_per_cycle"] * clock,
            "pack": CORES * keys["pack.l1_bytes_per_cycle"] * clock,
            "copy into Dst, 16 bit": CORES * 2048 / keys["unpack.one_operand_bf16_cycles_per_tile"] * clock,
            "copy into Dst, 32 bit": CORES * 4096 / keys["unpack.dst_fp32_cycles_per_tile"] * clock,
            "NoC into cores": CORES * 2 * keys["noc.link_bytes_per_cycle"] * clock,
            "DRAM": keys["dram.channel_count"] * keys["dram.channel_bytes_per_second"],
        }
        for name, value in expected.items():
            # The PEs in use are a mean over time, including their start.
            self.assertAlmostEqual(roofs[name]["value"] / value, 1, delta=0.01, msg=name)

    def test_the_bound_is_the_lowest_of_what_the_roofs_allow(self):
        self.run_one(*PCG)
        self.run_one(*WAFER, name="w")
        metrics = self.roofline("t.json", "w.json")
        for index in (0, 1):
            machine, roofs = self.machine(metrics, index)
            allowed = {name: roof["value"] * (1 if roof["is_peak"] else roof["intensity"])
                       for name, roof in roofs.items()
                       if roof["intensity"] is not None or name == "f32 arithmetic"}
            if index == 0:
                # The FPU does part of its operations, so it allows more by that part.
                allowed["FPU"] = machine["rate"] / (roofs["FPU"]["achieved"] / roofs["FPU"]["value"])
            lowest = min(allowed, key=allowed.get)
            self.assertEqual(machine["bound"], lowest)
            self.assertAlmostEqual(machine["attainable"] / allowed[lowest], 1)
            self.assertAlmostEqual(machine["percent"], 100 * machine["rate"] / allowed[lowest])
            self.assertEqual(machine["bound_kind"], "compute" if roofs[lowest]["is_peak"] else "memory")

    def test_a_trace_and_its_folder_say_the_same_as_the_result(self):
        self.succeed("run", *PCG, "-q", "--out", "o", "--json", "t.json", "--trace", "t.pftrace")
        expected = self.roofline("t.json")
        for name in "t.pftrace", "o":
            machine, roofs = self.machine(self.roofline(name))
            # The folder has no trace: it is where --trace says.
            self.assertEqual(machine.pop("part", {}).get("is_all"), True if name == "t.pftrace" else None)
            given, by_result = self.machine(expected)
            self.assertEqual({**machine, "roofs": None, "rate": 0, "attainable": 0, "percent": 0},
                             {**given, "roofs": None, "rate": 0, "attainable": 0, "percent": 0})
            for roof, one in roofs.items():
                for member in "value", "achieved", "intensity", "percent":
                    self.assertEqual(one[member] is None, by_result[roof][member] is None)
                    self.assertAlmostEqual((one[member] or 1) / (by_result[roof][member] or 1), 1, places=9)

    def test_units_without_work_are_roofs_and_not_limits(self):
        self.run_one("vecadd", "tiles=4", "from=l1")
        machine, roofs = self.machine(self.roofline("t.json"))
        self.assertEqual(roofs["SFPU"]["achieved"], 0)
        self.assertAlmostEqual(roofs["L1"]["intensity"], 1 / 6)
        self.assertAlmostEqual(roofs["unpack"]["intensity"], 1 / 4)
        self.assertAlmostEqual(roofs["pack"]["intensity"], 1 / 2)
        self.assertIsNone(roofs["copy into Dst, 16 bit"]["intensity"])
        self.assertEqual(machine["bound"], "unpack")

    def test_copies_are_counted_by_width(self):
        tiles, numbers = 4, 4 * 1024
        bf16 = self.run_one("vecadd", f"tiles={tiles}", "from=l1", "unit=sfpu")["counters"]
        self.assertEqual(bf16["copied_16_bytes"], 2 * 2 * numbers)
        self.assertEqual(bf16["copied_32_bytes"], 0)
        fp32 = self.run_one("vecadd", f"tiles={tiles}", "from=l1", "unit=sfpu", "dtype=fp32")["counters"]
        self.assertEqual(fp32["copied_32_bytes"], 2 * 4 * numbers)
        self.assertEqual(fp32["copied_16_bytes"], 0)

    def test_per_watt_divides_by_the_energy_over_the_measured_time(self):
        result = self.run_one(*PCG)
        watts = result["metrics"]["power_watts"]
        plain, _ = self.machine(self.roofline("t.json"))
        machine, roofs = self.machine(self.roofline("t.json", "--per-watt"))
        self.assertAlmostEqual(machine["watts"] / watts, 1)
        self.assertEqual(machine["watts_from"], "the run's energy over its time")
        self.assertAlmostEqual(machine["rate"] * watts / plain["rate"], 1)
        self.assertAlmostEqual(machine["percent"], plain["percent"])
        self.assertAlmostEqual(roofs["DRAM"]["value"] * 150 / 288e9, 1)  # of the board

    def test_per_watt_divides_by_the_share_of_the_board(self):
        """Where the energy is not known."""
        result = self.run_one(*PCG)
        result["energy_joules"] = None
        self.write("t.json", json.dumps(result))
        plain, _ = self.machine(self.roofline("t.json"))
        machine, roofs = self.machine(self.roofline("t.json", "--per-watt"))
        keys = keys_of("wormhole_n300")
        watts = float(keys["chip.tdp_watts"]) / float(keys["chip.asic_count"])
        self.assertEqual(machine["watts"], watts)
        self.assertIn("chip.tdp_watts", machine["watts_from"])
        self.assertAlmostEqual(machine["rate"] * watts / plain["rate"], 1)
        self.assertAlmostEqual(machine["percent"], plain["percent"])
        self.assertAlmostEqual(roofs["DRAM"]["value"] * watts / 288e9, 1)

    def test_per_watt_of_a_wafer_is_by_its_energy(self):
        result = self.run_one(*WAFER)
        machine, _ = self.machine(self.roofline("t.json", "--per-watt"))
        self.assertAlmostEqual(machine["watts"] / (result["energy_joules"]
                                                   / result["metrics"]["device_seconds"]), 1)
        self.assertEqual(machine["watts_from"], "the run's energy over its time")
        done = self.succeed("roofline", "t.json", "--per-watt")
        self.assertRegex(done.stdout, r"stencil7 on wse2, simulated, PEs 6 of 750,470: 16\.1\d? kW, the run's energy")


class Gpus(Roofline):
    def test_a_measured_result_has_the_roofs_of_its_chip_and_its_own(self):
        self.write_json("g.json", self.gpu_result())
        machine, roofs = self.machine(self.roofline("g.json"))
        keys = keys_of("h200")
        self.assertEqual(machine["origin"], "measured")
        # By seconds, because device_seconds has all repeats.
        self.assertEqual(machine["rate"], 1e12)
        self.assertEqual(roofs["DRAM"]["value"], float(keys["memory.dram_bytes_per_second"]))
        self.assertEqual(roofs["DRAM, measured"]["value"], 4e12)
        self.assertEqual(roofs["CUDA cores, FP32"]["value"], float(keys["cuda.fp32_flops_per_second"]))
        self.assertEqual(roofs["CUDA cores, FP32"]["achieved"], 1e12)
        self.assertEqual(roofs["DRAM"]["intensity"], 0.5)
        self.assertEqual(machine["bound"], "DRAM, measured")
        self.assertAlmostEqual(machine["percent"], 50)
        self.assertAlmostEqual(machine["attainable"], 2e12)
        for name in ("tensor cores, FP64", "tensor cores, TF32", "tensor cores, FP16",
                     "sparse tensor cores, TF32", "L2", "L1/shared"):
            self.assertIsNone(roofs[name]["intensity"], name)

    def test_much_work_on_few_bytes_is_bound_by_its_unit(self):
        self.write_json("g.json", self.gpu_result(counters={
            "flops": 50_000_000_000_000, "fp64_flops": 50_000_000_000_000, "dram_bytes": 4},
            roofs=[]))
        machine, roofs = self.machine(self.roofline("g.json"))
        peak = float(keys_of("h200")["cuda.fp64_flops_per_second"])
        self.assertEqual((machine["bound"], machine["bound_kind"]), ("CUDA cores, FP64", "compute"))
        self.assertAlmostEqual(machine["percent"], 100 * 25e12 / peak)
        self.assertAlmostEqual(machine["attainable"] / peak, 1)
        self.assertEqual(roofs["CUDA cores, FP32"]["achieved"], None)

    def test_gpu_adds_the_results_of_the_same_workload(self):
        self.run_one(*PCG)
        metrics = self.roofline("t.json", "--gpu", "h100")
        self.assertEqual([(machine["workload"], machine["chip"], machine["origin"])
                          for machine in metrics["machines"]][:2],
                         [("pcg", "wormhole_n300", "simulated"), ("pcg", "h100", "published")])
        self.assertEqual((metrics["machines"][-1]["workload"], metrics["machines"][-1]["run"]), ("", None))
        published, roofs = self.machine(metrics, 1)
        with open(os.path.join(gridloom.SOURCE, "traces/gpu/h100-published-pcg.json"),
                  encoding="utf-8") as file:
            counters = json.load(file)["counters"]
        self.assertAlmostEqual(published["rate"], counters["flops"] / 0.28e-3, delta=1)
        self.assertAlmostEqual(roofs["DRAM"]["intensity"], counters["flops"] / counters["dram_bytes"])
        self.assertEqual(published["bound"], "DRAM")

    def test_a_processor_is_beside_runs_with_what_was_published_of_it(self):
        metrics = self.roofline("power9-published-vadvc", "--beside", "power9,h100")
        self.assertEqual([(machine["chip"], machine["workload"], machine["origin"]) for machine in metrics["machines"]],
                         [("power9", "vadvc", "published"), ("h100", "vadvc", "bound"),
                          ("power9", "", "simulated"), ("h100", "", "simulated")])
        published, roofs = self.machine(metrics)
        self.assertAlmostEqual(published["rate"], 29.1e9, delta=1)
        # 30 operations for each computed point, six numbers for every point.
        self.assertAlmostEqual(roofs["DRAM"]["intensity"], 30 * 252 * 252 / (24 * 256 * 256))
        _, roofs = self.machine(metrics, 2)
        self.assertEqual(roofs["cores, FP32"]["value"], 16 * 16 * 3.2e9)
        self.assertEqual(roofs["DRAM"]["value"], 8 * 8 * 2.666e9)
        machine, _ = self.machine(self.roofline("power9-published-vadvc", "--per-watt"))
        self.assertAlmostEqual(machine["rate"], 29.1e9 / 99.2, delta=1)

    def test_beside_has_gpus_as_gpu_does(self):
        self.run_one(*PCG)
        self.assertEqual(self.roofline("t.json", "--beside", "h100"), self.roofline("t.json", "--gpu", "h100"))

    def test_results_are_found_in_the_search_path(self):
        self.write_json("tree/traces/gpu/h200-mine.json", self.gpu_result())
        self.write_json("tree/traces/gpu/h200-other.json", self.gpu_result(workload="dot"))
        self.write_json("tree/traces/gpu/h200-broken.json", {})
        self.run_one(*PCG)
        done = self.succeed("roofline", "t.json", "--gpu", "h200", "-q", "--json", "-",
                            env={**self.environment, "GRIDLOOM_PATH": self.path("tree")})
        machines = json.loads(done.stdout)["metrics"]["machines"]
        self.assertEqual([machine["rate"] for machine in machines
                          if machine["chip"] == "h200" and machine["rate"] == 1e12], [1e12])
        self.assertNotIn("dot", [machine["workload"] for machine in machines])

    def test_runs_that_are_alike_have_the_names_of_their_files(self):
        self.write_json("one.json", self.gpu_result())
        self.write_json("two.json", self.gpu_result(seconds=4.0))
        metrics = self.roofline("one.json", "two.json", "h100-published-pcg")
        self.assertEqual([machine["detail"] for machine in metrics["machines"]],
                         ["measured, one", "measured, two", "published"])

    def test_runs_beyond_z_have_letters_of_their_own(self):
        for i in range(28):
            self.write_json(f"r{i:02}.json", self.gpu_result(seconds=1.0 + i))
        metrics = self.roofline(*[f"r{i:02}.json" for i in range(28)])
        letters = [machine["letter"] for machine in metrics["machines"]]
        self.assertEqual(len(set(letters)), 28)
        self.assertEqual(letters[24:], ["Y", "Z", "AA", "AB"])

    def test_own_roofs_are_measured_where_their_source_says_so(self):
        computed = {"name": "tensor cores, TF32", "unit": "FLOP per second", "value": 5.35e14,
                    "achieved": 1e12, "source": "FLOP a cycle, multiprocessors, clock_hz"}
        self.write_json("g.json", self.gpu_result(roofs=self.gpu_result()["roofs"] + [computed]))
        _, roofs = self.machine(self.roofline("g.json"))
        self.assertEqual(roofs["DRAM, measured"]["value"], 4e12)
        self.assertEqual(roofs["tensor cores, TF32, at its clock"]["value"], 5.35e14)
        self.assertNotIn("tensor cores, TF32, measured", roofs)

    def test_numbers_out_of_any_range_are_refused_or_left_out(self):
        roof = {"name": "L2", "unit": "bytes per second", "value": 1e12, "achieved": 1e11,
                "source": ""}
        for changes in ({"seconds": 1e-320}, {"seconds": 1e308},
                        {"counters": {"flops": 1e308, "dram_bytes": 1}}):
            self.write_json("g.json", self.gpu_result(**changes))
            self.assertFails(gridloom.INPUT, ["g.json", "operations a second are out of"],
                             "roofline", "g.json", "-o", "p.svg")
        for changes in ({"roofs": [{**roof, "value": 1e-320}]}, {"roofs": [{**roof, "value": 1e308}]},
                        {"roofs": [{**roof, "achieved": 1e-320}]}, {"energy_joules": 1e-320},
                        {"energy_joules": 1e308}):
            self.write_json("g.json", self.gpu_result(**changes))
            for words in ([], ["--per-watt"]):
                self.succeed("roofline", "g.json", "-o", "p.svg", "-o", "p.html", *words)
                self.assertNotIn("nan", self.read("p.svg"))
                self.assertNotIn("inf", self.read("p.svg"))

        self.write_json("g.json", self.gpu_result(roofs=[{**roof, "achieved": -1}]))
        self.assertFails(gridloom.INPUT, ["g.json: /roofs/0/achieved: -1, allowed is at least 0"],
                         "roofline", "g.json", "-o", "new.svg")

    def test_names_of_files_need_not_be_utf_8(self):
        name = os.fsdecode(b"\xff.json")
        self.write_json(name, {k: v for k, v in self.gpu_result().items() if k != "workload"})
        done = self.succeed("roofline", name, "-q", "--json", "result.json", "-o", "p.svg")
        self.assertEqual(done.returncode, 0)
        json.loads(self.read("result.json"))
        ElementTree.fromstring(self.read("p.svg"))

    def test_two_roofs_of_one_memory_have_one_mark(self):
        self.write_json("g.json", self.gpu_result())
        self.succeed("roofline", "g.json", "-q", "-o", "p.svg")
        picture = ElementTree.fromstring(self.read("p.svg"))
        titles = [title.text for title in picture.iter(SVG + "title")
                  if title.text.startswith("pcg on h200, measured, DRAM")]
        self.assertEqual(titles, ["pcg on h200, measured, DRAM, measured: 0.5 FLOP/B, 1 TFLOP/s, "
                                  "50 % of this roof"])
        self.assertIn("A", [text.text for text in picture.iter(SVG + "text")])

    def test_gpu_prefers_results_of_the_same_size(self):
        for name, nx in (("mine", 128), ("near", 129), ("far", 512)):
            self.write_json(f"tree/traces/gpu/h200-{name}.json",
                            self.gpu_result(workload="dot", parameters={"nx": nx, "ny": 8, "nz": 2}))
        self.environment["GRIDLOOM_PATH"] = self.path("tree")
        for nx, count in ((128, 1), (77, 3)):
            self.write_json("run.json", self.gpu_result(
                chip="a100_80gb", workload="dot", parameters={"nx": nx, "ny": 8, "nz": 2}))
            metrics = self.roofline("run.json", "--gpu", "h200")
            found = [machine for machine in metrics["machines"]
                     if machine["chip"] == "h200" and machine["rate"] == 1e12]
            self.assertEqual(len(found), count)

    def test_gpu_matches_size_and_format_of_each_run(self):
        def parameters(nx, dtype):
            return {"nx": nx, "ny": 8, "nz": 2, **({"dtype": dtype} if dtype else {})}

        for nx, dtype in ((128, "fp32"), (128, "fp64"), (128, "bf16"), (64, "fp32"), (64, "fp64")):
            self.write_json(f"tree/traces/gpu/h200-{nx}-{dtype}.json", self.gpu_result(
                workload="mine", parameters=parameters(nx, dtype), seconds=1.0 + nx))
        self.environment["GRIDLOOM_PATH"] = self.path("tree")
        for nx, dtype, found, bounds in (
                (128, "bf16", ["128-bf16"], 0), (64, "fp32", ["64-fp32"], 0),
                (64, "bf16", ["64-fp32", "64-fp64"], 1),         # another format
                (77, "fp32", ["128-fp32", "64-fp32"], 1),        # another size
                (77, "mixed", ["128-bf16", "128-fp32", "128-fp64", "64-fp32", "64-fp64"], 1),
                (128, None, ["128-bf16", "128-fp32", "128-fp64"], 0)):
            with self.subTest(nx=nx, dtype=dtype):
                self.write_json("run.json", self.gpu_result(
                    chip="a100_80gb", workload="mine", parameters=parameters(nx, dtype)))
                machines = self.roofline("run.json", "--gpu", "h200")["machines"]
                details = [machine["detail"] for machine in machines
                           if machine["chip"] == "h200" and machine["origin"] == "measured"]
                self.assertEqual(len(details), len(found))
                if len(found) > 1:
                    self.assertEqual(details, [f"measured, h200-{name}" for name in found])
                self.assertEqual(sum(machine["origin"] == "bound" for machine in machines), bounds)
        # Each of several runs has its own.
        self.write_json("a.json", self.gpu_result(
            chip="a100_80gb", workload="mine", parameters=parameters(128, "bf16")))
        self.write_json("b.json", self.gpu_result(
            chip="a100_80gb", workload="mine", parameters=parameters(64, "fp64")))
        machines = self.roofline("a.json", "b.json", "--gpu", "h200")["machines"]
        self.assertEqual([machine["detail"] for machine in machines if machine["chip"] == "h200"
                          and machine["workload"]], ["measured, h200-128-bf16", "measured, h200-64-fp64"])

    def test_vectors_match_grids_of_as_many_numbers(self):
        self.write_json("run.json", self.gpu_result(chip="a100_80gb", workload="dot", parameters={
            "nx": 512, "ny": 112, "nz": 64, "dtype": "fp32"}))
        machines = self.roofline("run.json", "--gpu", "h200")["machines"]
        self.assertEqual({machine["origin"] for machine in machines[1:-1]}, {"measured"})

    def test_what_was_not_measured_has_a_bound(self):
        for dtype, bytes_of in (("fp64", 8), ("fp32", 4), ("bf16", 2)):
            self.write_json("run.json", self.gpu_result(chip="a100_80gb", workload="stencil7", parameters={
                "nx": 100, "ny": 90, "nz": 80, "dtype": dtype}))
            metrics = self.roofline("run.json", "--gpu", "h200")
            bound, roofs = next((machine, {roof["name"]: roof for roof in machine["roofs"]})
                                for machine in metrics["machines"] if machine["origin"] == "bound")
            # 7 operations, a number read and one written, below the roof of the chip file.
            bandwidth = float(keys_of("h200")["memory.dram_bytes_per_second"])
            self.assertAlmostEqual(roofs["DRAM"]["intensity"], 7 / (2 * bytes_of))
            self.assertAlmostEqual(bound["attainable"] / (7 / (2 * bytes_of) * bandwidth), 1)
            self.assertEqual((bound["workload"], bound["run"]), ("stencil7", None))
            self.assertTrue(any(note.startswith(f"stencil7 on h200, bound: 100x90x80 in {dtype} was not "
                                                "measured; ") for note in metrics["notes"]))
        done = self.succeed("roofline", "run.json", "--gpu", "h200", "-o", "p.svg", "-o", "p.csv")
        line = next(line for line in done.stdout.splitlines() if "stencil7 on h200, bound" in line)
        self.assertRegex(line, r"bound +- +[\d.]+ TFLOP/s +- +DRAM\Z")
        self.assertIn(",bound,", self.read("p.csv"))
        self.assertIn("stencil7 on h200, bound", self.read("p.svg"))

    def test_a_name_of_traces_gpu_is_a_run(self):
        machine, _ = self.machine(self.roofline("h100-published-pcg"))
        self.assertEqual(machine["chip"], "h100")

    def test_a_result_that_was_given_is_not_added_again(self):
        metrics = self.roofline("h100-published-pcg", "--gpu", "h100")
        self.assertEqual([machine["workload"] for machine in metrics["machines"]], ["pcg", ""])

    def test_without_a_result_there_are_roofs_and_a_note(self):
        self.run_one("vecadd", "tiles=1")
        done = self.succeed("roofline", "t.json", "--gpu", "a100")
        self.assertIn("a100_80gb: traces/gpu has no result of these workloads", done.stdout)

    def test_published_values_take_the_place_of_the_data_sheets(self):
        self.run_one("vecadd", "tiles=1")
        keys = keys_of("a100_40gb")
        for words, section in ((["--published"], "published"), ([], "memory")):
            _, roofs = self.machine(self.roofline("t.json", "--gpu", "a100_40gb", *words), -1)
            self.assertEqual(roofs["DRAM"]["value"], float(keys[section + ".dram_bytes_per_second"]))

    def test_per_watt_of_a_gpu_is_by_its_board(self):
        self.write_json("g.json", self.gpu_result())
        machine, _ = self.machine(self.roofline("g.json", "--per-watt"))
        watts = float(keys_of("h200")["power.board_watts"])
        self.assertAlmostEqual(machine["rate"], 1e12 / watts)
        self.write_json("e.json", self.gpu_result(energy_joules=500))
        machine, roofs = self.machine(self.roofline("e.json", "--per-watt"))
        self.assertAlmostEqual(machine["rate"], 1e12 / 250)
        # Roofs are those of the board at its limit; the run's distance from them does not
        # change.
        self.assertAlmostEqual(roofs["DRAM"]["value"], 4.8e12 / watts)
        self.assertAlmostEqual(machine["percent"], 50)
        self.assertAlmostEqual(machine["attainable"], 2e12 / 250)
        self.assertAlmostEqual(roofs["DRAM"]["intensity"], 0.5)
        self.succeed("roofline", "g.json", "e.json", "--per-watt", "-q", "-o", "p.svg")
        texts = [text.text for text in ElementTree.fromstring(self.read("p.svg")).iter(SVG + "text")]
        self.assertEqual(texts.count("h200"), 1)

    def test_power_of_run_and_board_is_told_apart(self):
        told = "percents are of rates, not of rates per watt"
        self.write_json("g.json", self.gpu_result())
        self.assertNotIn(told, self.succeed("roofline", "g.json", "--per-watt").stdout)
        self.write_json("e.json", self.gpu_result(energy_joules=500))
        self.assertIn(told, self.succeed("roofline", "e.json", "--per-watt").stdout)

    def test_notes_of_measured_results_are_told_once(self):
        self.run_one("pcg", "rows=1", "cols=1", "tiles=1", "iterations=1")
        done = self.succeed("roofline", "t.json", "h200-pcg-matrix-free-small",
                            "h200-pcg-stored-small", "h200-stencil7-large")
        self.assertEqual(done.stdout.count("fit into L2"), 1)
        self.assertIn("\nB, C: vectors and matrix fit into L2", done.stdout)
        self.assertNotIn("A: ", done.stdout)
        self.assertNotIn("D: ", done.stdout)

    def test_a_chip_without_known_power_is_said_to_be_so(self):
        self.write_json("g.json", self.gpu_result())
        self.write_json("x.json", self.gpu_result(chip="unheard_of"))
        done = self.succeed("roofline", "g.json", "x.json", "--per-watt")
        self.assertIn("pcg on unheard_of, measured: its power is not known, it is left out", done.stdout)
        self.assertFails(gridloom.INPUT, ["--per-watt: of no run is the power known"],
                       "roofline", "x.json", "--per-watt")


class Files(Roofline):
    def test_the_table_says_what_bounds_each_and_how_near(self):
        self.write_json("g.json", self.gpu_result())
        lines = self.succeed("roofline", "g.json").stdout.splitlines()
        self.assertRegex(lines[0], r"run +rate +allowed +reached +nearest roof$")
        self.assertRegex(lines[1], r"^A +pcg on h200, measured +1 TFLOP/s +2 TFLOP/s +50 % +DRAM, measured$")
        self.assertTrue([line for line in lines if re.match(
            r"^A +DRAM +0\.5 +[\d.]+ +2 TB/s +4\.8 TB/s +42 %$", line)], lines)

    def test_csv_has_a_row_for_each_run_and_memory(self):
        self.write_json("g.json", self.gpu_result())
        self.run_one(*WAFER)
        self.succeed("roofline", "g.json", "t.json", "-q", "-o", "r.csv")
        rows = list(csv.DictReader(io.StringIO(self.read("r.csv"))))
        self.assertEqual([(row["letter"], row["memory"], row["level"]) for row in rows],
                         [("A", "DRAM, measured", "dram"), ("A", "DRAM", "dram"), ("B", "SRAM", "sram"),
                          ("B", "ramps into PEs", "received"), ("B", "fabric links", "noc")])
        for row in rows:
            number = {name: float(row[name]) for name in ("intensity", "rate", "moved", "bandwidth",
                                                          "percent", "peak", "attainable_here")}
            self.assertTrue(math.isclose(number["intensity"], number["rate"] / number["moved"],
                                         rel_tol=1e-8))
            self.assertTrue(math.isclose(number["percent"], 100 * number["moved"] / number["bandwidth"],
                                         rel_tol=1e-8))
            self.assertTrue(math.isclose(number["attainable_here"],
                                         min(number["peak"], number["intensity"] * number["bandwidth"]),
                                         rel_tol=1e-8))
        self.assertEqual(rows[0]["bound"], "DRAM, measured")

    def test_memory_chooses_levels(self):
        self.write_json("g.json", self.gpu_result())
        self.run_one(*PCG)
        self.succeed("roofline", "t.json", "g.json", "-q", "--memory", "dram", "-o", "r.csv")
        rows = list(csv.DictReader(io.StringIO(self.read("r.csv"))))
        self.assertEqual({row["level"] for row in rows}, {"dram"})

    def lines_of(self, *words):
        """Names of the lines of a picture, by the tips that they have."""
        self.succeed("roofline", "t.json", "--gpu", "h100", "-q", "-o", "p.svg", *words)
        picture = ElementTree.fromstring(self.read("p.svg"))
        return [line.find(SVG + "title").text for line in picture.iter(SVG + "line")
                if line.find(SVG + "title") is not None]

    def test_the_picture_has_the_roofs_that_bind(self):
        self.run_one(*PCG)
        machine, roofs = self.machine(self.roofline("t.json"))
        memory = max((roof for roof in roofs.values() if not roof["is_peak"]),
                     key=lambda roof: roof["percent"] or 0)
        unit = max((roof for roof in roofs.values() if roof["is_peak"]), key=lambda roof: roof["percent"] or 0)
        self.assertEqual({roof["name"] for roof in roofs.values() if roof["matters"]},
                         {memory["name"], unit["name"]})
        self.assertIn(machine["bound"], (memory["name"], unit["name"]))
        few = self.lines_of()
        self.assertEqual(len(few), 4, few)
        for name in (memory["name"], unit["name"], "DRAM", "CUDA cores, FP32"):
            self.assertTrue([line for line in few if line.startswith(name + " ")], few)
        self.assertGreater(len(self.lines_of("--all-roofs")), 15)

    def test_runs_of_different_formats_are_told_in_the_same_line(self):
        for name, nx, dtype in (("a", 4, "bf16"), ("b", 4, "fp32"), ("c", 5, "fp32")):
            self.write_json(name + ".json", self.gpu_result(parameters={"nx": nx, "ny": 6, "nz": 7,
                                                                        "dtype": dtype}))
        formats = "formats stand side by side: A bf16; B"
        for files, told in ((["a", "b"], "pcg: runs of different " + formats + " fp32"),
                            (["a", "b", "c"], "pcg: runs of different sizes stand side by side: A, B 4x6x7; "
                             "C 5x6x7; and of different " + formats + ", C fp32")):
            done = self.succeed("roofline", *(name + ".json" for name in files), "-o", "p.svg")
            self.assertEqual(done.stderr, f"gridloom: {told}\n")
            self.assertIn(told, done.stdout)

    def test_runs_of_different_sizes_are_told(self):
        self.run_one(*PCG)
        self.write_json("g.json", self.gpu_result(parameters={"nx": 5, "ny": 6, "nz": 7}))
        for words in (["roofline", "-q"], ["plot", "roofline"], ["report", "-q"]):
            kind = "html" if words[0] == "report" else "svg"
            done = self.succeed(*words, "t.json", "g.json", "-o", "p." + kind)
            told = "pcg: runs of different sizes stand side by side: A 128x32x1; B 5x6x7"
            self.assertIn(told, done.stderr)
            self.assertIn(told, self.read("p." + kind))
        self.assertEqual(self.succeed("roofline", "t.json", "t.json", "-q", "-o", "p.svg").stderr, "")

    def test_the_page_says_one_thing_about_what_limits(self):
        self.run_one(*PCG)
        self.run_one(*WAFER, name="w")
        self.write_json("g.json", self.gpu_result())
        self.succeed("report", "t.json", "w.json", "g.json", "-q", "-o", "p.html")
        data = json.loads(re.search(r'id="data">(.*?)</script>', self.read("p.html"), re.S)[1])
        for run, machine in zip(data["runs"], data["roofline"]["machines"]):
            self.assertEqual(run["limit"], machine["limit"])
            self.assertTrue(machine["bound"] in run["limit"] or "busy" in run["limit"], run["limit"])
            for reason in run["result"].get("stalls", {}):
                self.assertIn(reason, run["meanings"])

    def test_the_picture_has_every_roof_and_run(self):
        self.run_one(*PCG)
        self.succeed("roofline", "t.json", "--gpu", "h100", "--all-roofs", "-q", "-o", "p.svg", "-o", "p.png")
        picture = ElementTree.fromstring(self.read("p.svg"))
        texts = [text.text for text in picture.iter(SVG + "text")]
        for words in ("h100", "wormhole_n300", "CUDA cores, FP32 51.2 TFLOP/s", "DRAM 2 TB/s",
                      "L1/shared 25.61 TB/s", "SFPU 256 GFLOP/s"):
            self.assertIn(words, texts)
        self.assertTrue([text for text in texts if text.startswith("B pcg, published: ")], texts)
        with open(self.path("p.png"), "rb") as file:
            head = file.read(24)
        self.assertEqual(head[:4], b"\x89PNG")
        self.assertGreater(struct.unpack(">II", head[16:])[0], 600)

    def test_no_label_of_the_picture_lies_on_another(self):
        self.run_one(*PCG)
        self.run_one("pcg", "--chip", "wse2", "nx=4", "ny=4", "nz=8", "iterations=1", name="w")
        self.succeed("roofline", "t.json", "w.json", "--gpu", "h100,h200", "--all-roofs",
                     "-q", "-o", "p.svg")
        picture = ElementTree.fromstring(self.read("p.svg"))
        boxes = []
        for text in picture.iter(SVG + "text"):
            if text.get("class") == "roof-label" and text.get("transform") is None:
                width = 5.6 * len(text.text)
                x = float(text.get("x")) - (width if text.get("text-anchor") == "end" else 0)
                boxes.append((x, float(text.get("y")), width, text.text))
        self.assertGreater(len(boxes), 4)
        for i, (x, y, width, text) in enumerate(boxes):
            for other_x, other_y, other_width, other in boxes[i + 1:]:
                self.assertFalse(abs(y - other_y) < 10 and x < other_x + other_width
                                 and other_x < x + width, f"{text} and {other}")

    def test_plot_roofline_draws_the_same(self):
        self.run_one(*PCG)
        self.succeed("roofline", "t.json", "-q", "-o", "a.svg")
        self.succeed("plot", "roofline", "t.json", "-o", "b.svg")
        self.assertEqual(self.read("a.svg"), self.read("b.svg"))

    def test_the_page_has_what_the_json_has(self):
        self.run_one(*PCG)
        self.succeed("roofline", "t.json", "--gpu", "h100", "-q", "--json", "r.out", "-o", "p.html")
        data = json.loads(re.search(r'id="data">(.*?)</script>', self.read("p.html"), re.S)[1])
        metrics = json.loads(self.read("r.out"))["metrics"]
        self.assertEqual(data["roofline"]["machines"], metrics["machines"])
        self.assertTrue(data["roofline"]["is_first"])
        self.assertEqual(len(data["runs"]), 2)

    def test_a_report_has_the_roofs_of_gpus_too(self):
        self.succeed("report", os.path.join(gridloom.SOURCE, "traces/gpu/h100-published-pcg.json"),
                     "-q", "-o", "p.html")
        data = json.loads(re.search(r'id="data">(.*?)</script>', self.read("p.html"), re.S)[1])
        self.assertIn("CUDA cores, FP32",
                      [roof["name"] for roof in data["roofline"]["machines"][0]["roofs"]])


class Figures(Roofline):
    def test_figure_3_of_the_wormhole_paper(self):
        metrics = self.roofline("--figure", "wormhole")
        fpu = self.run_one("vecadd", "unit=fpu", "dtype=bf16", "from=l1", "tiles=256")
        self.assertAlmostEqual(metrics["fpu"]["rate"], 256 * 1024 / fpu["cycles"])
        self.assertAlmostEqual(metrics["fpu"]["roofs"]["unpack"]["intensity"], 1 / 6)
        self.assertAlmostEqual(metrics["sfpu"]["roofs"]["copy_into_dst__16_bit"]["intensity"], 1 / 16)
        self.assertAlmostEqual(metrics["published_fpu"]["roofs"]["pack_unpack"]["attainable"], 64 / 6)
        self.assertAlmostEqual(metrics["published_sfpu"]["roofs"]["copy"]["attainable"], 2)
        self.assertEqual(metrics["unit"], "FLOP/cycle")
        self.assertAlmostEqual(metrics["fpu"]["roofs"]["fpu"]["value"], 128)
        self.assertAlmostEqual(metrics["fpu"]["roofs"]["unpack"]["value"], 64)
        self.assertAlmostEqual(metrics["sfpu"]["roofs"]["copy_into_dst__32_bit"]["value"], 4096 / 136)
        self.assertEqual(metrics["published_sfpu"]["roofs"]["sfpu"]["value"], 32)

    def test_figure_11_of_the_wafer_paper(self):
        result = self.run_one("stencil25", "--chip", "wse2", "--timing-only", "nx=25", "ny=29",
                              "nz=20", "steps=3", "grain=wavelet")
        metrics = self.roofline("--figure", "wse2", "t.json")
        step = result["metrics"]["cycles_per_step_steady"] / 0.85e9
        ours, published = metrics["ours"], metrics["published"]
        self.assertAlmostEqual(ours["rate"] / (51 * 755 * 994 * 20 / step), 1, places=6)
        self.assertAlmostEqual(ours["roofs"]["sram"]["value"], 755 * 994 * 24 * 0.85e9)
        self.assertAlmostEqual(ours["roofs"]["ramps_into_pes"]["intensity"], 51 / 68)
        self.assertAlmostEqual(published["roofs"]["memory"]["intensity"], 51 / 448)
        self.assertAlmostEqual(published["attainable"] / 1.785e15, 1)
        self.assertAlmostEqual(published["percent"], 100 * 503 / 1785)
        self.assertEqual((published["bound_kind"], metrics["a100"]["bound_kind"]), ("compute", "memory"))
        self.assertAlmostEqual(metrics["a100"]["rate"], 51 * 755 * 994 * 1e6 / 17.4186, delta=1e3)
        self.assertEqual(metrics["a100"]["roofs"]["dram"]["value"], 1224.2e9)
        self.succeed("roofline", "--figure", "wse2", "t.json", "-q", "-o", "p.svg")
        texts = [text.text for text in ElementTree.fromstring(self.read("p.svg")).iter(SVG + "text")]
        for words in ("memory 20 PB/s", "off/onramp 3.3 PB/s", "peak 1.785 PFLOP/s",
                      "CUDA cores, FP32 19.5 TFLOP/s", "DRAM 1.224 TB/s", "L1/shared 2.574 TB/s"):
            self.assertIn(words, texts)
        # Its rate is that of the whole wafer.
        self.assertTrue(any("stencil25 of a slice, scaled, simulated, PEs 725 of 750,470" in text for text in texts if text))

    def test_a_figure_of_ones_own(self):
        self.write("f.ini", "[figure]\ntitle = Mine\nper = second\n[one]\nrate = 6\nroofs = m;p\n"
                       "kinds = memory;peak\nvalues = 8;12\nintensities = 3/2;used\n")
        metrics = self.roofline("--figure", "./f.ini")
        self.assertEqual(metrics["one"]["roofs"]["m"]["attainable"], 12)
        self.assertAlmostEqual(metrics["one"]["percent"], 50)
        self.assertEqual(metrics["one"]["bound"], "m")
        # No file has it.
        self.succeed("roofline", "--figure", "./f.ini", "-q", "-o", "f.csv")
        self.assertEqual([(row["run"], row["chip"]) for row in csv.DictReader(io.StringIO(self.read("f.csv")))],
                         [("", "one")])

    def test_bad_figures_are_refused(self):
        good = ("[figure]\ntitle = Mine\n[one]\nrate = 6\nroofs = m;p\nkinds = memory;peak\n"
                "values = 8;12\nintensities = 2;used\n")
        for message, old, new in (
                ("[one] values and kinds: one for each of roofs", "values = 8;12", "values = 8"),
                ("[one] kinds: peak and memory are allowed", "memory;peak", "memory;roof"),
                ("[one] rate: 0 or more is allowed", "rate = 6", "rate = 2-8"),
                ("[one] values: above 0 is allowed", "8;12", "8;0"),
                ("[one] intensities: above 0 is allowed", "2;used", "0;used"),
                ("[one] intensities: only a peak is used", "2;used", "used;used"),
                ("[one] roofs: missing", "roofs = m;p\n", ""),
                ("no such chip", "[one]", "[one]\nchip_file = wse9"),
                ("its chip has none of that name", "[one]", "[one]\nchip_file = wse2"),
                ("no machine in it", good, "[figure]\ntitle = x\n"),
                ("no number seconds", "rate = 6", "rate = seconds"),
                ("Key file", "[figure]", "figure")):
            self.write("f.ini", good.replace(old, new))
            self.assertFails(gridloom.INPUT, [message], "roofline", "--figure", "./f.ini")


class Refusals(Roofline):
    def test_what_cannot_be_drawn(self):
        self.run_one(*PCG)
        self.write_json("new.json", self.gpu_result(schema_version=2))
        self.write_json("zero.json", self.gpu_result(schema_version=0))
        self.write_json("none.json", {"schema_version": 1, "workload": "pcg", "seconds": 1})
        self.write_json("idle.json", self.gpu_result(counters={"flops": 0}))
        for message, words in (
                ("roofline: no run, give a trace", []),
                ("roofline: no run, give a trace", ["--gpu", "h200"]),
                ("new.json: a result of a newer gridloom than this one", ["new.json"]),
                ("zero.json: its schema_version is none of gridloom's", ["zero.json"]),
                ("none.json: no counters in it", ["none.json"]),
                ("idle.json: it computed nothing", ["idle.json"]),
                ("missing.json: No such file", ["missing.json"]),
                ("--gpu h900: no such GPU; known are a100_40gb, a100_80gb, gtx980, h100, h200, k20c, titanx",
                 ["t.json", "--gpu", "h900"]),
                ("--gpu wse2: no such GPU", ["t.json", "--gpu", "wse2"]),
                ("--gpu : no such GPU", ["t.json", "--gpu", ""]),
                ("--gpu power9: no such GPU", ["t.json", "--gpu", "power9"]),
                ("--beside power10: no such GPU or processor; known are a100_40gb, a100_80gb, gtx980, h100, h200, k20c, power9, titanx",
                 ["t.json", "--beside", "power10"]),
                ("--beside wse2: no such GPU or processor", ["t.json", "--beside", "wse2"]),
                ("--beside : no such GPU or processor", ["t.json", "--beside", ""]),
                ("--memory = disk", ["t.json", "--memory", "disk"]),
                ("p.pdf: expected a name with .svg, .png, .html or .csv", ["t.json", "-o", "p.pdf"]),
                ("nothing/p.svg", ["t.json", "-o", "nothing/p.svg"]),
                ("--scale = 99", ["t.json", "-o", "p.png", "--scale", "99"]),
                ("figure9: no such figure; known are nero, wormhole, wse2", ["--figure", "figure9"]),
                ("2 results of runs for it, 1 or none are needed", ["--figure", "wse2", "t.json", "t.json"]),
                ("t.json: a run of 'pcg', ", ["--figure", "wse2", "t.json"])):
            with self.subTest(message):
                self.assertFails(gridloom.INPUT, [message], "roofline", *words)

    def test_a_run_without_bytes_of_the_level(self):
        self.write_json("g.json", self.gpu_result())
        self.assertFails(2, ["g.json: no run has operations, bytes through --memory noc"],
                         "roofline", "g.json", "--memory", "noc", "-o", "p.svg")

    def test_a_trace_without_counters(self):
        """A run that was stopped has none."""
        self.gridloom("run", *PCG, "-q", "--trace", "t.pftrace", "--limit-cycles", "5000")
        self.assertTrue(os.path.exists(self.path("t.pftrace")))
        self.assertFails(gridloom.INPUT, ["t.pftrace: of a run that failed: ", "cycle limit of 5000"], "roofline", "t.pftrace")

    def test_a_run_is_not_overwritten(self):
        self.run_one(*PCG, name="t.csv")
        os.rename(self.path("t.csv.json"), self.path("t.csv"))
        self.assertFails(gridloom.INPUT, ["t.csv"], "roofline", "t.csv", "-o", "t.csv")


if __name__ == "__main__":
    unittest.main()
