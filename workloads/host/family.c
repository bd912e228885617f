/* Looks up what scripts can do on a chip. */
#include "workloads/host/family.h"

#include "workloads/buffer/bytes.h"
#include "workloads/host/dram_buffer.h"
#include "workloads/host/errand.h"
#include "workloads/numbers/numbers.h"
#include "workloads/reference/methods.h"
#include "workloads/sparse/matrix.h"

const HostFamily *host_family_of(const ArchChip *chip)
{
    static const HostFamily none = {0};
    const char *name = arch_params_family(arch_chip_params(chip));

    for (guint i = 0; host_families[i] != NULL; i++) {
        if (g_str_equal(host_families[i]->name, name)) {
            return host_families[i];
        }
    }
    return &none;
}

int host_families_open(lua_State *L)
{
    host_bytes_register(L, &bytes_api);
    numbers_register(L);
    dram_buffer_register(L);
    errand_register(L);
    sparse_matrix_register(L);
    for (guint i = 0; host_families[i] != NULL; i++) {
        if (host_families[i]->open != NULL) {
            host_families[i]->open(L);
        }
    }
    return 0;
}
