/* Folded wafers: PEs that do the same are simulated once, and nobody can tell. */
#include <string.h>

#include "arch/error.h"
#include "arch/wse/rank/fit.h"
#include "arch/wse/region.h"
#include "tests/arch/wse/run.h"
#include "tests/arch/wse/state_hash.h"

enum {
    COLUMNS = 90,
    ROWS = 70,
#ifdef GRIDLOOM_SANITIZE
    SEEDS = 2,
#else
    SEEDS = 6,
#endif
    ALONG = 2,  /* color within rows, */
    DOWN = 7,   /* and within columns */
    LINK = 3,   /* PEs from a sender to its receiver, and one that does neither */
    BUSY = 300, /* additions that take longer than a chain takes to get there */
    STEPS = 4,
};

/* What a wafer runs. */
typedef struct {
    guint32 seed;
    bool has_chains;  /* through whole rows: what one PE does reaches all after it */
    bool has_columns; /* chains of their own, while PEs are busy with something else */
    bool has_late;    /* one PE in the middle begins later */
    bool is_short;    /* one PE waits for more than there is */
} Pattern;

typedef struct {
    uint64_t hash;
    ArchWseProfile profile;
    guint kept; /* PEs that had a state at the end */
} Outcome;

/* The same number for the same class of PEs. */
static guint draw(const Pattern *pattern, guint x, guint y, guint what, guint limit)
{
    const guint key[] = {pattern->seed, x % (LINK + 1), y % LINK, what};
    uint64_t mixed = 0;

    for (guint i = 0; i < G_N_ELEMENTS(key); i++) {
        mixed = (mixed + key[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);
        mixed ^= mixed >> 31;
    }
    return (guint) (mixed % limit);
}

/* Every fourth PE of a row sends to the second after it; every third of a column to the
 * next. */
static guint make_steps(const WseRun *run,
                        const Pattern *pattern,
                        guint x,
                        guint y,
                        WseRunStep steps[STEPS])
{
    const guint across = x % (LINK + 1);
    const guint from = x - across;
    const bool is_late = pattern->has_late && x == COLUMNS / 2 && y == ROWS / 2;
    guint count = 0;

    if (from + 2 < COLUMNS && across <= 2) {
        const guint wavelets = 4 + draw(pattern, from, y, 1, 40);

        wse_rig_set_route(run->layout, wse_rig_one(x, y), ALONG, across == 0 ? R : W,
                          across == 2 ? R : E);
        if (across != 1) {
            steps[count] = (WseRunStep){
                across == 0 ? WSE_RUN_SEND : WSE_RUN_RECEIVE,
                ALONG,
                .queue = across == 0 ? 0 : 4,
                .count = wavelets,
                .delay = draw(pattern, x, y, 2, 30) + (is_late ? 300 : 0),
            };
            count++;
        }
    }
    if (y - y % LINK + 1 < ROWS && y % LINK <= 1) {
        const bool is_first = y % LINK == 0;

        wse_rig_set_route(run->layout, wse_rig_one(x, y), DOWN, is_first ? R : N,
                          is_first ? S : R);
        steps[count] = (WseRunStep){
            is_first ? WSE_RUN_SEND : WSE_RUN_RECEIVE,
            DOWN,
            .queue = is_first ? 1 : 5,
            .count = 4 + draw(pattern, x, 0, 3, 40) +
                     (pattern->is_short && x == 50 && y == 34 ? 1 : 0),
            .delay = draw(pattern, x, y, 4, 30),
            .is_marked = true,
        };
        count++;
    }
    steps[count] =
        (WseRunStep){WSE_RUN_COMPUTE, .count = 1 + draw(pattern, x, y, 5, 50),
                     .delay = is_late ? 300 : 0};
    return count + 1;
}

/* Colors 0 and 1 in turn along a row, 2 and 3 along a column. */
static WseRunStep make_chain(const WseRun *run, guint x, guint y, bool is_column)
{
    const guint at = is_column ? y : x;
    const bool is_last = at + 1 == (is_column ? ROWS : COLUMNS);
    const guint color = is_column ? 2 : 0;
    const guint from = color + (at + 1) % 2;
    const guint onward = color + at % 2;

    if (at > 0) {
        wse_rig_set_route(run->layout, wse_rig_one(x, y), from, is_column ? N : W, R);
    }
    if (!is_last) {
        wse_rig_set_route(run->layout, wse_rig_one(x, y), onward, R, is_column ? S : E);
    }
    return (WseRunStep){
        at == 0 ? WSE_RUN_SEND : (is_last ? WSE_RUN_RECEIVE : WSE_RUN_RELAY),
        at == 0 ? color : from,
        .queue = at == 0 ? color : 4 + from,
        .count = 20,
        .onward = onward,
    };
}

/* Programs of the same steps are one. */
static void
place(const WseRun *run, GHashTable *programs, const Pattern *pattern, guint i)
{
    const guint x = i % COLUMNS;
    const guint y = i / COLUMNS;
    WseRunStep steps[STEPS];
    guint count = 0;

    memset(steps, 0, sizeof steps);
    if (pattern->has_chains) {
        steps[count++] = make_chain(run, x, y, false);
        if (pattern->has_columns) {
            steps[count++] = make_chain(run, x, y, true);
            for (guint turn = 0; turn < 2; turn++) {
                steps[count].kind = WSE_RUN_COMPUTE;
                steps[count].count = BUSY;
                count++;
            }
        }
    } else {
        count = make_steps(run, pattern, x, y, steps);
    }
    GBytes *key = g_bytes_new(steps, sizeof steps);
    Parts *parts = g_hash_table_lookup(programs, key);

    if (parts == NULL) {
        parts = g_new(Parts, 1);
        *parts = wse_run_program(run, "any", steps, count);
        g_hash_table_insert(programs, g_bytes_ref(key), parts);
    }
    wse_run_place(run, wse_rig_one(x, y), parts);
    g_bytes_unref(key);
}

static void open_run(WseRun *run, const Pattern *pattern, guint bands, guint threads)
{
    g_autoptr(GHashTable) programs = g_hash_table_new_full(
        g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, g_free);

    wse_run_open(run, COLUMNS, ROWS, NULL);
    for (guint i = 0; i < COLUMNS * ROWS; i++) {
        place(run, programs, pattern, i);
    }
    run->thread_count = threads;
    run->options = (ArchWseOptions){
        .band_count = bands,
        .ranks = threads == 1 ? WSE_FIT_WHEREVER_IT_CAN : WSE_FIT_WHERE_IT_PAYS,
    };
}

static Outcome outcome_of(const Pattern *pattern, guint bands, guint threads)
{
    WseRun run;
    Outcome outcome;

    memset(&outcome, 0, sizeof outcome);
    open_run(&run, pattern, bands, threads);
    wse_run(&run);
    outcome.hash = state_hash(run.wse);
    outcome.profile = arch_wse_profile(run.wse);
    outcome.kept = wse_fabric_of(run.wse)->pe_count;

    g_autoptr(GArray) ends = arch_wse_iterations(run.wse);
    g_auto(ArchWseWork) work = arch_wse_work(run.wse, NULL);

    for (guint i = 0; i < ends->len; i++) {
        const ArchWseIteration *end = &g_array_index(ends, ArchWseIteration, i);

        outcome.hash = outcome.hash * 31 + end->first;
        outcome.hash = outcome.hash * 31 + end->last;
        outcome.hash = outcome.hash * 31 + (uint64_t) (end->mean * 1e6);
        outcome.hash = outcome.hash * 31 + end->pe_count;
    }
    outcome.hash = outcome.hash * 31 + work.busy;
    outcome.hash = outcome.hash * 31 + work.memory_words;
    wse_run_close(&run);
    return outcome;
}

static void assert_same(guint32 seed, const Outcome *one, const Outcome *other)
{
    if (one->hash != other->hash ||
        memcmp(&one->profile, &other->profile, sizeof one->profile) != 0) {
        fail_msg("seed %u: %" G_GUINT64_FORMAT " cycles, or %" G_GUINT64_FORMAT, seed,
                 one->profile.cycles, other->profile.cycles);
    }
}

/* Returns how many PEs had a state of their own at the end. */
static guint check(const Pattern *pattern)
{
    const Outcome whole = outcome_of(pattern, 1, 1);
    const Outcome folded = outcome_of(pattern, 0, 1);
    const Outcome threads = outcome_of(pattern, 0, 3);

    assert_int_equal(whole.kept, COLUMNS * ROWS);
    assert_same(pattern->seed, &whole, &folded);
    assert_same(pattern->seed, &whole, &threads);
    return folded.kept;
}

static void what_repeats_is_run_once(void **state)
{
    (void) state;
    for (guint32 seed = 1; seed <= SEEDS; seed++) {
        const guint kept = check(&(Pattern){.seed = seed});

        assert_true(kept < COLUMNS * ROWS / 4);
    }
}

static void one_that_is_late_changes_nothing_else(void **state)
{
    (void) state;
    for (guint32 seed = 1; seed <= SEEDS; seed++) {
        const guint kept = check(&(Pattern){.seed = seed, .has_late = true});

        assert_true(kept < COLUMNS * ROWS);
    }
}

/* What comes from an edge unfolds columns one after the other, and no row. */
static void what_comes_from_an_edge_unfolds(void **state)
{
    (void) state;
    const guint kept = check(&(Pattern){.seed = 1, .has_chains = true});

    assert_true(kept < COLUMNS * ROWS);
    assert_int_equal(kept % COLUMNS, 0);
}

/* Ranks begin when all are unfolded, and some have not been visited for long: they have
 * more to do before the wavelets come for which they wait. */
static void ranks_begin_while_some_nap(void **state)
{
    (void) state;
    const guint kept =
        check(&(Pattern){.seed = 1, .has_chains = true, .has_columns = true});

    assert_int_equal(kept, COLUMNS * ROWS);
}

static void deadlocks_name_the_same_pes(void **state)
{
    static const Pattern pattern = {.seed = 1, .is_short = true};
    char *lines[2] = {NULL};

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        WseRun run;

        open_run(&run, &pattern, i, 1);
        lines[i] = wse_run_into_deadlock(&run);
        wse_run_close(&run);
    }
    assert_non_null(strstr(lines[0], "pe[50,34]"));
    assert_string_equal(lines[0], lines[1]);
    g_free(lines[0]);
    g_free(lines[1]);
}

/* Wavelets carry numbers, and those of PEs differ. */
static void single_wavelets_with_numbers_are_never_folded(void **state)
{
    static const Pattern pattern = {.seed = 1};
    WseRun run;

    (void) state;
    open_run(&run, &pattern, 0, 1);
    run.options.is_functional = true;
    wse_run(&run);
    assert_int_equal(wse_fabric_of(run.wse)->pe_count, COLUMNS * ROWS);
    wse_run_close(&run);
}

static SimLaneLevel choose_blocks(gpointer data, const SimLanePlace *place)
{
    (void) data;
    (void) place;
    return SIM_LANE_BLOCKS;
}

static SimLaneLevel choose_most(gpointer data, const SimLanePlace *place)
{
    (void) data;
    return place->x == 40 && place->y == 40 ? SIM_LANE_OFF : SIM_LANE_BLOCKS;
}

static uint64_t
seen_of(const Pattern *pattern, guint bands, SimChoiceFunc choose, guint *kept)
{
    WseRun run;
    uint64_t seen = 0;

    open_run(&run, pattern, bands, 1);
    run.watch = (SimWatch){.func = record_hash,
                           .data = &seen,
                           .to = SIM_TIME_NEVER,
                           .choose = choose,
                           .block_limit = 40};
    if (pattern->is_short) {
        g_free(wse_run_into_deadlock(&run));
    } else {
        wse_run(&run);
    }
    *kept = wse_fabric_of(run.wse)->pe_count;
    wse_run_close(&run);
    assert_int_not_equal(seen, 0);
    return seen;
}

static void blocks_of_folded_pes_have_the_same_sums(void **state)
{
    static const Pattern patterns[] = {{.seed = 1},
                                       {.seed = 2, .has_late = true},
                                       {.seed = 3, .has_chains = true},
                                       {.seed = 4, .is_short = true}};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++) {
        guint whole = 0;
        guint kept = 0;

        if (seen_of(&patterns[i], 1, choose_blocks, &whole) !=
            seen_of(&patterns[i], 0, choose_blocks, &kept)) {
            fail_msg("seed %u: %u PEs are not seen to do the same as %u",
                     patterns[i].seed, kept, whole);
        }
        assert_int_equal(whole, COLUMNS * ROWS);
        assert_true(kept < whole);
    }
}

/* A PE that is watched in full, or in another way than others, is like no other. */
static void only_what_is_watched_alike_is_folded(void **state)
{
    static const Pattern pattern = {.seed = 1};
    guint kept = 0;

    (void) state;
    (void) seen_of(&pattern, 0, NULL, &kept);
    assert_int_equal(kept, COLUMNS * ROWS);
    (void) seen_of(&pattern, 0, choose_most, &kept);
    assert_int_equal(kept, COLUMNS * ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_repeats_is_run_once),
        cmocka_unit_test(one_that_is_late_changes_nothing_else),
        cmocka_unit_test(what_comes_from_an_edge_unfolds),
        cmocka_unit_test(ranks_begin_while_some_nap),
        cmocka_unit_test(deadlocks_name_the_same_pes),
        cmocka_unit_test(single_wavelets_with_numbers_are_never_folded),
        cmocka_unit_test(blocks_of_folded_pes_have_the_same_sums),
        cmocka_unit_test(only_what_is_watched_alike_is_folded),
    };

    return cmocka_run_group_tests_name("arch.wse_folding", tests, NULL, NULL);
}
