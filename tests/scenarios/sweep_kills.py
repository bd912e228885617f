"""Kills a sweep at random moments, again and again, and compares its table with that of an
undisturbed one."""
import os
import random
import subprocess
import time

import sweeps
from gridloom import PATIENCE

KILLS = int(os.environ.get("GRIDLOOM_KILLS", "10"))
# Runs, of which half are done after that many kills, or after a few more on a busy machine.
RUNS = 4 * KILLS + 8
AXES = (f'{{ name = "us", from = 1, to = {RUNS // 2}, step = 1 }}, '
        '{ name = "mode", values = { "right", "refuse" } }')
WORK = (8000000, 64000000, 512000000)


class Kills(sweeps.Sweeps):
    """Kills sweeps. Each test says how to start the sweep and whom to kill."""

    def command(self, database):
        """The words that start the sweep."""
        raise NotImplementedError

    def victims(self, leader, processes):
        """Kinds of victims: {kind: list of process ids}, of processes as sweeps.processes_of()
        returns them. The leader is the process that was started. The sweep goes on without kinds
        that begin with "a "."""
        raise NotImplementedError

    def begin(self):
        process = subprocess.Popen(
            self.command("killed.sqlite"), cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)
        self.addCleanup(self.end, process)
        return process

    def finished(self):
        """Runs that are done for good, with their worker and their time."""
        return set(self.rows("SELECT runs.run, worker, wall_seconds FROM runs, timing "
                             "WHERE runs.run = timing.run AND status != 'lost'", "killed.sqlite"))

    def kill_once(self, process, dice):
        """Kills a process once a few more runs are done; returns the runs that were done by then.
        Any moment will do: no assertion depends on it."""
        target = len(self.finished()) + dice.randint(1, 2)
        folder = os.path.realpath(self.folder)
        self.assertTrue(sweeps.wait_until(
            lambda: len(self.finished()) >= target or process.poll() is not None))
        time.sleep(dice.random() * 0.05)
        before = self.finished()
        kinds = {}
        self.assertTrue(sweeps.wait_until(lambda: kinds.update(
            self.victims(process.pid, sweeps.processes_of(folder))) or all(kinds.values()) or
            process.poll() is not None))
        if process.poll() is not None:
            raise sweeps.Over
        kind = dice.choice(sorted(kinds))
        for pid in kinds[kind]:
            sweeps.kill(pid)
        return kind, before

    def settle(self, process):
        """Waits until all its processes are gone."""
        process.communicate(timeout=PATIENCE)
        folder = os.path.realpath(self.folder)
        self.assertTrue(sweeps.wait_until(lambda: not sweeps.processes_of(folder)),
                        "processes outlive a sweep that was killed")

    def write_sweep(self, work):
        self.write("s.lua", sweeps.sweep(
            AXES, f'fixed = {{ work = {work} }}, record = {{ "seconds", "metrics.words" }}'))

    def check_kills(self, seed):
        """The kinds that were killed."""
        return self.in_time(lambda work: self.check_kills_of(seed, work), WORK)

    def check_kills_of(self, seed, work):
        dice = random.Random(seed)
        self.write_sweep(0)  # the times of runs are not in the table
        subprocess.run(self.command("calm.sqlite"), cwd=self.folder, env=self.environment,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        self.assertEqual(len(self.rows(database="calm.sqlite")), RUNS)
        self.write_sweep(work)

        killed, finished = [], set()
        process = self.begin()
        for _ in range(KILLS):
            kind, before = self.kill_once(process, dice)
            killed.append(kind)
            finished |= before
            if not kind.startswith("a "):
                self.settle(process)
                self.assertLessEqual(finished, self.finished(), killed)
                process = self.begin()
        process.communicate(timeout=PATIENCE)

        # Runs that were done were neither lost nor repeated: no other worker has done them
        # since.
        self.assertLessEqual(finished, self.finished(), killed)
        # A run whose process was killed twice is lost: the next start does it.
        last = self.begin()
        last.communicate(timeout=PATIENCE)
        self.assertEqual(self.dump("killed.sqlite"), self.dump("calm.sqlite"), killed)
        self.assertEqual(self.rows("SELECT count(*), count(DISTINCT run) FROM runs", "killed.sqlite"),
                         [(RUNS, RUNS)])
        return killed
