"""gridloom model codesign: designs, fronts, bottlenecks, files, and bad input.

Areas are narrow and sizes few: the whole search takes a debug build half a minute.
"""
import csv
import io
import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom
from gridloom import INPUT, SOURCE, without_host

UNMODELLED = 2
SVG = "{http://www.w3.org/2000/svg}"
NARROW = ["--area", "440:450"]
SMALL_2D = ["--class", "2d", "--sizes", "1024:128"]
SMALL_3D = ["--class", "3d", "--sizes", "384:128"]
SHARED = [12, 24, 36, 48, 96, 144, 192, 240, 288, 336, 384, 432, 480]
GPUS = ["gtx980", "titanx", "gtx980_without_caches", "titanx_without_caches"]


def parts(design):
    return design["multiprocessors"], design["vector_units"], design["shared_kb"]


class ModelCodesign(gridloom.Scenario):
    def model(self, *words):
        return json.loads(self.succeed("model", "codesign", *words, "--json", "-").stdout)

    def metrics(self, *words):
        return self.model(*words)["metrics"]

    def assertRefused(self, says, *words, status=INPUT):
        self.assertFails(status, says, "model", "codesign", *words)

    def rows(self, *words):
        """The table of all designs."""
        self.succeed("model", "codesign", *words, "-q", "-o", "designs.csv")
        return list(csv.DictReader(io.StringIO(self.read("designs.csv"))))

    def test_the_whole_space_has_3737_designs(self):
        result = self.model("--stencil", "heat3d", "--sizes", "384:128")
        metrics = result["metrics"]

        self.assertEqual((result["workload"], result["chip"]), ("model codesign", "gtx980"))
        self.assertEqual((metrics["designs"], metrics["designs_from_48_kb"]), (3737, 2852))
        self.assertEqual(metrics["front_count"], len(metrics["front"]))
        self.assertAlmostEqual(metrics["front_share"], len(metrics["front"]) / 3737)
        # Few designs are worth a second look; the thesis has about one in a hundred.
        self.assertLess(metrics["front_share"], 0.05)
        areas = [design["mm2"] for design in metrics["front"]]
        rates = [design["points_per_second"] for design in metrics["front"]]
        self.assertEqual((areas, rates), (sorted(areas), sorted(rates)))
        # With one class, its members appear twice.
        self.assertEqual(metrics["class_3d"]["front"], metrics["front"])
        self.assertEqual(set(metrics["improvement"]), set(GPUS))
        for name, printed in zip(GPUS, (123, 126, 9.22, 33.15)):
            gain = metrics["improvement"][name]
            self.assertEqual(gain["printed_percent"], printed)
            self.assertGreater(gain["percent"], 0)
            self.assertLessEqual(gain["design"]["mm2"], gain["mm2"])
            self.assertAlmostEqual(
                gain["percent"],
                100 * (gain["design"]["points_per_second"] / gain["points_per_second"] - 1))
        self.assertEqual([round(metrics["improvement"][name]["mm2"], 2) for name in GPUS],
                         [397.99, 596.98, 237.49, 356.23])

    def test_the_front_of_the_table_is_what_nothing_smaller_beats(self):
        rows = self.rows(*NARROW, *SMALL_2D)

        best = 0
        for row in rows:
            rate = float(row["points_per_second"])
            self.assertEqual(row["front"], "yes" if rate > best else "no", row)
            best = max(best, rate)
            self.assertTrue(440 <= float(row["mm2"]) <= 450)
        self.assertEqual(len(rows), self.metrics(*NARROW, *SMALL_2D)["designs"])

    def test_each_stencil_has_the_fastest_design_of_the_table(self):
        rows = self.rows(*NARROW, *SMALL_2D, "--at", "442:448")
        metrics = self.metrics(*NARROW, *SMALL_2D, "--at", "442:448",
                               "--flops-per-point", "jacobi2d=5")

        self.assertEqual(list(metrics["best"]),
                         ["jacobi2d", "heat2d", "laplacian2d", "gradient2d"])
        for name, best in metrics["best"].items():
            inside = [row for row in rows if 442 <= float(row["mm2"]) <= 448]
            fastest = max(inside, key=lambda row: float(row[f"{name}_points_per_second"]))
            self.assertEqual(parts(best), parts({key: int(fastest[key]) for key in (
                "multiprocessors", "vector_units", "shared_kb")}))
            self.assertAlmostEqual(best["points_per_second"] / 1e9,
                                   float(fastest[f"{name}_points_per_second"]) / 1e9, 4)
        self.assertAlmostEqual(metrics["best"]["jacobi2d"]["gflops"],
                               5 * metrics["best"]["jacobi2d"]["points_per_second"] / 1e9)
        self.assertIsNone(metrics["best"]["heat2d"]["gflops"])
        self.assertEqual(parts(metrics["best"]["heat2d"]["printed"]), (22, 256, 12))
        # 447.94 mm2, so among the searched designs.
        self.assertLess(metrics["best"]["heat2d"]["printed"]["percent_of_best"], 100)

    def test_a_best_tile_takes_as_long_as_model_time_says(self):
        best = self.metrics(*NARROW, "--stencil", "gradient2d",
                            "--sizes", "2048:256")["best"]["gradient2d"]
        tile = best["tiles"][0]
        multiprocessors = best["multiprocessors"]
        done = self.gridloom(
            "model", "time", "--gpu", "gtx980", "--stencil", "gradient2d",
            "--size", "2048x2048", "--steps", "256",
            "--tile", "x".join(map(str, tile["tile"])), "--tile-steps", str(tile["tile_steps"]),
            "--resident", str(tile["resident"]), "--json", "-",
            "--set", f"chip.multiprocessor_count={multiprocessors}",
            "--set", f"tiling.vector_unit_count={best['vector_units']}",
            "--set", f"tiling.shared_bytes={best['shared_kb'] * 1024}",
            "--set", f"tiling.global_seconds_per_byte={7.36e-12 * 16 / multiprocessors!r}")
        self.assertEqual(done.returncode, 0, done.stderr)
        seconds = json.loads(done.stdout)["metrics"]["seconds"]

        self.assertAlmostEqual(tile["seconds"] / seconds, 1)
        self.assertAlmostEqual(best["points_per_second"] * seconds / (2048 * 2048 * 256), 1)

    def test_printed_equations_choose_the_printed_design_of_laplacian_3d(self):
        best = self.metrics("--area", "440:450", "--class", "3d", "--as-printed")["best"]

        self.assertEqual(parts(best["laplacian3d"]), (8, 896, 96))
        self.assertEqual(parts(best["laplacian3d"]), parts(best["laplacian3d"]["printed"]))
        self.assertAlmostEqual(best["laplacian3d"]["printed"]["percent_of_best"], 100)

    def test_weights_move_the_optimum_between_stencils(self):
        words = ["--area", "425:450", "--class", "2d", "--sizes", "4096:1024"]
        alone = self.metrics(*words, "--weights", "gradient2d=2")
        all_of_them = self.metrics(*words)

        self.assertEqual(parts(alone["optimum"]), parts(all_of_them["best"]["gradient2d"]))
        self.assertAlmostEqual(alone["optimum"]["points_per_second"],
                               all_of_them["best"]["gradient2d"]["points_per_second"])
        # Stencils of the other class do not run at all.
        self.assertNotIn("class_3d", self.metrics(*NARROW, "--weights", "gradient2d=1"))

    def test_what_the_thesis_prints_is_as_in_its_table_of_figures(self):
        with open(os.path.join(SOURCE, "traces/reference/thesis.csv"), encoding="utf-8") as file:
            figures = {row["field"]: float(row["published"])
                       for row in csv.DictReader(line for line in file if not line.startswith("#"))
                       if row["run"] == "gridloom model codesign"}
        metrics = self.metrics("--area", "440:442", "--at", "440:442")

        for class_name in ("class_2d", "class_3d"):
            for name, gain in metrics[class_name]["improvement"].items():
                self.assertEqual(gain["printed_percent"],
                                 figures[f"metrics.{class_name}.improvement.{name}.percent"], name)
        for name, best in metrics["best"].items():
            for key in ("multiprocessors", "vector_units", "shared_kb"):
                self.assertEqual(best["printed"][key], figures[f"metrics.best.{name}.{key}"], name)

    def test_a_search_below_a_gpu_s_area_says_nothing_about_it(self):
        gains = self.metrics("--area", "237:240", *SMALL_2D)["improvement"]

        self.assertEqual([name for name in gains if gains[name]["percent"] is not None], ["gtx980_without_caches"])
        self.assertEqual([name for name in gains if "design" in gains[name]], ["gtx980_without_caches"])
        self.assertLessEqual(gains["gtx980_without_caches"]["design"]["mm2"], 237.49)

    def test_printed_equations_have_the_printed_sizes(self):
        for words, side in (([], 12288), (["--as-printed"], 12228)):
            tiles = self.metrics("--area", "447:447.5", "--stencil", "jacobi2d", *words)["best"]["jacobi2d"]["tiles"]
            self.assertEqual(sorted({tile["size"] for tile in tiles}), [4096, 8192, side, 16384])

    def test_shared_memory_is_weighed_for_both_classes(self):
        metrics = self.metrics("--area", "425:450", *SMALL_3D)

        self.assertEqual([row["shared_kb"] for row in metrics["shared"]], SHARED)
        reached = {row["shared_kb"]: row["percent_of_best"] for row in metrics["shared"]}
        self.assertAlmostEqual(max(reached.values()), 100)
        # C.4.3: designs below 48 kB are nowhere near the best.
        self.assertLess(max(reached[12], reached[24], reached[36]), 90)
        for share in ("front_vector_units_percent", "front_shared_percent"):
            share = metrics[share]
            self.assertTrue(0 < share["low"] <= share["middle"] <= share["high"] < 100)

    def test_the_bottleneck_adds_up_and_has_a_gain_for_each_resource(self):
        limits = self.metrics("--area", "430:460", "--at", "440:450", *SMALL_2D)["bottleneck"]
        times = limits.pop("time_percent")

        self.assertAlmostEqual(sum(times.values()), 100)
        self.assertEqual(list(limits), ["area", "shared_memory", "tile_memory",
                                        "resident_tiles", "vector_units", "multiprocessors",
                                        "bandwidth"])
        for name, limit in limits.items():
            self.assertTrue(0 < limit["use_percent"] <= 100.0000001, name)
        self.assertEqual((limits["area"]["allowed"], limits["area"]["relaxed"]), (450, 460))
        self.assertGreaterEqual(limits["area"]["gain_percent"], 0)
        self.assertGreater(limits["multiprocessors"]["gain_percent"], 0)
        # More of a free resource is never slower.
        for name in ("shared_memory", "tile_memory", "resident_tiles", "bandwidth"):
            self.assertGreaterEqual(limits[name]["gain_percent"], -1e-9)
        # Nothing is known beyond the searched range.
        limits = self.metrics(*NARROW, *SMALL_2D)["bottleneck"]
        self.assertIsNone(limits["area"]["gain_percent"])

    def test_assumptions_can_be_changed(self):
        words = [*NARROW, *SMALL_3D]
        rates = {}
        for name, change in (("usual", []), ("fixed", ["--bandwidth", "fixed"]),
                             ("half", ["--tile-memory", "half"]),
                             ("slow", ["--set", "tiling.heat3d_seconds=1e-6"])):
            result = self.model(*words, *change)
            rates[name] = result["metrics"]["best"]["heat3d"]["points_per_second"]
        self.assertEqual(len(set(rates.values())), 4, rates)
        self.assertEqual(result["overrides"], {"tiling.heat3d_seconds": "1e-6"})

    def test_changed_prices_of_area_count_for_built_gpus_too(self):
        words = ["--stencil", "heat3d", "--sizes", "384:128", "--area", "440:460"]
        filed, dear = (self.metrics(*words, "--set", f"area.overhead_mm2={mm2}")["improvement"]
                       for mm2 in (6.4156, 7.4156))
        for name, multiprocessors in zip(GPUS, (16, 24, 16, 24)):
            self.assertAlmostEqual(dear[name]["mm2"] - filed[name]["mm2"], multiprocessors, 9)
            self.assertEqual(dear[name]["points_per_second"], filed[name]["points_per_second"])
        self.assertAlmostEqual(filed["gtx980"]["mm2"], 397.9895, 3)
        # The GPUs keep their parts: a GTX 980 has 16 multiprocessors.
        more = self.metrics(*words, "--set", "chip.multiprocessor_count=20")["improvement"]
        self.assertEqual(more["gtx980"]["mm2"], filed["gtx980"]["mm2"])

    def test_energy_is_that_of_the_energy_model(self):
        words = ["--stencil", "jacobi2d", "--sizes", "2048:256", "--area", "440:450"]
        result = self.model(*words, "--energy", "fixed")
        fastest = result["metrics"]["best"]["jacobi2d"]
        tile = fastest["tiles"][0]
        found = result["metrics"]["energy"]["in_at"]

        self.assertEqual(result["parameters"]["energy"], "fixed")
        self.assertEqual(parts(found["least_seconds"]), parts(fastest))
        alone = json.loads(self.succeed(
            "model", "energy", "--size", "2048x2048", "--steps", "256", "--tile", "x".join(map(str, tile["tile"])),
            "--tile-steps", str(tile["tile_steps"]), "--shared-kb", "256",
            "--seconds", repr(found["least_seconds"]["seconds"]), "--json", "-").stdout)["metrics"]
        self.assertAlmostEqual(found["least_seconds"]["joules"] / alone["joules"], 1)
        for key, name in (("seconds", "least_seconds"), ("joules", "least_joules"), ("joule_seconds", "least_product")):
            for least in found.values():
                self.assertLessEqual(found[name][key], least[key])
        # By area: 48 W are the GPU's own, with its caches.
        by_area = self.metrics(*words, "--energy", "scaled")["energy"]["in_at"]["least_seconds"]
        self.assertAlmostEqual(by_area["static_joules"],
                               48 * by_area["seconds"] * by_area["mm2"] / 397.9896, 3)
        self.assertNotIn("energy", self.metrics(*words))
        text = self.succeed("model", "codesign", *words, "--energy", "scaled").stdout
        self.assertRegex(text, r"(?m)^  static      48 W at the GPU's 397\.99 mm2, of designs by their area: assumed$")
        self.assertEqual(text.count("energy x time"), 2)

    def test_energy_of_other_stencils_is_not_modelled(self):
        for words in (["--stencil", "heat2d"], ["--class", "3d"]):
            self.assertRefused(["--energy", "jacobi2d"], *words, "--energy", "scaled", status=UNMODELLED)
        self.assertRefused(["--energy = x", "scaled, fixed"], "--energy", "x")

    def test_text_has_what_the_thesis_prints_beside_ours(self):
        text = self.succeed("model", "codesign", *NARROW, *SMALL_2D).stdout

        for words in ("printed: about 1 %", "beside Table C.2", "32 x 128, 24 kB",
                      "GTX 980 without caches", "9.34", "28.44", "what holds", "saturated",
                      "which do not follow", "printed: 40 to 70"):
            self.assertIn(words, text)
        area = float(re.search(r"  for all .*: ([0-9.]+) mm2,", text)[1])
        self.assertRegex(text, rf"(?m)^  area, mm2 +450 +{100 * area / 450:.1f}  saturated ")

    def test_pictures_show_designs_the_front_and_the_gpus(self):
        words = [*NARROW, "--sizes", "384:128", "--class", "3d", "-q"]
        self.succeed("model", "codesign", *words, "-o", "c3.svg")
        self.succeed("model", "codesign", *words, "--figure", "c4", "-o", "c4.svg")
        count = len(self.rows(*words[:-1]))
        for name, axis, gpus in (("c3.svg", "area, mm2", 1),
                                 ("c4.svg", "vector units, % of the area", 0)):
            picture = ElementTree.fromstring(self.read(name))
            shown = " ".join(picture.itertext())
            points = [circle for circle in picture.iter(f"{SVG}circle")
                      if circle.get("class") in ("choices-point", "choices-front")]
            # Each once, two in the legend, and one below the mark of each GPU.
            self.assertEqual(len(points), count + 2 + 4 * gpus, name)
            fronts = sum(point.get("class") == "choices-front" for point in points)
            self.assertIn(f"{count} designs, {fronts - 1} on the front", shown)
            self.assertIn(axis, shown)
            self.assertEqual(shown.count("Titan X without caches"), gpus)
            self.assertEqual(len(list(picture.iter(f"{SVG}polyline"))) > 0, bool(gpus))

    def test_two_runs_are_the_same(self):
        one, two = (without_host(self.succeed("model", "codesign", *NARROW, *SMALL_2D,
                                              "--json", "-").stdout) for _ in range(2))
        self.assertEqual(one, two)

    def test_areas_without_designs_say_what_there_is(self):
        self.assertRefused(["--area = 10:16", "the smallest, 2 x 32, 12 kB, has 16.81 mm2"],
                           "--area", "10:16")
        self.assertRefused(["the largest 3946.77"], "--area", "5000:6000")
        self.assertRefused(["--at = 300:310", "--area"], *NARROW, "--at", "300:310")
        self.assertRefused(["no design there"], *NARROW, *SMALL_2D, "--at", "441:441")
        self.assertRefused(["--at = 0:16 mm2", "the smallest in --area that does, 2 x 32, 12 kB, has 16.81 mm2"],
                           "--area", "0:18", "--at", "0:16", *SMALL_2D)

    def test_input_that_cannot_be_used_is_refused_in_one_line(self):
        for says, words in [
                (["--area = 200", "LOW:HIGH"], ["--area", "200"]),
                (["--area = 300:200"], ["--area", "300:200"]),
                (["--area = nan:200"], ["--area", "nan:200"]),
                (["--area = 1:1e99"], ["--area", "1:1e99"]),
                (["--stencil = heat4d", "jacobi2d"], ["--stencil", "heat4d"]),
                (["--stencil = jacobi1d"], ["--stencil", "jacobi1d"]),
                (["--stencil = heat3d", "all, jacobi2d, heat2d, laplacian2d, gradient2d of class 2d"], ["--stencil", "heat3d", "--class", "2d"]),
                (["--class = 4d", "2d, 3d"], ["--class", "4d"]),
                (["--weights = heat2d=-1"], ["--weights", "heat2d=-1"]),
                (["--weights = heat2d=0", "above 0"], ["--weights", "heat2d=0"]),
                (["--weights = heat2d"], ["--weights", "heat2d"]),
                (["--weights = heat2d=1,heat2d=2", "once"], ["--weights", "heat2d=1,heat2d=2"]),
                (["--weights = heat2d=1e-320", "1e-9 to 1e9"], ["--weights", "heat2d=1e-320"]),
                (["--weights", "(nothing)"], ["--weights", ""]),
                (["--flops-per-point = x=1"], ["--flops-per-point", "x=1"]),
                (["--sizes", "--class 2d"], ["--sizes", "4096:1024"]),
                (["--sizes = 0:5", "S:T"], ["--class", "2d", "--sizes", "0:5"]),
                (["--sizes = 5", "S:T"], ["--class", "2d", "--sizes", "5"]),
                (["--bandwidth = free", "scaled, fixed"], ["--bandwidth", "free"]),
                (["--tile-memory = all", "fixed, half"], ["--tile-memory", "all"]),
                (["--figure = c5", "c3, c4"], ["--figure", "c5"]),
                (["tiling.heat2d_seconds = 0"], ["--set", "tiling.heat2d_seconds=0"]),
                (["smallest tile does not fit"],
                 [*NARROW, "--set", "tiling.block_shared_bytes=1000"]),
                (["model codesign", "extra"], ["extra"]),
        ]:
            with self.subTest(words=words):
                self.assertRefused(says, *words)
        self.assertRefused(["k20c", "[tiling]"], "--gpu", "k20c", status=UNMODELLED)

    def test_strange_machines_have_an_answer(self):
        for change in ("tiling.global_seconds_per_byte=0", "tiling.global_seconds_per_byte=1",
                       "tiling.block_count=1", "tiling.block_count=100000",
                       "tiling.barrier_seconds=1000000", "area.register_bytes=0",
                       "tiling.shared_bytes=1000000000000", "tiling.block_shared_bytes=1200"):
            metrics = self.metrics(*NARROW, *SMALL_2D, "--set", change)
            self.assertGreater(metrics["optimum"]["points_per_second"], 0, change)
        # Everything is free: all designs have the same area.
        free = [word for part in ("vector_unit_mm2", "register_mm2", "shared_mm2", "overhead_mm2",
                                  "register_mm2_per_kilobyte", "shared_mm2_per_kilobyte")
                for word in ("--set", f"area.{part}=0")]
        metrics = self.metrics("--area", "0:0", "--stencil", "heat3d", "--sizes", "32:8", *free)
        self.assertEqual((metrics["designs"], metrics["front_count"]), (13312, 1))


if __name__ == "__main__":
    unittest.main()
