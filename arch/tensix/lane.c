/* Names of what lanes wait for. */
#include "arch/tensix/lane.h"

#include <glib.h>

const char *lane_reason_name(LaneReason reason)
{
    static const char *const names[] = {
        [LANE_BUSY] = "busy",   [LANE_CIRCULAR_BUFFER] = "circular_buffer",
        [LANE_NOC] = "noc",     [LANE_DST] = "dst",
        [LANE_SRC] = "src",     [LANE_SEMAPHORE] = "semaphore",
        [LANE_UNIT] = "unit",   [LANE_BANK_CONFLICT] = "bank_conflict",
        [LANE_ISSUE] = "issue", [LANE_IDLE] = "idle",
    };

    g_return_val_if_fail(reason < LANE_REASONS, NULL);
    return names[reason];
}
