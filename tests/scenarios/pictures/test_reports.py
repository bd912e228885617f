"""Values that a script may report, and their form in the result."""
import json
import unittest

import gridloom
from gridloom import INPUT


class Reports(gridloom.Scenario):
    def assertRefused(self, body, *says):
        self.assertFails(INPUT, ["script.lua:7: ", *says], "run", self.script(body),
                         "--json", "-", traceback=True)

    def test_metrics_keep_their_types(self):
        metrics = self.metrics("""
        host.metric("integer", 1 << 62)
        host.metric("number", 0.1)
        host.metric("text", "caf\u00e9")
        host.metric("flag", true)
        host.metric("infinite", 1 / 0)
        host.metric("nested", { b = { 1, 2, { c = "d" } }, a = {} })""")

        self.assertEqual(metrics["integer"], 1 << 62)
        self.assertEqual(metrics["number"], 0.1)
        self.assertEqual(metrics["text"], "caf\u00e9")
        self.assertIs(metrics["flag"], True)
        self.assertIsNone(metrics["infinite"])
        self.assertEqual(metrics["nested"], {"a": {}, "b": [1, 2, {"c": "d"}]})

    def test_what_json_cannot_hold_is_refused(self):
        for value in ("print", "host.buffer(1)", "{ 1, nil, 3 }", "{ 1, a = 2 }",
                      "{ [{}] = 1 }", "'\\xff'", "{ ['\\xff'] = 1 }", "{ { print } }"):
            self.assertRefused(f"host.metric('m', {value})", "repor")

    def test_a_table_within_itself_is_refused(self):
        self.assertRefused("local t = {} t.t = t host.metric('m', t)", "nested")

    def test_names_that_cannot_be_file_names_are_refused(self):
        for name in ("", "../x", "a b", "\\0x"):
            self.assertRefused(f"host.metric('{name}', 1)", "name")
            self.assertRefused(
                f"host.table {{ name = '{name}', columns = {{ 'a' }}, rows = {{}} }}", "name")

    def test_metrics_of_every_run_belong_to_gridloom(self):
        self.assertRefused("host.metric('host_seconds', 1)", "every run reports")

    def test_texts_that_are_not_utf8_are_refused(self):
        for body in ("host.zone('\\xff', function() end)",
                     "host.check { error = 0, tolerance = 0, reference = '\\xff' }",
                     "host.check_equal(host.buffer(1), host.buffer(1), '\\xff')",
                     "host.table { name = 'a', columns = { '\\xff' }, rows = {} }",
                     "host.table { name = 'a', columns = { 'b' }, rows = { { '\\xff' } } }"):
            self.assertRefused(body, "not UTF-8")

    def test_two_tables_of_one_name_are_refused(self):
        table = "host.table { name = 'a', columns = { 'b' }, rows = {} } "

        self.assertRefused(table + table, "there is a table a already")

    def test_rows_have_as_many_entries_as_columns(self):
        self.assertRefused(
            "host.table { name = 'a', columns = { 'b', 'c' }, rows = { { 1 } } }",
            "a row has 1 entries, expected one for each column")

    def test_csv_quotes_what_needs_it(self):
        script = self.script("""
        host.table { name = "t", columns = { "a,b", 'say "x"' },
                     rows = { { 1.5, "two\\nlines" }, { true, 2 } } }""")

        self.succeed("run", script, "--out", "out", "-q")

        self.assertEqual(self.read("out/t.csv"),
                         '"a,b","say ""x"""\n1.5,"two\nlines"\ntrue,2\n')
        self.assertEqual(json.loads(self.read("out/result.json"))["workload"], "script")

    def test_buffers_of_different_length_are_not_compared(self):
        self.assertRefused("host.check_equal(host.buffer(1), host.buffer(2), 'x')",
                           "the buffers differ in length")


if __name__ == "__main__":
    unittest.main()
