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
 * of a list, all of whose items have one factor, and "fixed" of any key: another value
 * would be another chip. Everything in it is allowed by `key`, and `value`, as the file
 * has it, is in it. Fails with ARCH_ERROR_INVALID and what is wrong, for the caller to
 * say where. Borrows `key`. */
ArchRange *arch_range_new(const char *text,
                          const ArchKey *key,
                          const ArchValue *value,
                          GError **error);
void arch_range_free(ArchRange *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchRange, arch_range_free)

/* As written, without the word "range". */
const char *arch_range_text(const ArchRange *self);

/* Is there nothing but the value in it? */
bool arch_range_is_fixed(const ArchRange *self);

/* The value at `u`, 0..1, as a text that the key takes: evenly spread over numbers,
 * whole ones, words or factors. The caller frees it. */
char *arch_range_sample(const ArchRange *self, double u);

/* A number by which values of the range are ordered, of the one at `u`: the value, of
 * lists and of two words their place. NaN of more words, which have no order. */
double arch_range_level(const ArchRange *self, double u);

/* What is farthest from the value of the file: both bounds, less one that is the value
 * itself; each of the other words. Borrowed. */
guint arch_range_end_count(const ArchRange *self);
const char *arch_range_end(const ArchRange *self, guint index);
ArchRangeSide arch_range_end_side(const ArchRange *self, guint index);
