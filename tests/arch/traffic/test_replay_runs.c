/* Recorded traces: agents, packets, tiles that are refused, errors of several runs. */
#include <math.h>

#include "arch/error.h"
#include "arch/traffic/link_use.h"
#include "arch/traffic/replay_runs.h"
#include "tests/arch/noc/chip.h"

typedef struct {
    ArchParams *params;
    ArchTiles *tiles;
    ArchReplayTrace trace;
} Fixture;

static void fixture_open(Fixture *self)
{
    self->params = load_params();
    self->tiles = arch_tiles_new(self->params, NULL);
    assert_non_null(self->tiles);
    arch_replay_trace_init(&self->trace, self->params, self->tiles);
}

static void fixture_close(Fixture *self)
{
    arch_replay_trace_clear(&self->trace);
    arch_tiles_free(self->tiles);
    arch_params_free(self->params);
}

static ArchReplayEvent event_of(ArchReplayKind kind, uint64_t bytes, SimTime time)
{
    return (ArchReplayEvent){.kind = kind,
                             .waits = ARCH_REPLAY_READS,
                             .from = {1, 1},
                             .to = {2, 2},
                             .corner = {2, 2},
                             .bytes = bytes,
                             .time = time};
}

static const ArchReplayEvent *at(const Fixture *self, guint index)
{
    return &g_array_index(self->trace.events, ArchReplayEvent, index);
}

static void long_commands_become_packets_of_their_agent(void **state G_GNUC_UNUSED)
{
    Fixture self;
    ArchReplayTrace *trace = &self.trace;

    fixture_open(&self);
    assert_true(
        arch_replay_trace_add(trace, event_of(ARCH_REPLAY_READ, 8193, 5), 0, NULL));
    assert_true(
        arch_replay_trace_add(trace, event_of(ARCH_REPLAY_INLINE, 0, 6), 1, NULL));
    assert_true(
        arch_replay_trace_add(trace, event_of(ARCH_REPLAY_BARRIER, 7, 7), 0, NULL));
    arch_replay_trace_end(trace, 100);

    assert_int_equal(trace->events->len, 5);
    assert_int_equal(at(&self, 0)->bytes, 8192);
    assert_int_equal(at(&self, 1)->bytes, 1);
    assert_int_equal(at(&self, 2)->bytes, 4);
    assert_int_equal(at(&self, 2)->agent, 1);
    assert_int_equal(at(&self, 3)->agent, 0);
    assert_int_equal(at(&self, 3)->bytes, 0);
    assert_int_equal(at(&self, 3)->to.x, 1);
    /* Nothing that is known happens at the end. */
    assert_int_equal(at(&self, 4)->time, 100);
    assert_int_equal(trace->agent_count, 3);
    assert_int_equal(arch_replay_trace_bytes(trace), 8197);
    fixture_close(&self);
}

static void tiles_off_the_grid_are_refused(void **state G_GNUC_UNUSED)
{
    ArchReplayEvent far = event_of(ARCH_REPLAY_READ, 32, 0);
    ArchReplayEvent router = far;
    g_autoptr(GError) error = NULL;
    Fixture self;

    fixture_open(&self);
    far.to = (ArchTile){10, 0};
    router.to = (ArchTile){0, 2};

    assert_false(arch_replay_trace_add(&self.trace, far, 0, &error));
    assert_string_equal(error->message, "tile 10,0, wormhole_n300 has 0..9,0..11");
    assert_int_equal(error->code, ARCH_ERROR_INVALID);
    assert_false(arch_replay_trace_add(&self.trace, router, 0, NULL));
    assert_int_equal(self.trace.events->len, 0);
    fixture_close(&self);
}

static void count_run(gpointer data, SimTime cycles, uint64_t events)
{
    assert_true(cycles > 0 && events > 0);
    (*(guint *) data)++;
}

static void runs_are_compared_with_the_record(void **state G_GNUC_UNUSED)
{
    guint count = 0;
    const ArchReplayWatch watch = {.ended = count_run, .data = &count};
    g_auto(ArchReplayRuns) runs = {0};
    g_auto(ArchLinkUse) use = {0};
    Fixture self;

    fixture_open(&self);
    assert_true(arch_replay_trace_add(&self.trace, event_of(ARCH_REPLAY_READ, 1024, 0),
                                      0, NULL));
    assert_true(arch_replay_trace_add(
        &self.trace, event_of(ARCH_REPLAY_BARRIER_START, 0, 30), 0, NULL));
    assert_true(arch_replay_trace_add(
        &self.trace, event_of(ARCH_REPLAY_BARRIER_END, 0, 400), 0, NULL));
    arch_replay_trace_end(&self.trace, 400);

    assert_true(arch_replay_runs_do(&runs, &self.trace, true, &watch, NULL));
    assert_int_equal(count, 4);
    assert_true(runs.error ==
                (double) runs.predicted_cycles / (double) self.trace.recorded_cycles -
                    1);
    /* One command alone is not in its own way. */
    assert_true(runs.congestion == 0);
    assert_true(runs.barrier_error == runs.outcome.barrier_error_mean);

    arch_link_use_of_chip(&use, self.tiles, runs.outcome.links, &runs.outcome.windows);
    assert_true(arch_link_use_has_pair(&use));
    assert_true(arch_link_use_flits(&use) > 0);
    g_autoptr(GPtrArray) busiest = arch_link_use_busiest(&use, 3);
    const ArchUsedLink *first = g_ptr_array_index(busiest, 0);

    assert_int_equal(busiest->len, 3);
    assert_true(first->utilisation == (double) first->flits / (double) use.end);
    fixture_close(&self);
}

static void flits_of_every_link_count(void **state G_GNUC_UNUSED)
{
    const ArchUsedLink used[] = {{.flits = 3}, {.flits = 4, .noc = 1}};
    g_auto(ArchLinkUse) use = {.links = g_array_new(FALSE, FALSE, sizeof used[0])};

    g_array_append_vals(use.links, used, G_N_ELEMENTS(used));
    assert_int_equal(arch_link_use_flits(&use), 7);
}

static void means_leave_out_what_has_no_error(void **state G_GNUC_UNUSED)
{
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, 1);
    g_autoptr(GArray) two = g_array_new(FALSE, FALSE, 1);
    const ArchReplayRuns low = {.error = -0.5,
                                .closed_loop_error = 0.25,
                                .barrier_error = 0.125,
                                .outcome.barriers = two};
    const ArchReplayRuns high = {
        .error = 0.25, .closed_loop_error = -0.25, .outcome.barriers = none};
    const ArchReplayRuns unknown = {.error = NAN, .outcome.barriers = none};
    const ArchReplayRuns *const runs[] = {&low, &high, &unknown};

    g_array_set_size(two, 2);
    const ArchReplayMeans means = arch_replay_means(runs, G_N_ELEMENTS(runs));

    assert_true(means.mean_abs_error == 0.375);
    assert_true(means.bias == -0.125);
    assert_true(means.worst_error == -0.5);
    assert_true(means.closed_loop_mean_abs_error == 0.25);
    assert_true(means.barrier_error_mean == 0.125);
    assert_true(isnan(arch_replay_means(runs, 0).worst_error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_commands_become_packets_of_their_agent),
        cmocka_unit_test(tiles_off_the_grid_are_refused),
        cmocka_unit_test(runs_are_compared_with_the_record),
        cmocka_unit_test(flits_of_every_link_count),
        cmocka_unit_test(means_leave_out_what_has_no_error),
    };

    return cmocka_run_group_tests_name("arch.traffic_replay_runs", tests, NULL, NULL);
}
