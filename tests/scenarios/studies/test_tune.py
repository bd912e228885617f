"""gridloom tune: fronts of windows, the chosen one, hand-picked ones beside it."""
import csv
import io
import json
import signal
import unittest
import xml.etree.ElementTree as xml

import gridloom
from gridloom import CHECK, DONE, INPUT, INTERRUPTED, STOPPED, without_host

# Cost and gain of a window, by formulas that the test also has: margins of 2, a start of 20,
# and a memory that holds 128 B.
WINDOWS = gridloom.workload(
    """local x, y, z = p.window_x, p.window_y, p.window_z
        local bytes = x * y * z * (p.dtype == "fp32" and 4 or 2)
        if p.mode == "refuse" or bytes > 128 then
            host.refuse(("window %dx%d: %d B, URAM has 128 B"):format(x, y, bytes))
        end
        if p.mode == "endless" or (p.mode == "stuck" and x == 2) then while true do host.sleep(1e-9) end end
        host.measure(function() host.sleep(x * 1e-6) end, 1)
        host.metric("gflops", x * y * z / ((x + 2) * (y + 2) * z + 20) + (p.mode == "data" and
                    host.is_functional and 1 or 0))
        host.metric("resource_percent", bytes + x)
        host.metric("resources", { DSP = y })
        if p.mode ~= "silent" then host.metric("window", { x = x, y = y, z = z }) end
        host.check { error = p.mode == "wrong" and 2 or 0, tolerance = 1, reference = "a test" }""",
    parameters="".join(
        f'{{ name = "{name}", type = "integer", default = {default}, min = 1, max = 1024, help = "h" }},'
        for name, default in (("nx", 8), ("ny", 8), ("nz", 2), ("window_x", 4), ("window_y", 4),
                              ("window_z", 2)))
    + '{ name = "dtype", type = "choice", default = "fp32", choices = { "fp32", "fp16" }, help = "h" },'
      '{ name = "mode", type = "choice", default = "right", help = "h", choices = { "right", "wrong",'
      '  "refuse", "endless", "stuck", "data", "silent" } }')
PLAIN = gridloom.workload("", parameters='{ name = "nx", type = "integer", default = 8, help = "h" }')
XY = ("tune", "windows.lua", "--window", "x,y")
SVG = "{http://www.w3.org/2000/svg}"


def numbers(x, y, dtype="fp32", z=2):
    """Performance and resources of a window; None if it is refused."""
    size = x * y * z * (4 if dtype == "fp32" else 2)
    return None if size > 128 else (x * y * z / ((x + 2) * (y + 2) * z + 20), size + x)


def beats(one, other):
    return one[0] >= other[0] and one[1] <= other[1] and one != other


def front_of(dtype, sizes=(1, 2, 4, 8)):
    """Windows on the front, by name, the fastest first."""
    all_of = {f"{x}x{y}x2": numbers(x, y, dtype) for x in sizes for y in sizes}
    ran = {name: values for name, values in all_of.items() if values is not None}
    best = {name: values for name, values in ran.items()
            if not any(beats(other, values) for other in ran.values())}
    return dict(sorted(best.items(), key=lambda item: -item[1][0])), ran


class Tune(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.write("windows.lua", WINDOWS)
        self.write("plain.lua", PLAIN)

    def tune(self, *words, status=DONE, says=""):
        """Standard output; `says` is in its complaints."""
        done = self.gridloom(*XY, *words)
        self.assertEqual((done.returncode, done.stderr), (status, says))
        return done.stdout

    def metrics(self, *words, **options):
        return json.loads(self.tune(*words, "--json", "-", **options))["metrics"]

    def assertPoint(self, point, name, values):
        self.assertEqual(point["window"], name)
        self.assertAlmostEqual(point["values"]["performance"], values[0], delta=1e-12)
        self.assertEqual(point["values"]["resources"], values[1])

    def assertFront(self, group, dtype):
        front, ran = front_of(dtype)
        self.assertEqual(len(group["front"]), len(front))
        for point, (name, values) in zip(group["front"], front.items()):
            self.assertPoint(point, name, values)
        self.assertEqual((group["ran"], group["refused"], group["failed"]),
                         (len(ran), 16 - len(ran), 0))

    def test_everything_is_kept_in_a_folder(self):
        text = self.tune("--by", "dtype=fp32,fp16", "--within", "40", "--mark", "fp16:8x2x2,4x1",
                         "--hand", "4x4,8x8,3x3", "--out", "out")
        result = json.loads(self.read("out/tune.json"))
        metrics = result["metrics"]

        self.assertEqual((result["workload"], result["chip"], result["check"]["status"]),
                         ("tune", "wormhole_n300", "pass"))
        self.assertEqual((metrics["script"], metrics["by"], metrics["domain"]),
                         ("windows", "dtype", {"x": 8, "y": 8}))
        self.assertEqual([goal["formula"] for goal in metrics["objectives"]],
                         ["metrics.gflops", "metrics.resource_percent"])
        self.assertEqual((metrics["search"]["kind"], metrics["search"]["windows"], metrics["search"]["runs"]),
                         ("exhaustive", 16, 16))
        for group, dtype in zip(metrics["groups"], ("fp32", "fp16")):
            self.assertEqual(group["value"], dtype)
            self.assertFront(group, dtype)
            self.check_choice(group, dtype)
        self.check_guests(*metrics["groups"])
        self.check_table(self.read("out/tune.csv"))
        self.check_picture(self.read("out/tune.svg"))
        self.check_text(text)
        for dtype in "fp32", "fp16":
            run = json.loads(self.read(f"out/dtype={dtype}/result.json"))
            self.assertEqual((run["parameters"]["dtype"], run["check"]["status"]), (dtype, "pass"))

    def check_choice(self, group, dtype):
        """The cheapest window within 40 % of the fastest; it is also run with data."""
        front, _ = front_of(dtype)
        bound = 0.6 * max(values[0] for values in front.values())
        name, values = min(((name, values) for name, values in front.items() if values[0] >= bound),
                           key=lambda item: item[1][1])
        self.assertPoint(group["chosen"], name, values)
        self.assertNotEqual(name, next(iter(front)))
        self.assertEqual((group["chosen"]["code"], group["chosen"]["is_same_with_data"],
                          group["chosen"]["check"]["status"]), (0, True, "pass"))

    def check_guests(self, fp32, fp16):
        self.assertEqual([point["window"] for point in fp32["hand"]], ["4x4x2", "8x8x2", "3x3x2"])
        self.assertEqual([point["window"] for point in fp32["marked"]], ["4x1x2"])
        self.assertEqual([point["window"] for point in fp16["marked"]], ["4x1x2", "8x2x2"])
        same, large, odd = fp32["hand"]
        chosen = fp32["chosen"]["values"]

        self.assertPoint(same, "4x4x2", numbers(4, 4))
        self.assertEqual((large["status"], large["values"], large["why"]),
                         ("refused", {"performance": None, "resources": None},
                          "windows.lua:10: window 8x8: 512 B, URAM has 128 B"))
        self.assertPoint(odd, "3x3x2", numbers(3, 3))
        self.assertEqual([point["is_candidate"] for point in (same, large, odd)], [True, True, False])
        for place, goal in enumerate(("performance", "resources")):
            self.assertAlmostEqual(odd["percent_to_chosen"][goal],
                                   (numbers(3, 3)[place] / chosen[goal] - 1) * 100, delta=1e-9)
        self.check_distance(fp32["marked"][0], numbers(4, 1), "fp32")
        self.check_distance(odd, numbers(3, 3), "fp32")

    def check_distance(self, point, values, dtype):
        """The factor by which both numbers would have to be better for no window to beat it."""
        front, ran = front_of(dtype)
        times = max([1] + [min(best[0] / values[0], values[1] / best[1])
                           for best in front.values() if beats(best, values)])
        self.assertAlmostEqual(point["percent_from_front"], (times - 1) * 100, delta=1e-9)
        for place, goal in enumerate(("performance", "resources")):
            alone = max([1] + [(best[0] / values[0], values[1] / best[1])[place]
                               for best in front.values() if beats(best, values)])
            self.assertAlmostEqual(point["percent_from_front_alone"][goal], (alone - 1) * 100, delta=1e-9)
        self.assertEqual(point["beaten_by"], sum(beats(other, values) for other in ran.values()))

    def check_table(self, text):
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(len(rows), 2 * 16 + 2)
        for row in rows:
            values = numbers(int(row["window_x"]), int(row["window_y"]), row["dtype"])
            self.assertEqual((row["status"], row["window_z"]), ("done" if values else "refused", "2"))
            self.assertEqual(row["window"] in front_of(row["dtype"])[0], row["front"] == "1")
            if values:
                self.assertAlmostEqual(float(row["performance"]), values[0], delta=1e-12)
                self.assertEqual(float(row["resources"]), values[1])
        self.assertEqual([row["candidate"] for row in rows].count("0"), 2)
        self.assertEqual([row["chosen"] for row in rows].count("1"), 2)

    def check_picture(self, text):
        root = xml.fromstring(text)
        panels = [group for group in root.iter(f"{SVG}g") if group.get("class") == "choices-panel"]
        self.assertEqual(len(panels), 2)
        for panel, dtype in zip(panels, ("fp32", "fp16")):
            front, ran = front_of(dtype)
            classes = [shape.get("class") for shape in panel.iter()]
            words = [shape.text for shape in panel.iter(f"{SVG}text")]
            self.assertEqual(classes.count("choices-front"), len(front))
            self.assertEqual(classes.count("choices-point"), len(ran) - len(front) + 1)
            self.assertEqual(classes.count("choices-ring"), 1)
            self.assertIn("4x4x2", words)
            self.assertTrue(any(word.startswith(f"dtype={dtype}: chosen ") for word in words), words)

    def check_text(self, text):
        self.assertIn("windows on wormhole_n300: windows along x, y; performance (most) and resources (least)\n"
                      "exhaustive: all 16 windows with powers of two up to 8 x 8, for each dtype\n", text)
        self.assertIn("dtype=fp32: 13 windows ran, 3 refused, 0 failed;", text)
        self.assertIn("  3 refused: windows.lua:10: window 4x8: 256 B, URAM has 128 B\n", text)
        self.assertIn("the least resources within 40 % of the most performance on the front\n"
                      "  with data: check pass, the same numbers\n", text)
        self.assertRegex(text, r"HAND-PICKED +performance +to chosen +resources +to chosen")
        self.assertRegex(text, r"  4x1x2 .*from the front \(performance alone .* %, resources alone .* %\), beaten by \d+\n")

    def test_a_search_is_stated_and_the_same_for_any_jobs(self):
        words = ("nx=12", "ny=10", "nz=1", "window_z=1", "--sizes", "all", "--hand", "", "mode=silent")
        first = ("--limit-runs", "18")
        alone = self.tune(*words, *first, "--jobs", "1", "--json", "-", "--csv", "alone.csv")
        both = self.tune(*words, *first, "--jobs", "3", "--json", "-", "--csv", "both.csv")
        other = self.tune(*words, "--limit-runs", "6", "--seed", "9", "--csv", "-")
        search = json.loads(alone)["metrics"]["search"]

        self.assertEqual(without_host(alone), without_host(both))
        self.assertEqual(self.read("alone.csv"), self.read("both.csv"))
        windows, others = ({row["window"] for row in csv.DictReader(io.StringIO(text))}
                           for text in (self.read("alone.csv"), other))
        self.assertEqual((len(windows), len(others)), (18, 6))
        self.assertFalse(others <= windows, "another seed draws others")
        self.assertEqual(len(self.read("alone.csv").splitlines()), 1 + 18)
        self.assertEqual((search["kind"], search["windows"], search["runs"], search["seed"]),
                         ("elitist", 120, 18, 1))
        self.assertEqual(search["text"],
                         "elitist search: 18 of 120 windows with all sizes up to 12 x 10, seed 1; 16 at "
                         "random, then generations of 16 from the front with another size along one axis")
        self.assertEqual(json.loads(alone)["metrics"]["groups"][0]["hand"], [])

    def test_objectives_are_any_numbers(self):
        metrics = self.metrics("--objective", "min:seconds*1e6,max:metrics.gflops", "ny=1", "--sizes",
                               "divisors", "--hand", "2x1", "nx=6")

        front = metrics["groups"][0]["front"]
        self.assertEqual([point["window"] for point in front], ["1x1x2", "2x1x2", "3x1x2", "6x1x2"])
        self.assertAlmostEqual(front[1]["values"]["seconds*1e6"], 2, delta=1e-9)
        self.assertEqual(metrics["groups"][0]["chosen"]["window"], "1x1x2")
        self.assertEqual(metrics["rule"], "the most metrics.gflops within 2 % of the least seconds*1e6 on the front")

    def test_hand_picked_windows_are_homogeneous_unless_told(self):
        metrics = self.metrics("nx=16", "ny=8", "--window", "x", "--objective", "performance,dsp")

        self.assertEqual([point["window"] for point in metrics["groups"][0]["hand"]], ["8x4x2", "16x4x2"])

    def test_no_window_that_runs_is_the_users_mistake(self):
        self.assertFails(INPUT, ["dtype=fp16: no window runs; the first, because: windows.lua:10: window 1x1"],
                         *XY, "nx=2", "ny=1", "mode=refuse", "--by", "dtype=fp16")

    def test_a_number_that_no_result_has_is_named(self):
        self.assertFails(INPUT, ["--objective energy: the result: no number metrics.gflops_per_watt"],
                         *XY, "nx=2", "ny=1", "--objective", "energy,resources")

    def test_a_check_that_fails_is_exit_code_4(self):
        result = json.loads(self.tune("nx=1", "ny=1", "mode=wrong", "--json", "-", status=CHECK,
                                      says="gridloom: 1x1x2 with data: windows.lua: check failed, max error 2 above "
                                           "tolerance 1, against a test\n"))

        self.assertEqual(result["check"]["status"], "fail")
        self.assertEqual(result["metrics"]["groups"][0]["chosen"]["check"]["status"], "fail")

    def test_other_numbers_with_data_are_told(self):
        text = self.tune("nx=1", "ny=1", "mode=data")

        self.assertIn("  with data: check pass, OTHER numbers than without\n", text)

    def test_windows_that_fail_are_no_refusals(self):
        def attempt(seconds):
            done = self.gridloom(*XY, "nx=2", "ny=1", "mode=stuck", "--limit-seconds", seconds, "--json", "-")

            self.assertEqual(done.returncode, STOPPED)
            group = json.loads(done.stdout)["metrics"]["groups"][0]
            self.assertEqual((group["ran"], group["refused"], group["failed"]), (1, 0, 1))
            self.assertIn(f"gridloom: 1 windows failed: wall-clock limit of {seconds} s", done.stderr)
        self.try_each(("0.3", "3", "30"), attempt)  # the other window is done by then

    def test_it_can_be_interrupted(self):
        process = self.start(*XY, "mode=endless", "nx=2", "ny=1", after_seconds=0)
        while not gridloom.has_signals(process.pid):
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        out, complaints = process.communicate(timeout=gridloom.PATIENCE)

        self.assertEqual((process.returncode, out), (INTERRUPTED, b""))
        self.assertIn(b"interrupted", complaints)

    def test_quiet_says_nothing(self):
        self.assertEqual(self.tune("nx=1", "ny=1", "-q"), "")

    def test_bad_input_gets_one_line(self):
        size = "allowed is a size for each axis, as 64x2 or 64x2x64"
        for says, words in (
                ("tune: no script;", ("tune",)),
                ("tune: no axes, give some with --window", ("tune", "windows.lua")),
                ("nothing: no such script;", ("tune", "nothing", "--window", "x")),
                ("--window = x,q, allowed is axes of x, y, z", ("tune", "windows.lua", "--window", "x,q")),
                ("plain on wormhole_n300: no whole number window_x;", ("tune", "plain.lua", "--window", "x")),
                ("'window_x=4': --window varies window_x", (*XY, "window_x=4")),
                ("'dtype=fp32': --by varies dtype", (*XY, "dtype=fp32", "--by", "dtype=fp16")),
                ("--by window_z: windows are what --window varies", (*XY, "--by", "window_z=1,2")),
                ("--by = dtype, allowed is NAME=VALUE", (*XY, "--by", "dtype")),
                ("--by = dtype=fp32,,fp16, allowed", (*XY, "--by", "dtype=fp32,,fp16")),
                ("--by: fp32 is there twice", (*XY, "--by", "dtype=fp32,fp32")),
                ("dtype = fp64", (*XY, "--by", "dtype=fp32,fp64")),
                ("nonsense", (*XY, "nonsense=1")),
                ("nx = 0", (*XY, "nx=0")),
                ("--objective = speed, allowed is two of",
                 (*XY, "--objective", "speed,resources")),
                ("--sizes = odd, known are powers, divisors, all", (*XY, "--sizes", "odd")),
                ("--within = 101, allowed is a number of percent", (*XY, "--within", "101")),
                ("--limit-runs = 0, allowed", (*XY, "--limit-runs", "0")),
                ("--jobs = 0, allowed", (*XY, "--jobs", "0")),
                ("--seed = -1, allowed", (*XY, "--seed=-1")),
                ("--limit-seconds = 0", (*XY, "--limit-seconds", "0")),
                (f"--hand = 8, {size}", (*XY, "--hand", "4x4,8")),
                (f"--mark = 8x0, {size}", (*XY, "--mark", "8x0")),
                ("--mark = fp64:8x8, allowed is VALUE:WINDOW with a value of --by",
                 (*XY, "--by", "dtype=fp32", "--mark", "fp64:8x8")),
                ("--mark = fp32:8x8, allowed is WINDOW; there is no --by", (*XY, "--mark", "fp32:8x8")),
                ("nothing: no such chip;", (*XY, "--chip", "nothing")),
                ("windows.lua: runs on chips of family tensix, wse2 is of family wse", (*XY, "--chip", "wse2")),
                ("no.key", (*XY, "--set", "no.key=1")),
                ("-o picture.png: pictures are SVG", (*XY, "-o", "picture.png")),
                ("no/such/file", (*XY, "--csv", "no/such/file")),
                ("named by --json and by --csv", (*XY, "--json", "-", "--csv", "-")),
                ("windows.lua/x", (*XY, "--out", "windows.lua/x")),
        ):
            with self.subTest(words=words):
                self.assertFails(INPUT, [says], *words)


if __name__ == "__main__":
    unittest.main()
