"""Sweeps over MPI ranks: the same table, and ten kills. Exit code 77: there is no MPI."""
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

import gridloom
import sweeps
from gridloom import DONE, INPUT, PATIENCE
from sweep_kills import Kills

SKIPPED = 77
MODULE = os.path.join(os.path.dirname(gridloom.PROGRAM), "gridloom_mpi.so")


# Each rank writes its output to files of its own: output through mpirun may come late, or be
# lost when it ends a job.
OWN_FILES = 'exec "$0" "$@" >"out.$OMPI_COMM_WORLD_RANK" 2>"err.$OMPI_COMM_WORLD_RANK"'
STOPPED_RUNS = 24  # of a sweep that is stopped
STOPPED_LINE = rf"\Agridloom: s.sqlite: stopped; (\d+) of {STOPPED_RUNS} runs are in it, start it again to go on\n\Z"


def mpirun(ranks, *words):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks),
            "sh", "-c", OWN_FILES, gridloom.PROGRAM, *words]


def rank_of(pid):
    """The rank that mpirun has given to a process; None if it has none or is gone."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            words = dict(word.partition(b"=")[::2] for word in file.read().split(b"\0"))
        return int(words[b"OMPI_COMM_WORLD_RANK"])
    except (OSError, KeyError):
        return None


class Ranks(Kills):
    def command(self, database):
        return mpirun(3, "sweep", "s.lua", "-q", "--db", database)

    def ranks(self, processes):
        """{rank: process id} of the ranks that have begun."""
        return {rank_of(pid): pid for pid, (name, _) in processes.items() if name == "gridloom"}

    def victims(self, leader, processes):
        ranks = self.ranks(processes)
        runs = [pid for pid, (name, _) in processes.items() if name == "gridloom-run"]
        return {"a run": runs[:1], "rank 0": [ranks[0]] if 0 in ranks else [],
                "another rank": [ranks[2]] if 2 in ranks else [],
                "mpirun": [leader], "all": sorted(processes)}

    def run_ranks(self, ranks, *words):
        """The exit code, and the output of all ranks."""
        done = subprocess.run(mpirun(ranks, *words), cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                              timeout=PATIENCE, check=False)
        said = ["".join(self.read(f"{name}.{rank}") for rank in range(ranks)) for name in ("out", "err")]
        return done.returncode, *said

    def test_four_ranks_give_the_table_of_one_process(self):
        self.write("s.lua", sweeps.sweep(
            '{ name = "us", from = 1, to = 9000 }, { name = "mode", values = { "right", "wrong" } }',
            'combine = "random", samples = 40, record = { "seconds", "metrics.words" }'))
        self.gridloom("sweep", "s.lua", "--jobs", "1")
        _, out, err = self.run_ranks(4, "sweep", "s.lua", "--db", "ranks.sqlite")

        self.assertIn("40 runs, ", out, err)
        self.assertEqual(self.dump("ranks.sqlite"), self.dump())
        # Rank 0 gives the first two runs to each before it hears of any.
        workers = {row[0].split(".")[0] for row in self.rows("SELECT worker FROM timing", "ranks.sqlite")}
        self.assertEqual(workers, {"0", "1", "2", "3"})

    def test_what_is_wrong_is_said_once(self):
        self.write("s.lua", sweeps.sweep('{ name = "us", values = {} }'))
        code, _, err = self.run_ranks(3, "sweep", "s.lua")

        self.assertEqual((code, err), (INPUT, "gridloom: s.lua: axes[1]: us: has no values\n"))

    def start_sweep(self, work):
        """A sweep with some runs done: its process, and its ranks."""
        self.write("s.lua", sweeps.sweep(f'{{ name = "us", from = 1, to = {STOPPED_RUNS}, step = 1 }}',
                                         f"fixed = {{ work = {work} }}"))
        process = subprocess.Popen(mpirun(3, "sweep", "s.lua", "-q"), cwd=self.folder, env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        self.assertTrue(sweeps.wait_until(lambda: len(self.rows()) >= 3))
        return process, self.ranks(sweeps.processes_of(os.path.realpath(self.folder)))

    def check_stopped(self, process, before):
        """It ended early, with all its processes; nothing was lost, and it can go on."""
        process.wait(timeout=PATIENCE)
        if process.returncode == DONE:
            raise sweeps.Over
        self.assertTrue(sweeps.wait_until(lambda: not sweeps.processes_of(os.path.realpath(self.folder))))
        after = self.rows()
        self.assertLessEqual(set(before), set(after))
        self.assertEqual(self.gridloom("sweep", "s.lua").returncode, DONE)
        self.assertEqual(self.named("status"), [("done",)] * STOPPED_RUNS)
        return after

    def stop_a_rank(self, work, rank, number):
        """The runs that are done when a signal to one rank has ended the sweep, and the output of
        rank 0."""
        process, ranks = self.start_sweep(work)
        before = self.rows()
        if rank not in ranks:
            raise sweeps.Over
        sweeps.kill(ranks[rank], number)
        return self.check_stopped(process, before), self.read("err.0")

    def test_a_rank_that_dies_ends_the_sweep_and_loses_no_run(self):
        after, said = self.in_time(lambda work: self.stop_a_rank(work, 2, signal.SIGKILL))

        # mpirun asks rank 0 to end and waits a second. That is enough, except on a very busy
        # machine.
        if said:
            self.assertRegex(said, STOPPED_LINE)
            self.assertEqual(int(re.match(STOPPED_LINE, said)[1]), len(after))

    def test_rank_0_says_what_is_done_when_it_is_asked_to_end(self):
        after, said = self.in_time(lambda work: self.stop_a_rank(work, 0, signal.SIGTERM))

        self.assertRegex(said, STOPPED_LINE)
        self.assertEqual(int(re.match(STOPPED_LINE, said)[1]), len(after))

    def signal_others(self, work):
        """The exit code if all ranks except the first got signals while it ran."""
        process, ranks = self.start_sweep(work)
        for rank in set(ranks) - {0, None}:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                sweeps.kill(ranks[rank], number)
        if process.poll() is not None or len(ranks) < 3:
            raise sweeps.Over
        return process.wait(timeout=PATIENCE)

    def test_other_ranks_leave_it_to_rank_0_to_end(self):
        # The first to end would end the second during which mpirun waits for all.
        self.assertEqual(self.in_time(self.signal_others), DONE)
        self.assertEqual(self.named("status"), [("done",)] * STOPPED_RUNS)

    def test_ten_kills_lose_no_finished_run(self):
        # With this seed ten kills are of each kind at least twice.
        killed = self.check_kills(seed=238)

        self.assertEqual(set(killed), {"a run", "rank 0", "another rank", "mpirun", "all"})

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
