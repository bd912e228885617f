/* Words in place of numbers that nobody has computed: packers leave them in runs that
 * move data and compute no tiles. They move as data does, so that a kernel which loads
 * one is told. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* A number that programs do not have, but for one in four billion. */
#define TENSIX_UNKNOWN_WORD UINT32_C(0xb7c5a10e)

static inline void tensix_unknown_fill(guint8 *bytes, gsize count)
{
    uint32_t *words = (uint32_t *) (void *) bytes;

    for (gsize i = 0; i < count / sizeof *words; i++) {
        words[i] = TENSIX_UNKNOWN_WORD;
    }
}
