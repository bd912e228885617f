/* When it pays that PEs go on in step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/wse/rank/worth.h"

enum {
    SOME = 8, /* PEs that do something in a cycle */
    FEW = 4,
};

/* A spell in which so many PEs do something in each cycle. */
static bool spell(WseWorth *self, bool is_open, guint pes, guint joins)
{
    guint *work = is_open ? &self->steps : &self->visits;

    *work = pes * WSE_WORTH_SPELL;
    self->joins = joins;
    return wse_worth_decide(self, is_open);
}

static void many_open_and_few_close(void **state)
{
    WseWorth worth = {0};

    (void) state;
    assert_false(spell(&worth, false, SOME - 1, 0));
    assert_true(spell(&worth, false, SOME, 0));
    assert_true(spell(&worth, true, FEW, 4));
    assert_false(spell(&worth, true, FEW - 1, 0));
    assert_false(spell(&worth, false, SOME - 1, 0));
}

static void pes_that_leave_soon_may_not_join_for_long(void **state)
{
    WseWorth worth = {0};
    bool is_open = spell(&worth, false, SOME, 0);
    guint open = 0;
    guint closed = 0;

    (void) state;
    for (; is_open; open++) {
        is_open = spell(&worth, is_open, SOME, SOME * WSE_WORTH_SPELL / 16);
    }
    for (; !is_open; closed++) {
        is_open = spell(&worth, is_open, SOME, 0);
    }
    assert_in_range(open, 2, 40);
    assert_true(closed >= 4 * open);
}

static void pes_that_stay_may_join_on(void **state)
{
    WseWorth worth = {0};
    bool is_open = spell(&worth, false, SOME, 0);

    (void) state;
    for (guint i = 0; i < 1000; i++) {
        assert_true(is_open);
        is_open = spell(&worth, is_open, SOME, SOME * WSE_WORTH_SPELL / 128);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_open_and_few_close),
        cmocka_unit_test(pes_that_leave_soon_may_not_join_for_long),
        cmocka_unit_test(pes_that_stay_may_join_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
