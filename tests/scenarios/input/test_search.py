"""Where chips, systems and scripts are found."""
import os
import shutil
import unittest

import gridloom
from gridloom import SMALL, SOURCE


class Search(gridloom.Scenario):
    def own_chip(self, name, summary):
        with open(os.path.join(SOURCE, "arch/chips/wormhole_n300.ini"),
                  encoding="utf-8") as file:
            lines = file.read().splitlines(keepends=True)
        self.write(name, "".join(
            f"summary = {summary}\n" if line.startswith("summary") else line
            for line in lines))

    def test_the_path_comes_before_the_source_tree(self):
        self.own_chip("mine/arch/chips/wormhole_n300.ini", "my own wormhole")
        self.own_chip("mine/arch/chips/another.ini", "another chip")
        self.write("mine/workloads/transfer.lua",
                   gridloom.workload('host.metric("mine", true)'))
        self.environment["GRIDLOOM_PATH"] = "nowhere::" + self.path("mine")

        chips = self.succeed("chips").stdout

        self.assertRegex(chips, r"wormhole_n300 +tensix +my own wormhole")
        self.assertRegex(chips, r"another +tensix +another chip")
        self.assertIn("wse2", chips)
        for script in ("transfer", "workloads/transfer.lua"):
            result = self.result(script, "--chip", "another")
            self.assertEqual((result["metrics"]["mine"], result["chip"]), (True, "another"))

    def test_an_earlier_folder_of_the_path_comes_first(self):
        self.own_chip("a/arch/chips/wormhole_n300.ini", "from a")
        self.own_chip("b/arch/chips/wormhole_n300.ini", "from b")
        self.environment["GRIDLOOM_PATH"] = "a:b"

        self.assertIn("from a", self.succeed("chips").stdout)
        self.assertNotIn("from b", self.succeed("chips").stdout)
        self.assertEqual(self.succeed("chips").stdout.count("\nwormhole_n300 "), 1)

    def test_systems_are_found_on_the_path_too(self):
        os.makedirs(self.path("mine/arch/systems"))
        shutil.copy(os.path.join(SOURCE, "arch/systems/default.xml"),
                    self.path("mine/arch/systems/lab.xml"))
        self.environment["GRIDLOOM_PATH"] = "mine"

        self.result("transfer", *SMALL, "--system", "lab")

    def test_names_mean_the_same_from_any_folder(self):
        for script in ("transfer", "transfer.lua", "workloads/transfer.lua"):
            self.assertEqual(self.result(script, *SMALL)["workload"], "transfer")

    def test_a_file_in_the_present_folder_comes_before_all(self):
        self.write("workloads/transfer.lua", gridloom.workload('host.metric("here", true)'))

        self.assertIs(self.result("workloads/transfer.lua")["metrics"]["here"], True)
        self.assertNotIn("here", self.result("transfer", *SMALL)["metrics"])

    def test_scripts_share_code_by_require(self):
        self.write("answer.lua", "return { value = 42 }")

        metrics = self.metrics('host.metric("answer", require("answer").value)')

        self.assertEqual(metrics["answer"], 42)


if __name__ == "__main__":
    unittest.main()
