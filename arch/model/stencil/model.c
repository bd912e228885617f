/* The enhanced roofline: rates of a stencil on a unit, and of two units compared. */
#include <math.h>

#include "arch/error.h"
#include "arch/model/stencil/stencil.h"

#define BETTER (1 + 1e-12) /* rates that differ by less are the same, rounded */

enum {
    MULTIPLY_ADD = 2, /* FLOP of a point */
    TRANSFERS = 2,    /* a number is read once and written once */
};

static bool check_count(const char *what, guint value, guint most, GError **error)
{
    return (value >= 1 && value <= most) ||
           arch_refuse(error, "stencil: %s = %u, allowed is 1..%u", what, value, most);
}

static bool check_number(const char *what, double value, double most, GError **error)
{
    if (!isfinite(value) || value < 0 || value > most) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];
        char limit[G_ASCII_DTOSTR_BUF_SIZE];

        return arch_refuse(error, "stencil: %s = %s, allowed is 0..%s", what,
                           g_ascii_dtostr(text, sizeof text, value),
                           g_ascii_dtostr(limit, sizeof limit, most));
    }
    return true;
}

static bool
check(const GpuStencil *self, const GpuStencilSetting *setting, GError **error)
{
    return check_count("dimension", self->dimension, GPU_STENCIL_DIMENSIONS, error) &&
           check_count("radius", self->radius, GPU_STENCIL_RADIUS, error) &&
           check_count("fusion", self->fusion, GPU_STENCIL_FUSION, error) &&
           check_number("clock", setting->clock_hz, gpu_clock_hz(setting->gpu),
                        error) &&
           check_number("sparsity", setting->sparsity, 1, error) &&
           check_number("bandwidth", setting->bandwidth, G_MAXDOUBLE, error);
}

static bool check_unit(const GpuStencil *self,
                       const GpuImplementation *implementation,
                       const GpuStencilSetting *setting,
                       GError **error)
{
    const char *gpu = arch_params_name(setting->gpu);

    /* Less than one a second is nothing, and keeps ridges finite and above 0. */
    if (!(gpu_peak(setting->gpu, implementation->unit, self->type) >= 1)) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                        "%s: type = %s, which unit '%s' of %s does not have",
                        implementation->name, gpu_type_name(self->type),
                        gpu_unit_name(implementation->unit), gpu);
    }
    if (!(setting->bandwidth > 0) && !(gpu_bandwidth(setting->gpu, GPU_DRAM) >= 1)) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                        "%s: memory.dram_bytes_per_second is below 1, not known", gpu);
    }
    if (implementation->is_half_only && self->type != GPU_HALF) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                        "%s: type = %s, it has half alone", implementation->name,
                        gpu_type_name(self->type));
    }
    if (self->fusion > 1 && !implementation->is_fused) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                        "%s: fusion = %u, it does one step in a pass",
                        implementation->name, self->fusion);
    }
    return true;
}

static double peak_of(const GpuStencil *self,
                      const GpuImplementation *implementation,
                      const GpuStencilSetting *setting)
{
    const double peak = gpu_peak(setting->gpu, implementation->unit, self->type);

    return setting->clock_hz > 0 ? peak * setting->clock_hz / gpu_clock_hz(setting->gpu)
                                 : peak;
}

bool gpu_stencil_model(const GpuStencil *self,
                       const GpuImplementation *implementation,
                       const GpuStencilSetting *setting,
                       GpuStencilModel *model,
                       GError **error)
{
    const double points = gpu_stencil_points(self);
    const bool is_matrix = implementation->scheme != GPU_SCHEME_NONE;
    GpuStencilModel made = {.redundancy = 1, .sparsity = 1};
    double operations = self->fusion * points;
    double bandwidth;

    if (!check(self, setting, error) ||
        !check_unit(self, implementation, setting, error)) {
        return false;
    }
    bandwidth = setting->bandwidth > 0 ? setting->bandwidth
                                       : gpu_bandwidth(setting->gpu, GPU_DRAM);
    if (is_matrix &&
        !(gpu_stencil_sparsity(self, implementation->scheme, setting->is_boxed) > 0)) {
        return sim_fail(error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                        "%s: radius %u in %u fused steps is too wide for its tiles",
                        implementation->name, self->radius, self->fusion);
    }
    if (is_matrix) {
        operations = gpu_stencil_fused_points(self, setting->is_boxed);
        made.redundancy = gpu_stencil_redundancy(self, setting->is_boxed);
        made.sparsity =
            setting->sparsity > 0
                ? setting->sparsity
                : gpu_stencil_sparsity(self, implementation->scheme, setting->is_boxed);
    }
    made.flops = MULTIPLY_ADD * operations / made.sparsity;
    made.bytes = (double) TRANSFERS * gpu_type_bytes(self->type);
    made.intensity = made.flops / made.bytes;
    made.peak = peak_of(self, implementation, setting);
    made.ridge = made.peak / bandwidth;
    made.is_compute_bound = made.intensity > made.ridge;
    made.raw_rate = made.is_compute_bound ? made.peak : bandwidth * made.intensity;
    made.rate = made.raw_rate * made.sparsity / made.redundancy;
    made.updates = made.rate / (MULTIPLY_ADD * points);
    made.expected_updates = made.updates * implementation->efficiency;
    *model = made;
    return true;
}

guint gpu_stencil_transition(const GpuStencil *self,
                             const GpuImplementation *implementation,
                             const GpuStencilSetting *setting,
                             guint most)
{
    GpuStencil deeper = *self;
    GpuStencilModel model;

    for (deeper.fusion = 1; deeper.fusion <= most; deeper.fusion++) {
        if (!gpu_stencil_model(&deeper, implementation, setting, &model, NULL)) {
            return 0;
        }
        if (model.is_compute_bound) {
            return deeper.fusion;
        }
    }
    return 0;
}

guint gpu_stencil_best_fusion(const GpuStencil *self,
                              const GpuImplementation *implementation,
                              const GpuStencilSetting *setting,
                              guint most)
{
    GpuStencil deeper = *self;
    GpuStencilModel model;
    double best_updates = 0;
    guint best = 0;

    for (deeper.fusion = 1; deeper.fusion <= most; deeper.fusion++) {
        if (!gpu_stencil_model(&deeper, implementation, setting, &model, NULL)) {
            break;
        }
        if (model.updates > best_updates * BETTER) {
            best_updates = model.updates;
            best = deeper.fusion;
        }
    }
    return best;
}

guint gpu_stencil_scenario(const GpuStencilModel *cuda, const GpuStencilModel *tensor)
{
    return 1U + (cuda->is_compute_bound ? 2U : 0U) +
           (tensor->is_compute_bound ? 1U : 0U);
}

double gpu_stencil_speedup(const GpuStencilModel *cuda, const GpuStencilModel *tensor)
{
    return tensor->rate / cuda->rate;
}

double gpu_stencil_limit(const GpuStencilModel *cuda, const GpuStencilModel *tensor)
{
    return tensor->sparsity * tensor->peak / cuda->peak;
}

bool gpu_stencil_is_sweet(const GpuStencilModel *cuda, const GpuStencilModel *tensor)
{
    return cuda->is_compute_bound &&
           (!tensor->is_compute_bound ||
            tensor->redundancy < gpu_stencil_limit(cuda, tensor));
}
