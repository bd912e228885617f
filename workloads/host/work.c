/* Adds up the launches of a run. */
#include "workloads/host/work.h"

void session_work_add(SessionWork *self, const WorkSpan *span, double whole)
{
    const double cycles = (double) span->cycles * whole;

    if (self->spans == NULL) {
        self->spans = g_array_new(FALSE, FALSE, sizeof(WorkSpan));
    }
    g_array_append_vals(self->spans, span, 1);
    self->cycles += cycles;
    self->core_cycles += (double) span->parts * cycles;
    self->parts = MAX(self->parts, span->parts);
}

void session_work_clear(SessionWork *self)
{
    g_clear_pointer(&self->spans, g_array_unref);
}

JsonArray *session_work_to_json(const SessionWork *self)
{
    JsonArray *spans = json_array_new();

    for (guint i = 0; self->spans != NULL && i < self->spans->len; i++) {
        const WorkSpan *span = &g_array_index(self->spans, WorkSpan, i);
        JsonArray *row = json_array_new();

        json_array_add_int_element(row, (gint64) span->begin);
        json_array_add_int_element(row, (gint64) span->end);
        json_array_add_int_element(row, (gint64) span->parts);
        json_array_add_int_element(row, (gint64) span->cycles);
        json_array_add_array_element(spans, row);
    }
    return spans;
}
