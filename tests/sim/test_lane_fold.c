/* Places that stand for others count for them. */
#include <stdbool.h>
#include <string.h>

#include "sim/probe.h"
#include "tests/sim/support.h"

enum {
    COLUMNS = 60,
    ROWS = 24,
    UNITS = 3,
    FIRST = 2, /* other lanes before those of the grid */
    USES = 4000,
    LAST = 20000, /* cycle */
};

static void see(gpointer data, const SimProbeRecord *record)
{
    g_string_append_printf(
        data, " %s:%u:%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT "=%" G_GINT64_FORMAT,
        record->name, record->lane, record->begin, record->end, record->value);
}

static SimLaneLevel choose_blocks(gpointer data, const SimLanePlace *place)
{
    (void) data;
    (void) place;
    return SIM_LANE_BLOCKS;
}

static SimLaneLevel choose_full(gpointer data, const SimLanePlace *place)
{
    (void) data;
    return place->unit != NULL && g_str_equal(place->unit, "c") ? SIM_LANE_FULL
                                                                : SIM_LANE_BLOCKS;
}

static SimLaneLevel choose_most(gpointer data, const SimLanePlace *place)
{
    (void) data;
    return place->x == COLUMNS - 1 && place->y == ROWS - 1 ? SIM_LANE_OFF
                                                           : SIM_LANE_BLOCKS;
}

static SimEngine *engine_watched(SimChoiceFunc choose, GString *trail)
{
    static const char *const units[UNITS] = {"a", "b", "c"};
    SimEngine *engine = engine_of(1, 1);

    (void) sim_engine_lane(engine, "one");
    (void) sim_engine_lane(engine, "two");
    assert_int_equal(sim_engine_lanes(engine, &(SimLaneGrid){.kind = "pe",
                                                             .columns = COLUMNS,
                                                             .rows = ROWS,
                                                             .units = units,
                                                             .unit_count = UNITS}),
                     FIRST);
    sim_engine_watch(engine, &(SimWatch){.func = see,
                                         .data = trail,
                                         .to = SIM_TIME_NEVER,
                                         .choose = choose,
                                         .block_limit = 30});
    return engine;
}

/* A line of an axis with this fold, and how many others do the same. */
typedef struct {
    SimLaneFold fold;
    guint lines;
} Axis;

static guint draw_line(const Axis *axis, uint64_t *random, guint *repeats)
{
    const SimLaneFold *fold = &axis->fold;
    const guint left_out = fold->first + fold->period;
    const guint count = fold->period * fold->repeats;
    const guint line = random_below(random, axis->lines - count);

    *repeats = line - fold->first < fold->period ? fold->repeats : 0;
    return line < left_out ? line : line + count;
}

static const Axis columns = {{.first = 5, .period = 3, .repeats = 11}, COLUMNS};
static const Axis rows = {{.first = 7, .period = 1, .repeats = 9}, ROWS};

/* Uses of lanes at random; what is folded is seen once, or each by itself. */
static void use_lanes(SimRegion *region, gpointer data)
{
    const bool *is_folded = data;
    uint64_t random = 1;

    for (guint i = 0; i < USES; i++) {
        guint across = 0;
        guint down = 0;
        const guint x = draw_line(&columns, &random, &across);
        const guint y = draw_line(&rows, &random, &down);
        const guint unit = random_below(&random, UNITS);
        const SimTime begin = random_below(&random, LAST);
        const SimTime end = begin + random_below(&random, 500);

        for (guint k = 0; k < (*is_folded ? 1 : (across + 1) * (down + 1)); k++) {
            const guint at_x = x + k % (across + 1) * columns.fold.period;
            const guint at_y = y + k / (across + 1) * rows.fold.period;
            const SimLane lane = FIRST + (at_x + at_y * COLUMNS) * UNITS + unit;

            if (i % 3 == 0) {
                sim_region_stall(region, lane, "stall", begin, end, NULL);
            } else {
                sim_region_slice(region, lane, "slice", begin, end, NULL);
            }
        }
    }
}

static void places_count_for_those_they_stand_for(void **state)
{
    static const bool is_folded[] = {false, true};
    char *seen[G_N_ELEMENTS(is_folded)];

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(is_folded); i++) {
        GString *trail = g_string_new(NULL);
        g_autoptr(SimEngine) engine = engine_watched(choose_blocks, trail);
        bool is_one = is_folded[i];

        assert_true(sim_engine_can_fold(engine, FIRST));
        if (is_one) {
            sim_engine_fold_lanes(engine, FIRST, (SimLaneFolds){&columns.fold, 1},
                                  (SimLaneFolds){&rows.fold, 1});
        }
        sim_region_at(sim_engine_region(engine, 0), 1, 0, use_lanes, &is_one);
        run_to_end(engine);
        sim_engine_finish_watch(engine);
        seen[i] = g_string_free(trail, FALSE);
    }
    assert_true(strlen(seen[0]) > USES);
    assert_true(g_str_equal(seen[0], seen[1]));
    g_free(seen[0]);
    g_free(seen[1]);
}

static void lanes_in_full_or_unlike_others_are_not_folded(void **state)
{
    g_autoptr(SimEngine) full = engine_watched(choose_full, NULL);
    g_autoptr(SimEngine) most = engine_watched(choose_most, NULL);

    (void) state;
    assert_false(sim_engine_can_fold(full, FIRST));
    assert_false(sim_engine_can_fold(most, FIRST));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_count_for_those_they_stand_for),
        cmocka_unit_test(lanes_in_full_or_unlike_others_are_not_folded),
    };

    return cmocka_run_group_tests_name("sim.lane_fold", tests, NULL, NULL);
}
