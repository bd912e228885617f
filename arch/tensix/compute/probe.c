/* What a watcher sees of compute: calls on the threads and on the units they drive. */
#include "arch/tensix/compute/compute.h"
#include "arch/tensix/core_lane.h"

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
        tensix_zones_watch(&self->zones[i], self->region,
                           tensix_core_lane(self->core, TENSIX_CORE_THREAD_ZONES + i));
    }
    for (guint i = 0; i < UNITS; i++) {
        tensix_lane_probe_open(&self->probes->units[i], &self->units[i], self->region,
                               tensix_core_lane(self->core, TENSIX_CORE_UNITS + i));
    }
}

static void add(SimProbeDetail *detail, const char *name, int64_t value)
{
    detail->arguments[detail->argument_count++] =
        (SimProbeArgument){.name = name, .value = value};
}

static SimProbeDetail detail_of(const ArchComputeCall *call)
{
    SimProbeDetail detail = {0};

    switch ((int) call->op) {
    case ARCH_COMPUTE_CB_WAIT:
    case ARCH_COMPUTE_CB_POP:
    case ARCH_COMPUTE_CB_RESERVE:
    case ARCH_COMPUTE_CB_PUSH:
        add(&detail, "cb", call->cb_a);
        add(&detail, "pages", call->count);
        break;
    case ARCH_COMPUTE_ADD:
    case ARCH_COMPUTE_SUB:
    case ARCH_COMPUTE_MUL:
    case ARCH_COMPUTE_REDUCE:
    case ARCH_COMPUTE_MATMUL:
        add(&detail, "cb", call->cb_a);
        add(&detail, "cb_b", call->cb_b);
        add(&detail, "dst", call->dst);
        break;
    case ARCH_COMPUTE_COPY:
    case ARCH_COMPUTE_TRANSPOSE:
    case ARCH_COMPUTE_PACK:
        add(&detail, "cb", call->cb_a);
        add(&detail, "dst", call->dst);
        break;
    case ARCH_COMPUTE_SFPU_ADD:
    case ARCH_COMPUTE_SFPU_SUB:
    case ARCH_COMPUTE_SFPU_MUL:
        add(&detail, "dst", call->dst);
        add(&detail, "dst_b", call->dst_b);
        break;
    case ARCH_COMPUTE_SFPU_MAD:
        add(&detail, "dst", call->dst);
        add(&detail, "dst_b", call->dst_b);
        add(&detail, "dst_c", call->dst_c);
        break;
    case ARCH_COMPUTE_SFPU_RECIP:
    case ARCH_COMPUTE_SFPU_SQRT:
    case ARCH_COMPUTE_SFPU_SCALE:
    case ARCH_COMPUTE_SFPU_OFFSET:
    case ARCH_COMPUTE_SFPU_COMPARE:
    case ARCH_COMPUTE_SFPU_SUM:
        add(&detail, "dst", call->dst);
        break;
    case ARCH_COMPUTE_CB_SHIFT:
    case ARCH_COMPUTE_READ_VALUE:
        add(&detail, "cb", call->cb_a);
        break;
    default:
        break;
    }
    return detail;
}

static const TensixComputeUnit first_units[THREADS + 1] = {
    [TENSIX_THREAD_UNPACK] = UNIT_UNPACKER,
    [TENSIX_THREAD_MATH] = UNIT_FPU, /* and UNIT_SFPU */
    [TENSIX_THREAD_PACK] = UNIT_PACKER,
    [THREADS] = UNITS,
};

void tensix_compute_probe_call(TensixCompute *self,
                               guint thread,
                               const ArchComputeCall *call)
{
    const bool is_named = (call->op == ARCH_COMPUTE_BINARY_INIT ||
                           call->op == ARCH_COMPUTE_SFPU_COMPARE) &&
                          call->text != NULL;
    const char *name =
        is_named ? call->text : tensix_program_call_name((ArchComputeOp) call->op);
    const SimProbeDetail detail = detail_of(call);

    tensix_lane_probe_call(&self->probes->threads[thread], name, &detail);
    for (guint i = first_units[thread]; i < (guint) first_units[thread + 1]; i++) {
        tensix_lane_probe_call(&self->probes->units[i], name, &detail);
    }
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
