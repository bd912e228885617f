/* Finds the bounds of cells. */
#include "traces/picture/plot/cells.h"

#include <math.h>

#define SAME 0.5 /* pixels: points nearer to each other stand at one place */

void trace_plot_cells_init(TracePlotCells *self, double length)
{
    self->places = g_array_new(FALSE, FALSE, sizeof(double));
    self->length = length;
}

void trace_plot_cells_clear(TracePlotCells *self)
{
    g_clear_pointer(&self->places, g_array_unref);
}

void trace_plot_cells_add(TracePlotCells *self, double place)
{
    g_array_append_val(self->places, place);
}

static double place_at(const TracePlotCells *self, guint index)
{
    return g_array_index(self->places, double, index);
}

static int compare(gconstpointer a, gconstpointer b)
{
    const double x = *(const double *) a;
    const double y = *(const double *) b;

    return (x > y) - (x < y);
}

void trace_plot_cells_ready(TracePlotCells *self)
{
    guint kept = 0;

    g_array_sort(self->places, compare);
    for (guint i = 0; i < self->places->len; i++) {
        const double place = place_at(self, i);

        if (kept == 0 || place - place_at(self, kept - 1) > SAME) {
            g_array_index(self->places, double, kept++) = place;
        }
    }
    g_array_set_size(self->places, kept);
}

TracePlotExtent trace_plot_cells_span(const TracePlotCells *self, double place)
{
    const guint count = self->places->len;
    guint at = 0;

    if (count < 2) {
        return (TracePlotExtent){.from = 0, .to = self->length};
    }
    while (at + 1 < count && place - place_at(self, at) > SAME) {
        at++;
    }
    const guint left = MIN(MAX(at, 1) - 1, count - 2); /* of the gap before it */
    const guint right = MIN(at, count - 2);
    const double before = place_at(self, left + 1) - place_at(self, left);
    const double after = place_at(self, right + 1) - place_at(self, right);

    return (TracePlotExtent){
        .from = fmax(place - before / 2, 0),
        .to = fmin(place + after / 2, self->length),
    };
}
