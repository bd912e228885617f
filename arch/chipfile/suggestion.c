/* Finds the key nearest to a misspelt one, by unit and by edit distance. */
#include "arch/chipfile/suggestion.h"

#include <string.h>

#include "arch/chipfile/spelling.h"

/* Units that people write into key names, beside those of the family's keys. */
static const char *const unit_suffixes[] = {
    "_hz",
    "_khz",
    "_mhz",
    "_ghz",
    "_ps",
    "_ns",
    "_us",
    "_ms",
    "_s",
    "_sec",
    "_seconds",
    "_clk",
    "_clks",
    "_cyc",
    "_cycle",
    "_cycles",
    "_bits",
    "_b",
    "_bytes",
    "_kb",
    "_kib",
    "_mb",
    "_mib",
    "_gb",
    "_gib",
    "_gbps",
    "_gb_per_second",
    "_gbit_per_second",
    "_w",
    "_mw",
    "_kw",
    "_watts",
    "_joules",
    "_count",
    "_words",
    NULL,
};

static bool is_unit_suffix(const ArchKeys *keys, const char *text)
{
    if (g_strv_contains(unit_suffixes, text)) {
        return true;
    }
    for (gsize i = 0; i < keys->count; i++) {
        g_autofree char *suffix = arch_key_suffix(&keys->items[i]);

        if (*suffix != '\0' && g_str_equal(suffix, text)) {
            return true;
        }
    }
    return false;
}

/* A key of the section that differs in nothing but its unit. */
static const ArchKey *
find_other_unit(const ArchKeys *keys, const char *section, const char *name)
{
    for (gsize i = 0; i < keys->count; i++) {
        const ArchKey *key = &keys->items[i];
        g_autofree char *suffix = arch_key_suffix(key);
        gsize stem = strlen(key->key) - strlen(suffix);

        if (*suffix != '\0' && g_str_has_suffix(key->key, suffix) &&
            g_str_equal(key->section, section) && strncmp(name, key->key, stem) == 0 &&
            (name[stem] == '\0' || is_unit_suffix(keys, name + stem))) {
            return key;
        }
    }
    return NULL;
}

static const ArchKey *
find_nearest(const ArchKeys *keys, const char *section, const char *name)
{
    const ArchKey *nearest = NULL;
    guint least = G_MAXUINT;

    for (gsize i = 0; i < keys->count; i++) {
        const ArchKey *key = &keys->items[i];
        guint distance = arch_spelling_distance(name, key->key);

        /* A key of another section must be the very same name to be meant. */
        if (!g_str_equal(key->section, section)) {
            distance = distance == 0 ? 1 : G_MAXUINT;
        }
        if (distance < least) {
            least = distance;
            nearest = key;
        }
    }
    return nearest;
}

char *
arch_suggestion_for(const ArchFamily *family, const char *section, const char *key)
{
    const ArchKey *meant;

    if (!arch_keys_has_section(family->keys, section)) {
        g_autofree char *sections = arch_keys_sections(family->keys);

        return g_strdup_printf("no such section, %s chips have %s", family->name,
                               sections);
    }
    meant = find_other_unit(family->keys, section, key);
    if (meant != NULL) {
        return g_strdup_printf("wrong unit, expected %s.%s in %s", meant->section,
                               meant->key, meant->unit);
    }
    meant = find_nearest(family->keys, section, key);
    if (meant != NULL) {
        return g_strdup_printf("no such key, the nearest is %s.%s", meant->section,
                               meant->key);
    }
    return g_strdup("no such key");
}
