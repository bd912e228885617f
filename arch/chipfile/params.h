/* The numbers of one chip: read from its chip file, checked against its family's keys,
 * with unit, confidence and source beside each. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/range.h"
#include "sim/ratio.h"

typedef struct ArchParams ArchParams;

/* How far a number can be trusted. */
typedef enum {
    ARCH_CONFIDENCE_DOCUMENTED, /* the vendor's public documents say so */
    ARCH_CONFIDENCE_MEASURED,   /* measured on silicon or the vendor's simulator */
    ARCH_CONFIDENCE_CALIBRATED, /* fitted; the source names the rows */
    ARCH_CONFIDENCE_ASSUMED,    /* plausible, unverified */
} ArchConfidence;

/* One line of the ledger. Borrowed until the params are freed or overridden. */
typedef struct {
    const char *section;
    const char *key;
    const char *value; /* as written, or as overridden */
    const char *unit;
    ArchConfidence confidence;
    const char *source;
    const ArchRange *range; /* NULL: the number is certain, or the user has set it */
    bool is_overridden;
    bool is_inert; /* no run depends on it; silicon area, for example */
} ArchParam;

/* Fails with ARCH_ERROR_INVALID and one line: "file:line: section.key = value, what is
 * allowed". */
ArchParams *arch_params_load(const char *path, GError **error);

/* The same from memory; `path` is used only in messages. */
ArchParams *
arch_params_parse(const char *path, const char *text, gsize length, GError **error);
void arch_params_free(ArchParams *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchParams, arch_params_free)

/* Applies "section.key=value", checked like the file; blanks around the parts are
 * ignored. Keys that nothing reads (ARCH_INFORMATION) cannot be set. The number becomes
 * `assumed`, its source quotes the file's value, and it has no range. Failure changes
 * nothing. */
bool arch_params_override(ArchParams *self, const char *assignment, GError **error);

const char *arch_params_name(const ArchParams *self);    /* wormhole_n300 */
const char *arch_params_family(const ArchParams *self);  /* tensix */
const char *arch_params_summary(const ArchParams *self); /* one line for people */

/* Every number in file order. */
guint arch_params_count(const ArchParams *self);
const ArchParam *arch_params_at(const ArchParams *self, guint index);

/* The line of "section.key", or NULL when the chip has no such key. */
const ArchParam *arch_params_find(const ArchParams *self, const char *path);

/* Whether the chip has the key "section.key", as the readers below require. It has all
 * keys of its family except those of sections that its file leaves out. */
bool arch_params_has(const ArchParams *self, const char *path);

/* Typed values of "section.key". The family's keys guarantee presence, type and range:
 * asking for a key that the chip does not have, or by another type, is a bug. Two
 * readers widen: `real` takes any number, `ratio` also a whole one. A ratio of zero is
 * 0/1; the key's range says whether zero is allowed. Texts and lists are borrowed until
 * the params are freed or overridden. */
uint64_t arch_params_uint(const ArchParams *self, const char *path);
double arch_params_real(const ArchParams *self, const char *path);
SimRatio arch_params_ratio(const ArchParams *self, const char *path);
const char *arch_params_text(const ArchParams *self, const char *path);
const uint64_t *
arch_params_list(const ArchParams *self, const char *path, gsize *count);

/* What a text names, such as a file, once somebody has read it. Attaching takes `part`
 * and frees what was there; NULL if nothing is. `content` tells parts apart in the
 * digest. */
void arch_params_attach(ArchParams *self,
                        const char *path,
                        gpointer part,
                        GDestroyNotify free_part,
                        const char *content);
gconstpointer arch_params_attached(const ArchParams *self, const char *path);

/* SHA-256 over all effective values that runs depend on, in hexadecimal; the caller
 * frees it. Comments, the order of keys and the spelling of numbers (1.4, 1.40) do not
 * matter. */
char *arch_params_digest(const ArchParams *self);

const char *arch_confidence_name(ArchConfidence confidence);
