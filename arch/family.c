/* Looks up families of chips. */
#include "arch/family.h"

const ArchFamily *arch_family_find(const char *name)
{
    for (guint i = 0; arch_families[i] != NULL; i++) {
        if (g_str_equal(arch_families[i]->name, name)) {
            return arch_families[i];
        }
    }
    return NULL;
}

const ArchFamily *arch_family_of(const ArchParams *params)
{
    return arch_family_find(arch_params_family(params));
}

const ArchFamily *arch_family_of_networks(void)
{
    guint i = 0;

    while (!arch_families[i]->has_wormhole_noc) {
        i++;
    }
    return arch_families[i];
}

bool arch_family_runs(const ArchFamily *self)
{
    return self->part_new != NULL;
}

char *arch_family_names(void)
{
    g_autoptr(GString) names = g_string_new(arch_families[0]->name);

    for (guint i = 1; arch_families[i] != NULL; i++) {
        g_string_append_printf(names, ", %s", arch_families[i]->name);
    }
    return g_strdup(names->str);
}
