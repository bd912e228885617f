/* Runs scripts that are refused. */
#include "tests/workloads/wafer/refusal.h"

#include "tests/workloads/machine.h"

void assert_refused(const char *frame, const Refusal *refusals, gsize count)
{
    static const Machine wse2 = {.chip = "wse2"};

    for (gsize i = 0; i < count; i++) {
        g_auto(GStrv) parts = g_strsplit(frame, "%s", 2);
        g_autofree char *body = g_strconcat(parts[0], refusals[i].call, parts[1], NULL);
        g_auto(Result) result = machine_run(body, &wse2);

        if (!json_object_has_member(result.root, "error")) {
            fail_msg("%s: it runs, expected %s", refusals[i].call, refusals[i].message);
        }
        g_auto(GStrv) lines = g_strsplit(result_text(&result, "error"), "\n", 2);

        if (!g_str_equal(lines[0], refusals[i].message)) {
            fail_msg("%s: %s, expected %s", refusals[i].call, lines[0],
                     refusals[i].message);
        }
    }
}
