/* Tests of the explanations of waits: every reason that a chip can name has one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/nero/part.h"
#include "arch/tensix/lane.h"
#include "traces/result/wait.h"

/* A line of words that ends without a stop. */
static void assert_is_explained(const char *reason)
{
    const char *meaning = trace_wait_meaning(reason);

    if (meaning == NULL) {
        fail_msg("%s: no explanation in traces/result/wait.c", reason);
    }
    assert_true(strlen(meaning) >= strlen("work is done"));
    assert_null(strchr(meaning, '\n'));
    assert_true(meaning[strlen(meaning) - 1] != '.');
}

static void every_reason_of_a_tensix_lane_is_explained(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < TENSIX_LANE_REASONS; i++) {
        assert_is_explained(tensix_lane_reason_name((TensixLaneReason) i));
    }
}

static void every_state_of_a_board_is_explained(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < NERO_STATES; i++) {
        assert_is_explained(nero_state_name((NeroState) i));
    }
}

/* Named where they are used: arch/wse, workloads/host and arch/nero/channel.c. */
static void reasons_of_wafers_and_hosts_are_explained(void **state G_GNUC_UNUSED)
{
    static const char *const reasons[] = {"memory_idle", "other_idle", "pcie_queue",
                                          "pcie_barrier", "turnaround"};

    for (gsize i = 0; i < G_N_ELEMENTS(reasons); i++) {
        assert_is_explained(reasons[i]);
    }
    assert_null(trace_wait_meaning("no such reason"));
    assert_null(trace_wait_words("no such reason"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reason_of_a_tensix_lane_is_explained),
        cmocka_unit_test(every_state_of_a_board_is_explained),
        cmocka_unit_test(reasons_of_wafers_and_hosts_are_explained),
    };

    return cmocka_run_group_tests_name("traces.wait", tests, NULL, NULL);
}
