/* Names the lanes of cores and of DRAM channels. */
#include "arch/tensix/core_lane.h"

#include "sim/narrow.h"
#include "sim/probe.h"

enum {
    NOCS = 2,
};

void tensix_core_lanes_make(ArchTensix *tensix)
{
    static const char *const units[TENSIX_CORE_LANES] = {
        "reader",     "writer",     "unpack",       "math",         "pack",
        "unpacker",   "fpu",        "sfpu",         "packer",       "buffers",
        "noc0",       "noc1",       "zones_reader", "zones_writer", "zones_unpack",
        "zones_math", "zones_pack",
    };
    const SimLaneGrid cores = {.kind = "core",
                               .columns = tensix->columns,
                               .rows = tensix->rows,
                               .units = units,
                               .unit_count = TENSIX_CORE_LANES};
    const SimLaneGrid banks = {
        .kind = "dram",
        .columns = sim_u32(arch_params_uint(tensix->params, "dram.channel_count")),
        .rows = 1,
        .units = &units[TENSIX_CORE_NOCS],
        .unit_count = NOCS};

    tensix->core_lanes = sim_engine_lanes(tensix->engine, &cores);
    tensix->dram_lanes = sim_engine_lanes(tensix->engine, &banks);
}

SimLane tensix_core_lane(const ArchTensixCore *core, guint lane)
{
    return core->owner->core_lanes + core->index * TENSIX_CORE_LANES + lane;
}

SimLane tensix_core_lane_dram(const ArchTensix *tensix, guint bank, guint noc)
{
    return tensix->dram_lanes + bank * NOCS + noc;
}

void tensix_core_show_text(const ArchTensixCore *core,
                           SimRegion *region,
                           guint lane,
                           SimTime when,
                           const char *text)
{
    if (SIM_PROBES && G_UNLIKELY(sim_region_is_watched(region))) {
        sim_region_mark(region, tensix_core_lane(core, lane), g_intern_string(text),
                        when, NULL);
    }
}
