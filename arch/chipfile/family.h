/* A family of chips: the keys that each of its chip files must have, but for sections
 * that it may leave out. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/key.h"

/* The section of what is known of a chip and read by nothing. Files of all families may
 * have it; it is inert, and --set refuses it. */
#define ARCH_INFORMATION "information"

typedef struct {
    const char *name;
    const char *summary; /* one line for people */
    const ArchKey *keys; /* in the order of a chip file; no pair of names twice */
    gsize key_count;
    bool has_roofs_only; /* rates for rooflines and models: no programs run on them */
    const char *const *optional; /* sections that a file has whole or not at all; ends
                                  * with NULL, which may be all */
    const char *const *inert;    /* sections that no run depends on: neither digests nor
                                  * --uncertainty know them; ends with NULL, likewise */
} ArchFamily;

/* NULL when there is no such family. */
const ArchFamily *arch_family_find(const char *name);

/* The families in the order of chips.def; NULL past the last. */
const ArchFamily *arch_family_at(guint index);

/* Of a name that chip files have; no programs run on such chips. */
bool arch_family_has_roofs_only(const char *name);

/* NULL when the family has no such key. */
const ArchKey *
arch_family_key(const ArchFamily *self, const char *section, const char *key);
bool arch_family_has_section(const ArchFamily *self, const char *section);

/* A file may do without the section. */
bool arch_family_is_optional(const ArchFamily *self, const char *section);

/* Runs come out the same, whatever the section says. */
bool arch_family_is_inert(const ArchFamily *self, const char *section);

/* All families, or the sections of one, as "a, b, c"; the caller frees it. */
char *arch_family_names(void);
char *arch_family_sections(const ArchFamily *self);
