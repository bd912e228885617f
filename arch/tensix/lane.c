/* Lanes: the names of what they wait for, and their report. */
#include "arch/tensix/lane.h"

#include "arch/tensix.h"

const char *lane_reason_name(LaneReason reason)
{
    static const char *const names[] = {
        [LANE_BUSY] = "busy",   [LANE_CIRCULAR_BUFFER] = "circular_buffer",
        [LANE_NOC] = "noc",     [LANE_DST] = "dst",
        [LANE_SRC] = "src",     [LANE_SEMAPHORE] = "semaphore",
        [LANE_UNIT] = "unit",   [LANE_BANK_CONFLICT] = "bank_conflict",
        [LANE_ISSUE] = "issue", [LANE_UNATTRIBUTED] = "unattributed",
        [LANE_IDLE] = "idle",   [LANE_FABRIC] = "fabric",
    };

    g_return_val_if_fail(reason < LANE_REASONS, NULL);
    return names[reason];
}

void lane_report(const Lane *self, const char *name, SimTime end, GArray *uses)
{
    Lane closed = *self;

    lane_until(&closed, end, LANE_IDLE);
    for (guint i = 0; i < LANE_REASONS; i++) {
        ArchTensixUse use = {
            .name = name,
            .reason = lane_reason_name((LaneReason) i),
            .cycles = closed.cycles[i],
        };

        if (use.cycles > 0) {
            g_array_append_val(uses, use);
        }
    }
}
