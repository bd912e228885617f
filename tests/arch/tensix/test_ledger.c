/* The ledger: what a kernel may ask of a circular buffer, and what not. */
#include "arch/error.h"
#include "arch/tensix/ledger.h"
#include "tests/sim/support.h"

static const CircularBuffer buffer = {.index = 3, .page_count = 4};

typedef bool (*LedgerFunc)(TensixCbLedger *, const CircularBuffer *, guint, GError **);

static void
assert_refused(TensixCbLedger *ledger, LedgerFunc func, guint pages, const char *part)
{
    const TensixCbLedger before = *ledger;
    g_autoptr(GError) error = NULL;

    assert_false(func(ledger, &buffer, pages, &error));
    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
    if (strstr(error->message, part) == NULL) {
        fail_msg("%s", error->message);
    }
    assert_memory_equal(ledger, &before, sizeof before);
}

static void pops_need_waits(void **state G_GNUC_UNUSED)
{
    TensixCbLedger ledger = {0};

    assert_refused(&ledger, tensix_ledger_pop, 1,
                   "cb_pop_front(3, 1): cb_wait_front has");
    assert_true(tensix_ledger_wait(&ledger, &buffer, 3, NULL));
    assert_refused(&ledger, tensix_ledger_pop, 4, "waited for 3 pages");
    assert_true(tensix_ledger_pop(&ledger, &buffer, 2, NULL));
    assert_refused(&ledger, tensix_ledger_pop, 2, "waited for 1 pages");
    assert_true(tensix_ledger_pop(&ledger, &buffer, 1, NULL));
    assert_int_equal(ledger.popped, 3);
}

static void waits_count_from_the_front_not_from_one_another(void **state G_GNUC_UNUSED)
{
    TensixCbLedger ledger = {0};

    assert_true(tensix_ledger_wait(&ledger, &buffer, 2, NULL));
    assert_true(tensix_ledger_wait(&ledger, &buffer, 1, NULL));
    assert_refused(&ledger, tensix_ledger_pop, 3, "waited for 2 pages");
}

static void pushes_need_reserves(void **state G_GNUC_UNUSED)
{
    TensixCbLedger ledger = {0};

    assert_refused(&ledger, tensix_ledger_push, 1,
                   "cb_push_back(3, 1): cb_reserve_back has");
    assert_true(tensix_ledger_reserve(&ledger, &buffer, 2, NULL));
    assert_refused(&ledger, tensix_ledger_push, 3, "reserved 2 pages");
    assert_true(tensix_ledger_push(&ledger, &buffer, 2, NULL));
    assert_refused(&ledger, tensix_ledger_push, 1, "reserved 0 pages");
    assert_int_equal(ledger.pushed, 2);
}

static void page_counts_must_fit_the_buffer(void **state G_GNUC_UNUSED)
{
    static const LedgerFunc funcs[] = {tensix_ledger_wait, tensix_ledger_pop,
                                       tensix_ledger_reserve, tensix_ledger_push};
    TensixCbLedger ledger = {.waited = 4, .reserved = 4};

    for (gsize i = 0; i < G_N_ELEMENTS(funcs); i++) {
        assert_refused(&ledger, funcs[i], 0, "has 1..4 pages");
        assert_refused(&ledger, funcs[i], 5, "has 1..4 pages");
        assert_refused(&ledger, funcs[i], G_MAXUINT, "has 1..4 pages");
    }
}

static void pages_lie_side_by_side(void **state G_GNUC_UNUSED)
{
    TensixCbLedger ledger = {.popped = 7, .pushed = 6};

    assert_refused(&ledger, tensix_ledger_wait, 2, "page 3 of 4 is next");
    assert_true(tensix_ledger_wait(&ledger, &buffer, 1, NULL));
    assert_refused(&ledger, tensix_ledger_reserve, 3, "goes round the end");
    assert_true(tensix_ledger_reserve(&ledger, &buffer, 2, NULL));
}

static void buffers_must_be_there(void **state G_GNUC_UNUSED)
{
    const CircularBuffer none = {.index = 9};
    g_autoptr(GError) error = NULL;
    TensixCbLedger ledger = {0};

    assert_false(tensix_ledger_wait(&ledger, &none, 1, &error));
    assert_string_equal(error->message,
                        "cb_wait_front(9, 1): this core has no such circular buffer");
}

static void tiles_are_read_and_written_where_they_may_be(void **state G_GNUC_UNUSED)
{
    TensixCbLedger ledger = {.waited = 2, .reserved = 1};
    g_autoptr(GError) error = NULL;

    assert_true(tensix_ledger_may_read(&ledger, &buffer, 1, NULL));
    assert_false(tensix_ledger_may_read(&ledger, &buffer, 2, &error));
    assert_error(error, ARCH_ERROR, ARCH_ERROR_INVALID);
    assert_true(tensix_ledger_may_write(&ledger, &buffer, 0, NULL));
    assert_false(tensix_ledger_may_write(&ledger, &buffer, 1, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pops_need_waits),
        cmocka_unit_test(waits_count_from_the_front_not_from_one_another),
        cmocka_unit_test(pushes_need_reserves),
        cmocka_unit_test(page_counts_must_fit_the_buffer),
        cmocka_unit_test(pages_lie_side_by_side),
        cmocka_unit_test(buffers_must_be_there),
        cmocka_unit_test(tiles_are_read_and_written_where_they_may_be),
    };

    return cmocka_run_group_tests_name("arch.tensix_ledger", tests, NULL, NULL);
}
