/* Tests of chores: every piece is done once, in order, and before who needs it goes on.
 */
#include "sim/parallel/chores.h"
#include "tests/sim/support.h"

enum {
    CHORES = 7,
    PIECES = 3000,
};

/* Plain data: the chore alone keeps threads from racing on it. */
typedef struct {
    SimChore *chore;
    uint64_t done;
    guint wrong; /* pieces out of order */
} Diary;

static void note(gpointer data, uint64_t piece)
{
    Diary *self = data;

    self->wrong += piece != self->done;
    self->done++;
}

static void check_all(Diary *diaries)
{
    for (guint i = 0; i < CHORES; i++) {
        sim_chore_finish(diaries[i].chore, PIECES);
        assert_int_equal(diaries[i].done, PIECES);
        assert_int_equal(diaries[i].wrong, 0);
        assert_int_equal(sim_chore_pieces(diaries[i].chore), PIECES);
        sim_chore_free(diaries[i].chore);
    }
}

static void pieces_are_done_in_order(void **state)
{
    static const guint threads[] = {1, 2, 3, 8};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(threads); i++) {
        g_autoptr(SimCrew) crew = sim_crew_new(threads[i]);
        Diary diaries[CHORES] = {0};

        for (guint j = 0; j < CHORES; j++) {
            diaries[j].chore = sim_chore_new(crew, note, &diaries[j]);
        }
        for (guint piece = 0; piece < PIECES; piece++) {
            for (guint j = 0; j < CHORES; j++) {
                sim_chore_add(diaries[j].chore);
            }
            if (piece % 97 == 0) { /* who needs a result finds it */
                sim_chore_finish(diaries[0].chore, piece / 2);
            }
            sim_crew_rest(crew, piece / 500 % 2 == 1);
        }
        check_all(diaries);
    }
}

static void a_piece_is_done_at_once_by_one_thread_and_while_the_crew_rests(void **state)
{
    (void) state;
    for (guint threads = 1; threads <= 2; threads++) {
        g_autoptr(SimCrew) crew = sim_crew_new(threads);
        Diary diary = {0};
        g_autoptr(SimChore) chore = sim_chore_new(crew, note, &diary);

        sim_crew_rest(crew, threads == 2);
        assert_false(sim_chore_is_put_off(chore));
        sim_chore_add(chore);
        assert_int_equal(diary.done, 1);
    }
}

/* Others do them: nobody asks for the results. */
static void idle_threads_do_chores(void **state)
{
    g_autoptr(SimCrew) crew = sim_crew_new(2);
    Diary diaries[CHORES] = {0};

    (void) state;
    for (guint i = 0; i < CHORES;
         i++) { /* more than a sleeping thread sleeps through */
        diaries[i].chore = sim_chore_new(crew, note, &diaries[i]);
    }
    for (guint i = 0; i < CHORES; i++) {
        for (guint piece = 0; piece < PIECES; piece++) {
            sim_chore_add(diaries[i].chore);
        }
    }
    while (chores_are_waiting(crew_chores(crew))) {
        g_thread_yield();
    }
    check_all(diaries);
}

/* A piece that takes until it may end. */
typedef struct {
    atomic_bool has_begun;
    atomic_bool may_end;
} Block;

static void wait_at(gpointer data, uint64_t piece)
{
    Block *self = data;

    (void) piece;
    atomic_store(&self->has_begun, true);
    while (!atomic_load(&self->may_end)) {
        g_thread_yield();
    }
}

/* The other thread is at the first chore, and the second waits for it. */
static void the_next_chore_is_not_put_off_while_one_waits(void **state)
{
    g_autoptr(SimCrew) crew = sim_crew_new(2);
    Block block = {0};
    Diary diaries[2] = {0};
    g_autoptr(SimChore) first = sim_chore_new(crew, wait_at, &block);
    g_autoptr(SimChore) second = sim_chore_new(crew, note, &diaries[0]);
    g_autoptr(SimChore) third = sim_chore_new(crew, note, &diaries[1]);

    (void) state;
    assert_true(sim_chore_is_put_off(first));
    sim_chore_add(first);
    while (!atomic_load(&block.has_begun)) {
        crew_wake_for_chores(crew); /* one chore alone lets it sleep */
        g_thread_yield();
    }
    assert_true(sim_chore_is_put_off(second));
    sim_chore_add(second);

    assert_false(sim_chore_is_put_off(third));
    assert_true(sim_chore_is_put_off(second)); /* its pieces stay in order */
    atomic_store(&block.may_end, true);
    sim_chore_finish(first, 1);
    sim_chore_finish(second, 1);
    assert_int_equal(diaries[0].done, 1);
}

static void a_chore_may_be_dropped(void **state)
{
    g_autoptr(SimCrew) crew = sim_crew_new(2);

    (void) state;
    for (guint i = 0; i < PIECES; i++) {
        Diary diary = {0};

        diary.chore = sim_chore_new(crew, note, &diary);
        sim_chore_add(diary.chore);
        sim_chore_add(diary.chore);
        sim_chore_free(diary.chore);
        assert_true(diary.done <= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_done_in_order),
        cmocka_unit_test(
            a_piece_is_done_at_once_by_one_thread_and_while_the_crew_rests),
        cmocka_unit_test(idle_threads_do_chores),
        cmocka_unit_test(the_next_chore_is_not_put_off_while_one_waits),
        cmocka_unit_test(a_chore_may_be_dropped),
    };

    return cmocka_run_group_tests_name("sim.chore", tests, NULL, NULL);
}
