/* The families of chips that this build knows. */
#include "arch/chipfile/family.h"

#define ARCH_FAMILY(name) extern const ArchFamily arch_family_##name;
#include "arch/chips.def"
#undef ARCH_FAMILY

static const ArchFamily *const families[] = {
#define ARCH_FAMILY(name) &arch_family_##name,
#include "arch/chips.def"
#undef ARCH_FAMILY
    NULL,
};

const ArchFamily *arch_family_find(const char *name)
{
    for (guint i = 0; families[i] != NULL; i++) {
        if (g_str_equal(families[i]->name, name)) {
            return families[i];
        }
    }
    return NULL;
}

const ArchFamily *arch_family_at(guint index)
{
    return index < G_N_ELEMENTS(families) ? families[index] : NULL;
}

bool arch_family_has_roofs_only(const char *name)
{
    const ArchFamily *family = arch_family_find(name);

    return family != NULL && family->has_roofs_only;
}

const ArchKey *
arch_family_key(const ArchFamily *self, const char *section, const char *key)
{
    for (gsize i = 0; i < self->key_count; i++) {
        if (g_str_equal(self->keys[i].key, key) &&
            g_str_equal(self->keys[i].section, section)) {
            return &self->keys[i];
        }
    }
    return NULL;
}

bool arch_family_has_section(const ArchFamily *self, const char *section)
{
    for (gsize i = 0; i < self->key_count; i++) {
        if (g_str_equal(self->keys[i].section, section)) {
            return true;
        }
    }
    return false;
}

bool arch_family_is_optional(const ArchFamily *self, const char *section)
{
    if (g_str_equal(section, ARCH_INFORMATION)) {
        return true;
    }
    return self->optional != NULL && g_strv_contains(self->optional, section);
}

bool arch_family_is_inert(const ArchFamily *self, const char *section)
{
    if (g_str_equal(section, ARCH_INFORMATION)) {
        return true;
    }
    return self->inert != NULL && g_strv_contains(self->inert, section);
}

char *arch_family_names(void)
{
    g_autoptr(GString) names = g_string_new(families[0]->name);

    for (guint i = 1; families[i] != NULL; i++) {
        g_string_append_printf(names, ", %s", families[i]->name);
    }
    return g_strdup(names->str);
}

char *arch_family_sections(const ArchFamily *self)
{
    g_autoptr(GString) names = g_string_new(self->keys[0].section);

    for (gsize i = 1; i < self->key_count; i++) {
        if (!g_str_equal(self->keys[i].section, self->keys[i - 1].section)) {
            g_string_append_printf(names, ", %s", self->keys[i].section);
        }
    }
    return g_strdup(names->str);
}
