/* Names the reasons for which lanes wait, and reports their cycles. */
#include "arch/tensix/lane.h"

#include "arch/tensix.h"

const char *tensix_lane_reason_name(TensixLaneReason reason)
{
    static const char *const names[] = {
        [TENSIX_LANE_BUSY] = "busy",
        [TENSIX_LANE_CIRCULAR_BUFFER] = "circular_buffer",
        [TENSIX_LANE_NOC] = "noc",
        [TENSIX_LANE_DST] = "dst",
        [TENSIX_LANE_SRC] = "src",
        [TENSIX_LANE_SEMAPHORE] = "semaphore",
        [TENSIX_LANE_UNIT] = "unit",
        [TENSIX_LANE_BANK_CONFLICT] = "bank_conflict",
        [TENSIX_LANE_ISSUE] = "issue",
        [TENSIX_LANE_UNATTRIBUTED] = "unattributed",
        [TENSIX_LANE_IDLE] = "idle",
        [TENSIX_LANE_FABRIC] = "fabric",
    };

    g_return_val_if_fail(reason < TENSIX_LANE_REASONS, NULL);
    return names[reason];
}

void tensix_lane_report(const TensixLane *self,
                        const char *name,
                        SimTime end,
                        GArray *uses)
{
    TensixLane closed = *self;

    tensix_lane_until(&closed, end, TENSIX_LANE_IDLE);
    for (guint i = 0; i < TENSIX_LANE_REASONS; i++) {
        ArchTensixUse use = {
            .name = name,
            .reason = tensix_lane_reason_name((TensixLaneReason) i),
            .cycles = closed.cycles[i],
        };

        if (use.cycles > 0) {
            g_array_append_val(uses, use);
        }
    }
}
