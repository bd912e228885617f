"""Pictures of the README that one command draws are what it gives, to the byte.

GRIDLOOM_UPDATE_EXPECTED=1 draws them again, after a change that is meant to show.
"""
import os
import shutil
import unittest

import gridloom

PICTURES = {"roofline.svg": ("roofline", "--figure", "wse2", "--gpu", "h200", "-q")}


class Pictures(gridloom.Scenario):
    def test_each_picture_is_what_its_command_gives(self):
        for name, words in PICTURES.items():
            with self.subTest(name):
                kept = os.path.join(gridloom.SOURCE, "traces/samples", name)
                self.succeed(*words, "-o", name)
                if os.environ.get("GRIDLOOM_UPDATE_EXPECTED"):
                    shutil.copyfile(self.path(name), kept)
                with open(kept, encoding="utf-8") as file:
                    self.assertTrue(file.read() == self.read(name), f"{kept} is out of date")


if __name__ == "__main__":
    unittest.main()
