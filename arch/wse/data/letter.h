/* Numbers of streams that PEs send which stand for others. A letter is known by how
 * many its sender sent before, and by how far it has come: PEs that do the same send
 * and have the same letters. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/wse_layout.h"

enum {
    WSE_LETTER_COUNTED = 512, /* letters of a sender that have different numbers */
    WSE_LETTER_LINES = 2048,  /* columns and rows that a wafer with letters may have */
    WSE_LETTER_COLUMN = 9,    /* bits from here on: columns it has come, */
    WSE_LETTER_ROW = 20,      /* and rows, both modulo WSE_LETTER_LINES */
};

/* The letter that follows so many others, where it is sent. */
static inline uint32_t wse_letter_new(uint32_t before)
{
    return before % WSE_LETTER_COUNTED;
}

/* The same letter, come so many columns and rows further. */
static inline uint32_t
wse_letter_further(uint32_t letter, uint32_t columns, uint32_t rows)
{
    const uint32_t x = (letter >> WSE_LETTER_COLUMN) + columns;
    const uint32_t y = (letter >> WSE_LETTER_ROW) + rows;

    return letter % WSE_LETTER_COUNTED | x % WSE_LETTER_LINES << WSE_LETTER_COLUMN |
           y % WSE_LETTER_LINES << WSE_LETTER_ROW;
}

/* The same letter, a link further. */
static inline uint32_t wse_letter_over(uint32_t letter, guint link)
{
    static const uint32_t columns[] = {
        [ARCH_WSE_WEST] = UINT32_MAX, [ARCH_WSE_EAST] = 1, [ARCH_WSE_SOUTH] = 0};
    static const uint32_t rows[] = {
        [ARCH_WSE_NORTH] = UINT32_MAX, [ARCH_WSE_SOUTH] = 1};

    return wse_letter_further(letter, columns[link], rows[link]);
}

/* Where it comes from, if it is here now. */
static inline guint wse_letter_column(uint32_t letter, guint x)
{
    return (x - (letter >> WSE_LETTER_COLUMN)) % WSE_LETTER_LINES;
}
static inline guint wse_letter_row(uint32_t letter, guint y)
{
    return (y - (letter >> WSE_LETTER_ROW)) % WSE_LETTER_LINES;
}

/* How many its sender, who has sent `sent` by now, sent before it. */
static inline uint32_t wse_letter_before(uint32_t letter, uint32_t sent)
{
    return sent - 1 - (sent - 1 - letter) % WSE_LETTER_COUNTED;
}
