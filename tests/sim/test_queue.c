/* Tests of the event queue, beside a list that is searched from end to end. */
#include <stdbool.h>

#include "sim/queue/queue.h"
#include "tests/sim/support.h"

enum {
    OPERATIONS = 6000,
    PENDING_LIMIT = 200,
};

typedef struct {
    SimTime when;
    SimKey key;
    SimEvent handle;
    bool is_pending;
} Expected;

/* A queue and what it should hold, in the order in which it was pushed. */
typedef struct {
    Queue queue;
    GArray *all; /* of Expected; an event's number is its position */
    guint pending;
    uint64_t random;
    SimTime now;
    bool is_running;
} Pair;

static void ignore(SimRegion *region, gpointer data)
{
    (void) region;
    (void) data;
}

static Expected *expected_at(const Pair *self, guint number)
{
    return &g_array_index(self->all, Expected, number);
}

static void pair_push(Pair *self, SimTime when, SimKey key)
{
    Expected expected = {.when = when, .key = key, .is_pending = true};

    expected.handle =
        queue_push(&self->queue, when, key, ignore, GUINT_TO_POINTER(self->all->len));
    assert_int_not_equal(expected.handle, 0);
    g_array_append_val(self->all, expected);
    self->pending++;
}

/* The number of the first pending event at `when` (any time if SIM_TIME_NEVER), or -1.
 */
static gint64 pair_first(const Pair *self, SimTime when)
{
    const Expected *first = NULL;
    gint64 number = -1;

    for (guint i = 0; i < self->all->len; i++) {
        const Expected *here = expected_at(self, i);

        if (!here->is_pending || (when != SIM_TIME_NEVER && here->when != when)) {
            continue;
        }
        if (first == NULL || here->when < first->when ||
            (here->when == first->when && here->key < first->key)) {
            first = here;
            number = i;
        }
    }
    return number;
}

static SimTime pair_next(const Pair *self)
{
    gint64 first = pair_first(self, SIM_TIME_NEVER);

    return first < 0 ? SIM_TIME_NEVER : expected_at(self, (guint) first)->when;
}

static SimTime random_when(Pair *self)
{
    const guint ring = self->queue.ring.length;

    switch (random_below(&self->random, 9)) {
    case 0:
        return self->now;
    case 1:
        return self->now + ring - 1;
    case 2:
        return self->now + ring;
    case 3:
        return self->now + ring + 1;
    case 4:
        return self->now + random_below(&self->random, 3 * ring);
    case 5:
        return self->now + random_below(&self->random, 50 * ring);
    case 6:
        return self->now + random_below(&self->random, ring);
    default:
        return self->now + random_below(&self->random, 8);
    }
}

static SimKey random_key(Pair *self)
{
    return random_below(&self->random, 4) == 0 ? sim_random_next(&self->random)
                                               : random_below(&self->random, 5);
}

static void try_push(Pair *self)
{
    if (self->pending < PENDING_LIMIT) {
        /* Which argument of a call is drawn first differs between processors. */
        const SimKey key = random_key(self);

        pair_push(self, random_when(self), key);
    }
}

/* Of any event there ever was, so that most handles are stale. */
static void try_cancel(Pair *self)
{
    if (self->all->len == 0) {
        return;
    }
    const guint span = MIN(self->all->len, 2 * PENDING_LIMIT);
    Expected *expected =
        expected_at(self, self->all->len - 1 - random_below(&self->random, span));
    const bool is_cancelled = queue_cancel(&self->queue, expected->handle);

    assert_int_equal(is_cancelled, expected->is_pending);
    self->pending -= is_cancelled ? 1 : 0;
    expected->is_pending = false;
}

static void try_take(Pair *self)
{
    Entry entry;
    gint64 number = pair_first(self, self->now);

    if (!queue_take(&self->queue, &entry)) {
        assert_int_equal(number, -1);
        self->is_running = false;
        return;
    }
    assert_int_equal(GPOINTER_TO_UINT(entry.data), number);
    expected_at(self, (guint) number)->is_pending = false;
    self->pending--;
}

static void try_begin(Pair *self)
{
    SimTime next = queue_next(&self->queue);

    assert_int_equal(next, pair_next(self));
    if (next != SIM_TIME_NEVER) {
        queue_begin(&self->queue, next);
        self->now = next;
        self->is_running = true;
    }
}

static void try_skip(Pair *self)
{
    const guint ring = self->queue.ring.length;
    SimTime when = self->now + random_below(&self->random, 3 * ring);

    when = MIN(when, queue_next(&self->queue));
    queue_skip_to(&self->queue, when);
    self->now = when;
}

static void try_anything(Pair *self)
{
    const guint choice = random_below(&self->random, 16);

    if (choice < 6) {
        try_push(self);
    } else if (choice < 9) {
        try_cancel(self);
    } else if (self->is_running) {
        try_take(self);
    } else if (choice < 15) {
        try_begin(self);
    } else {
        try_skip(self);
    }
}

static void run_to_empty(Pair *self)
{
    while (self->is_running || self->pending > 0) {
        if (self->is_running) {
            try_take(self);
        } else {
            try_begin(self);
        }
    }
    assert_int_equal(queue_next(&self->queue), SIM_TIME_NEVER);
}

static void check_against_list(guint ring_cycles, SimTime start, uint64_t seed)
{
    Pair pair = {.random = seed};

    queue_init(&pair.queue, ring_cycles);
    pair.all = g_array_new(FALSE, FALSE, sizeof(Expected));
    queue_skip_to(&pair.queue, start);
    pair.now = start;
    for (guint i = 0; i < OPERATIONS; i++) {
        try_anything(&pair);
    }
    run_to_empty(&pair);
    g_array_unref(pair.all);
    queue_clear(&pair.queue);
}

static void agrees_with_a_sorted_list(void **state)
{
    static const struct {
        guint ring_cycles;
        SimTime start;
    } cases[] = {
        {64, 0},      {64, UINT64_C(0xfffffff0)},
        {1024, 0},    {1024, UINT64_C(0x7ffffffffffffc01)},
        {8192, 4095},
    };

    (void) state;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        for (uint64_t seed = 1; seed <= 8; seed++) {
            check_against_list(cases[i].ring_cycles, cases[i].start, seed);
        }
    }
}

static void setup_queue(Queue *queue)
{
    queue_init(queue, 64);
}

/* Runs the next cycle to its end; " number" of each event in order. */
static char *run_cycle(Queue *queue)
{
    GString *trail = g_string_new(NULL);
    Entry entry;

    queue_begin(queue, queue_next(queue));
    while (queue_take(queue, &entry)) {
        g_string_append_printf(trail, " %u", GPOINTER_TO_UINT(entry.data));
    }
    return g_string_free(trail, FALSE);
}

static SimEvent push_number(Queue *queue, SimTime when, SimKey key, guint number)
{
    return queue_push(queue, when, key, ignore, GUINT_TO_POINTER(number));
}

static void ties_keep_their_order_from_far_to_near_to_now(void **state)
{
    Queue queue;
    Entry entry;
    g_autofree char *early = NULL;

    (void) state;
    setup_queue(&queue);
    push_number(&queue, 100, 7, 1);
    push_number(&queue, 100, 7, 2);
    push_number(&queue, 50, 0, 9);
    early = run_cycle(&queue);
    assert_string_equal(early, " 9");
    push_number(&queue, 100, 7, 3);
    push_number(&queue, 100, 6, 4);

    queue_begin(&queue, 100);

    assert_true(queue_take(&queue, &entry));
    assert_int_equal(GPOINTER_TO_UINT(entry.data), 4);
    push_number(&queue, 100, 7, 5);
    for (guint number = 1; number <= 5; number++) {
        if (number != 4) {
            assert_true(queue_take(&queue, &entry));
            assert_int_equal(GPOINTER_TO_UINT(entry.data), number);
        }
    }
    assert_false(queue_take(&queue, &entry));
    queue_clear(&queue);
}

static void skipping_takes_far_events_in_before_later_ones(void **state)
{
    Queue queue;
    g_autofree char *trail = NULL;

    (void) state;
    setup_queue(&queue);
    push_number(&queue, 200, 7, 1);
    queue_skip_to(&queue, 150);
    push_number(&queue, 200, 7, 2);

    trail = run_cycle(&queue);

    assert_string_equal(trail, " 1 2");
    queue_clear(&queue);
}

static void a_crowded_cycle_keeps_its_order(void **state)
{
    Queue queue;
    Entry entry;

    (void) state;
    setup_queue(&queue);
    for (guint i = 0; i < 5000; i++) {
        push_number(&queue, 3, 1, i);
    }

    queue_begin(&queue, 3);

    for (guint i = 0; i < 5000; i++) {
        assert_true(queue_take(&queue, &entry));
        assert_int_equal(GPOINTER_TO_UINT(entry.data), i);
    }
    assert_false(queue_take(&queue, &entry));
    queue_clear(&queue);
}

static void a_handle_is_stale_once_its_event_ran(void **state)
{
    Queue queue;
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;

    (void) state;
    setup_queue(&queue);
    SimEvent stale = push_number(&queue, 1, 0, 1);

    first = run_cycle(&queue);
    assert_string_equal(first, " 1");
    SimEvent live = push_number(&queue, 2, 0, 2);

    assert_int_not_equal(stale, live);
    assert_false(queue_cancel(&queue, stale));
    assert_false(queue_cancel(&queue, 0));
    assert_false(queue_cancel(&queue, live + 1));
    second = run_cycle(&queue);
    assert_string_equal(second, " 2");
    queue_clear(&queue);
}

static void a_cancelled_handle_does_not_cancel_its_successor(void **state)
{
    Queue queue;
    g_autofree char *trail = NULL;

    (void) state;
    setup_queue(&queue);
    SimEvent near = push_number(&queue, 1, 0, 1);
    SimEvent far = push_number(&queue, 1000, 0, 2);

    assert_true(queue_cancel(&queue, near));
    assert_true(queue_cancel(&queue, far));
    assert_int_equal(queue_next(&queue), SIM_TIME_NEVER);
    push_number(&queue, 2, 0, 3);
    push_number(&queue, 2, 0, 4);

    assert_false(queue_cancel(&queue, near));
    assert_false(queue_cancel(&queue, far));
    trail = run_cycle(&queue);
    assert_string_equal(trail, " 3 4");
    queue_clear(&queue);
}

static void cancelled_events_have_no_next_cycle(void **state)
{
    Queue queue;

    (void) state;
    setup_queue(&queue);
    SimEvent near = push_number(&queue, 10, 0, 1);
    SimEvent far = push_number(&queue, 500, 0, 2);

    push_number(&queue, 1000, 0, 3);

    assert_int_equal(queue_next(&queue), 10);
    assert_true(queue_cancel(&queue, near));
    assert_int_equal(queue_next(&queue), 500);
    assert_true(queue_cancel(&queue, far));
    assert_int_equal(queue_next(&queue), 1000);
    assert_int_equal(queue.now, 0);
    queue_clear(&queue);
}

static void cancelled_far_timers_do_not_pile_up(void **state)
{
    enum {
        LIVE = 300,
    };
    Queue queue;

    (void) state;
    setup_queue(&queue);
    for (guint i = 0; i < LIVE; i++) {
        push_number(&queue, 1000000 + i, 0, i);
    }

    for (guint i = 0; i < 50000; i++) {
        assert_true(queue_cancel(&queue, push_number(&queue, 100000 + i, 0, i)));
        assert_in_range(queue.far.count, LIVE, 2 * LIVE + 2);
    }

    assert_in_range(queue.slots.count, LIVE, 2 * LIVE + 2);
    assert_int_equal(queue_next(&queue), 1000000);
    queue_clear(&queue);
}

static void a_queue_may_be_cleared_within_a_cycle(void **state)
{
    Queue queue;
    Entry entry;

    (void) state;
    setup_queue(&queue);
    push_number(&queue, 1, 0, 1);
    push_number(&queue, 1, 0, 2);
    push_number(&queue, 1000, 0, 3);
    queue_begin(&queue, 1);
    assert_true(queue_take(&queue, &entry));
    push_number(&queue, 1, 0, 4);

    queue_clear(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_sorted_list),
        cmocka_unit_test(ties_keep_their_order_from_far_to_near_to_now),
        cmocka_unit_test(skipping_takes_far_events_in_before_later_ones),
        cmocka_unit_test(a_crowded_cycle_keeps_its_order),
        cmocka_unit_test(a_handle_is_stale_once_its_event_ran),
        cmocka_unit_test(a_cancelled_handle_does_not_cancel_its_successor),
        cmocka_unit_test(cancelled_events_have_no_next_cycle),
        cmocka_unit_test(cancelled_far_timers_do_not_pile_up),
        cmocka_unit_test(a_queue_may_be_cleared_within_a_cycle),
    };

    return cmocka_run_group_tests_name("sim.queue", tests, NULL, NULL);
}
