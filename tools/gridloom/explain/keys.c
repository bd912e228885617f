/* Keys of chips that remove parts of a run's time. Where a chip cannot have a cost of
 * zero, it has the least that it can. */
#include "tools/gridloom/explain/what_if.h"

typedef struct {
    const char *family;
    ExplainKind kind;
    const char *keys;
} Row;

static const Row rows[] = {
    {"tensix", EXPLAIN_LAUNCH, "host.launch_us=0"},
    {"tensix", EXPLAIN_DRAM,
     "dram.read_latency_cycles=0 dram.write_ack_cycles=0 dram.turnaround_cycles=0 "
     "dram.refresh_cycles=0 dram.partial_write_cycles=0 "
     "dram.channel_bytes_per_second=1000000000000 noc.hop_cycles=1 "
     "niu.inject_cycles=0 niu.eject_cycles=0 niu.read_response_cycles=0 "
     "niu.read_gap_cycles=0 niu.read_interval_cycles=0"},
    {"tensix", EXPLAIN_NEIGHBOUR,
     "noc.hop_cycles=1 niu.inject_cycles=0 niu.eject_cycles=0 "
     "niu.read_response_cycles=0 niu.write_ack_cycles=0 niu.atomic_cycles=0 "
     "niu.atomic_response_cycles=0 niu.read_gap_cycles=0 niu.read_interval_cycles=0"},
    {"tensix", EXPLAIN_BUFFER,
     "circular_buffer.counter_store_cycles=0 circular_buffer.counter_visible_cycles=1 "
     "riscv.poll_cycles=1"},
    {"tensix", EXPLAIN_BANK, "l1.narrow_write_cycles=1"},
    {"tensix", EXPLAIN_CREDITS,
     "niu.vc_queue_commands=64 niu.read_queue_commands=64 niu.command_cycles=0"},
    {"tensix", EXPLAIN_HANDOVER,
     "tensix.semaphore_post_cycles=0 tensix.commit_stream_cycles=0 "
     "tensix.release_stream_cycles=0 tensix.mop_sync_cycles=0 unpack.before_cycles=0 "
     "unpack.after_cycles=0 fpu.latency_cycles=0 sfpu.start_end_cycles=0 "
     "pack.setup_cycles=0"},
    {"wse", EXPLAIN_LAUNCH, "host.launch_us=0"},
    {"wse", EXPLAIN_NEIGHBOUR,
     "fabric.hop_cycles=1 ramp.in_latency_cycles=0 ramp.out_latency_cycles=0 "
     "ramp.enqueue_cycles=0"},
    {"wse", EXPLAIN_BANK,
     "memory.conflict_factor=1 memory.wide_conflict_cycles_per_step=0"},
    {"wse", EXPLAIN_CREDITS,
     "router.link_credit_cycles=1 queues.credit_return_cycles=0 "
     "router.link_buffer_wavelets=64 router.ramp_buffer_wavelets=64 "
     "queues.input_ramp_wavelets=64"},
    {"wse", EXPLAIN_DISPATCH,
     "task.dispatch_cycles=0 task.data_entry_cycles=0 task.signal_cycles=1"},
    {"wse", EXPLAIN_PES, "dsd.setup_busy_cycles=0 dsd.setup_latency_cycles=0"},
    {"wse", EXPLAIN_PES,
     "task.dispatch_cycles=0 task.data_entry_cycles=0 task.signal_cycles=1"},
};

const char *explain_keys(const char *family, ExplainKind kind, guint number)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (rows[i].kind == kind && g_str_equal(rows[i].family, family) &&
            number-- == 0) {
            return rows[i].keys;
        }
    }
    return NULL;
}
