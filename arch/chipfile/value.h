/* One value of a chip file, parsed as its key demands. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/key.h"
#include "sim/ratio.h"

/* The key's type decides which members are valid. A whole number is also a ratio and a
 * real, a ratio also a real. */
typedef struct {
    uint64_t whole;
    double real;
    SimRatio ratio;
    uint64_t *items; /* owned */
    gsize item_count;
    char *canonical; /* owned; equal for equal values; the text itself for a choice or a
                      * text */
} ArchValue;

/* Fails with ARCH_ERROR_INVALID and "expected ..."; the caller adds the place. */
bool arch_value_parse(const ArchKey *key,
                      const char *text,
                      ArchValue *value,
                      GError **error);
void arch_value_clear(ArchValue *self);

/* `text`, which may hold any bytes, quoted for a one-line message. The caller frees it.
 */
char *arch_value_quote(const char *text);
