/* Checks jobs before they start. */
#include "arch/error.h"
#include "arch/nero/design.h"
#include "arch/nero/run.h"

enum {
    BYTE_BITS = 8,
    GRID_LIMIT = 1 << 20, /* points along an axis: products stay within 64 bit */
};

static bool refuse(GError **error, const ArchNeroJob *job, const char *why)
{
    return arch_refuse(error, "grid of %ux%ux%u: %s", job->nx, job->ny, job->nz, why);
}

static guint output_count(const ArchNeroPlan *plan)
{
    return arch_nero_datapath_result_count(plan->sweeps[plan->sweep_count - 1]);
}

static uint64_t grid_bytes(const ArchNeroJob *job, const ArchNeroPlan *plan)
{
    return (uint64_t) job->nx * job->ny * job->nz *
           arch_nero_format_bytes(plan->format);
}

static bool
check_size(const ArchNeroJob *job, const ArchNeroDesign *design, GError **error)
{
    const ArchNeroPlan *plan = arch_nero_design_plan(design);
    const ArchNeroReach reach = arch_nero_design_reach(design);
    const guint last = plan->sweep_count - 1;
    const bool has_carry = arch_nero_datapath_work(plan->sweeps[0]).carries > 0 ||
                           arch_nero_datapath_work(plan->sweeps[last]).carries > 0;

    if (MAX(MAX(job->nx, job->ny), job->nz) > GRID_LIMIT) {
        return refuse(error, job, "at most 1048576 points along an axis");
    }
    if (job->nz == 0 || job->nx <= 2 * (uint64_t) job->border ||
        job->ny <= 2 * (uint64_t) job->border) {
        return arch_refuse(
            error, "grid of %ux%ux%u: nothing is left inside a border of %u points",
            job->nx, job->ny, job->nz, job->border);
    }
    if (job->rounds == 0) {
        return refuse(error, job, "0 rounds, at least 1");
    }
    if ((uint64_t) job->nx * job->ny * job->nz > G_MAXUINT64 / job->rounds) {
        return refuse(error, job, "more points in all rounds than 64 bits count");
    }
    if (has_carry && plan->window_z < job->nz) {
        return arch_refuse(
            error,
            "grid of %ux%ux%u: windows are %u planes high, and what is carried "
            "along z needs all of them in one",
            job->nx, job->ny, job->nz, plan->window_z);
    }
    if (job->nz > design->grid_depth && reach.z_before + reach.z_after > 0) {
        return arch_refuse(
            error,
            "grid of %ux%ux%u: sweeps take numbers of other planes, and the "
            "design has arrays for grids of at most %u",
            job->nx, job->ny, job->nz, design->grid_depth);
    }
    return true;
}

static bool overlap(uint64_t a, uint64_t b, uint64_t bytes)
{
    return a < b + bytes && b < a + bytes;
}

/* Where grids begin, in whichever memory they are. */
static uint64_t input_of(const ArchNeroJob *job, guint index)
{
    return job->home == ARCH_NERO_BOARD ? job->inputs[index]
                                        : GPOINTER_TO_SIZE(job->host_inputs[index]);
}

static uint64_t output_of(const ArchNeroJob *job, guint index)
{
    return job->home == ARCH_NERO_BOARD ? job->outputs[index]
                                        : GPOINTER_TO_SIZE(job->host_outputs[index]);
}

static bool
check_apart(const ArchNeroJob *job, const ArchNeroPlan *plan, GError **error)
{
    const uint64_t bytes = grid_bytes(job, plan);

    for (guint i = 0; i < output_count(plan); i++) {
        for (guint n = 0; n < plan->fields; n++) {
            if (overlap(output_of(job, i), input_of(job, n), bytes)) {
                return arch_refuse(
                    error,
                    "output %u lies over input %u: windows still to be read "
                    "would have results in their margins",
                    i + 1, n + 1);
            }
        }
    }
    return true;
}

static bool check_addresses(const ArchNeroJob *job,
                            const ArchNeroPlan *plan,
                            const ArchDram *dram,
                            GError **error)
{
    const uint64_t bytes = grid_bytes(job, plan);

    for (guint i = 0; i < plan->fields; i++) {
        if (!arch_dram_check(dram, job->inputs[i], bytes, error)) {
            g_prefix_error(error, "input %u: ", i + 1);
            return false;
        }
    }
    for (guint i = 0; i < output_count(plan); i++) {
        if (!arch_dram_check(dram, job->outputs[i], bytes, error)) {
            g_prefix_error(error, "output %u: ", i + 1);
            return false;
        }
    }
    return true;
}

/* Bits that the design leaves of a memory, of the share that can be filled. */
static double
free_bits(const ArchNeroDesign *design, ArchNeroResource memory, const char *bits)
{
    const double blocks =
        nero_design_room(design, memory) - arch_nero_design_of_pe(design, memory);

    return MAX(blocks, 0) * design->plan.pes * arch_params_real(design->params, bits);
}

static bool
check_on_chip(const ArchNeroJob *job, const ArchNeroDesign *design, GError **error)
{
    const ArchNeroPlan *plan = arch_nero_design_plan(design);
    const guint grids = plan->fields + output_count(plan);
    const double bytes = (double) grid_bytes(job, plan) * grids;
    const double space = (free_bits(design, ARCH_NERO_BRAM, "device.bram_bits") +
                          free_bits(design, ARCH_NERO_URAM, "device.uram_bits")) /
                         BYTE_BITS;

    return bytes <= space ||
           arch_refuse(
               error,
               "grid of %ux%ux%u: %u of them are %.0f bytes, and the design leaves "
               "%.0f of BRAM and URAM",
               job->nx, job->ny, job->nz, grids, bytes, space);
}

static bool
check_steps(const ArchNeroJob *job, const ArchNeroPlan *plan, GError **error)
{
    if (job->home != ARCH_NERO_BOARD) {
        return refuse(error, job, "time steps have their grids in the board's memory");
    }
    if (output_count(plan) != 1 || job->next_input >= plan->fields) {
        return refuse(error, job, "time steps have one result, which becomes an input");
    }
    return true;
}

bool nero_job_check(const ArchNeroJob *job,
                    const ArchNeroDesign *design,
                    const ArchDram *dram,
                    GError **error)
{
    const ArchNeroPlan *plan = arch_nero_design_plan(design);

    if (!check_size(job, design, error)) {
        return false;
    }
    if (job->is_stepped && !check_steps(job, plan, error)) {
        return false;
    }
    if (job->home == ARCH_NERO_ON_CHIP && !check_on_chip(job, design, error)) {
        return false;
    }
    if (!job->is_functional) {
        return true;
    }
    if (job->home == ARCH_NERO_BOARD && !check_addresses(job, plan, dram, error)) {
        return false;
    }
    return check_apart(job, plan, error);
}
