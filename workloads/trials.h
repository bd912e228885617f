/* Chips that stand in for one whose numbers are not all known: samples of all ranges,
 * and each number alone at the ends of its range. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/chipfile/params.h"

typedef struct WlTrials WlTrials;

typedef struct {
    const char *path;  /* "noc.hop_cycles" */
    const char *value; /* of the chip */
    const ArchRange *range;
    const double *levels; /* the order of samples (see arch/chipfile/range.h) */
    guint first_end;      /* the trial with the first end of its range */
    guint end_count;      /* the number of such trials; they are consecutive */
} WlTrialKey;

/* Takes every number of the chip that has a range, is not fixed, was not set by the
 * user, and affects runs. Trials are `sample_count` samples and then, with `has_ends`,
 * a chip for each end of each range, key by key. The samples are a Latin hypercube:
 * each range is cut into `sample_count` parts with one sample in each. The samples of a
 * key depend only on the seed, the count and the key's name. Borrows `params`. */
WlTrials *wl_trials_new(const ArchParams *params,
                        guint sample_count,
                        bool has_ends,
                        uint64_t seed);
void wl_trials_free(WlTrials *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlTrials, wl_trials_free)

guint wl_trials_key_count(const WlTrials *self);
const WlTrialKey *wl_trials_key(const WlTrials *self, guint key);

guint wl_trials_count(const WlTrials *self);
guint wl_trials_sample_count(const WlTrials *self);

/* The value of a key in a trial; NULL: the chip's own. */
const char *wl_trials_value(const WlTrials *self, guint trial, guint key);

/* "section.key=value" for every key with another value; the caller frees it. */
char **wl_trials_assignments(const WlTrials *self, guint trial);
