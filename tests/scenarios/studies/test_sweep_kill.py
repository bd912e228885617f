"""Ten kills of a sweep on this machine: of runs, of the processes that start them, of all."""
import unittest

import gridloom
from sweep_kills import Kills


class Local(Kills):
    def command(self, database):
        return [gridloom.PROGRAM, "sweep", "s.lua", "--jobs", "2", "-q", "--db", database]

    def victims(self, leader, processes):
        by_name = {name: [pid for pid, (own, _) in processes.items() if own == name]
                   for name in ("gridloom-run", "gridloom-spawn")}
        return {"a run": by_name["gridloom-run"][:1], "a spawner": by_name["gridloom-spawn"],
                "the sweep": [leader], "all": sorted(processes)}

    def test_ten_kills_lose_no_finished_run(self):
        # With this seed five kills are of all kinds, and ten of each kind at least twice.
        killed = self.check_kills(seed=11)

        self.assertEqual(set(killed), {"a run", "a spawner", "the sweep", "all"})


if __name__ == "__main__":
    unittest.main()
