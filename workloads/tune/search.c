/* An elitist search on the front. */
#include "workloads/tune/search.h"

#include "sim/narrow.h"
#include "sim/random.h"

enum {
    FIRST_SHARE = 4, /* one in so many is drawn at random before there is a front */
    TRIES = 64,      /* for a window not yet asked for */
};

struct WlTuneSearch {
    const WlTuneSpace *space;
    uint64_t count; /* of windows that there are */
    guint budget;
    guint asked;
    uint64_t state;   /* of random numbers */
    GHashTable *seen; /* of numbers, which 32 bits hold, as pointers */
};

WlTuneSearch *wl_tune_search_new(const WlTuneSpace *space, guint limit, uint64_t seed)
{
    WlTuneSearch *self = g_new0(WlTuneSearch, 1);

    g_return_val_if_fail(limit > 0, NULL);
    self->space = space;
    self->count = wl_tune_space_count(space);
    self->budget = sim_u32(MIN(self->count, limit));
    self->state = seed;
    self->seen = g_hash_table_new(NULL, NULL);
    return self;
}

void wl_tune_search_free(WlTuneSearch *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->seen);
        g_free(self);
    }
}

/* How many of a search are drawn blindly. */
static guint first_of(guint budget)
{
    return MIN(MAX(budget / FIRST_SHARE, WL_TUNE_GENERATION), budget);
}

guint wl_tune_budget(const WlTuneTask *self, guint *first)
{
    const guint budget = sim_u32(MIN(wl_tune_space_count(self->space), self->limit));

    *first = first_of(budget);
    return budget;
}

static bool is_seen(const WlTuneSearch *self, uint64_t number)
{
    return g_hash_table_contains(self->seen, GSIZE_TO_POINTER(number));
}

static void ask(WlTuneSearch *self, GArray *numbers, uint64_t number)
{
    (void) g_hash_table_add(self->seen, GSIZE_TO_POINTER(number));
    g_array_append_val(numbers, number);
    self->asked++;
}

/* The first window not yet asked for, from a random one on: there is one. */
static uint64_t draw(WlTuneSearch *self)
{
    uint64_t number = sim_random_below(&self->state, sim_u32(self->count));

    while (is_seen(self, number)) {
        number = (number + 1) % self->count;
    }
    return number;
}

/* Another place along an axis: the next one, or any. */
static guint move(WlTuneSearch *self, guint place, guint count)
{
    const uint32_t way = sim_random_below(&self->state, 4);

    if (way < 2) {
        const guint next = way == 0 ? place + 1 : place - 1; /* wraps at 0 */

        return next < count ? next : place;
    }
    return sim_random_below(&self->state, count);
}

static uint64_t vary(WlTuneSearch *self, const GArray *front)
{
    for (guint i = 0; i < TRIES && front->len > 0; i++) {
        const guint parent = sim_random_below(&self->state, front->len);
        const uint64_t from = g_array_index(front, uint64_t, parent);
        const guint axis =
            sim_random_below(&self->state, wl_tune_space_axis_count(self->space));
        const guint place = move(self, wl_tune_space_place(self->space, from, axis),
                                 wl_tune_space_size_count(self->space, axis));
        const uint64_t number = wl_tune_space_move(self->space, from, axis, place);

        if (!is_seen(self, number)) {
            return number;
        }
    }
    return draw(self);
}

GArray *wl_tune_search_next(WlTuneSearch *self, const GArray *front)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    const bool is_first = self->asked == 0;
    const guint left = self->budget - self->asked;
    const guint wanted = is_first ? first_of(self->budget) : WL_TUNE_GENERATION;

    if (self->budget == self->count) {
        for (uint64_t i = 0; is_first && i < self->count; i++) {
            ask(self, numbers, i);
        }
        return numbers;
    }
    for (guint i = 0; i < MIN(wanted, left); i++) {
        ask(self, numbers, is_first ? draw(self) : vary(self, front));
    }
    return numbers;
}
