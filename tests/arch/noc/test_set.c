/* Sets of small numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/noc/set.h"

static void a_new_set_is_empty(void **state G_GNUC_UNUSED)
{
    NocSet set;
    noc_set_init(&set, 65);

    assert_int_equal(set.word_count, 2);
    assert_true(noc_set_is_empty(&set));
    noc_set_clear(&set);
}

static void holds_what_was_added_until_it_is_removed(void **state G_GNUC_UNUSED)
{
    static const uint32_t numbers[] = {0, 1, 63, 64, 127, 128, 199};
    NocSet set;
    noc_set_init(&set, 200);

    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        noc_set_add(&set, numbers[i]);
        assert_false(noc_set_is_empty(&set));
        assert_true(set.words[numbers[i] / 64] == UINT64_C(1) << numbers[i] % 64);

        noc_set_remove(&set, numbers[i]);
        assert_true(noc_set_is_empty(&set));
    }
    noc_set_clear(&set);
}

static void adds_only_if_told_to_and_keeps_the_rest(void **state G_GNUC_UNUSED)
{
    NocSet set;
    noc_set_init(&set, 64);

    noc_set_add_if(&set, 5, false);
    assert_true(noc_set_is_empty(&set));
    noc_set_add_if(&set, 5, true);
    noc_set_add_if(&set, 5, false);
    noc_set_add_if(&set, 9, true);
    noc_set_remove(&set, 7);

    assert_int_equal(set.words[0], 1 << 5 | 1 << 9);
    noc_set_clear(&set);
}

static void counts_what_it_holds(void **state G_GNUC_UNUSED)
{
    NocSet set;
    noc_set_init(&set, 200);

    for (uint32_t number = 0; number < 200; number += 3) {
        assert_int_equal(noc_set_count(&set), number / 3);
        noc_set_add(&set, number);
    }
    noc_set_add(&set, 0);
    assert_int_equal(noc_set_count(&set), 67);
    noc_set_clear(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_set_is_empty),
        cmocka_unit_test(holds_what_was_added_until_it_is_removed),
        cmocka_unit_test(adds_only_if_told_to_and_keeps_the_rest),
        cmocka_unit_test(counts_what_it_holds),
    };

    return cmocka_run_group_tests_name("arch.noc_set", tests, NULL, NULL);
}
