"""CSL programs with their host programs: cslc, cs_python, and what SdkRuntime does."""
import json
import os
import shutil
import subprocess
import unittest

from gridloom import CHECK, DONE, INPUT, PROGRAM, SOURCE, STOPPED, Scenario

COMPILE = ["--params=width:2,height:2", "--colors=to_pes:4,from_pes:5", "--memcpy", "-o", "out"]


class Host(Scenario):
    program = "host"

    def setUp(self):
        super().setUp()
        shutil.copytree(os.path.join(SOURCE, "tests/programs/csl", self.program), self.folder, dirs_exist_ok=True)

    def compile(self, *more):
        return self.gridloom("csl", "compile", "layout.csl", *COMPILE, *more)

    def python(self, *words, options=("-q",)):
        return self.gridloom("csl", "python", *options, "run.py", *words)

    def begin(self, *words, **options):
        self.assertEqual(self.compile().returncode, DONE)
        return self.python(*words, **options)


class Commands(Host):
    def test_a_command_file_runs_with_time(self):
        done = self.gridloom("csl", "run", ".", "--json", "result.json", "--report", "page.html",
                             "--trace", "run.pftrace", "--heatmap", "map.svg", "--threads", "2")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertRegex(done.stdout, r"^SUCCESS!\nrun\.py on wse2, PEs 4 of 750,470\n")
        self.assertRegex(done.stdout, r"\n  launch scale  +2 +\d+ ")
        self.assertRegex(done.stdout, r"\n  stream to color 4  +1 +\d+ ")
        result = json.loads(self.read("result.json"))
        self.assertEqual((result["workload"], result["chip"]), ("run.py", "wse2"))
        self.assertEqual(result["metrics"]["launches"], 3)
        self.assertGreater(result["counters"]["flops"], 0)
        self.assertGreater(result["busy"]["busy"], 0.1)  # of launches and streams, not of waits for the host
        for name in ("page.html", "run.pftrace", "map.svg"):
            self.assertGreater(os.path.getsize(self.path(name)), 0)

    def test_time_depends_on_the_link_and_not_on_threads(self):
        cases = (("--threads", "1"), ("--threads", "3"), ("--set", "host.host_to_device_bytes_per_second=1e9"))
        self.assertEqual(self.compile().returncode, DONE)
        usual, threads, slow = [json.loads(self.python("stream", options=("--json", "-", *case)).stdout)["cycles"]
                                for case in cases]

        self.assertEqual(threads, usual)
        # One channel is 1/8 of 7 or 1 GB/s: 3.886 or 27.2 cycles from each of 48 wavelets to the next.
        self.assertEqual(slow - usual, 1278 - 182)

    def test_time_is_counted_by_line_where_a_result_is_asked_for(self):
        done = self.begin("scale", "stream", options=("--json", "result.json", "--report", "page.html"))
        result = json.loads(self.read("result.json"))
        (kernel,) = result["metrics"]["kernels"]
        lines = {(os.path.basename(line.get("file", "")), line.get("line")): line["reasons"] for line in kernel["lines"]}
        text = self.read("pe.csl").split("\n")
        at = {part: i + 1 for i, line in enumerate(text) for part in ("numbers[i] *", "@fadds(to, from") if part in line}

        self.assertEqual((kernel["kernel"], kernel["processor"], kernel["cores"]), ("pe.csl", "PE", 4))
        # On each of 4 PEs: 4 loads, multiplications, conversions, additions, stores of 18 cycles in all; then 28 to
        # set up the operation and 12 elements.
        self.assertEqual(lines["pe.csl", at["numbers[i] *"]], {"instructions": 4 * 4 * 18, "memory": 0, "idle": 0})
        self.assertEqual(lines["pe.csl", at["@fadds(to, from"]]["instructions"], 4 * (28 + 12))
        # All that PEs were busy, and all that they were not.
        busy = sum(line["instructions"] for line in lines.values())
        self.assertAlmostEqual(busy / kernel["cycles"], result["busy"]["busy"], delta=1e-12)
        self.assertEqual(kernel["cycles"], sum(sum(line.values()) for line in lines.values()))
        self.assertRegex(done.stdout, r"\nhot_lines\n(  .*\n)+  pe\.csl:\d+ +40 .*@fadds\(to, from")
        self.assertIn("numbers[i] * factor", self.read("page.html"))
        self.assertNotIn("hot_lines", self.python("scale", options=()).stdout)

    def test_eight_channels_saturate_and_copies_back_are_slower(self):
        # 16 wavelets there and 36 back, 3.886 and 29.15 cycles each on one channel.
        for channels, there, back in ((1, 62, 1049), (4, 15, 262), (8, 7, 131), (16, 7, 131)):
            with self.subTest(channels=channels):
                self.compile(f"--channels={channels}")
                table = self.python("scale", options=()).stdout

                self.assertRegex(table, rf"\n  copy to numbers +1 +{there} ")
                self.assertRegex(table, rf"\n  copy from numbers +3 +{back} ")

    def test_ranges_of_the_chip_file_are_tried(self):
        done = self.begin("stream", options=("--json", "-", "--uncertainty", "2", "--samples-only"))

        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(json.loads(done.stdout)["metrics"]["uncertainty"]["samples"], 2)

    def test_both_scripts_lie_beside_the_program(self):
        tools = os.path.dirname(PROGRAM)
        self.environment["GRIDLOOM_CSL_OPTIONS"] = "--json 'a result.json' -q"
        made = self.gridloom("layout.csl", *COMPILE, program=os.path.join(tools, "cslc"))
        done = self.gridloom("run.py", "--name", "out", "scale", program=os.path.join(tools, "cs_python"))

        self.assertEqual((made.returncode, made.stdout, made.stderr), (DONE, "", ""))
        self.assertEqual((done.returncode, done.stdout), (DONE, "SUCCESS!\n"), done.stderr)
        self.assertIn("device_cycles", self.read("a result.json"))

    def test_a_folder_without_a_command_file_is_refused(self):
        os.remove(self.path("commands_wse2.sh"))
        self.assertFails(INPUT, [".: no commands_wse2.sh and no commands.sh in it"], "csl", "run", ".")

    def test_the_chip_is_that_of_the_program(self):
        os.rename(self.path("commands_wse2.sh"), self.path("commands_wse3.sh"))
        text = self.read("commands_wse3.sh").replace("wse2", "wse3").replace("shorts mixed rows stream", "")
        self.write("commands_wse3.sh", text)
        done = self.gridloom("csl", "run", ".")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertIn("run.py on wse3", done.stdout)
        done = self.python("scale")
        self.assertEqual(done.returncode, DONE, done.stderr)
        done = self.gridloom("csl", "python", "--chip", "wse2", "run.py", "--name=out", "scale")
        self.assertEqual(done.returncode, CHECK)
        self.assertIn("cslc compiled the program for wse3, and this is wse2: run it with --chip wse3", done.stderr)

    def test_a_script_that_is_not_there_is_refused(self):
        self.assertFails(INPUT, ["nothing.py: no such file"], "csl", "python", "nothing.py", "--name", "out")

    def test_the_exit_code_of_a_script_counts(self):
        self.write("fails.py", "import sys\nprint('before')\nsys.exit(3)\n")
        done = self.gridloom("csl", "python", "-q", "fails.py")

        self.assertEqual((done.returncode, done.stdout), (CHECK, "before\n"))
        self.assertEqual(done.stderr, "gridloom: fails.py: ended with exit code 3\n")


    def test_a_reader_may_go_before_the_table_is_printed(self):
        # The script ends when nobody reads any more. A result in JSON must be read, a table need not.
        self.write("goes.py", "import os\nprint('SUCCESS!', flush=True)\n"
                              "while os.path.exists('reads'):\n    pass\n")
        for options, is_lost in (([], False), (["--json", "-"], True)):
            with self.subTest(options=options):
                self.write("reads", "")
                read, write = os.pipe()
                # Python has SIGPIPE ignored; the process gets its default back.
                process = subprocess.Popen([PROGRAM, "csl", "python", *options, "goes.py"], cwd=self.folder,
                                           stdout=write, stderr=subprocess.STDOUT, restore_signals=True)
                os.close(write)
                with os.fdopen(read, "rb") as lines:
                    self.assertEqual(lines.readline(), b"SUCCESS!\n")
                os.remove(self.path("reads"))
                self.assertEqual(process.wait(60) != 0, is_lost)


class Compiler(Host):
    def test_options_may_be_written_in_many_ways(self):
        self.compile("--channels=4", "-o=other", "--arch", "wse2", "--fabric-dims=9,4",
                     "--fabric-offsets", "4,1", "--width-east-buf=0", "--max-inlined-iterations", "20")
        made = json.loads(self.read("other/out.json"))

        self.assertEqual(made["params"], {"width": "2", "height": "2"})
        self.assertEqual(made["colors"], {"to_pes": "4", "from_pes": "5"})
        self.assertEqual([(row["name"], row["kind"], row["inputs"]) for row in made["rpc_symbols"]],
                         [("numbers", "Var", []), ("shorts", "Var", []), ("scale", "Func", ["f32", "i16"]),
                          ("relay", "Func", ["u16"]), ("never", "Func", []),
                          ("talk", "Func", ["f32"])])
        self.assertEqual(sorted(os.listdir(self.path("other"))), ["bin", "east", "out.json", "west"])
        self.assertEqual(sorted(os.listdir(self.path("other/bin"))), ["out_0.elf", "out_1.elf"])

    def test_unknown_options_are_warned_of(self):
        done = self.compile("--fancy")

        self.assertEqual((done.returncode, done.stderr),
                         (DONE, "gridloom: warning: unknown option --fancy, left out\n"))
        done = self.gridloom("csl", "compile", "--speed", "9", "layout.csl", *COMPILE)
        self.assertEqual((done.returncode, done.stderr),
                         (DONE, "gridloom: warning: unknown option --speed, left out\n"
                                "gridloom: warning: unexpected word '9', left out\n"))

    def test_a_fabric_that_is_too_small_is_refused_with_the_least(self):
        cases = {("--fabric-dims=8,4",): "--fabric-dims=8,4: 2 x 2 PEs at 4,1 need at least 9,4",
                 ("--fabric-dims=9,3",): "--fabric-dims=9,3: 2 x 2 PEs at 4,1 need at least 9,4",
                 ("--fabric-offsets=3,1",): "--fabric-offsets=3,1: with --memcpy they are at least 4,1",
                 ("--fabric-dims=9,4", "--width-west-buf=1"): "2 x 2 PEs at 5,1 need at least 10,4",
                 ("--fabric-dims=9",): "--fabric-dims=9: expected two numbers, as in 8,3"}

        for options, text in cases.items():
            done = self.compile(*options)
            self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
            self.assertIn("error: " + text if text[0] == "-" else text, done.stderr)
            self.assertFalse(os.path.exists(self.path("out")))

    def test_errors_have_places_and_leave_nothing(self):
        self.write("pe.csl", self.read("pe.csl").replace("numbers[i] * factor", "numbers[i] * facto"))
        done = self.compile()

        self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
        self.assertRegex(done.stderr, r"^pe\.csl:23:31: error: ")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_a_file_that_has_changed_is_refused(self):
        self.assertEqual(self.compile().returncode, DONE)
        self.write("pe.csl", self.read("pe.csl") + "\n")
        done = self.python("scale")

        self.assertEqual(done.returncode, CHECK)
        self.assertRegex(done.stderr, r"RuntimeError: .*/pe\.csl: has changed since cslc compiled it; run cslc again\n")


class Calls(Host):
    def test_wrong_calls_are_exceptions_and_a_second_runtime_takes_over(self):
        done = self.begin("wrong", "nonsense", "scale", "again")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""), done.stdout)
        lines = done.stdout.splitlines()
        for text in ("RuntimeError: launch: scale takes 2 arguments, 1 given",
                     "RuntimeError: launch: no function unicorn is exported, there are: scale, relay, never, talk",
                     "TypeError: launch: argument 1 of scale: expected i16, uint16 given",
                     "ValueError: launch: argument 1 of scale: 40000 does not fit i16",
                     "ValueError: memcpy_h2d: the array has 3 elements, height x width x length is 2 x 2 x 4 = 16",
                     "ValueError: memcpy_d2h: 2 x 2 PEs from (1, 1) on, the program has 2 x 2",
                     "RuntimeError: pe[0,0]: color 9 is not one that the host sends",
                     "RuntimeError: load: the program runs"):
            self.assertIn(text, lines)
        self.assertEqual((len(lines), lines[-2]), (18, "first: commands: another program has been loaded"))

    def test_appliances_compile_and_run(self):
        self.write("client.py", "from cerebras.sdk.client import SdkCompiler, SdkRuntime\n"
                                "from cerebras.appliance.pb.sdk.sdk_common_pb2 import MemcpyOrder\n"
                                "with SdkCompiler() as compiler:\n"
                                f"    made = compiler.compile('.', 'layout.csl', '{' '.join(COMPILE)}')\n"
                                "with SdkRuntime(made, simulator=True) as runner:\n"
                                "    runner.launch('scale', 1.0, 2)\n"
                                "print(runner.read_symbol(1, 1, 'numbers', 'float32'), MemcpyOrder.ROW_MAJOR)\n")
        done = self.gridloom("csl", "python", "-q", "client.py")

        self.assertEqual((done.returncode, done.stdout, done.stderr), (DONE, "[2. 2. 2. 2.] 0\n", ""))

    def test_a_runtime_may_be_made_before_its_program(self):
        self.write("early.py", "import subprocess\nfrom cerebras.sdk.runtime.sdkruntimepybind import SdkRuntime\n"
                               "runner = SdkRuntime('out')\n"
                               f"subprocess.check_call(['cslc', 'layout.csl', *{COMPILE}])\n"
                               "print(runner.get_id('shorts'), runner.get_id('unicorn'))\n")
        done = self.gridloom("csl", "python", "-q", "early.py")

        self.assertEqual((done.returncode, done.stdout, done.stderr), (DONE, "1 None\n", ""))

    def test_pes_print_and_record_and_can_be_looked_at(self):
        done = self.begin("talk", "symbol")

        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (DONE, "['begin', 2.5, -3] []\nSUCCESS!\n", ""))
        lines = self.read("sim.log").splitlines()
        self.assertEqual(len(lines), 8)
        self.assertRegex(lines[0], r"^@\d+ half of 7$")
        self.assertRegex(lines[7], r"^@\d+ is odd$")

    def test_a_launch_that_is_never_over_is_a_deadlock(self):
        done = self.begin("never")

        self.assertEqual(done.returncode, STOPPED)
        self.assertRegex(done.stdout, r"^caught: deadlock at cycle \d+: nothing can happen any more, 4 still wait:\n$")
        self.assertRegex(done.stderr, r"RuntimeError: deadlock (?s:.*)\ngridloom: deadlock at cycle \d+: .*\n"
                                      r"  4 PEs like .*; the launch of never is not over\n")

    def test_a_stream_that_is_too_long_names_the_full_queues(self):
        done = self.begin("stall")

        self.assertEqual(done.returncode, STOPPED)
        self.assertRegex(done.stderr, r"\ngridloom: deadlock (?s:.*); 26 wavelets of color 4 between host and PE; fadds "
                                      r"at element \d+ of 40 .*; input queue 2 \(color 4\) has 6 of 6; output queue 3 "
                                      r"has 6 of 6; ")


class Layouts(Host):
    program = "regions"

    def test_regions_of_a_layout_in_python_are_connected(self):
        done = self.python()

        self.assertEqual((done.returncode, done.stdout, done.stderr), (DONE, "SUCCESS!\n", ""))

    def test_layouts_that_cannot_be_are_exceptions(self):
        done = self.python("wrong")

        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual(done.stdout.splitlines(),
                         ["regions first and second overlap at (1, 1)",
                          "connect: a port of 2 PEs of wide, one of 1 of one",
                          "streams need ports of one PE, wide has 2",
                          "region wide: no PE (2, 0), it has 2 x 1",
                          "cmaddr: there is no wafer at 10.0.0.1:9000 here, leave it out"])


class Arrays(Host):
    program = "arrays"

    def test_orders_views_and_times(self):
        done = self.python()

        self.assertEqual(done.returncode, DONE, done.stderr)


if __name__ == "__main__":
    unittest.main()
