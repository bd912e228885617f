/* Circular buffers: what each side sees of the other's counter, and when. */
#include "arch/tensix/circular_buffer.h"
#include "tests/sim/support.h"

enum {
    WINDOW = 6,
    PAGES = 3,
};

typedef struct {
    SimEngine *engine;
    CircularBuffer buffer;
    guint changes[TENSIX_CB_DOMAINS];
    uint32_t moved[TENSIX_CB_DOMAINS];
} Bench;

static Bench bench;

static void count_movers(gpointer data, guint index)
{
    assert_int_equal(index, 5);
    ((Bench *) data)->changes[TENSIX_CB_MOVERS]++;
}

static void count_compute(gpointer data, guint index)
{
    assert_int_equal(index, 5);
    ((Bench *) data)->changes[TENSIX_CB_COMPUTE]++;
}

static int open_bench(void **state G_GNUC_UNUSED)
{
    const ArchCircularBufferConfig config = {
        .index = 5, .page_count = PAGES, .page_bytes = 64, .address = 0x8000};

    bench = (Bench){.engine = engine_of(2, WINDOW)};
    for (guint domain = 0; domain < TENSIX_CB_DOMAINS; domain++) {
        bench.buffer.regions[domain] = sim_engine_region(bench.engine, domain);
        bench.buffer.keys[domain] = sim_key(1, 5);
        bench.buffer.moved[domain] = &bench.moved[domain];
    }
    bench.buffer.window = WINDOW;
    bench.buffer.changed[TENSIX_CB_MOVERS] = count_movers;
    bench.buffer.changed[TENSIX_CB_COMPUTE] = count_compute;
    bench.buffer.data = &bench;
    tensix_cb_configure(&bench.buffer, &config);
    return 0;
}

static int close_bench(void **state G_GNUC_UNUSED)
{
    tensix_cb_clear(&bench.buffer);
    sim_engine_free(bench.engine);
    return 0;
}

/* Both sides are the movers': no event is needed. */
static void one_domain_sees_its_own_moves_at_once(void **state G_GNUC_UNUSED)
{
    CircularBuffer *self = &bench.buffer;

    assert_true(tensix_cb_when_filled(self, TENSIX_CB_MOVERS, 1) == SIM_TIME_NEVER);
    tensix_cb_push(self, TENSIX_CB_MOVERS, 1, 100);
    tensix_cb_push(self, TENSIX_CB_MOVERS, 2, 150);
    assert_int_equal(tensix_cb_when_filled(self, TENSIX_CB_MOVERS, 1), 100);
    assert_int_equal(tensix_cb_when_filled(self, TENSIX_CB_MOVERS, 2), 150);
    assert_int_equal(tensix_cb_when_filled(self, TENSIX_CB_MOVERS, 3), 150);
    assert_int_equal(bench.changes[TENSIX_CB_MOVERS], 2);
}

static void space_comes_with_pops(void **state G_GNUC_UNUSED)
{
    CircularBuffer *self = &bench.buffer;

    assert_int_equal(tensix_cb_when_free(self, TENSIX_CB_MOVERS, PAGES), 0);
    tensix_cb_push(self, TENSIX_CB_MOVERS, PAGES, 10);
    assert_true(tensix_cb_when_free(self, TENSIX_CB_MOVERS, 1) == SIM_TIME_NEVER);
    tensix_cb_pop(self, TENSIX_CB_MOVERS, 1, 70);
    tensix_cb_pop(self, TENSIX_CB_MOVERS, 1, 80);
    assert_int_equal(tensix_cb_when_free(self, TENSIX_CB_MOVERS, 1), 70);
    assert_int_equal(tensix_cb_when_free(self, TENSIX_CB_MOVERS, 2), 80);
    assert_true(tensix_cb_when_free(self, TENSIX_CB_MOVERS, 3) == SIM_TIME_NEVER);
}

static void addresses_go_round(void **state G_GNUC_UNUSED)
{
    CircularBuffer *self = &bench.buffer;

    tensix_cb_push(self, TENSIX_CB_MOVERS, 2, 10);
    tensix_cb_pop(self, TENSIX_CB_MOVERS, 1, 20);
    assert_int_equal(tensix_cb_write_address(self, 0), 0x8000 + 128);
    assert_int_equal(tensix_cb_write_address(self, 1), 0x8000);
    assert_int_equal(tensix_cb_read_address(self, 0), 0x8000 + 64);
    assert_int_equal(tensix_cb_read_address(self, 2), 0x8000);
}

static void
fills_are_what_was_seen_even_where_it_was_not_enough(void **state G_GNUC_UNUSED)
{
    CircularBuffer *self = &bench.buffer;

    assert_int_equal(tensix_cb_fill(self, TENSIX_CB_MOVERS), 0);
    tensix_cb_push(self, TENSIX_CB_MOVERS, 2, 10);
    assert_true(tensix_cb_when_filled(self, TENSIX_CB_MOVERS, 3) == SIM_TIME_NEVER);
    assert_int_equal(tensix_cb_fill(self, TENSIX_CB_MOVERS), 2);
    assert_int_equal(tensix_cb_fill(self, TENSIX_CB_COMPUTE), 0);
    tensix_cb_pop(self, TENSIX_CB_MOVERS, 1, 20);
    assert_int_equal(tensix_cb_fill(self, TENSIX_CB_MOVERS), 1);
    assert_int_equal(self->waited, 3);
}

/* What the compute side sees, asked at one cycle. */
typedef struct {
    SimTime seen;
    guint pages;
} Look;

static void look(SimRegion *region, gpointer data)
{
    Look *self = data;

    (void) region;
    self->seen = tensix_cb_when_filled(&bench.buffer, TENSIX_CB_COMPUTE, self->pages);
}

static void push_one(SimRegion *region, gpointer data)
{
    const SimTime *when = data;

    (void) region;
    tensix_cb_push(&bench.buffer, TENSIX_CB_MOVERS, 1, *when);
    tensix_cb_send(&bench.buffer, TENSIX_CB_MOVERS);
}

static void the_other_domain_hears_of_it_in_time(void **state G_GNUC_UNUSED)
{
    /* Pushed at cycle 50 by a mover whose own time is 80: seen at 86. */
    const SimTime when = 86;
    Look before = {.pages = 1};
    Look after = {.pages = 1};
    sim_region_at(bench.buffer.regions[TENSIX_CB_MOVERS], 50, 1, push_one,
                  (gpointer) &when);
    sim_region_at(bench.buffer.regions[TENSIX_CB_COMPUTE], 85, UINT64_MAX, look,
                  &before);
    sim_region_at(bench.buffer.regions[TENSIX_CB_COMPUTE], 86, UINT64_MAX, look,
                  &after);

    run_to_end(bench.engine);

    assert_true(before.seen == SIM_TIME_NEVER);
    assert_int_equal(after.seen, 86);
    assert_int_equal(bench.changes[TENSIX_CB_COMPUTE], 1);
}

static void push_two(SimRegion *region, gpointer data)
{
    const SimTime *when = data;

    (void) region;
    tensix_cb_push(&bench.buffer, TENSIX_CB_MOVERS, 1, *when);
    tensix_cb_push(&bench.buffer, TENSIX_CB_MOVERS, 1, *when + 40);
    tensix_cb_send(&bench.buffer, TENSIX_CB_MOVERS);
}

/* One letter for both; the second is known before its time, and with it. */
static void moves_of_one_event_travel_together(void **state G_GNUC_UNUSED)
{
    const SimTime when = 86;
    Look before = {.pages = 1};
    Look first = {.pages = 1};
    Look second = {.pages = 2};
    sim_region_at(bench.buffer.regions[TENSIX_CB_MOVERS], 50, 1, push_two,
                  (gpointer) &when);
    sim_region_at(bench.buffer.regions[TENSIX_CB_COMPUTE], 85, UINT64_MAX, look,
                  &before);
    sim_region_at(bench.buffer.regions[TENSIX_CB_COMPUTE], 86, UINT64_MAX, look,
                  &first);
    sim_region_at(bench.buffer.regions[TENSIX_CB_COMPUTE], 87, UINT64_MAX, look,
                  &second);

    run_to_end(bench.engine);

    assert_true(before.seen == SIM_TIME_NEVER);
    assert_int_equal(first.seen, 86);
    assert_int_equal(second.seen, 126);
    assert_int_equal(sim_engine_events(bench.engine), 5);
}

static void news_never_outrun_the_window(void **state G_GNUC_UNUSED)
{
    const SimTime when = 50; /* at once, which the other region cannot know */
    Look before = {.pages = 1};
    Look after = {.pages = 1};
    sim_region_at(bench.buffer.regions[TENSIX_CB_MOVERS], 50, 1, push_one,
                  (gpointer) &when);
    sim_region_at(bench.buffer.regions[TENSIX_CB_COMPUTE], 55, UINT64_MAX, look,
                  &before);
    sim_region_at(bench.buffer.regions[TENSIX_CB_COMPUTE], 56, UINT64_MAX, look,
                  &after);

    run_to_end(bench.engine);

    assert_true(before.seen == SIM_TIME_NEVER);
    assert_int_equal(after.seen, 50);
}

/* A producer and a consumer in two domains that go on as soon as they may. */
typedef struct {
    TensixCbDomain domain;
    bool is_producer;
    guint left;
    SimTime now;
    SimTime step; /* cycles a page */
    GString *trail;
} Side;

static Side sides[2];

static void go_on(Side *self)
{
    while (self->left > 0) {
        const SimTime when =
            self->is_producer ? tensix_cb_when_free(&bench.buffer, self->domain, 1)
                              : tensix_cb_when_filled(&bench.buffer, self->domain, 1);

        if (when == SIM_TIME_NEVER) {
            return;
        }
        self->now = MAX(self->now, when) + self->step;
        self->left--;
        leave_step(self->trail, self->is_producer ? "push" : "pop", self->now);
        if (self->is_producer) {
            tensix_cb_push(&bench.buffer, self->domain, 1, self->now + WINDOW);
        } else {
            tensix_cb_pop(&bench.buffer, self->domain, 1, self->now + WINDOW);
        }
    }
}

static void advance(Side *self)
{
    go_on(self);
    tensix_cb_send(&bench.buffer, self->domain);
}

static void advance_movers(gpointer data G_GNUC_UNUSED, guint index G_GNUC_UNUSED)
{
    advance(&sides[TENSIX_CB_MOVERS]);
}

static void advance_compute(gpointer data G_GNUC_UNUSED, guint index G_GNUC_UNUSED)
{
    advance(&sides[TENSIX_CB_COMPUTE]);
}

static void begin(SimRegion *region G_GNUC_UNUSED, gpointer data)
{
    advance(data);
}

static void run_sides(TensixCbDomain producer, SimTime push_cycles, SimTime pop_cycles)
{
    for (guint domain = 0; domain < TENSIX_CB_DOMAINS; domain++) {
        const bool is_producer = domain == producer;

        sides[domain] = (Side){.domain = (TensixCbDomain) domain,
                               .is_producer = is_producer,
                               .left = 7,
                               .step = is_producer ? push_cycles : pop_cycles,
                               .trail = g_string_new(NULL)};
        sim_region_at(bench.buffer.regions[domain], 0, 1, begin, &sides[domain]);
    }
    bench.buffer.changed[TENSIX_CB_MOVERS] = advance_movers;
    bench.buffer.changed[TENSIX_CB_COMPUTE] = advance_compute;
    run_to_end(bench.engine);
    assert_int_equal(sides[0].left + sides[1].left, 0);
}

static void free_trails(void)
{
    g_string_free(sides[0].trail, TRUE);
    g_string_free(sides[1].trail, TRUE);
}

static void a_slow_consumer_holds_up_the_producer(void **state G_GNUC_UNUSED)
{
    run_sides(TENSIX_CB_MOVERS, 1, 100);

    /* Pages 1 to 3 at once; each further one 6 cycles after a pop, and 1 to make. */
    assert_string_equal(sides[TENSIX_CB_MOVERS].trail->str,
                        " push@1 push@2 push@3 push@114 push@214 push@314 push@414");
    assert_string_equal(sides[TENSIX_CB_COMPUTE].trail->str,
                        " pop@107 pop@207 pop@307 pop@407 pop@507 pop@607 pop@707");
    free_trails();
}

static void a_slow_producer_starves_the_consumer(void **state G_GNUC_UNUSED)
{
    run_sides(TENSIX_CB_COMPUTE, 50, 3);

    assert_string_equal(sides[TENSIX_CB_COMPUTE].trail->str,
                        " push@50 push@100 push@150 push@200 push@250 push@300 "
                        "push@350");
    assert_string_equal(sides[TENSIX_CB_MOVERS].trail->str,
                        " pop@59 pop@109 pop@159 pop@209 pop@259 pop@309 pop@359");
    free_trails();
}

static void a_buffer_can_be_configured_again(void **state G_GNUC_UNUSED)
{
    const ArchCircularBufferConfig config = {
        .index = 5, .page_count = 1, .page_bytes = 32, .address = 0x9000};
    tensix_cb_push(&bench.buffer, TENSIX_CB_MOVERS, 3, 10);
    (void) tensix_cb_when_filled(&bench.buffer, TENSIX_CB_MOVERS, 3);
    run_to_end(bench.engine);
    tensix_cb_clear(&bench.buffer);

    tensix_cb_configure(&bench.buffer, &config);

    assert_int_equal(tensix_cb_fill(&bench.buffer, TENSIX_CB_MOVERS), 0);
    assert_int_equal(bench.buffer.waited, 0);
    assert_int_equal(tensix_cb_when_free(&bench.buffer, TENSIX_CB_MOVERS, 1), 0);
    assert_int_equal(tensix_cb_write_address(&bench.buffer, 0), 0x9000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define BENCH_TEST(f) cmocka_unit_test_setup_teardown(f, open_bench, close_bench)
        BENCH_TEST(one_domain_sees_its_own_moves_at_once),
        BENCH_TEST(space_comes_with_pops),
        BENCH_TEST(addresses_go_round),
        BENCH_TEST(fills_are_what_was_seen_even_where_it_was_not_enough),
        BENCH_TEST(the_other_domain_hears_of_it_in_time),
        BENCH_TEST(moves_of_one_event_travel_together),
        BENCH_TEST(news_never_outrun_the_window),
        BENCH_TEST(a_slow_consumer_holds_up_the_producer),
        BENCH_TEST(a_slow_producer_starves_the_consumer),
        BENCH_TEST(a_buffer_can_be_configured_again),
    };

    return cmocka_run_group_tests_name("arch.tensix_circular_buffer", tests, NULL,
                                       NULL);
}
