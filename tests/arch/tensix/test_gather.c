/* Loops that gather: what they move, and how long the RISC-V is busy. */
#include "tests/arch/tensix/rig.h"

enum {
    FROM = 0x20000,
    OFFSETS = 0x30000,
    VALUES = 0x38000,
    TO = 0x40000,
    FLOATS = 220, /* a product and a sum */
};

static Rig rig;

static int open_rig(void **state G_GNUC_UNUSED)
{
    rig_open(&rig, 1);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    rig_close(&rig);
    return 0;
}

static void put(uint32_t address, const void *data, gsize bytes)
{
    memcpy(tensix_l1_at(tensix_core_l1(rig_core(&rig, 0, 0)), address), data, bytes);
}

static Kernel *new_kernel(ArchMoverIndex index)
{
    return rig_kernel(&rig, 0, 0, index, 0, 0);
}

static SimTime gather_time(guint count, guint bytes)
{
    rig_open(&rig, 1);
    Kernel *kernel = new_kernel(ARCH_MOVER_NCRISC);
    call_gather(kernel, (ArchGather){FROM, OFFSETS, count, bytes}, TO);

    rig_run(&rig);

    const SimTime cycles = kernel_cycles(kernel);
    rig_close(&rig);
    return cycles;
}

static void numbers_are_put_one_after_another(void **state G_GNUC_UNUSED)
{
    static const uint32_t words[] = {10, 11, 12, 13, 14, 15, 16, 17};
    static const uint32_t offsets[] = {28, 0, 8, 8, 4};
    static const uint32_t expected[] = {17, 10, 12, 12, 11, 0};

    put(FROM, words, sizeof words);
    put(OFFSETS, offsets, sizeof offsets);
    Kernel *kernel = new_kernel(ARCH_MOVER_BRISC);
    call_gather(kernel, (ArchGather){FROM, OFFSETS, 5, 4}, TO);

    rig_run(&rig);

    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_int_equal(rig_word(&rig, 0, 0, TO + 4 * i), expected[i]);
    }
}

static void numbers_of_two_bytes_share_words(void **state G_GNUC_UNUSED)
{
    static const uint16_t halves[] = {1, 2, 3, 4};
    static const uint32_t offsets[] = {6, 0, 2};

    put(FROM, halves, sizeof halves);
    put(OFFSETS, offsets, sizeof offsets);
    Kernel *kernel = new_kernel(ARCH_MOVER_BRISC);
    call_gather(kernel, (ArchGather){FROM, OFFSETS, 3, 2}, TO);

    rig_run(&rig);

    assert_int_equal(rig_word(&rig, 0, 0, TO), 0x00010004);
    assert_int_equal(rig_word(&rig, 0, 0, TO + 4), 2);
}

/* A turn: two loads that are waited for, an addition, stores of 5.17, and two
 * instructions for each pair of 2 bytes. */
static void a_turn_of_four_takes_two_loads_and_its_stores(void **state G_GNUC_UNUSED)
{
    assert_int_equal(gather_time(0, 4), 0);
    assert_int_equal(gather_time(1, 4), 17 + 5);
    assert_int_equal(gather_time(4, 4), 17 + 20);     /* 20.68 */
    assert_int_equal(gather_time(8, 4), 2 * 17 + 41); /* 41.36 */
    assert_int_equal(gather_time(1000, 4), 250 * 17 + 5170);
    assert_int_equal(gather_time(4, 2), 17 + 4 + 10); /* 10.34 */
    assert_int_equal(gather_time(1000, 2), 250 * (17 + 4) + 2585);
}

/* Each holds the port for 5 cycles a store and a cycle a load: 28 a turn. */
static void two_movers_share_the_port(void **state G_GNUC_UNUSED)
{
    Kernel *kernels[] = {new_kernel(ARCH_MOVER_BRISC), new_kernel(ARCH_MOVER_NCRISC)};
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        call_gather(kernels[i], (ArchGather){FROM, OFFSETS + i * 0x1000, 1000, 4},
                    TO + i * 0x1000);
    }

    rig_run(&rig);

    assert_in_range(kernel_cycles(kernels[0]), 250 * 56, 250 * 58);
    assert_true(rig_use(&rig, 0, 0, "reader", "bank_conflict") > 250 * 15);
}

static void products_are_added_in_single_precision(void **state G_GNUC_UNUSED)
{
    static const float numbers[] = {1, 0x1p-24F, 3};
    static const float values[] = {1, 1, 1, 2};
    static const uint32_t offsets[] = {0, 4, 4, 8};

    put(FROM, numbers, sizeof numbers);
    put(VALUES, values, sizeof values);
    put(OFFSETS, offsets, sizeof offsets);
    Kernel *kernel = new_kernel(ARCH_MOVER_BRISC);
    call_gather_dot(kernel, (ArchGather){FROM, OFFSETS, 4, 4}, VALUES);
    call_gather_dot(kernel, (ArchGather){FROM, OFFSETS, 1, 4}, VALUES);

    rig_run(&rig);

    assert_true(kernel->sum == 8); /* 1 + 2^-24 is 1; the second call adds 1 more */
    assert_int_equal(kernel->ends[0] - kernel->starts[0], 4 * (18 + FLOATS));
    assert_int_equal(
        sim_engine_counter_total(rig.engine, sim_engine_counter(rig.engine, "flops")),
        10);
}

static void bf16_is_widened_first(void **state G_GNUC_UNUSED)
{
    static const uint16_t numbers[] = {0x3f80, 0x4000}; /* 1, 2 */
    static const uint16_t values[] = {0x4040, 0x3f00};  /* 3, 0.5 */
    static const uint32_t offsets[] = {2, 0};

    put(FROM, numbers, sizeof numbers);
    put(VALUES, values, sizeof values);
    put(OFFSETS, offsets, sizeof offsets);
    Kernel *kernel = new_kernel(ARCH_MOVER_BRISC);
    call_gather_dot(kernel, (ArchGather){FROM, OFFSETS, 2, 2}, VALUES);

    rig_run(&rig);

    assert_true(kernel->sum == 6.5F);
    assert_int_equal(kernel_cycles(kernel), 2 * (20 + FLOATS));
}

static void what_is_not_in_l1_is_refused(void **state G_GNUC_UNUSED)
{
    static const uint32_t far[] = {0x7fffffff};
    static const struct {
        ArchGather gather;
        uint32_t to;
        const char *message;
    } rows[] = {
        {{FROM, OFFSETS, 1, 3}, TO, "numbers of 3 bytes, expected 2 or 4"},
        {{FROM, OFFSETS + 2, 1, 4}, TO, "no multiple of 4"},
        {{FROM, OFFSETS, 1, 4}, TO + 1, "no multiple of 4"},
        {{FROM, OFFSETS, 1, 4}, TO, "reach past its end"},
        {{FROM, OFFSETS, ARCH_GATHER_MOST + 1, 4}, TO, "in one call"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        rig_open(&rig, 1);
        put(OFFSETS, far, sizeof far);
        Kernel *kernel = new_kernel(ARCH_MOVER_BRISC);
        call_gather(kernel, rows[i].gather, rows[i].to);

        g_autofree char *message = rig_fail(&rig, ARCH_ERROR, ARCH_ERROR_INVALID);

        if (strstr(message, rows[i].message) == NULL) {
            fail_msg("row %zu: %s", i, message);
        }
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_are_put_one_after_another, open_rig,
                                        close_rig),
        cmocka_unit_test_setup_teardown(numbers_of_two_bytes_share_words, open_rig,
                                        close_rig),
        cmocka_unit_test(a_turn_of_four_takes_two_loads_and_its_stores),
        cmocka_unit_test_setup_teardown(two_movers_share_the_port, open_rig, close_rig),
        cmocka_unit_test_setup_teardown(products_are_added_in_single_precision,
                                        open_rig, close_rig),
        cmocka_unit_test_setup_teardown(bf16_is_widened_first, open_rig, close_rig),
        cmocka_unit_test(what_is_not_in_l1_is_refused),
    };
    return cmocka_run_group_tests_name("arch.tensix_gather", tests, NULL, NULL);
}
