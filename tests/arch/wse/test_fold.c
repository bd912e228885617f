/* Folds of an axis: every place has one that stands for it, and what is compared beside
 * a seam is of lines that began alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/wse/fold.h"

enum {
    MOST = 400,
    SEEDS = 200,
};

/* Lines that repeat, with some that differ at the ends and in between. */
static guint random_classes(GRand *random, guint *classes)
{
    const guint length = (guint) g_rand_int_range(random, 1, MOST);
    const guint period = (guint) g_rand_int_range(random, 1, 12);

    for (guint i = 0; i < length; i++) {
        classes[i] = i % period;
        if (g_rand_int_range(random, 0, 80) == 0) {
            classes[i] = MOST + i;
        }
    }
    return length;
}

static void check_places(const WseAxis *axis, const guint *classes)
{
    const guint kept = wse_axis_kept(axis);
    guint sum = 0;

    for (guint i = 0; i < kept; i++) {
        const guint whole = wse_axis_whole(axis, i);

        assert_true(whole < axis->length);
        assert_int_equal(wse_axis_at(axis, whole), i);
        sum += wse_axis_weight(axis, wse_axis_repeated(axis, i));
    }
    assert_int_equal(sum, axis->length);
    for (guint i = 0; i < axis->length; i++) {
        const guint at = wse_axis_at(axis, i);

        assert_true(at < kept);
        assert_true(wse_axis_whole(axis, at) <= i);
        assert_int_equal(classes[wse_axis_whole(axis, at)], classes[i]);
    }
}

/* Lines that are compared, and those beside them, are of one class each. */
static void check_seams(const WseAxis *axis, const guint *classes)
{
    for (guint i = 0; i < axis->count; i++) {
        const WseFold *fold = &axis->folds[i];

        for (guint k = 0; k < WSE_SEAM + 2; k++) {
            const guint line = fold->first + k - WSE_SEAM_BEFORE - 1;
            const guint further = line + fold->period;

            assert_true(further < wse_axis_kept(axis));
            assert_int_equal(classes[wse_axis_whole(axis, line)],
                             classes[wse_axis_whole(axis, further)]);
            assert_int_equal(wse_axis_beside(axis, line), i + 1);
            assert_int_equal(wse_axis_beside(axis, further), i + 1);
        }
    }
}

static void every_place_is_stood_for(void **state)
{
    (void) state;
    for (guint32 seed = 1; seed <= SEEDS; seed++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(seed);
        guint classes[MOST] = {0};
        const guint length = random_classes(random, classes);
        WseAxis axis = wse_axis_fold(classes, length);

        check_places(&axis, classes);
        check_seams(&axis, classes);
        while (axis.count > 0) {
            const guint before = wse_axis_kept(&axis);

            wse_axis_unfold(&axis,
                            (guint) g_rand_int_range(random, 0, (gint32) axis.count),
                            g_rand_boolean(random));
            assert_true(wse_axis_kept(&axis) > before);
            check_places(&axis, classes);
            check_seams(&axis, classes);
        }
        assert_int_equal(wse_axis_kept(&axis), length);
    }
}

/* Lines that are compared beside the fold of an axis are copies of one each. */
static void check_copies(const WseAxis *before, const WseAxis *after)
{
    for (guint k = 0; k < WSE_SEAM; k++) {
        const guint line = after->folds[0].first + k - WSE_SEAM_BEFORE;
        const guint further = line + after->folds[0].period;

        assert_int_equal(wse_axis_at(before, wse_axis_whole(after, line)),
                         wse_axis_at(before, wse_axis_whole(after, further)));
    }
}

/* After a fold was made smaller, what is compared are copies of what stood for it, and
 * lines were added where they begin to differ. */
static void unfolded_lines_are_copies(void **state)
{
    guint classes[MOST] = {0};

    (void) state;
    for (guint period = 1; period <= 16; period++) {
        for (guint i = 0; i < MOST; i++) {
            classes[i] = i % period;
        }
        const WseAxis before = wse_axis_fold(classes, MOST);
        const guint kept = wse_axis_kept(&before);

        assert_int_equal(before.count, 1);
        assert_true(kept <= 16 + 2 * period);
        for (guint is_before = 0; is_before < 2; is_before++) {
            WseAxis after = before;

            wse_axis_unfold(&after, 0, is_before != 0);
            check_copies(&before, &after);
            const guint added = wse_axis_kept(&after) - kept;
            const guint first = after.folds[0].first - before.folds[0].first;
            const guint others = is_before ? added - first : first;

            assert_true(others <= MAX(period, 2));
            assert_true(added - others >= MAX(period, 2));
        }
    }
}

static void lines_that_differ_are_between_folds(void **state)
{
    guint classes[MOST] = {0};

    (void) state;
    for (guint i = 0; i < MOST; i++) {
        classes[i] = i == MOST / 2 ? 1 : 0;
    }
    const WseAxis axis = wse_axis_fold(classes, MOST);

    assert_int_equal(axis.count, 2);
    assert_int_equal(wse_axis_repeated(&axis, wse_axis_at(&axis, MOST / 2)), 0);
    assert_int_equal(wse_axis_whole(&axis, wse_axis_at(&axis, MOST / 2)), MOST / 2);
}

static void short_axes_are_not_folded(void **state)
{
    const guint classes[16] = {0};

    (void) state;
    assert_int_equal(wse_axis_fold(classes, 16).count, 0);
    assert_int_equal(wse_axis_fold(classes, 1).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_is_stood_for),
        cmocka_unit_test(unfolded_lines_are_copies),
        cmocka_unit_test(lines_that_differ_are_between_folds),
        cmocka_unit_test(short_axes_are_not_folded),
    };

    return cmocka_run_group_tests_name("arch.wse_fold", tests, NULL, NULL);
}
