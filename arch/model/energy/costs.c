/* Prices of what a tiled program does, as chip files have them. */
#include "arch/error.h"
#include "arch/gpu.h"
#include "arch/model/energy/energy.h"

static const struct {
    const char *name;
    const char *symbol;
    const char *unit;
    const char *key; /* of both sections of chip files */
} terms[GPU_ENERGY_TERMS] = {
    [GPU_ENERGY_STATIC] = {"static", "P_stat", "W", "static_watts"},
    [GPU_ENERGY_GLOBAL] = {"global", "e_gs", "J/word", "global_joules_per_word"},
    [GPU_ENERGY_SHARED] = {"shared", "e_sr", "J/word", "shared_joules_per_word"},
    [GPU_ENERGY_ADD] = {"add", "e_fadd", "J", "add_joules_per_operation"},
    [GPU_ENERGY_MULTIPLY] = {"multiply", "e_fmul", "J",
                             "multiply_joules_per_operation"},
    [GPU_ENERGY_INTEGER_ADD] = {"integer_add", "e_iadd", "J",
                                "integer_add_joules_per_operation"},
    [GPU_ENERGY_INTEGER_MAX] = {"integer_max", "e_imax", "J",
                                "integer_max_joules_per_operation"},
};

static const char *const sets[GPU_ENERGY_SETS] = {
    [GPU_ENERGY_MICROBENCHMARK] = "microbenchmark",
    [GPU_ENERGY_REGRESSION] = "regression",
};

const char *gpu_energy_term_name(GpuEnergyTerm term)
{
    return terms[term].name;
}

const char *gpu_energy_term_symbol(GpuEnergyTerm term)
{
    return terms[term].symbol;
}

const char *gpu_energy_term_unit(GpuEnergyTerm term)
{
    return terms[term].unit;
}

const char *gpu_energy_set_name(GpuEnergySet set)
{
    return sets[set];
}

bool gpu_energy_costs(const ArchParams *chip,
                      GpuEnergySet set,
                      GpuEnergyCosts *costs,
                      GError **error)
{
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        g_autofree char *path =
            g_strdup_printf("energy_%s.%s", sets[set], terms[i].key);

        if (!gpu_is(chip) || !arch_params_has(chip, path)) {
            return sim_fail(
                error, ARCH_ERROR, ARCH_ERROR_UNDOCUMENTED,
                "%s: nobody has measured what the model of energy wants: its "
                "file has no section [energy_%s]",
                arch_params_name(chip), sets[set]);
        }
        costs->of[i] = arch_params_real(chip, path);
    }
    return true;
}

double gpu_energy_of(const GpuEnergyUse *use, const GpuEnergyCosts *costs)
{
    double joules = 0;

    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        joules += use->of[i] * costs->of[i];
    }
    return joules;
}

double gpu_energy_price(double joules, double watts, double seconds, double operations)
{
    return (joules - watts * seconds) / operations;
}
