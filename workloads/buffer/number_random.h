/* Random numbers for buffers: they follow from a seed alone. */
#pragma once

#include <stdint.h>

#include "workloads/buffer/number_format.h"

typedef struct {
    uint64_t seed;
    double low;
    double high;
    double step; /* numbers are `low` and multiples of it more; 0: any */
} NumberRange;

/* Puts so many numbers of the range into the buffer. */
void number_random_put(NumberFormat format,
                       guint8 *to,
                       uint64_t count,
                       const NumberRange *range);
