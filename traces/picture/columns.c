/* Columns of pixels. */
#include "traces/picture/columns.h"

#include <math.h>
#include <string.h>

#include "traces/picture/operations.h"

_Static_assert((int) COLUMN_STALLED == (int) OPERATIONS_CLASSES,
               "stalls come behind operations");

enum {
    HEIGHTS = 8, /* that are told apart */
};

void columns_init(Columns *self, guint count)
{
    self->count = count;
    self->parts = g_new0(float, (gsize) count *COLUMN_CLASSES);
}

void columns_clear(Columns *self)
{
    g_clear_pointer(&self->parts, g_free);
}

void columns_add(Columns *self, guint class_index, double x, double width)
{
    double end = fmin(x + width, self->count);

    x = fmax(x, 0);
    for (guint pixel = (guint) x; pixel < self->count && pixel < end; pixel++) {
        double from = fmax(x, pixel);
        double to = fmin(end, pixel + 1.0);

        self->parts[(gsize) pixel * COLUMN_CLASSES + class_index] +=
            (float) (to - from);
    }
}

/* The class that has most, and in `height` how much all have together. */
static guint most_of(const float *parts, guint *height)
{
    guint most = 0;
    float sum = 0;

    for (guint i = 0; i < COLUMN_CLASSES; i++) {
        sum += parts[i];
        most = parts[i] > parts[most] ? i : most;
    }
    *height = (guint) lround(fmin(sum, 1) * HEIGHTS);
    if (sum > 0.001F) {
        *height = MAX(*height, 1);
    }
    return most;
}

static void draw_run(TraceSvg *svg,
                     const TraceSvgPoint *corner,
                     double width,
                     double height,
                     guint class_index)
{
    TraceSvgLook look = {.fill = class_index == COLUMN_STALLED
                                     ? "url(#timeline-stall)"
                                     : operations_colour(class_index)};

    trace_svg_rect(svg, corner->x, corner->y, width, height, &look);
}

void columns_draw(Columns *self, TraceSvg *svg, double x, double y, double height)
{
    guint begin = 0;
    guint before = 0;
    guint level = 0;

    for (guint pixel = 0; pixel <= self->count; pixel++) {
        guint now = 0;
        guint most = pixel < self->count
                         ? most_of(&self->parts[(gsize) pixel * COLUMN_CLASSES], &now)
                         : 0;

        if (most == before && now == level) {
            continue;
        }
        if (level > 0) {
            double tall = height * level / HEIGHTS;

            draw_run(svg, &(TraceSvgPoint){x + begin, y + height - tall}, pixel - begin,
                     tall, before);
        }
        begin = pixel;
        before = most;
        level = now;
    }
    if (level > 0) {
        double tall = height * level / HEIGHTS;

        draw_run(svg, &(TraceSvgPoint){x + begin, y + height - tall},
                 self->count - begin, tall, before);
    }
    memset(self->parts, 0, sizeof(float) * self->count * COLUMN_CLASSES);
}
