/* The keys of a family: those that each of its chip files must have, but for sections
 * that it may leave out. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/key.h"

/* The section of what is known of a chip and read by nothing. Files of all families may
 * have it; it is inert, and --set refuses it. */
#define ARCH_INFORMATION "information"

typedef struct {
    const ArchKey *items; /* in the order of a chip file; no pair of names twice */
    gsize count;
    const char *const *optional; /* sections that a file has whole or not at all; ends
                                  * with NULL, which may be all */
    const char *const *inert;    /* sections that no run depends on: neither digests nor
                                  * --uncertainty know them; ends with NULL, likewise */
} ArchKeys;

/* arch_keys_tensix and so on, of every family of the list. */
#define ARCH_FAMILY(name)     extern const ArchKeys arch_keys_##name;
#define ARCH_ROOFS_ONLY(name) ARCH_FAMILY(name)
#include "arch/chips.def"
#undef ARCH_FAMILY
#undef ARCH_ROOFS_ONLY

/* NULL when the family has no such key. */
const ArchKey *
arch_keys_find(const ArchKeys *self, const char *section, const char *key);
bool arch_keys_has_section(const ArchKeys *self, const char *section);

/* A file may do without the section. */
bool arch_keys_is_optional(const ArchKeys *self, const char *section);

/* Runs come out the same, whatever the section says. */
bool arch_keys_is_inert(const ArchKeys *self, const char *section);

/* All sections, as "a, b, c"; the caller frees it. */
char *arch_keys_sections(const ArchKeys *self);
