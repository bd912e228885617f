/* Names the calls of threads and units for a watcher, with their places. */
#include "arch/tensix/compute/probe.h"

#include "arch/tensix/compute/compute.h"
#include "arch/tensix/core_lane.h"
#include "sim/narrow.h"

G_STATIC_ASSERT((int) PROBE_THREADS == (int) THREADS);
G_STATIC_ASSERT((int) PROBE_UNITS == (int) UNITS);

static const TensixComputeUnit first_units[THREADS + 1] = {
    [TENSIX_THREAD_UNPACK] = UNIT_UNPACKER,
    [TENSIX_THREAD_MATH] = UNIT_FPU, /* and UNIT_SFPU */
    [TENSIX_THREAD_PACK] = UNIT_PACKER,
    [THREADS] = UNITS,
};

/* What a lane does is in the call that its thread is in. */
static void give_call(TensixComputeProbes *self, TensixLaneProbe *lane, guint thread)
{
    lane->at = &self->places[thread];
    lane->detail = &self->details[thread];
}

void tensix_compute_probe_open(TensixCompute *self)
{
    if (!SIM_PROBES || !sim_region_is_watched(self->region)) {
        return;
    }
    self->probes = g_new0(TensixComputeProbes, 1);
    for (guint i = 0; i < THREADS; i++) {
        tensix_lane_probe_open(&self->probes->threads[i], &self->threads[i].lane,
                               self->region,
                               tensix_core_lane(self->core, TENSIX_CORE_THREADS + i));
        give_call(self->probes, &self->probes->threads[i], i);
        tensix_zones_watch(&self->zones[i], self->region,
                           tensix_core_lane(self->core, TENSIX_CORE_THREAD_ZONES + i));
    }
    for (guint i = 0; i < UNITS; i++) {
        tensix_lane_probe_open(&self->probes->units[i], &self->units[i], self->region,
                               tensix_core_lane(self->core, TENSIX_CORE_UNITS + i));
    }
    for (guint i = 0; i < THREADS; i++) {
        for (guint k = first_units[i]; k < sim_u32(first_units[i + 1]); k++) {
            give_call(self->probes, &self->probes->units[k], i);
        }
    }
}

bool arch_compute_wants_places(const ArchTensixCore *core)
{
    return core->owner->races != NULL || core->compute->probes != NULL;
}

static void describe(SimProbeDetail *detail, const ArchComputeCall *call)
{
    const guint operands = tensix_operation_of(call)->operands;
    SimProbeArgument *next = detail->arguments;

    if ((operands & TENSIX_CB) != 0) {
        *next++ = (SimProbeArgument){.name = "cb", .value = call->cb_a};
    }
    if ((operands & TENSIX_CB_B) != 0) {
        *next++ = (SimProbeArgument){.name = "cb_b", .value = call->cb_b};
    }
    if ((operands & TENSIX_PAGES) != 0) {
        *next++ = (SimProbeArgument){.name = "pages", .value = call->count};
    }
    if ((operands & TENSIX_DST_A) != 0) {
        *next++ = (SimProbeArgument){.name = "dst", .value = call->dst};
    }
    if ((operands & TENSIX_DST_B) != 0) {
        *next++ = (SimProbeArgument){.name = "dst_b", .value = call->dst_b};
    }
    if ((operands & TENSIX_DST_C) != 0) {
        *next++ = (SimProbeArgument){.name = "dst_c", .value = call->dst_c};
    }
    detail->argument_count = sim_u8(next - detail->arguments);
}

void tensix_compute_probe_call(TensixCompute *self,
                               guint thread,
                               const ArchComputeCall *call)
{
    const char *name = tensix_operation_of(call)->name;
    TensixComputeProbes *probes = self->probes;

    tensix_lane_probe_begin(&probes->threads[thread], name);
    for (guint i = first_units[thread]; i < sim_u32(first_units[thread + 1]); i++) {
        tensix_lane_probe_begin(&probes->units[i], name);
    }
    describe(&probes->details[thread], call);
    probes->places[thread] = tensix_program_place(self->threads[thread].program,
                                                  self->threads[thread].position);
}

void tensix_compute_probe_end(TensixCompute *self)
{
    for (guint i = 0; i < THREADS; i++) {
        tensix_lane_flush(&self->threads[i].lane);
    }
    for (guint i = 0; i < UNITS; i++) {
        tensix_lane_flush(&self->units[i]);
    }
}

void tensix_compute_probe_does(TensixCompute *self,
                               TensixProbeSeries series,
                               uint64_t n,
                               TensixCause doer)
{
    self->probes->doers[series][n % TENSIX_TIMES] = doer;
}

TensixCause tensix_compute_probe_doer(const TensixCompute *self,
                                      TensixProbeSeries series,
                                      uint64_t n)
{
    if (self->probes == NULL) {
        return (TensixCause){0};
    }
    return self->probes->doers[series][n % TENSIX_TIMES];
}

TensixCause tensix_compute_probe_move(const TensixCompute *self,
                                      const CircularBuffer *buffer,
                                      bool is_filled)
{
    if (self->probes == NULL) {
        return (TensixCause){0};
    }
    return tensix_cb_cause(buffer, TENSIX_CB_COMPUTE, is_filled);
}
