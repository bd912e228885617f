/* Seams: what events beside a fold may make unequal is compared, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/wse/seam.h"

enum {
    LENGTH = 6,
    FIRST = 4, /* of the repeated lines */
    MOST_PERIOD = 16,
    LINES = FIRST + MOST_PERIOD + 5,
    BYTES = 3,
    START = FIRST - WSE_SEAM_BEFORE, /* of the compared ones */
};

/* Lines along rows or along columns: columns are neighbours, rows a width apart. */
typedef struct {
    WseSeam seam;
    guint period;
    guint step;
    guint across;
    char blocks[LINES * LENGTH * BYTES];
} Beside;

/* After its first comparison. */
static void begin(Beside *self, guint period, bool has_columns)
{
    const WseFold fold = {.first = FIRST, .period = period, .repeats = 9};

    *self = (Beside){
        .period = period,
        .step = has_columns ? 1 : LENGTH,
        .across = has_columns ? LINES : 1,
    };
    wse_seam_begin(&self->seam, &fold, LENGTH, self->step, self->across);
    assert_true(wse_seam_is_alike(&self->seam, self->blocks, BYTES));
    assert_int_equal(self->seam.compared, WSE_SEAM * LENGTH);
}

/* The last byte of a block. */
static char *byte_at(Beside *self, guint line, guint place)
{
    const gsize at = (gsize) line * self->step + (gsize) place * self->across;

    return self->blocks + at * BYTES + BYTES - 1;
}

/* Makes just this line unequal to the one a period further: with those before it, which
 * have to be equal to it. */
static void set_blocks(Beside *self, guint index, guint place, char value)
{
    for (int i = (int) index; i >= 0; i -= (int) self->period) {
        *byte_at(self, START + (guint) i, place) = value;
    }
}

/* Whether line START + `index` is compared at this place. Takes the events that were
 * noted. */
static bool is_compared(Beside *self, guint index, guint place)
{
    set_blocks(self, index, place, 1);
    const bool is_alike = wse_seam_is_alike(&self->seam, self->blocks, BYTES);

    set_blocks(self, index, place, 0);
    return !is_alike;
}

static bool is_inside(int index)
{
    return index >= 0 && index < WSE_SEAM;
}

/* By the rule: a visit to one of two PEs changes these and their neighbours, and leaves
 * them equal if all of these were. */
static bool may_differ(int visited, int index, guint distance)
{
    const bool is_known = is_inside(visited - 1) && is_inside(visited + 1);
    const guint apart = (guint) ABS(visited - index) + distance;

    return !is_known && apart <= 1;
}

static void visits_at_outer_lines_are_followed(void **state)
{
    enum {
        PLACE = 2,
    };
    Beside it;

    (void) state;
    for (guint period = 1; period <= MOST_PERIOD; period++) {
        begin(&it, period, period % 2 == 0);
        for (guint line = START - 1; line <= START + WSE_SEAM + period; line++) {
            const int near = (int) line - START;
            const int further = near - (int) period;

            for (guint i = 0; i < WSE_SEAM * LENGTH; i++) {
                const guint place = i / WSE_SEAM;
                const int index = (int) (i % WSE_SEAM);
                const guint distance = (guint) ABS((int) place - PLACE);

                wse_seam_note_visit(&it.seam, line, PLACE);
                assert_int_equal(is_compared(&it, (guint) index, place),
                                 may_differ(near, index, distance) ||
                                     may_differ(further, index, distance));
            }
        }
        wse_seam_end(&it.seam);
    }
}

static void what_becomes_due_is_compared(void **state)
{
    Beside it;

    (void) state;
    for (guint period = 1; period <= MOST_PERIOD; period++) {
        begin(&it, period, period % 2 != 0);
        for (guint line = START - 1; line <= START + WSE_SEAM + period; line++) {
            for (guint i = 0; i < WSE_SEAM * LENGTH; i++) {
                const guint index = i % WSE_SEAM;

                wse_seam_note_due(&it.seam, line, LENGTH - 1);
                assert_int_equal(
                    is_compared(&it, index, i / WSE_SEAM),
                    i / WSE_SEAM == LENGTH - 1 &&
                        (line == START + index || line == START + index + period));
            }
        }
        wse_seam_end(&it.seam);
    }
}

/* Inner lines have equal neighbours, and an event is followed once. */
static void equal_visits_cost_nothing(void **state)
{
    Beside it;

    (void) state;
    begin(&it, 5, true);
    const uint64_t before = it.seam.compared;

    for (guint place = 0; place < LENGTH; place++) {
        wse_seam_note_visit(&it.seam, FIRST - 1, place);
        wse_seam_note_visit(&it.seam, FIRST, place);
        wse_seam_note_visit(&it.seam, FIRST + 4, place);
        wse_seam_note_visit(&it.seam, FIRST + 5, place);
    }
    assert_true(wse_seam_is_alike(&it.seam, it.blocks, BYTES));
    assert_int_equal(it.seam.compared, before);

    wse_seam_note_visit(&it.seam, START, 0);
    wse_seam_note_visit(&it.seam, START, 0);
    assert_true(wse_seam_is_alike(&it.seam, it.blocks, BYTES));
    assert_true(wse_seam_is_alike(&it.seam, it.blocks, BYTES));
    assert_int_equal(it.seam.compared, before + 3);
    wse_seam_end(&it.seam);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visits_at_outer_lines_are_followed),
        cmocka_unit_test(what_becomes_due_is_compared),
        cmocka_unit_test(equal_visits_cost_nothing),
    };

    return cmocka_run_group_tests_name("arch.wse_seam", tests, NULL, NULL);
}
