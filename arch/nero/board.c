/* Builds a board from the numbers of its chip file. */
#include "arch/nero/board.h"

#include "sim/narrow.h"

enum {
    BYTE_BITS = 8,
};

static const char *const pe_units[NERO_LANES] = {"reader", "forward", "backward",
                                                 "writer"};
static const char *const link_units[NERO_DIRECTIONS] = {"to_board", "to_host"};

static guint number(const ArchParams *params, const char *key)
{
    return sim_u32(arch_params_uint(params, key));
}

static void add_channels(NeroBoard *self, const ArchParams *params)
{
    SimLane lane;

    self->channel_count = number(params, "dram.channel_count");
    self->channels = g_new0(NeroChannel, self->channel_count);
    lane = sim_engine_lanes(
        self->engine,
        &(SimLaneGrid){.kind = "channel", .columns = self->channel_count, .rows = 1});
    for (guint i = 0; i < self->channel_count; i++) {
        nero_channel_init(&self->channels[i], self->region,
                          nero_board_key(i, NERO_KEY_CHANNEL), lane + i,
                          (NeroChannelPlace){i, self->channel_count}, params);
    }
}

static void add_parts(NeroBoard *self, const ArchParams *params)
{
    static const char *const names[NERO_LANES] = {"read", "forward", "backward",
                                                  "write"};
    SimLane lane;

    self->pe_count = number(params, "memory.port_count");
    self->parts = g_new0(NeroPart, (gsize) self->pe_count * NERO_LANES);
    lane = sim_engine_lanes(self->engine, &(SimLaneGrid){.kind = "pe",
                                                         .columns = self->pe_count,
                                                         .rows = 1,
                                                         .units = pe_units,
                                                         .unit_count = NERO_LANES});
    for (guint i = 0; i < self->pe_count * NERO_LANES; i++) {
        nero_part_init(&self->parts[i], self->region, lane + i, names[i % NERO_LANES]);
    }
}

void nero_board_init(NeroBoard *self, SimEngine *engine, const ArchParams *params)
{
    *self = (NeroBoard){
        .engine = engine,
        .region = sim_engine_region(engine, 0),
        .flops = sim_engine_counter(engine, "flops"),
        .format_flops = {[ARCH_NERO_FP32] = sim_engine_counter(engine, "fp32_flops"),
                         [ARCH_NERO_FP16] = sim_engine_counter(engine, "fp16_flops")},
        .sram_bytes = sim_engine_counter(engine, "sram_bytes"),
        .port_bytes = arch_params_uint(params, "memory.port_bits") / BYTE_BITS,
        .word_bytes = arch_params_uint(params, "stream.word_bits") / BYTE_BITS,
        .outstanding_bursts = number(params, "memory.outstanding_bursts"),
        .input_cycles = arch_params_uint(params, "stream.converter_cycles") +
                        arch_params_uint(params, "stream.splitter_cycles") +
                        arch_params_uint(params, "stream.gridding_cycles"),
        .output_cycles = arch_params_uint(params, "stream.gridding_cycles") +
                         arch_params_uint(params, "stream.converter_cycles"),
        .channel_bytes = arch_params_uint(params, "dram.channel_bytes"),
        .page_bytes = arch_params_uint(params, "memory.page_bytes"),
        .flush_cycles = arch_params_uint(params, "pe.flush_cycles"),
    };
    self->burst_bytes =
        self->port_bytes * arch_params_uint(params, "memory.burst_beats");
    self->link_bursts =
        1 + sim_u32(arch_params_uint(params, "link.buffer_lines") *
                    arch_params_uint(params, "link.line_bytes") / self->burst_bytes);
    nero_link_init(
        &self->link, self->region,
        sim_engine_lanes(engine, &(SimLaneGrid){.kind = "link",
                                                .units = link_units,
                                                .unit_count = NERO_DIRECTIONS}),
        params);
    self->control = nero_control_new(self->region, nero_board_key(0, NERO_KEY_CONTROL),
                                     sim_engine_lane(engine, "control"), params);
    add_channels(self, params);
    add_parts(self, params);
}

void nero_board_clear(NeroBoard *self)
{
    nero_control_free(self->control);
    nero_link_clear(&self->link);
    for (guint i = 0; i < self->channel_count; i++) {
        nero_channel_clear(&self->channels[i]);
    }
    g_free(self->channels);
    g_free(self->parts);
}

NeroChannel *nero_board_channel(const NeroBoard *self, guint pe)
{
    return &self->channels[pe % self->channel_count];
}

NeroPart *nero_board_part(const NeroBoard *self, guint pe, NeroLane lane)
{
    return &self->parts[pe * NERO_LANES + lane];
}

const char *nero_lane_name(NeroLane lane)
{
    return pe_units[lane];
}

SimKey nero_board_key(guint pe, NeroKey key)
{
    return sim_key(pe, sim_u16(key));
}

uint64_t nero_board_memory_bytes(const NeroBoard *self)
{
    uint64_t bytes = 0;

    for (guint i = 0; i < self->channel_count; i++) {
        bytes +=
            self->channels[i].bytes[NERO_READ] + self->channels[i].bytes[NERO_WRITE];
    }
    return bytes;
}

void nero_board_flush(NeroBoard *self)
{
    for (guint i = 0; i < self->pe_count * NERO_LANES; i++) {
        nero_part_close(&self->parts[i]);
    }
    for (guint i = 0; i < self->channel_count; i++) {
        nero_server_flush(&self->channels[i].server);
    }
    for (guint i = 0; i < NERO_DIRECTIONS; i++) {
        nero_server_flush(&self->link.ways[i].server);
    }
    nero_control_flush(self->control);
}
