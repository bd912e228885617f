/* Reads the costs of a data mover's calls from the chip file. */
#include "arch/tensix/mover/state.h"
#include "sim/narrow.h"

static void read_costs(TensixMoverNumbers *self, const ArchParams *params)
{
    static const char *const keys[COSTS] = {
        [COST_READ] = "issue.read_cycles",
        [COST_PAGE_READ] = "issue.page_read_cycles",
        [COST_WRITE] = "issue.write_cycles",
        [COST_PAGE_WRITE] = "issue.page_write_cycles",
        [COST_INLINE] = "issue.inline_cycles",
        [COST_ATOMIC] = "issue.atomic_cycles",
        [COST_MULTICAST] = "issue.multicast_cycles",
    };

    for (guint i = 0; i < COSTS; i++) {
        self->costs[i] = arch_params_ratio(params, keys[i]);
    }
}

static void read_memory(TensixMoverNumbers *self, const ArchParams *params)
{
    const SimRatio branch = arch_params_ratio(params, "riscv.branch_taken_cycles");
    gsize count = 0;

    self->float_cycles = arch_params_uint(params, "riscv.float_add_cycles") +
                         arch_params_uint(params, "riscv.float_multiply_cycles");
    self->load_cycles = arch_params_uint(params, "riscv.l1_load_cycles");
    self->store_cycles = arch_params_ratio(params, "riscv.l1_store_cycles");
    self->narrow_cycles = arch_params_uint(params, "l1.narrow_write_cycles");
    self->port = sim_u32(arch_params_uint(params, "l1.mover_port"));
    self->row_bytes = sim_u32(arch_params_uint(params, "l1.bank_word_bytes"));
    self->semaphore_poll_cycles = self->load_cycles + branch.num / branch.den;
    self->l1_alignment = arch_params_uint(params, "l1.noc_alignment_bytes");
    self->dram_read_alignment = arch_params_uint(params, "dram.read_alignment_bytes");
    self->dram_write_alignment = arch_params_uint(params, "dram.write_alignment_bytes");
    self->channel_bytes = arch_params_uint(params, "dram.channel_bytes");
    self->view_columns = arch_params_list(params, "dram.view_columns", &count);
    self->view_rows = arch_params_list(params, "dram.view_rows", &count);
    self->channel_count = sim_u32(arch_params_uint(params, "dram.channel_count"));
}

TensixMoverNumbers *tensix_mover_numbers_new(const ArchParams *params)
{
    TensixMoverNumbers *self = g_new0(TensixMoverNumbers, 1);

    self->cb_cycles[ARCH_MOVER_CB_WAIT] =
        arch_params_uint(params, "circular_buffer.mover_wait_front_cycles");
    self->cb_cycles[ARCH_MOVER_CB_POP] =
        arch_params_uint(params, "circular_buffer.mover_pop_front_cycles");
    self->cb_cycles[ARCH_MOVER_CB_RESERVE] =
        arch_params_uint(params, "circular_buffer.mover_reserve_back_cycles");
    self->cb_cycles[ARCH_MOVER_CB_PUSH] =
        arch_params_uint(params, "circular_buffer.mover_push_back_cycles");
    self->poll_cycles = arch_params_uint(params, "riscv.poll_cycles");
    self->command_cycles = arch_params_uint(params, "niu.command_cycles");
    self->barrier_cycles = arch_params_uint(params, "issue.barrier_poll_cycles");
    self->flush_cycles = arch_params_uint(params, "issue.barrier_poll_cycles");
    self->packet_bytes = arch_params_uint(params, "noc.payload_limit_flits") *
                         arch_params_uint(params, "noc.flit_bytes");
    read_costs(self, params);
    read_memory(self, params);
    return self;
}

void tensix_mover_numbers_free(TensixMoverNumbers *self)
{
    g_free(self);
}
