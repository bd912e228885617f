/* Lanes: every cycle has one reason, and reports add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/tensix.h"
#include "arch/tensix/lane.h"

static void time_is_accounted_for_once(void **state G_GNUC_UNUSED)
{
    TensixLane lane = {.at = 100};

    tensix_lane_until(&lane, 130, TENSIX_LANE_BUSY);
    tensix_lane_until(&lane, 120, TENSIX_LANE_NOC);
    tensix_lane_until(&lane, 130, TENSIX_LANE_NOC);
    tensix_lane_until(&lane, 131, TENSIX_LANE_DST);

    assert_int_equal(lane.at, 131);
    assert_int_equal(lane.cycles[TENSIX_LANE_BUSY], 30);
    assert_int_equal(lane.cycles[TENSIX_LANE_NOC], 0);
    assert_int_equal(lane.cycles[TENSIX_LANE_DST], 1);
}

static void reports_close_with_idle_time(void **state G_GNUC_UNUSED)
{
    g_autoptr(GArray) uses = g_array_new(FALSE, FALSE, sizeof(ArchTensixUse));
    TensixLane lane = {.at = 100};
    uint64_t sum = 0;
    tensix_lane_until(&lane, 130, TENSIX_LANE_SEMAPHORE);
    tensix_lane_until(&lane, 135, TENSIX_LANE_BUSY);

    tensix_lane_report(&lane, "math", 200, uses);

    for (guint i = 0; i < uses->len; i++) {
        assert_string_equal(g_array_index(uses, ArchTensixUse, i).name, "math");
        sum += g_array_index(uses, ArchTensixUse, i).cycles;
    }
    assert_int_equal(uses->len, 3);
    assert_int_equal(sum, 100);
    assert_string_equal(g_array_index(uses, ArchTensixUse, 0).reason, "busy");
    assert_string_equal(g_array_index(uses, ArchTensixUse, 2).reason, "idle");
    assert_int_equal(g_array_index(uses, ArchTensixUse, 2).cycles, 65);
    assert_int_equal(lane.at, 135);
}

static void reasons_have_names_of_their_own(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < TENSIX_LANE_REASONS; i++) {
        assert_non_null(tensix_lane_reason_name((TensixLaneReason) i));
        for (guint j = 0; j < i; j++) {
            assert_string_not_equal(tensix_lane_reason_name((TensixLaneReason) i),
                                    tensix_lane_reason_name((TensixLaneReason) j));
        }
    }
    assert_string_equal(tensix_lane_reason_name(TENSIX_LANE_CIRCULAR_BUFFER),
                        "circular_buffer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_accounted_for_once),
        cmocka_unit_test(reports_close_with_idle_time),
        cmocka_unit_test(reasons_have_names_of_their_own),
    };

    return cmocka_run_group_tests_name("arch.tensix_lane", tests, NULL, NULL);
}
