/* Random models give the same results for any number of threads and cut of regions. */
#include <stdbool.h>
#include <string.h>

#include "sim/probe.h"
#include "tests/sim/graph.h"
#include "tests/sim/support.h"

enum {
    GRAPHS = 40,
};

static bool is_same_array(const GArray *a, const GArray *b)
{
    return a->len == b->len &&
           memcmp(a->data, b->data,
                  (gsize) a->len * g_array_get_element_size((GArray *) a)) == 0;
}

/* Field by field: what lies between fields is anything. */
static bool is_same_record(const SimProbeRecord *a, const SimProbeRecord *b)
{
    return a->kind == b->kind && a->lane == b->lane && g_str_equal(a->name, b->name) &&
           a->now == b->now && a->begin == b->begin && a->end == b->end &&
           a->value == b->value;
}

static bool are_same_records(const GArray *a, const GArray *b)
{
    bool are_same = a->len == b->len;

    for (guint i = 0; are_same && i < a->len; i++) {
        are_same = is_same_record(&g_array_index(a, SimProbeRecord, i),
                                  &g_array_index(b, SimProbeRecord, i));
    }
    return are_same;
}

static void check_same(const Outcome *a, const Outcome *b, const Graph *graph, Cut cut)
{
    const char *what = !g_str_equal(a->error, b->error)            ? b->error
                       : a->events != b->events                    ? "events"
                       : !is_same_array(a->hashes, b->hashes)      ? "hashes"
                       : !are_same_records(a->records, b->records) ? "probe records"
                                                                   : NULL;

    if (what != NULL) {
        fail_msg("graph %u, %u regions, %u threads: different %s", (guint) graph->seed,
                 cut.region_count, cut.thread_count, what);
    }
}

static void check_threads(const Graph *graph, guint region_count)
{
    static const guint thread_counts[] = {2, 8};
    Cut alone = {.region_count = region_count, .thread_count = 1};
    g_auto(Outcome) expected = simulate(graph, alone);

    assert_true(expected.events > graph->component_count * graph->steps / 2);
    assert_true(expected.records->len > 10);
    for (gsize i = 0; i < G_N_ELEMENTS(thread_counts); i++) {
        Cut cut = {.region_count = region_count, .thread_count = thread_counts[i]};
        g_auto(Outcome) outcome = simulate(graph, cut);

        check_same(&expected, &outcome, graph, cut);
    }
}

/* Every other graph has keys that many events share. */
static void results_do_not_depend_on_the_number_of_threads(void **state)
{
    (void) state;

    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        Graph graph = graph_of(seed);

        graph.has_ties = seed % 2 == 0;
        check_threads(&graph, 1 + (guint) (seed / 2) % 8);
    }
}

static void check_cuts(const Graph *graph, bool is_whole)
{
    static const Cut cuts[] = {
        {4, 2, false}, {4, 1, true}, {3, 1, true}, {8, 1, false}};
    g_auto(Outcome) expected = simulate(graph, (Cut){1, 1, false});

    for (gsize i = 0; i < G_N_ELEMENTS(cuts); i++) {
        g_auto(Outcome) outcome = simulate(graph, cuts[i]);

        if (is_whole) {
            check_same(&expected, &outcome, graph, cuts[i]);
        }
        assert_string_equal(outcome.error, expected.error);
    }
}

static void results_do_not_depend_on_the_cut_of_regions(void **state)
{
    (void) state;

    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        Graph graph = graph_of(seed);

        check_cuts(&graph, true);
    }
}

static void a_failure_is_the_same_for_any_number_of_threads(void **state)
{
    (void) state;

    for (uint64_t seed = 1; seed <= 12; seed++) {
        Graph graph = graph_of(seed);

        graph.is_failing = true;
        check_threads(&graph, 1 + (guint) seed % 8);
        check_cuts(&graph, false);
    }
}

static void a_deadlock_is_the_same_for_any_number_of_threads(void **state)
{
    (void) state;

    for (uint64_t seed = 1; seed <= 12; seed++) {
        Graph graph = graph_of(seed);

        graph.is_starving = true;
        graph.channel_count = MAX(graph.channel_count, 2);
        check_threads(&graph, 1 + (guint) seed % 8);
        check_cuts(&graph, true);
    }
}

static gpointer be_busy(gpointer data)
{
    const gint *is_over = data;

    while (!g_atomic_int_get(is_over)) {
    }
    return NULL;
}

/* Threads are stopped anywhere where more run than there are processors. */
static void results_do_not_depend_on_what_else_runs(void **state)
{
    enum {
        BUSY = 3,
    };
    GThread *threads[BUSY];
    gint is_over = 0;

    (void) state;
    for (guint i = 0; i < BUSY; i++) {
        threads[i] = g_thread_new("busy", be_busy, &is_over);
    }
    for (uint64_t seed = 1; seed <= 4; seed++) {
        Graph graph = graph_of(seed);

        check_threads(&graph, 4);
    }
    g_atomic_int_set(&is_over, 1);
    for (guint i = 0; i < BUSY; i++) {
        (void) g_thread_join(threads[i]);
    }
}

static void different_graphs_differ(void **state)
{
    Graph graph = graph_of(1);
    Graph other = graph_of(1);

    (void) state;
    other.seed = 2;
    g_auto(Outcome) first = simulate(&graph, (Cut){2, 1, false});
    g_auto(Outcome) second = simulate(&other, (Cut){2, 1, false});

    assert_false(is_same_array(first.hashes, second.hashes));
    assert_false(is_same_array(first.records, second.records));
    assert_string_equal(first.error, "none");
    other.is_failing = true;
    other.is_starving = true;
    g_auto(Outcome) third = simulate(&other, (Cut){2, 1, false});

    assert_non_null(strstr(third.error, "failed at"));
    other.is_failing = false;
    other.channel_count = 1;
    g_auto(Outcome) fourth = simulate(&other, (Cut){2, 1, false});

    assert_non_null(strstr(fourth.error, "end[0,2] waits for an item from channel[0]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(results_do_not_depend_on_the_cut_of_regions),
        cmocka_unit_test(a_failure_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(a_deadlock_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(results_do_not_depend_on_what_else_runs),
        cmocka_unit_test(different_graphs_differ),
    };

    return cmocka_run_group_tests_name("sim.parallel", tests, NULL, NULL);
}
