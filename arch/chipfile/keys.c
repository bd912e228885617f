/* Looks up keys and sections of a family. */
#include "arch/chipfile/keys.h"

const ArchKey *
arch_keys_find(const ArchKeys *self, const char *section, const char *key)
{
    for (gsize i = 0; i < self->count; i++) {
        if (g_str_equal(self->items[i].key, key) &&
            g_str_equal(self->items[i].section, section)) {
            return &self->items[i];
        }
    }
    return NULL;
}

bool arch_keys_has_section(const ArchKeys *self, const char *section)
{
    for (gsize i = 0; i < self->count; i++) {
        if (g_str_equal(self->items[i].section, section)) {
            return true;
        }
    }
    return false;
}

bool arch_keys_is_optional(const ArchKeys *self, const char *section)
{
    if (g_str_equal(section, ARCH_INFORMATION)) {
        return true;
    }
    return self->optional != NULL && g_strv_contains(self->optional, section);
}

bool arch_keys_is_inert(const ArchKeys *self, const char *section)
{
    if (g_str_equal(section, ARCH_INFORMATION)) {
        return true;
    }
    return self->inert != NULL && g_strv_contains(self->inert, section);
}

char *arch_keys_sections(const ArchKeys *self)
{
    g_autoptr(GString) names = g_string_new(self->items[0].section);

    for (gsize i = 1; i < self->count; i++) {
        if (!g_str_equal(self->items[i].section, self->items[i - 1].section)) {
            g_string_append_printf(names, ", %s", self->items[i].section);
        }
    }
    return g_strdup(names->str);
}
