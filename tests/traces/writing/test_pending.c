/* Tests of records that wait for their time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/writing/pftrace/pending.h"

static void add(Pending *pending, SimTime begin, int64_t value)
{
    pending_add(pending, &(SimProbeRecord){
                             .kind = SIM_PROBE_CHANGE, .begin = begin, .value = value});
}

/* Those before `before`, as TIME:VALUE; the caller frees it. */
static char *taken(Pending *pending, SimTime before)
{
    GString *text = g_string_new(NULL);
    const SimProbeRecord *record;

    while ((record = pending_take(pending, before)) != NULL) {
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT ":%" G_GINT64_FORMAT,
                               text->len == 0 ? "" : " ", record->begin, record->value);
    }
    return g_string_free(text, FALSE);
}

static void assert_taken(Pending *pending, SimTime before, const char *expected)
{
    g_autofree char *text = taken(pending, before);

    assert_string_equal(text, expected);
}

static void records_come_by_time_and_then_by_age(void **state)
{
    g_autoptr(Pending) pending = pending_new();

    (void) state;
    add(pending, 70, 1);
    add(pending, 5, 2);
    add(pending, 70, 3);
    add(pending, 64, 4);
    assert_taken(pending, 5, "");
    assert_taken(pending, 70, "5:2 64:4");
    add(pending, 70, 5);
    assert_taken(pending, SIM_TIME_NEVER, "70:1 70:3 70:5");
}

static void records_far_ahead_or_behind_keep_the_order(void **state)
{
    g_autoptr(Pending) pending = pending_new();

    (void) state;
    add(pending, 100000, 1);
    add(pending, 4096, 2); /* one cycle too far for the ring */
    add(pending, 4095, 3);
    add(pending, 0, 4);
    assert_taken(pending, 4000, "0:4");
    add(pending, 4096, 5);
    add(pending, 3000, 6); /* behind */
    add(pending, 3000, 7);
    add(pending, 8095, 8);
    assert_taken(pending, 4096, "3000:6 3000:7 4095:3");
    assert_taken(pending, 8096, "4096:2 4096:5 8095:8");
    add(pending, 100000, 9);
    add(pending, 99999, 10);
    assert_taken(pending, 100000, "99999:10");
    add(pending, 100000, 11);
    assert_taken(pending, SIM_TIME_NEVER, "100000:1 100000:9 100000:11");
}

static void add_mark(Pending *pending, SimTime begin, guint8 count)
{
    SimProbeRecord record = {.kind = SIM_PROBE_MARK,
                             .lane = count,
                             .name = "mark",
                             .begin = begin,
                             .detail = {.argument_count = count}};

    for (guint i = 0; i < count; i++) {
        record.detail.arguments[i] =
            (SimProbeArgument){.name = "number", .value = (int64_t) begin + i};
    }
    pending_add(pending, &record);
}

static void assert_mark(Pending *pending, SimTime begin, guint count)
{
    const SimProbeRecord *record = pending_take(pending, begin + 1);

    assert_non_null(record);
    assert_int_equal(record->kind, SIM_PROBE_MARK);
    assert_int_equal(record->lane, count);
    assert_int_equal(record->begin, begin);
    assert_int_equal(record->detail.argument_count, count);
    for (guint i = 0; i < count; i++) {
        assert_int_equal(record->detail.arguments[i].value, begin + i);
    }
}

static void details_come_with_their_records(void **state)
{
    g_autoptr(Pending) pending = pending_new();

    (void) state;
    add_mark(pending, 9, 3);
    add_mark(pending, 7, 0);
    add_mark(pending, 8, SIM_PROBE_ARGUMENTS);
    assert_mark(pending, 7, 0);
    assert_mark(pending, 8, SIM_PROBE_ARGUMENTS);
    add_mark(pending, 11, 2);
    add_mark(pending, 10, 1);
    add_mark(pending, 12, 0);
    assert_mark(pending, 9, 3);
    assert_mark(pending, 10, 1);
    assert_mark(pending, 11, 2);
    assert_mark(pending, 12, 0);
    assert_null(pending_take(pending, SIM_TIME_NEVER));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_by_time_and_then_by_age),
        cmocka_unit_test(records_far_ahead_or_behind_keep_the_order),
        cmocka_unit_test(details_come_with_their_records),
    };

    return cmocka_run_group_tests_name("traces.pending", tests, NULL, NULL);
}
