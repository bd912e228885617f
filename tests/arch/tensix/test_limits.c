/* What transfers refuse: alignment, ranges, cores that are not there, overflow. */
#include "tests/arch/tensix/rig.h"

enum {
    HERE = 0x10000,
    THERE = 0x20000,
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

typedef struct {
    ArchMoverTransfer what;
    const char *message; /* a part of it */
} BadRow;

static void bad_transfers_stop_the_run(void **state G_GNUC_UNUSED)
{
    const BadRow rows[] = {
        {to_core(ARCH_MOVER_READ, 1, 1, THERE, HERE, 0), "noc_async_read: 0 bytes"},
        {to_core(ARCH_MOVER_READ, 8, 1, THERE, HERE, 32), "0..7,0..6"},
        {to_core(ARCH_MOVER_WRITE, 0, 7, THERE, HERE, 32), "noc_async_write: core 0,7"},
        {to_core(ARCH_MOVER_WRITE, 1, 1, THERE + 8, HERE, 32), "modulo 16"},
        {to_core(ARCH_MOVER_READ, 1, 1, THERE, HERE + 4, 32), "modulo 16"},
        {to_core(ARCH_MOVER_READ, 1, 1, 1499136 - 16, HERE, 32), "past its end"},
        {to_core(ARCH_MOVER_WRITE, 1, 1, THERE, 1499136 - 16, 32), "past its end"},
        {to_dram(ARCH_MOVER_READ, 0, 16, HERE, 32), "modulo 32"},
        {to_dram(ARCH_MOVER_WRITE, 0, 8, HERE, 32), "modulo 16"},
        {to_dram(ARCH_MOVER_READ, 12, 0, HERE, 32), "bank 12, there are 0..11"},
        {to_dram(ARCH_MOVER_READ, 1, 1073741824, HERE, 32), "past its end"},
        {to_dram(ARCH_MOVER_READ, 1, 1073741824 - 32, HERE, 33), "past its end"},
        {to_dram(ARCH_MOVER_INCREMENT, 1, 0, HERE, 4), "not to DRAM"},
        {to_core(ARCH_MOVER_INCREMENT, 1, 1, THERE + 2, 0, 0),
         "noc_semaphore_inc: address 0x20002 is no multiple of 4"},
        {to_core(ARCH_MOVER_INLINE, 1, 1, THERE + 1, 0, 0),
         "noc_inline_dw_write: address 0x20001 is no multiple of 4"},
        {to_core(ARCH_MOVER_INLINE, 1, 1, 1499136, 0, 0), "past its end"},
        {to_core(ARCH_MOVER_MULTICAST, 0, 0, THERE, HERE, 32), "needs loopback"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        Rig own;
        rig_open(&own, 1);
        call_transfer(rig_kernel(&own, 0, 0, ARCH_MOVER_BRISC, 0, 0), rows[i].what);

        g_autofree char *message = rig_fail(&own, ARCH_ERROR, ARCH_ERROR_INVALID);

        if (strstr(message, rows[i].message) == NULL) {
            fail_msg("row %zu: %s", i, message);
        }
        rig_close(&own);
    }
}

static void corners_must_be_cores(void **state G_GNUC_UNUSED)
{
    ArchMoverTransfer what = to_core(ARCH_MOVER_MULTICAST, 0, 0, THERE, HERE, 32);
    what.corner_x = 8;
    call_transfer(rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0), what);

    g_autofree char *message = rig_fail(&rig, ARCH_ERROR, ARCH_ERROR_INVALID);

    assert_non_null(strstr(message, "core 8,0 is outside"));
}

static void the_last_bytes_of_a_bank_may_be_read(void **state G_GNUC_UNUSED)
{
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(kernel, to_dram(ARCH_MOVER_READ, 1, 1073741824 - 32, HERE, 32));

    rig_run(&rig);

    assert_true(kernel->ends[0] > 0);
}

static void dram_writes_agree_modulo_16_only(void **state G_GNUC_UNUSED)
{
    Kernel *kernel = rig_kernel(&rig, 0, 0, ARCH_MOVER_BRISC, 0, 0);
    call_transfer(kernel, to_dram(ARCH_MOVER_WRITE, 0, 16, HERE, 32));
    call_transfer(kernel, to_dram(ARCH_MOVER_READ, 0, 48, HERE + 16, 7));
    call_barrier(kernel, ARCH_BARRIER_WRITE);
    call_barrier(kernel, ARCH_BARRIER_READ);

    rig_run(&rig);
}

static void semaphores_overflow_above_their_limit(void **state G_GNUC_UNUSED)
{
    for (uint32_t over = 0; over < 2; over++) {
        Rig own;
        rig_open(&own, 1);
        const uint32_t semaphore = rig_semaphore(&own, 1, 1, INT32_MAX - 3);
        Kernel *kernel = rig_kernel(&own, 0, 0, ARCH_MOVER_BRISC, 0, 0);
        ArchMoverTransfer what = to_core(ARCH_MOVER_INCREMENT, 1, 1, semaphore, 0, 0);
        what.value = 3 + over;
        call_transfer(kernel, what);
        call_transfer(kernel, to_core(ARCH_MOVER_WRITE, 1, 1, THERE, HERE, 8192));
        call_barrier(kernel, ARCH_BARRIER_ATOMIC);

        if (over == 0) {
            rig_run(&own);
            assert_int_equal(rig_word(&own, 1, 1, semaphore), INT32_MAX);
        } else {
            g_autofree char *message = rig_fail(&own, ARCH_ERROR, ARCH_ERROR_INVALID);

            assert_non_null(strstr(message, "core[0,0].writer (kernel): "
                                            "noc_semaphore_inc: the semaphore at"));
            assert_non_null(strstr(message, "2147483644 + 4 is above 2147483647"));
        }
        rig_close(&own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define RIG_TEST(f) cmocka_unit_test_setup_teardown(f, open_rig, close_rig)
        RIG_TEST(bad_transfers_stop_the_run),
        RIG_TEST(corners_must_be_cores),
        RIG_TEST(the_last_bytes_of_a_bank_may_be_read),
        RIG_TEST(dram_writes_agree_modulo_16_only),
        RIG_TEST(semaphores_overflow_above_their_limit),
    };

    return cmocka_run_group_tests_name("arch.tensix_limits", tests, NULL, NULL);
}
