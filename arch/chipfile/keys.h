/* The keys of a family. Each of its chip files must have them all, except those of
 * optional sections. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/key.h"

/* The section for facts about a chip that nothing reads. Files of all families may have
 * it. It is inert, and --set refuses it. */
#define ARCH_INFORMATION "information"

typedef struct {
    const ArchKey *items; /* in the order of a chip file; no pair of names twice */
    gsize count;
    const char *const *optional; /* sections that a file has completely or not at all;
                                  * NULL-terminated, may be empty */
    const char *const *inert;    /* sections that no run depends on, ignored by digests
                                  * and --uncertainty; NULL-terminated, may be empty */
} ArchKeys;

/* arch_keys_tensix and so on, one for every family of the list. */
#define ARCH_FAMILY(name)     extern const ArchKeys arch_keys_##name;
#define ARCH_ROOFS_ONLY(name) ARCH_FAMILY(name)
#include "arch/chips.def"
#undef ARCH_FAMILY
#undef ARCH_ROOFS_ONLY

/* NULL when the family has no such key. */
const ArchKey *
arch_keys_find(const ArchKeys *self, const char *section, const char *key);
bool arch_keys_has_section(const ArchKeys *self, const char *section);

/* Whether a file may leave out the section. */
bool arch_keys_is_optional(const ArchKeys *self, const char *section);

/* Whether no run depends on the section. */
bool arch_keys_is_inert(const ArchKeys *self, const char *section);

/* All sections, as "a, b, c"; the caller frees it. */
char *arch_keys_sections(const ArchKeys *self);
