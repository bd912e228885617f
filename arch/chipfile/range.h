/* The uncertainty of a number in a chip file: its range, and values inside it. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/key.h"
#include "arch/chipfile/value.h"

typedef struct ArchRange ArchRange;

/* Where an end of a range lies. */
typedef enum {
    ARCH_RANGE_BELOW, /* the value of the file */
    ARCH_RANGE_ABOVE,
    ARCH_RANGE_OTHER, /* another word */
} ArchRangeSide;

/* Reads what follows "range": "LOW..HIGH" of a number, "a|b" of a choice, "xLOW..xHIGH"
 * of a list, which scales all items by one factor, and "fixed" of any key, where
 * another value would be another chip. `key` must allow all values of the range, and
 * the range must contain `value`, the file's. Fails with ARCH_ERROR_INVALID and the
 * problem; the caller adds the place. Borrows `key`. */
ArchRange *arch_range_new(const char *text,
                          const ArchKey *key,
                          const ArchValue *value,
                          GError **error);
void arch_range_free(ArchRange *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchRange, arch_range_free)

/* As written, without the word "range". */
const char *arch_range_text(const ArchRange *self);

/* Whether the range holds only the file's value. */
bool arch_range_is_fixed(const ArchRange *self);

/* The value at `u`, 0..1, as text for the key. Values are spread evenly over numbers,
 * whole numbers, words or factors. The caller frees it. */
char *arch_range_sample(const ArchRange *self, double u);

/* A number that orders the values of the range, for the value at `u`: the value itself;
 * for lists and for two words its position; NaN for more words, which have no order. */
double arch_range_level(const ArchRange *self, double u);

/* The values farthest from the file's: both bounds, except one that equals the value;
 * for choices, each other word. Borrowed. */
guint arch_range_end_count(const ArchRange *self);
const char *arch_range_end(const ArchRange *self, guint index);
ArchRangeSide arch_range_end_side(const ArchRange *self, guint index);
