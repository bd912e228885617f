/* Reads the numbers that PEs and routers use from the chip file. */
#include "arch/wse/numbers.h"

#include "sim/narrow.h"

static uint32_t number(const ArchParams *params, const char *path)
{
    return sim_u32(arch_params_uint(params, path));
}

static bool is(const ArchParams *params, const char *path, const char *choice)
{
    return g_str_equal(arch_params_text(params, path), choice);
}

static WseArbitration arbitration(const ArchParams *params)
{
    static const char *const names[] = {
        [WSE_LOWEST_ID] = "lowest_id",
        [WSE_ROUND_ROBIN] = "round_robin",
        [WSE_STICKY] = "sticky",
        [WSE_OLDEST_FIRST] = "oldest_first",
    };

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (is(params, "pe.microthread_arbitration", names[i])) {
            return (WseArbitration) i;
        }
    }
    g_assert_not_reached();
}

static WseTaskOrder task_order(const ArchParams *params)
{
    if (is(params, "task.order", "round_robin")) {
        return WSE_TASK_ROUND_ROBIN;
    }
    return is(params, "task.order", "highest_id") ? WSE_TASK_HIGHEST_ID
                                                  : WSE_TASK_LOWEST_ID;
}

static void
depths(const ArchParams *params, const char *path, uint32_t *depths, gsize most)
{
    gsize count = 0;
    const uint64_t *list = arch_params_list(params, path, &count);

    for (gsize i = 0; i < MIN(count, most); i++) {
        depths[i] = sim_u32(list[i]);
    }
}

static bool is_one(SimRatio ratio)
{
    return ratio.num == 1 && ratio.den == 1;
}

WseNumbers wse_numbers_new(const ArchParams *params)
{
    WseNumbers self = {
        .hop = number(params, "fabric.hop_cycles"),
        .wavelet_bytes = number(params, "fabric.wavelet_bytes"),
        .link_interval = arch_params_ratio(params, "fabric.link_cycles_per_wavelet"),
        .link_depth = number(params, "router.link_buffer_wavelets"),
        .ramp_depth = number(params, "router.ramp_buffer_wavelets"),
        .link_credit = number(params, "router.link_credit_cycles"),
        .is_multicast_atomic = is(params, "router.multicast", "atomic"),
        .is_lowest_color_first = is(params, "router.color_arbitration", "lowest_color"),
        .ramp_in = MAX(1, number(params, "ramp.in_latency_cycles")),
        .ramp_out = MAX(1, number(params, "ramp.out_latency_cycles")),
        .ramp_interval = arch_params_ratio(params, "ramp.transfer_cycles_per_wavelet"),
        .enqueue = MAX(1, number(params, "ramp.enqueue_cycles")),
        .input_credit = MAX(1, number(params, "queues.credit_return_cycles")),
        .host_depth = number(params, "host.stream_buffer_wavelets"),
        .setup_latency = number(params, "dsd.setup_latency_cycles"),
        .dispatch = number(params, "task.dispatch_cycles"),
        .data_entry = number(params, "task.data_entry_cycles"),
        .task_order = task_order(params),
        .arbitration = arbitration(params),
        .is_switch_cumulative = is(params, "router.switch_rule", "cumulative"),
        .is_main_alternating = is(params, "pe.main_thread", "alternate"),
        .thread_switch = number(params, "pe.thread_switch_cycles"),
        .reissue = number(params, "pe.reissue_cycles"),
        .is_stall_of_thread = is(params, "memory.stall_scope", "thread"),
    };
    self.is_usual = self.is_multicast_atomic && is_one(self.link_interval) &&
                    is_one(self.ramp_interval);

    const uint32_t in_flight = number(params, "queues.input_ramp_wavelets");

    depths(params, "queues.input_wavelets", self.input_depth, WSE_INPUT_QUEUES);
    depths(params, "queues.output_wavelets", self.output_depth, WSE_OUTPUT_QUEUES);
    for (guint i = 0; i < WSE_INPUT_QUEUES; i++) {
        self.input_depth[i] += self.input_depth[i] > 0 ? in_flight : 0;
    }
    return self;
}
