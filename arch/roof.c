/* Roofs from the numbers of chip files. */
#include "arch/roof.h"

#include <math.h>

#include "arch/family.h"

static double clock_hz(const ArchParams *params)
{
    return (double) arch_params_uint(params, "chip.clock_hz");
}

double arch_roof_of_cores(const ArchParams *params, double cores, double amount)
{
    return amount * cores * clock_hz(params);
}

double arch_roof_of_cycles(const ArchParams *params, double cores, double amount)
{
    (void) cores;
    return amount * clock_hz(params);
}

double arch_roof_of_seconds(const ArchParams *params, double cores, double amount)
{
    (void) params;
    (void) cores;
    return amount;
}

double arch_roof_dram(const ArchParams *params)
{
    return arch_params_real(params, "dram.channel_count") *
           arch_params_real(params, "dram.channel_bytes_per_second");
}

static double value_of(const ArchRoofRow *row, const ArchParams *params, double cores)
{
    const double amount = row->amount == NULL
                              ? arch_params_real(params, row->roof.source)
                              : row->amount(params);

    return row->share(params, cores, amount);
}

bool arch_roof_is_of_cores(const ArchParams *params, const char *name)
{
    const ArchFamily *family = arch_family_of(params);

    for (gsize i = 0; i < family->roof_count; i++) {
        if (g_str_equal(family->roofs[i].roof.name, name)) {
            return family->roofs[i].share == arch_roof_of_cores;
        }
    }
    return false;
}

GArray *arch_roofs(const ArchParams *params, double cores)
{
    const ArchFamily *family = arch_family_of(params);
    GArray *roofs = g_array_new(FALSE, FALSE, sizeof(ArchRoof));

    g_return_val_if_fail(cores > 0, roofs);
    for (gsize i = 0; i < family->roof_count; i++) {
        ArchRoof roof = family->roofs[i].roof;

        roof.value = value_of(&family->roofs[i], params, cores);
        /* A chip file may give 0 for an operation that takes no time; a GPU's file has
         * 0 for unknown values. */
        if (isfinite(roof.value) && roof.value > 0) {
            g_array_append_val(roofs, roof);
        }
    }
    return roofs;
}
