/* Where a number of a chip file comes from: the comment line above its key. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"

typedef struct {
    char *unit;
    ArchConfidence confidence;
    char *source;
    char *range; /* text after the word "range", see arch/chipfile/range.h; NULL if
                  * there is none */
} ArchProvenance;

/* Reads "unit; documented|measured|calibrated|assumed; source; range ...". A calibrated
 * number's source names its rows after the words "fitted to"; a calibrated or assumed
 * number has a range, others may have one. `comment` is the line after '#', or NULL if
 * there is none. Fails with ARCH_ERROR_INVALID and the problem; the caller adds the
 * place. */
bool arch_provenance_parse(const char *comment, ArchProvenance *self, GError **error);
void arch_provenance_clear(ArchProvenance *self);
