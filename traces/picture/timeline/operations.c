/* Ranks operations by the time they take. */
#include "traces/picture/timeline/operations.h"

#include "traces/picture/palette.h"
#include "traces/reading/lane_use.h"
#include "traces/reading/timeline_items.h"

#define OTHER_COLOUR "#8c8d96"

static void operation_clear(gpointer data)
{
    g_free(((Operation *) data)->name);
}

static void count(GHashTable *sums, const char *name, double cycles)
{
    double *sum = g_hash_table_lookup(sums, name);

    if (cycles <= 0) {
        return;
    }
    if (sum == NULL) {
        sum = g_new0(double, 1);
        g_hash_table_insert(sums, g_strdup(name), sum);
    }
    *sum += cycles;
}

bool operations_is_zone(const TraceLane *lane)
{
    return g_str_has_prefix(lane->unit, "zones");
}

static void count_lane(const TraceTimelinePicture *picture,
                       guint32 index,
                       GHashTable *slices,
                       GHashTable *stalls)
{
    const TraceLane *lane = trace_lane_at(picture->timeline, index);

    if (operations_is_zone(lane)) {
        return;
    }
    for (guint32 i = 0; i < lane->slice_count; i++) {
        const TraceSlice *slice =
            trace_slice_at(picture->timeline, lane->first_slice + i);

        if (slice->depth == 0 && slice->end > slice->begin) {
            count(slices, slice->name,
                  trace_lane_use_within(slice->begin, slice->end,
                                        (double) trace_slice_cycles(slice),
                                        picture->begin, picture->end));
        }
    }
    for (guint32 i = 0; i < lane->mark_count; i++) {
        const TraceMark *mark = trace_mark_at(picture->timeline, lane->first_mark + i);

        if (mark->is_stall && mark->cycles > 0) {
            count(stalls, mark->name,
                  trace_lane_use_within(
                      mark->at, trace_time_after(mark->at, mark->cycles),
                      (double) mark->cycles, picture->begin, picture->end));
        }
    }
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const Operation *first = a;
    const Operation *second = b;

    return first->cycles != second->cycles
               ? (first->cycles < second->cycles) - (first->cycles > second->cycles)
               : g_strcmp0(first->name, second->name);
}

static GArray *sorted(GHashTable *sums)
{
    GArray *operations = g_array_new(FALSE, FALSE, sizeof(Operation));
    GHashTableIter each;
    gpointer name;
    gpointer cycles;

    g_array_set_clear_func(operations, operation_clear);
    g_hash_table_iter_init(&each, sums);
    while (g_hash_table_iter_next(&each, &name, &cycles)) {
        Operation operation = {.name = g_strdup(name), .cycles = *(double *) cycles};

        g_array_append_val(operations, operation);
    }
    g_array_sort(operations, compare);
    return operations;
}

void operations_init(Operations *self, const TraceTimelinePicture *picture)
{
    g_autoptr(GHashTable) slices =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GHashTable) stalls =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    for (gsize i = 0; i < picture->lane_count; i++) {
        count_lane(picture, picture->lanes[i], slices, stalls);
    }
    self->operations = sorted(slices);
    self->stalls = sorted(stalls);
    self->ranks = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < self->operations->len; i++) {
        g_hash_table_insert(self->ranks,
                            g_array_index(self->operations, Operation, i).name,
                            GUINT_TO_POINTER(i + 1));
    }
}

void operations_clear(Operations *self)
{
    g_clear_pointer(&self->ranks, g_hash_table_unref);
    g_clear_pointer(&self->operations, g_array_unref);
    g_clear_pointer(&self->stalls, g_array_unref);
}

guint operations_class(const Operations *self, const char *name)
{
    guint rank = GPOINTER_TO_UINT(g_hash_table_lookup(self->ranks, name));

    return rank > 0 ? MIN(rank - 1, OPERATIONS_OTHER) : OPERATIONS_OTHER;
}

const char *operations_colour(guint class_index)
{
    guint own = class_index < TRACE_PALETTE_GREY ? class_index : class_index + 1;

    return class_index < OPERATIONS_COLOURED ? trace_palette_colour(own) : OTHER_COLOUR;
}
