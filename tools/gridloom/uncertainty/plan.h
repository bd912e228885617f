/* Which chips stand in for one whose numbers are not all known: samples of all ranges,
 * and one number at a time at the ends of its own. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"

typedef struct UncertaintyPlan UncertaintyPlan;

typedef struct {
    const char *path;  /* "noc.hop_cycles" */
    const char *value; /* of the chip */
    const ArchRange *range;
} UncertaintyKey;

/* Every number of the chip that has a range, is not fixed, was not set by the user, and
 * that runs depend on.
 * The samples are a Latin hypercube: each range is cut into `sample_count` parts, and
 * there is one sample in each of them. What is drawn for a key depends on nothing but
 * the seed, the count and the key's name. Borrows `params`. */
UncertaintyPlan *
uncertainty_plan_new(const ArchParams *params, guint sample_count, uint64_t seed);
void uncertainty_plan_free(UncertaintyPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(UncertaintyPlan, uncertainty_plan_free)

guint uncertainty_plan_key_count(const UncertaintyPlan *self);
const UncertaintyKey *uncertainty_plan_key(const UncertaintyPlan *self, guint key);

/* The value of a key in a sample, and what it is ordered by (see
 * arch/chipfile/range.h); one for each sample. Borrowed. */
const char *
uncertainty_plan_sample(const UncertaintyPlan *self, guint sample, guint key);
const double *uncertainty_plan_levels(const UncertaintyPlan *self, guint key);

/* "section.key=value" for every key; the caller frees it. */
char **uncertainty_plan_assignments(const UncertaintyPlan *self, guint sample);
