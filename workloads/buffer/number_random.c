/* Knuth's linear congruential generator, whose high bits are well mixed. Each state
 * would wait for the one before: lanes go on by several steps at once. */
#include "workloads/buffer/number_random.h"

#include "workloads/buffer/number_array.h"

enum {
    LANES = 8,
    GROUP = 64 * LANES, /* numbers that are worked out together */
};

#define FACTOR UINT64_C(6364136223846793005)
#define TERM   UINT64_C(1442695040888963407)

/* So many steps at once: state * factor + term. */
typedef struct {
    uint64_t factor;
    uint64_t term;
} Stride;

static Stride stride_of(guint steps)
{
    Stride stride = {1, 0};

    for (guint i = 0; i < steps; i++) {
        stride.term = stride.term * FACTOR + TERM;
        stride.factor *= FACTOR;
    }
    return stride;
}

/* The first state of each lane. */
static void begin(uint64_t lanes[LANES], uint64_t seed)
{
    for (guint i = 0; i < LANES; i++) {
        seed = seed * FACTOR + TERM;
        lanes[i] = seed;
    }
}

/* The next numbers between 0 and 1, which is left out. */
static void advance(double values[GROUP], uint64_t lanes[LANES], Stride stride)
{
    for (guint i = 0; i < GROUP; i += LANES) {
        for (guint j = 0; j < LANES; j++) {
            values[i + j] = (double) (lanes[j] >> 11) * 0x1p-53;
            lanes[j] = lanes[j] * stride.factor + stride.term;
        }
    }
}

static void spread(double values[GROUP], const NumberRange *range)
{
    const double width = range->high - range->low;
    const double steps = width / range->step + 1;

    if (range->step > 0) {
        for (guint i = 0; i < GROUP; i++) {
            values[i] = range->low + range->step * floor(values[i] * steps);
        }
    } else {
        for (guint i = 0; i < GROUP; i++) {
            values[i] = range->low + values[i] * width;
        }
    }
}

void number_random_put(NumberFormat format,
                       guint8 *to,
                       uint64_t count,
                       const NumberRange *range)
{
    const Stride stride = stride_of(LANES);
    uint64_t lanes[LANES];
    double values[GROUP];

    begin(lanes, range->seed);
    for (uint64_t at = 0; at < count; at += GROUP) {
        advance(values, lanes, stride);
        spread(values, range);
        number_array_put(format, to, at, values, MIN(count - at, (uint64_t) GROUP));
    }
}
