"""Sweeps over MPI ranks: the same table, and ten kills. Exit code 77: there is no MPI."""
import os
import shutil
import subprocess
import sys
import unittest

import gridloom
import sweeps
from gridloom import DONE, INPUT
from sweep_kills import Kills

SKIPPED = 77
MODULE = os.path.join(os.path.dirname(gridloom.PROGRAM), "gridloom_mpi.so")


def mpirun(ranks, *words):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), gridloom.PROGRAM, *words]


class Ranks(Kills):
    def command(self, database):
        return mpirun(3, "sweep", "s.lua", "-q", "--db", database)

    def victims(self, leader, processes):
        """Ranks are children of mpirun, which gives each the next process id or so."""
        ranks = sorted(pid for pid, (_, parent) in processes.items() if parent == leader)
        runs = [pid for pid, (name, _) in processes.items() if name == "gridloom-run"]
        return {"a run": runs[:1], "rank 0": ranks[:1], "another rank": ranks[2:3],
                "mpirun": [leader], "all": sorted(processes)}

    def run_ranks(self, ranks, *words):
        return subprocess.run(mpirun(ranks, *words), cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                              timeout=200, check=False)

    def test_four_ranks_give_the_table_of_one_process(self):
        self.write("s.lua", sweeps.sweep(
            '{ name = "us", from = 1, to = 9000 }, { name = "mode", values = { "right", "wrong" } }',
            'combine = "random", samples = 40, record = { "seconds", "metrics.words" }'))
        self.gridloom("sweep", "s.lua", "--jobs", "1")
        done = self.run_ranks(4, "sweep", "s.lua", "--db", "ranks.sqlite")

        self.assertIn("40 runs, ", done.stdout, done.stderr)
        self.assertEqual(self.dump("ranks.sqlite"), self.dump())
        workers = {row[0].split(".")[0] for row in self.rows("SELECT worker FROM timing", "ranks.sqlite")}
        self.assertEqual(workers, {"0", "1", "2", "3"})

    def test_what_is_wrong_is_said_once(self):
        self.write("s.lua", sweeps.sweep('{ name = "us", values = {} }'))
        done = self.run_ranks(3, "sweep", "s.lua")

        self.assertEqual(done.returncode, INPUT)
        self.assertEqual([line for line in done.stderr.splitlines() if "gridloom:" in line],
                         ["gridloom: s.lua: axes[1]: us: has no values"])

    def test_a_rank_that_dies_ends_the_sweep_with_a_line(self):
        self.write("s.lua", sweeps.sweep('{ name = "us", from = 1, to = 60, step = 1 }', "fixed = { work = 5000000 }"))
        process = subprocess.Popen(mpirun(3, "sweep", "s.lua"), cwd=self.folder, env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        self.assertTrue(sweeps.wait_until(lambda: len(self.rows()) >= 3))
        victims = self.victims(process.pid, sweeps.processes_of(os.path.realpath(self.folder)))

        sweeps.kill(victims["another rank"][0])
        _, err = process.communicate(timeout=60)

        self.assertNotEqual(process.returncode, DONE)
        self.assertRegex(err.decode(), r"gridloom: s.sqlite: stopped; \d+ of 60 runs are in it, start it again to go on\n")
        self.assertTrue(sweeps.wait_until(lambda: not sweeps.processes_of(os.path.realpath(self.folder))))
        self.assertEqual(self.gridloom("sweep", "s.lua").returncode, DONE)
        self.assertEqual(self.named("status"), [("done",)] * 60)

    def test_ten_kills_lose_no_finished_run(self):
        killed = self.check_kills(seed=4)

        self.assertGreaterEqual(len(set(killed)), 4, killed)

    def test_a_program_without_the_module_says_so(self):
        folder = self.path("bin")
        os.mkdir(folder)
        shutil.copy(gridloom.PROGRAM, folder)
        self.write("s.lua", sweeps.sweep('{ name = "us", values = { 1 } }'))
        done = self.gridloom("sweep", "s.lua", program=os.path.join(folder, "gridloom"),
                             env={**self.environment, "OMPI_COMM_WORLD_RANK": "0"})

        self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
        self.assertIn("gridloom: mpirun: this gridloom cannot open its module for MPI, there is no gridloom_mpi.so",
                      done.stderr)


if __name__ == "__main__":
    if shutil.which("mpirun") is None or not os.path.exists(MODULE):
        print("skipped: there is no mpirun, or the program was built without MPI")
        sys.exit(SKIPPED)
    unittest.main()
