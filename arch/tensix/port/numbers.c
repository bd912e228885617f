/* Reads the costs and sizes of Ethernet and PCIe ports from the chip file. */
#include "arch/tensix/port/state.h"
#include "sim/narrow.h"

static const SimRatio nothing = {.num = 0, .den = 1};

static ArchTile ethernet_tile(const ArchParams *params, guint channel)
{
    gsize count = 0;
    const uint64_t *columns = arch_params_list(params, "ethernet.tile_columns", &count);
    const uint64_t *rows = arch_params_list(params, "ethernet.tile_rows", &count);

    return (ArchTile){.x = sim_u32(columns[channel]), .y = sim_u32(rows[channel])};
}

static TensixPortNumbers read_ethernet(const ArchParams *params, guint channel)
{
    return (TensixPortNumbers){
        .tile = ethernet_tile(params, channel),
        .slot_count = sim_u32(arch_params_uint(params, "ethernet.slot_count")),
        .slot_bytes = arch_params_uint(params, "ethernet.slot_bytes"),
        .initiate_cycles = {.num = arch_params_uint(params, "ethernet.initiate_cycles"),
                            .den = 1},
        .write_cycles = arch_params_ratio(params, "issue.write_cycles"),
        .atomic_cycles = arch_params_ratio(params, "issue.atomic_cycles"),
        .word_bytes = arch_params_uint(params, "ethernet.word_bytes"),
        .payload_limit_bytes = arch_params_uint(params, "ethernet.payload_limit_bytes"),
        .overhead_bytes = arch_params_uint(params, "ethernet.overhead_bytes"),
        .receive_noc = sim_u32(arch_params_uint(params, "ethernet.receive_noc")),
    };
}

/* No RISC-V: what comes in is on the network at once. The rates of its links are those
 * of data, so that nothing is added to it. */
static TensixPortNumbers read_pcie(const ArchParams *params)
{
    return (TensixPortNumbers){
        .tile = {.x = sim_u32(arch_params_uint(params, "pcie.tile_column")),
                 .y = sim_u32(arch_params_uint(params, "pcie.tile_row"))},
        .slot_count = sim_u32(arch_params_uint(params, "pcie.queue_commands")),
        .initiate_cycles = arch_params_ratio(params, "pcie.write_request_cycles"),
        .write_cycles = nothing,
        .atomic_cycles = nothing,
        .word_bytes = arch_params_uint(params, "pcie.write_alignment_bytes"),
        .payload_limit_bytes = UINT64_MAX,
        .receive_noc = sim_u32(arch_params_uint(params, "pcie.receive_noc")),
    };
}

TensixPortNumbers tensix_port_numbers_read(const ArchParams *params, ArchPort which)
{
    TensixPortNumbers self = which.kind == ARCH_PORT_ETHERNET
                                 ? read_ethernet(params, which.channel)
                                 : read_pcie(params);

    self.command_cycles = arch_params_uint(params, "niu.command_cycles");
    self.command_bytes = arch_params_uint(params, "noc.payload_limit_flits") *
                         arch_params_uint(params, "noc.flit_bytes");
    if (which.kind == ARCH_PORT_PCIE) {
        self.slot_bytes = self.command_bytes;
    }
    return self;
}
