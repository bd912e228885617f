/* Shared arrays: who changes one has it alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/pages.h"
#include "sim/shared.h"

static void the_only_holder_has_it_already(void **state G_GNUC_UNUSED)
{
    g_autoptr(SimShared) array = sim_shared_new(100);
    const SimShared *before = array;

    assert_int_equal(array->count, 100);
    assert_int_equal(array->data[99], 0);
    assert_true(sim_shared_make_own(&array));
    assert_ptr_equal(array, before);
}

static void who_changes_it_gets_a_copy(void **state G_GNUC_UNUSED)
{
    g_autoptr(SimShared) one = sim_shared_new(2);
    g_autoptr(SimShared) other = sim_shared_ref(one);

    one->data[1] = 7;
    assert_false(sim_shared_is_own(one));
    assert_true(sim_shared_make_own(&other));
    assert_true(sim_shared_is_own(one));
    assert_true(sim_shared_is_own(other));
    assert_ptr_not_equal(one->data, other->data);
    assert_int_equal(other->data[1], 7);
    other->data[1] = 8;
    assert_int_equal(one->data[1], 7);
}

static void there_may_be_no_room(void **state G_GNUC_UNUSED)
{
    g_autoptr(SimShared) none = sim_shared_new(0);

    assert_int_equal(none->count, 0);
    assert_true(
        sim_pages_keep_in(g_get_tmp_dir(), NULL)); /* sanitizers stop at others */
    assert_null(sim_shared_new((gsize) 1 << 62));
    assert_true(sim_pages_keep_in(NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_only_holder_has_it_already),
        cmocka_unit_test(who_changes_it_gets_a_copy),
        cmocka_unit_test(there_may_be_no_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
