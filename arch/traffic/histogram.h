/* An exact histogram of whole numbers, from which percentiles are read. */
#pragma once

#include <stdint.h>

#include <glib.h>

typedef struct {
    uint64_t count;
    uint64_t sum;
    uint64_t maximum;
    GArray *bins;  /* of uint64_t: how often each small number came */
    GArray *large; /* of uint64_t: the other numbers themselves */
} NocHistogram;

void noc_histogram_init(NocHistogram *self);
void noc_histogram_clear(NocHistogram *self);

/* Removes all numbers. */
void noc_histogram_reset(NocHistogram *self);

void noc_histogram_add(NocHistogram *self, uint64_t value);

/* Not a number when empty. */
double noc_histogram_mean(const NocHistogram *self);

/* The smallest number such that at least `percent` of all are not above it; 0 when
 * empty. Sorts what it holds. */
uint64_t noc_histogram_percentile(NocHistogram *self, guint percent);
