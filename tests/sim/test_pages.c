/* Large pages: memory of any size and place is taken, and holds what it held. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/pages.h"

static void memory_of_any_size_is_given_back(void **state G_GNUC_UNUSED)
{
    static const gsize sizes[] = {0, 1, 4096, 1 << 21, (1 << 23) + 7};

    assert_null(sim_pages_large(NULL, 0));
    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree guint8 *memory = g_malloc0(sizes[i] + 1);

        assert_ptr_equal(sim_pages_large(memory, sizes[i]), memory);
        for (gsize k = 0; k < sizes[i]; k += 997) {
            assert_int_equal(memory[k], 0);
            memory[k] = 1;
        }
    }
}

static void a_part_may_begin_anywhere(void **state G_GNUC_UNUSED)
{
    const gsize bytes = 1 << 23;
    g_autofree guint8 *memory = g_malloc0(bytes);

    memory[0] = 7;
    memory[bytes - 1] = 9;
    assert_ptr_equal(sim_pages_large(memory + 5, bytes - 10), memory + 5);
    assert_int_equal(memory[0], 7);
    assert_int_equal(memory[bytes / 2], 0);
    assert_int_equal(memory[bytes - 1], 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_any_size_is_given_back),
        cmocka_unit_test(a_part_may_begin_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
