/* A chip file whose numbers stay put. */
#include "tests/arch/noc/chip.h"

static const char *const chip_numbers[] = {
    "niu.inject_cycles=5",
    "niu.eject_cycles=5",
    "noc.hop_cycles=9",
    "niu.read_response_cycles=14",
    "niu.read_gap_cycles=5",
    "niu.outstanding_commands=40",
    "niu.write_ack_cycles=6",
    "niu.read_interval_cycles=0",
    "niu.atomic_cycles=11",
    "niu.atomic_response_cycles=6",
    "niu.command_cycles=6",
    "niu.l1_read_cycles_per_flit=1.0225",
    "niu.l1_write_cycles_per_flit=1.0225",
    "niu.both_read_cycles_per_flit=0.3",
    "niu.both_write_cycles_per_flit=0.7",
    "niu.read_write_cycles_per_flit=0.3",
    "niu.same_noc_cycles_per_flit=0.02",
    "noc.vc_gap_cycles=0",
    "noc.noc0_credit_return_cycles=7",
    "noc.noc1_credit_return_cycles=9",
    "noc.multicast_cycles_per_flit=1.03",
    "noc.multicast_handover_cycles=30",
    "noc.multicast_reserve_cycles=20",
    "noc.multicast_reserve_cycles_per_hop=16",
    "dram.channel_bytes_per_second=22400000000",
    "dram.read_latency_cycles=110",
    "dram.write_ack_cycles=120",
    "dram.turnaround_cycles=16",
    "dram.turn_flits=64",
    "dram.refresh_interval_cycles=100000",
    "dram.refresh_cycles=136",
    "dram.burst_bytes=128",
    "dram.partial_write_cycles=63",
    "dram.write_buffer_flits=24",
    "dram.queue_commands=16",
    "issue.read_cycles=25",
    "issue.read_old_api_cycles=19",
    "issue.write_cycles=22",
    "issue.write_stateful_cycles=20",
    "issue.inline_cycles=22",
    "issue.inline_posted_cycles=19",
    "issue.atomic_cycles=22",
    "issue.multicast_cycles=22",
    "issue.page_read_cycles=39.3",
    "issue.barrier_poll_cycles=7",
    "issue.profiler_zone_cycles=30",
    "issue.trace_stamp_cycles=27",
    "issue.trace_barrier_cycles=40",
};

ArchParams *load_params(void)
{
    ArchParams *params =
        arch_params_load(GRIDLOOM_SOURCE_DIR "/arch/chips/wormhole_n300.ini", NULL);

    assert_non_null(params);
    for (gsize i = 0; i < G_N_ELEMENTS(chip_numbers); i++) {
        if (!arch_params_override(params, chip_numbers[i], NULL)) {
            fail_msg("%s", chip_numbers[i]);
        }
    }
    return params;
}
