"""The pages' pictures that one command draws equal its output, to the byte.

GRIDLOOM_UPDATE_EXPECTED=1 draws them again, after an intended change.
"""
import os
import shutil
import unittest

import gridloom

# The last word is the option before the picture's name.
PICTURES = {"roofline.svg": ("roofline", "--figure", "wse2", "--gpu", "h200", "-q", "-o"),
            "schedule.svg": ("model", "time", "--size", "64x64", "--steps", "32", "--tile", "4x32",
                             "--tile-steps", "8", "-q", "--schedule")}


class Pictures(gridloom.Scenario):
    def test_each_picture_is_what_its_command_gives(self):
        for name, words in PICTURES.items():
            with self.subTest(name):
                kept = os.path.join(gridloom.SOURCE, "traces/samples", name)
                self.succeed(*words, name)
                if os.environ.get("GRIDLOOM_UPDATE_EXPECTED"):
                    shutil.copyfile(self.path(name), kept)
                with open(kept, encoding="utf-8") as file:
                    self.assertTrue(file.read() == self.read(name), f"{kept} is out of date")


if __name__ == "__main__":
    unittest.main()
