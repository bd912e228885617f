/* Accumulates the slices in each column of pixels. */
#include "traces/picture/timeline/columns.h"

#include <math.h>
#include <string.h>

#include "traces/picture/timeline/operations.h"

_Static_assert((int) COLUMN_STALLED == (int) OPERATIONS_CLASSES,
               "stalls come behind operations");

enum {
    HEIGHTS = 8, /* that are told apart */
};

void columns_init(Columns *self, guint pixels, guint width)
{
    self->count = (pixels + width - 1) / width;
    self->width = width;
    self->parts = g_new0(float, (gsize) self->count *COLUMN_CLASSES);
}

void columns_clear(Columns *self)
{
    g_clear_pointer(&self->parts, g_free);
}

void columns_add(Columns *self, guint class_index, double x, double width)
{
    double end = fmin((x + width) / self->width, self->count);

    x = fmax(x / self->width, 0);
    for (guint column = (guint) x; column < self->count && column < end; column++) {
        double from = fmax(x, column);
        double to = fmin(end, column + 1.0);

        self->parts[(gsize) column * COLUMN_CLASSES + class_index] +=
            (float) (to - from);
    }
}

/* How a column looks. */
typedef struct {
    guint operation; /* the class that has most */
    guint busy;      /* heights */
    guint all;
} Look;

static guint height_of(float part)
{
    guint height = (guint) lround(fmin(part, 1) * HEIGHTS);

    return part > 0.001F ? MAX(height, 1) : height;
}

static Look look_of(const float *parts)
{
    Look look = {0};
    float busy = 0;

    for (guint i = 0; i < COLUMN_STALLED; i++) {
        busy += parts[i];
        look.operation = parts[i] > parts[look.operation] ? i : look.operation;
    }
    look.busy = height_of(busy);
    look.all = MAX(look.busy, height_of(busy + parts[COLUMN_STALLED]));
    return look;
}

typedef struct {
    TraceSvg *svg;
    double x;
    double bottom;
    double height; /* of the row */
    guint column;  /* width of each */
} Row;

static void draw_run(const Row *row, const Look *look, guint begin, guint end)
{
    double busy = row->height * look->busy / HEIGHTS;
    double all = row->height * look->all / HEIGHTS;
    double x = row->x + (double) begin * row->column;
    double width = (double) (end - begin) * row->column;

    if (look->busy > 0) {
        trace_svg_rect(row->svg, x, row->bottom - busy, width, busy,
                       &(TraceSvgLook){.fill = operations_colour(look->operation)});
    }
    if (look->all > look->busy) {
        trace_svg_rect(row->svg, x, row->bottom - all, width, all - busy,
                       &(TraceSvgLook){.fill = "url(#timeline-stall)"});
    }
}

void columns_draw(Columns *self, TraceSvg *svg, double x, double y, double height)
{
    const Row row = {.svg = svg,
                     .x = x,
                     .bottom = y + height,
                     .height = height,
                     .column = self->width};
    Look before = {0};
    guint begin = 0;

    for (guint column = 0; column < self->count; column++) {
        Look now = look_of(&self->parts[(gsize) column * COLUMN_CLASSES]);

        if (now.operation != before.operation || now.busy != before.busy ||
            now.all != before.all) {
            draw_run(&row, &before, begin, column);
            begin = column;
            before = now;
        }
    }
    draw_run(&row, &before, begin, self->count);
    memset(self->parts, 0, sizeof(float) * self->count * COLUMN_CLASSES);
}
