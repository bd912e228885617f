/* One value of a chip file, parsed as its key demands. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/key.h"
#include "sim/ratio.h"

/* Which members hold depends on the key's type. A whole number is also a ratio and a
 * real, a ratio also a real. */
typedef struct {
    uint64_t whole;
    double real;
    SimRatio ratio;
    uint64_t *items; /* owned */
    gsize item_count;
    char
        *canonical; /* owned; equal values have equal ones. Of a choice or a text: it */
} ArchValue;

/* Fails with ARCH_ERROR_INVALID and "expected ...", for the caller to say where. */
bool arch_value_parse(const ArchKey *key,
                      const char *text,
                      ArchValue *value,
                      GError **error);
void arch_value_clear(ArchValue *self);

/* `text`, whatever bytes it has, made fit for a one-line message; the caller frees it.
 */
char *arch_value_quote(const char *text);
