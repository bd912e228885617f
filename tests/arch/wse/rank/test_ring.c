/* The rings of a rank, against rings that keep the time of each token. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/wse/rank/planes.h"
#include "arch/wse/rank/rank.h"
#include "sim/random.h"

enum {
    PLACE = 5,
    LANES = WSE_RANK_LANES,
    CYCLES = 400,
    MOST = WSE_RANK_DEPTH + 1,
};

/* Tokens of one PE, by the cycle from which they are seen. */
typedef struct {
    guint count;
    guint seen[MOST];
} Queue;

static void put(Queue *self, guint when)
{
    self->seen[self->count++] = when;
}

static void take(Queue *self)
{
    self->count--;
    for (guint i = 0; i < self->count; i++) {
        self->seen[i] = self->seen[i + 1];
    }
}

static guint seen_at(const Queue *self, guint now)
{
    guint seen = 0;

    while (seen < self->count && self->seen[seen] <= now) {
        seen++;
    }
    return seen;
}

/* What the ring says before cycle `now`. */
static void check(const WseRankRings *rings,
                  const Queue queues[],
                  uint64_t in_step,
                  guint depth,
                  guint now)
{
    for (guint lane = 0; lane < LANES; lane++) {
        const Queue *queue = &queues[lane];

        if (!wse_planes_have(in_step, lane)) {
            assert_false(wse_planes_have(rings->ready[PLACE], lane));
            continue;
        }
        assert_int_equal(wse_rings_get(rings->count, PLACE, lane), queue->count);
        assert_int_equal(wse_rings_get(rings->seen, PLACE, lane), seen_at(queue, now));
        assert_int_equal(wse_planes_have(rings->room[PLACE], lane),
                         queue->count < depth);
        assert_int_equal(wse_planes_have(rings->ready[PLACE], lane),
                         seen_at(queue, now) > 0);
    }
}

/* Random tokens come and go, where they may. */
static void cycle(WseRankRings *rings,
                  Queue queues[],
                  uint64_t in_step,
                  guint latency,
                  guint now,
                  uint64_t *random)
{
    const uint64_t coming = sim_random_next(random) & rings->room[PLACE] & in_step;
    const uint64_t going = sim_random_next(random) & rings->ready[PLACE];
    uint64_t expected = 0;
    uint64_t due = 0;

    rings->coming[PLACE] = coming;
    rings->going[PLACE] = going;
    for (guint lane = 0; lane < LANES; lane++) {
        const bool was_full = !wse_planes_have(rings->room[PLACE], lane);

        if (wse_planes_have(going, lane)) {
            take(&queues[lane]);
        }
        if (wse_planes_have(coming, lane)) {
            put(&queues[lane], now + latency);
        }
        const guint seen = seen_at(&queues[lane], now + 1);

        if (seen > seen_at(&queues[lane], now) ||
            (wse_planes_have(going, lane) && (seen > 0 || was_full))) {
            expected |= UINT64_C(1) << lane;
        }
    }
    (void) wse_rings_end_cycle(rings, PLACE, in_step, &due);
    assert_true(due == expected);
}

static void tokens_are_seen_in_time(void **state)
{
    uint64_t random = 7;

    (void) state;
    for (guint latency = 1; latency <= 1 + WSE_RANK_FLIGHTS; latency++) {
        for (guint depth = 1; depth <= WSE_RANK_DEPTH; depth += 2) {
            g_autofree WseRankRings *rings = g_new0(WseRankRings, 1);
            Queue queues[LANES] = {{0}};
            const uint64_t in_step = ~UINT64_C(0) << 3;

            wse_rings_begin(rings, PLACE, 0, depth, latency);
            assert_int_equal(wse_rings_latency(rings, PLACE), latency);
            wse_rings_look(rings, PLACE, in_step);
            for (guint now = 0; now < CYCLES; now++) {
                check(rings, queues, in_step, depth, now);
                cycle(rings, queues, in_step, latency, now, &random);
            }
        }
    }
}

/* PEs that are not in step have room as far as they said. */
static void others_say_themselves_whether_they_have_room(void **state)
{
    g_autofree WseRankRings *rings = g_new0(WseRankRings, 1);

    (void) state;
    wse_rings_begin(rings, PLACE, 0, 2, 1);
    rings->open[PLACE] = 6;
    wse_rings_look(rings, PLACE, 9);
    assert_true(rings->room[PLACE] == (9 | 6));
    wse_rings_set(rings->count, PLACE, 1, 2);
    wse_rings_look(rings, PLACE, 9);
    assert_true(rings->room[PLACE] == (8 | 6));
}

static void numbers_of_pes_are_apart(void **state)
{
    uint64_t planes[WSE_RANK_STEP_PLANES] = {0};
    guint32 numbers[LANES] = {0};
    uint64_t random = 3;

    (void) state;
    for (guint turn = 0; turn < CYCLES; turn++) {
        const guint lane = (guint) (sim_random_next(&random) % LANES);
        const guint number = (guint) (sim_random_next(&random) % UINT16_MAX) + 1;
        uint64_t down = 0;
        uint64_t zero = 0;

        wse_planes_set(planes, WSE_RANK_STEP_PLANES, UINT64_C(1) << lane, number);
        numbers[lane] = number;
        for (guint i = 0; i < LANES; i++) {
            if (numbers[i] > 0 && sim_random_next(&random) % 2 == 0) {
                numbers[i] = turn % 3 == 0 ? 1 : numbers[i];
                wse_planes_set(planes, WSE_RANK_STEP_PLANES, UINT64_C(1) << i,
                               numbers[i]);
                numbers[i]--;
                down |= UINT64_C(1) << i;
                zero |= (uint64_t) (numbers[i] == 0) << i;
            }
        }
        assert_true(wse_planes_count_down(planes, WSE_RANK_STEP_PLANES, down) == zero);
        for (guint i = 0; i < LANES; i++) {
            assert_int_equal(wse_planes_number(planes, WSE_RANK_STEP_PLANES, i),
                             numbers[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_seen_in_time),
        cmocka_unit_test(others_say_themselves_whether_they_have_room),
        cmocka_unit_test(numbers_of_pes_are_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
