"""without.py FILE TEST...: runs the tests of a scenario except these, each Class.test_name or a
whole Class."""
import os
import sys
import unittest


def tests_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        else:
            yield test


def main():
    name, left_out = os.path.basename(sys.argv[1])[:-len(".py")], set(sys.argv[2:])
    sys.path.insert(0, os.path.dirname(sys.argv[1]))
    found, chosen = set(), unittest.TestSuite()
    for test in tests_of(unittest.defaultTestLoader.loadTestsFromName(name)):
        names = {type(test).__name__, test.id().removeprefix(name + ".")}
        found |= names
        if not names & left_out:
            chosen.addTest(test)
    # A name without a test would look as if something were left out on purpose.
    if unknown := left_out - found:
        sys.exit(f"{name} has no {', '.join(sorted(unknown))}")
    if not chosen.countTestCases():
        sys.exit(f"nothing is left of {name}")
    sys.exit(not unittest.TextTestRunner().run(chosen).wasSuccessful())


if __name__ == "__main__":
    main()
