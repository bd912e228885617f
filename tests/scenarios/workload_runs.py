"""Runs of one workload on one kind of chip, and checks that hold for all of them."""
import json
import os

import gridloom
from gridloom import INPUT, SOURCE

LIBRARY = os.path.join(SOURCE, "workloads", "lib")

# A workload that makes several runs of another one in one process, because starting the program
# takes longer than many of them do. metrics.cases has the report of each.
SEVERAL = """
local script = (function()
%s
end)()
local run, types = script.run, {}
for _, parameter in ipairs(script.parameters) do
    types[parameter.name] = parameter.type
end
local read = {
    integer = math.tointeger, number = tonumber, switch = function(text) return text == "on" end,
    choice = tostring, text = tostring,
}
function script.run(host, p)
    local seen = {}
    for i, words in ipairs { %s } do
        local own, watched, checks = {}, { metrics = {} }, 0
        for name, value in pairs(p) do own[name] = value end
        for name, value in words:gmatch("(%%S+)=(%%S+)") do
            own[name] = read[types[name]](value)
        end
        function watched.metric(name, value) watched.metrics[name] = value end
        for _, check in ipairs { "check", "check_equal" } do
            watched[check] = function(...)
                checks = checks + 1
                return host[check](...)
            end
        end
        for _, output in ipairs { "table", "plot" } do
            watched[output] = function(it)
                it.name = it.name .. i
                return host[output](it)
            end
        end
        run(setmetatable(watched, { __index = host }), own)
        assert(checks > 0 or not host.is_functional, words)
        for _, device in ipairs(host.family == "tensix" and (host.devices or { host }) or {}) do
            device.l1_release()     -- as if it were a run of its own
        end
        seen[i] = watched.metrics
    end
    host.metric("cases", seen)
end
return script
"""


def script_of(workload):
    return os.path.join(SOURCE, "workloads", workload + ".lua")


class WorkloadRuns(gridloom.Scenario):
    """A test of SCRIPT on CHIP."""
    SCRIPT = None
    CHIP = ()       # words that choose the chip
    THREADS = ("1", "2")
    CHANGED = ()    # words of small runs with a changed library

    def outcome(self, *words, script=None):
        self.succeed("run", script or self.SCRIPT, *self.CHIP, *words, "--json", "r.json", "-q")
        return json.loads(self.read("r.json"))

    def assertRight(self, *words, **options):
        """The result agrees with the references."""
        result = self.outcome(*words, **options)
        self.assertEqual(result["check"]["status"], "pass", (words, result["check"]))
        return result

    def several(self, cases, *words, script=None):
        """The result of runs with the words of each case and these, in one process: metrics.cases
        has the report of each. Words that the program itself reads, such as grain=, cannot be words
        of a case."""
        with open(script or self.SCRIPT, encoding="utf-8") as file:
            text = file.read()
        quoted = ", ".join(json.dumps(" ".join(case)) for case in cases)
        return self.outcome(*words, script=self.write("several.lua", SEVERAL % (text, quoted)))

    def metrics_of(self, cases, *words, **options):
        """The report of each case."""
        return self.several(cases, *words, **options)["metrics"]["cases"]

    def assertAllRight(self, cases, *words, **options):
        """All cases agree with the references. Returns their reports, and the grain of wafers."""
        result = self.several(cases, *words, **options)
        if result["check"]["status"] != "pass":     # names the case
            for case in cases:
                self.assertRight(*case, *words, **options)
        self.assertEqual(result["check"]["status"], "pass", cases)
        for metrics in result["metrics"]["cases"]:
            metrics["grain"] = result["metrics"].get("grain")
        return result["metrics"]["cases"]

    def assertRefused(self, words, *says):
        """The refusal is one line that contains all of these."""
        return self.assertFails(INPUT, says, "run", self.SCRIPT, *self.CHIP, *words)

    def run_with(self, library, right, wrong, *words, size=None):
        """The exit code with one place of a library changed. A test of the check also asserts once,
        with assertRight, that these words are right without the change."""
        with open(os.path.join(LIBRARY, library), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count(right), 1, right)
        self.write(library, text.replace(right, wrong))
        with open(self.SCRIPT, encoding="utf-8") as file:
            self.write("script.lua", file.read())
        code = self.gridloom("run", "script.lua", *self.CHIP, *(size or self.CHANGED), *words,
                             "-q").returncode
        os.remove(self.path(library))
        return code

    def assertThreadsDoNotMatter(self, *words, cases=None):
        """The number of threads changes no byte of the result."""
        texts = set()
        for threads in self.THREADS:
            if cases is None:
                self.outcome(*words, "--threads", threads)
            else:
                self.several(cases, *words, "--threads", threads)
            texts.add(gridloom.without_host(self.read("r.json")))
        self.assertEqual(len(texts), 1, words)

    def assertDataTakeNoTime(self, *words, cases=None):
        """Returns the cycles with and without data."""
        def cycles(*more):
            result = self.outcome(*words, *more) if cases is None else self.several(cases, *words, *more)
            return result["cycles"]

        taken = cycles()
        self.assertEqual(taken, cycles("--timing-only"), words)
        return taken


class WaferRuns(WorkloadRuns):
    """Runs on the WSE-2."""
    CHIP = ("--chip", "wse2")
    THREADS = ("1", "3")

    def assertGrainsAgree(self, metric, cases, *words, within=0.02):
        """Numbers agree to the bit, a metric of time nearly."""
        cycles = []
        for grain in ("wavelet", "stream"):
            metrics = self.assertAllRight(cases, *words, f"grain={grain}")
            self.assertEqual({of["grain"] for of in metrics}, {grain})
            cycles.append([of[metric] for of in metrics])
        for case, exact, streams in zip(cases, *cycles):
            self.assertAlmostEqual(streams / exact, 1, delta=within, msg=case)
