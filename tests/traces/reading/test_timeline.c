/* Tests of the reader of traces: of other writers, cut off, damaged, and of no trace.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/traces/packet_builder.h"
#include "tests/traces/timeline_text.h"
#include "traces/reading/timeline.h"

static TraceTimeline *parse(const GByteArray *bytes)
{
    g_autoptr(GError) error = NULL;
    TraceTimeline *timeline =
        trace_timeline_parse("t.pftrace", bytes->data, bytes->len, &error);

    if (timeline == NULL) {
        fail_msg("%s", error->message);
    }
    return timeline;
}

static void assert_text(const GByteArray *bytes, const char *expected)
{
    g_autoptr(TraceTimeline) timeline = parse(bytes);
    g_autofree char *text = timeline_text(timeline);

    assert_null(timeline->warning);
    assert_string_equal(text, expected);
}

static void traces_of_other_programs_are_read(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_process(bytes, 10, 5, "server");
    add_thread(bytes, 11, 5, 7, "worker");
    add_track(bytes, 12, 11, "request");
    add_track(bytes, 13, 0, "alone");
    add_plain(bytes, 30, BEGIN, 11, "call");
    add_plain(bytes, 35, END, 11, NULL);
    add_plain(bytes, 31, BEGIN, 12, "wait");
    add_plain(bytes, 40, END, 12, NULL);
    add_plain(bytes, 33, INSTANT, 13, "tick");
    add_plain(bytes, 34, INSTANT, 10, "fork");
    add_plain(bytes, 36, INSTANT, 99, "nobody said where");

    assert_text(bytes, "alone: mark tick@33\n"
                       "track 99: mark nobody said where@36\n"
                       "server: mark fork@34\n"
                       "server.request: wait@31-40/0\n"
                       "server.worker: call@30-35/0\n");
}

static void tracks_may_be_described_late(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_plain(bytes, 30, INSTANT, 11, "early");
    add_thread(bytes, 11, 5, 7, "math");
    add_process(bytes, 10, 5, "core[3,4]");

    assert_text(bytes, "core[3,4].math: mark early@30\n");
}

static void places_are_read_from_names(void **state)
{
    static const struct {
        const char *name;
        const char *kind;
        bool has_place;
        guint spans[4];
    } cases[] = {
        {"core[3,4]", "core", true, {3, 4, 3, 4}},
        {"pe[0:15,16:31]", "pe", true, {0, 16, 15, 31}},
        {"pcie", "pcie", false, {0, 0, 0, 0}},
        {"core[3]", "core[3]", false, {0, 0, 0, 0}},
        {"core[3,4]x", "core[3,4]x", false, {0, 0, 0, 0}},
        {"[3,4]", "[3,4]", false, {0, 0, 0, 0}},
        {"pe[9:1,0]", "pe[9:1,0]", false, {0, 0, 0, 0}},
        {"pe[99999999999,0]", "pe[99999999999,0]", false, {0, 0, 0, 0}},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();

        add_process(bytes, 1, 1, cases[i].name);
        add_plain(bytes, 1, INSTANT, 1, "x");
        g_autoptr(TraceTimeline) timeline = parse(bytes);
        const TracePlace *place = &g_array_index(timeline->places, TracePlace, 0);

        assert_string_equal(place->name, cases[i].name);
        assert_string_equal(place->kind, cases[i].kind);
        assert_int_equal(place->has_place, cases[i].has_place);
        assert_int_equal(place->x, cases[i].spans[0]);
        assert_int_equal(place->y, cases[i].spans[1]);
        assert_int_equal(place->x_end, cases[i].spans[2]);
        assert_int_equal(place->y_end, cases[i].spans[3]);
    }
}

static void slices_nest_whatever_their_order(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    Event begin = event_of(BEGIN, 1, "outer");
    Event end = event_of(END, 1, NULL);

    (void) state;
    add_track(bytes, 1, 0, "lane");
    add_plain(bytes, 10, BEGIN, 1, "inner");
    add_plain(bytes, 20, END, 1, NULL);
    add_event(bytes, 2, 10, &begin);
    add_event(bytes, 2, 20, &end);
    add_plain(bytes, 20, END, 1, NULL); /* ends nothing */
    add_plain(bytes, 30, BEGIN, 1, "open");
    add_plain(bytes, 45, BEGIN, 1, "within");
    add_plain(bytes, 40, END, 1, NULL); /* before it begins */

    assert_text(bytes, "lane: inner@10-20/0 outer@10-20/1 open@30-45/0 "
                       "within@45-45/0\n");
}

/* An end belongs to what its own sequence began. */
static void sequences_end_their_own_slices(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    Event begin = event_of(BEGIN, 1, "second");
    Event end = event_of(END, 1, NULL);

    (void) state;
    add_track(bytes, 1, 0, "lane");
    add_plain(bytes, 10, BEGIN, 1, "first");
    add_event(bytes, 2, 12, &begin);
    add_plain(bytes, 20, END, 1, NULL);
    add_event(bytes, 2, 30, &end);

    assert_text(bytes, "lane: first@10-20/0 second@12-30/1\n");
}

static void counters_have_values_of_any_kind(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_process(bytes, 1, 1, "tank");
    add_counter(bytes, 2, 1, false);
    add_counter(bytes, 3, 0, true);
    add_value(bytes, 10, 2, false, -5);
    add_value(bytes, 8, 2, true, 7.9);
    add_value(bytes, 9, 3, false, 4);
    add_value(bytes, 12, 3, false, -1);

    assert_text(bytes, "level:\n"
                       "tank:\n"
                       "level/level(litres,0): 4@9 3@12\n"
                       "tank/level(litres,0): 7@8 -5@10\n");
}

static void flows_lead_from_event_to_event(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_track(bytes, 1, 0, "a");
    add_track(bytes, 2, 0, "b");
    add_flow(bytes, 20, 2, "end", -7);
    add_flow(bytes, 10, 1, "begin", 7); /* later in the file */
    add_flow(bytes, 30, 1, "again", 7);
    add_flow(bytes, 35, 1, "step", 7);
    add_flow(bytes, 40, 2, "end", -7);
    add_flow(bytes, 41, 2, "other end", -7);
    add_flow(bytes, 50, 1, "lost", 8);
    add_flow(bytes, 60, 2, "found", -9);
    add_flow(bytes, 70, 2, "at once", -10);
    add_flow(bytes, 70, 1, "sent", 10);

    assert_text(
        bytes,
        "a: mark begin@10 mark again@30 mark step@35 mark lost@50 mark sent@70\n"
        "b: mark end@20 mark end@40 mark other end@41 mark found@60 mark at once@70\n"
        "flow 7: a.begin b.end\n"
        "flow 7: a.again a.step\n"
        "flow 7: a.step b.end\n"
        "flow 7: a.step b.other end\n"
        "flow 8: a.lost none\n"
        "flow 9: none b.found\n"
        "flow 10: a.sent b.at once\n");
}

static void what_is_not_known_is_passed_over(void **state)
{
    static const guint8 strange[] = {0x12, 2, 'h', 'i', /* fields of a trace: text, */
                                     0x18, 0x96, 1,     /* a number, */
                                     0x25, 1, 2, 3, 4,  /* 32 bits, */
                                     0x29, 1, 2, 3, 4, 5, 6, 7, 8,
                                     /* and of a packet: text with number 3 */
                                     0x0a, 4, 0x1a, 2, 'x', 'y'};
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_track(bytes, 1, 0, "a");
    g_byte_array_append(bytes, strange, sizeof(strange));
    add_plain(bytes, 10, INSTANT, 1, "b");

    assert_text(bytes, "a: mark b@10\n");
}

static void names_that_are_no_text_are_mended(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_track(bytes, 1, 0, "a\xff");
    add_plain(bytes, 10, INSTANT, 1, "b\xc3");

    assert_text(bytes, "a\xef\xbf\xbd: mark b\xef\xbf\xbd@10\n");
}

static void parents_may_go_round_in_circles(void **state)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();

    (void) state;
    add_track(bytes, 1, 2, "a");
    add_track(bytes, 2, 1, "b");
    add_track(bytes, 3, 3, "c");
    add_plain(bytes, 10, INSTANT, 1, "x");
    add_plain(bytes, 10, INSTANT, 3, "y");
    g_autoptr(TraceTimeline) timeline = parse(bytes);

    assert_int_equal(timeline->marks->len, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_of_other_programs_are_read),
        cmocka_unit_test(tracks_may_be_described_late),
        cmocka_unit_test(places_are_read_from_names),
        cmocka_unit_test(slices_nest_whatever_their_order),
        cmocka_unit_test(sequences_end_their_own_slices),
        cmocka_unit_test(counters_have_values_of_any_kind),
        cmocka_unit_test(flows_lead_from_event_to_event),
        cmocka_unit_test(what_is_not_known_is_passed_over),
        cmocka_unit_test(names_that_are_no_text_are_mended),
        cmocka_unit_test(parents_may_go_round_in_circles),
    };

    return cmocka_run_group_tests_name("traces.timeline", tests, NULL, NULL);
}
