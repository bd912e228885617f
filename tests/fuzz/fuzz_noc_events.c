/* Fuzzes the reader of NoC event traces with any bytes. */
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "traces/error.h"
#include "traces/reading/noc_events.h"

/* The name that libFuzzer calls. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(const GError *error)
{
    g_assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    g_assert_true(g_str_has_prefix(error->message, "fuzz.json: "));
    g_assert_null(strpbrk(error->message, "\r\n"));
    g_assert_true(g_str_is_ascii(error->message));
    g_assert_cmpuint(strlen(error->message), <, 600);
}

static void check_event(const TraceNocEvent *event)
{
    g_assert_nonnull(trace_noc_kind_name(event->kind));
    g_assert_cmpuint(event->source_x, <, TRACE_NOC_GRID_SIDE);
    g_assert_cmpuint(event->source_y, <, TRACE_NOC_GRID_SIDE);
    g_assert_cmpuint(event->target_x, <, TRACE_NOC_GRID_SIDE);
    g_assert_cmpuint(event->target_y, <, TRACE_NOC_GRID_SIDE);
    g_assert_cmpuint(event->target_end_x, <, TRACE_NOC_GRID_SIDE);
    g_assert_cmpuint(event->target_end_y, <, TRACE_NOC_GRID_SIDE);
    g_assert_cmpuint(event->bytes, <=, TRACE_NOC_BYTES_MAXIMUM);
    g_assert_cmpuint(event->noc, <, 2);
    g_assert_true(event->has_target || event->move == TRACE_NOC_MOVES_NOTHING);
    g_assert_true((event->zone != NULL) == (event->kind <= TRACE_NOC_ZONE_END));
    g_assert_true(event->processor != TRACE_NOC_NO_PROCESSOR || event->zone != NULL);
}

static void check_events(const TraceNocEvents *events)
{
    SimTime time = 0;

    g_assert_cmpuint(trace_noc_events_count(events), >, 0);
    for (gsize i = 0; i < trace_noc_events_count(events); i++) {
        const TraceNocEvent *event = trace_noc_events_at(events, i);

        g_assert_cmpuint(event->time, >=, time);
        time = event->time;
        check_event(event);
    }
    g_assert_cmpuint(time, <=, trace_noc_events_last_time(events));
    g_assert_cmpuint(trace_noc_events_recorded_cycles(events), <=,
                     trace_noc_events_last_time(events));
    for (gsize i = 0; i < trace_noc_events_unknown_count(events); i++) {
        g_assert_cmpuint(trace_noc_events_unknown(events, i)->count, >, 0);
        g_assert_true(g_str_is_ascii(trace_noc_events_unknown(events, i)->name));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceNocEvents) events =
        trace_noc_events_parse("fuzz.json", (const char *) data, size, &error);

    g_assert_true((events == NULL) == (error != NULL));
    if (events == NULL) {
        check_error(error);
    } else {
        check_events(events);
    }
    return 0;
}
