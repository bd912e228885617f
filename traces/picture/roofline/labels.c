/* Places labels as rows of squares: two that do not touch do not cover each other. */
#include "traces/picture/roofline/labels.h"

#include <math.h>

#define SIDE     11.0 /* of a square, about as high as a letter */
#define STEP     5.0  /* from one to the next */
#define NEAR     5.0  /* a line that is so near goes through the letters */
#define HALF     0.5
#define CROSSED  0.5 /* so much of a text may have lines through it */
#define MARK_OFF 2.0 /* a mark needs less room than a letter */

enum {
    CROSSED_LEAST = 2, /* squares, so that single letters find a place, too */
};

void trace_roofline_labels_init(TraceRooflineLabels *self, double width, double height)
{
    *self = (TraceRooflineLabels){
        .spots = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint)),
        .lines = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint)),
        .width = width,
        .height = height,
    };
}

void trace_roofline_labels_clear(TraceRooflineLabels *self)
{
    g_clear_pointer(&self->spots, g_array_unref);
    g_clear_pointer(&self->lines, g_array_unref);
}

void trace_roofline_labels_add_mark(TraceRooflineLabels *self, double x, double y)
{
    const TraceSvgPoint spot = {x, y};

    g_array_append_val(self->spots, spot);
}

void trace_roofline_labels_add_line(TraceRooflineLabels *self,
                                    TraceSvgPoint from,
                                    TraceSvgPoint to)
{
    g_array_append_val(self->lines, from);
    g_array_append_val(self->lines, to);
}

/* The middle of a label's square: half a letter above the line it stands on. */
static TraceSvgPoint spot_of(const TraceRooflinePlace *place, double along)
{
    const double up = SIDE * HALF - MARK_OFF * HALF;

    return (TraceSvgPoint){
        .x = place->x + along * cos(place->angle) + up * sin(place->angle),
        .y = place->y + along * sin(place->angle) - up * cos(place->angle),
    };
}

static bool is_free(const TraceRooflineLabels *self, TraceSvgPoint spot)
{
    if (spot.x < SIDE * HALF || spot.x > self->width - SIDE * HALF ||
        spot.y < SIDE * HALF || spot.y > self->height - SIDE * HALF) {
        return false;
    }
    for (guint i = 0; i < self->spots->len; i++) {
        const TraceSvgPoint *taken = &g_array_index(self->spots, TraceSvgPoint, i);

        if (fabs(taken->x - spot.x) < SIDE && fabs(taken->y - spot.y) < SIDE) {
            return false;
        }
    }
    return true;
}

static double distance(TraceSvgPoint spot, TraceSvgPoint from, TraceSvgPoint to)
{
    const double x = to.x - from.x;
    const double y = to.y - from.y;
    const double square = x * x + y * y;
    const double part =
        square > 0
            ? CLAMP(((spot.x - from.x) * x + (spot.y - from.y) * y) / square, 0, 1)
            : 0;

    const double beside = spot.x - from.x - part * x;
    const double above = spot.y - from.y - part * y;

    return sqrt(beside * beside + above * above);
}

static guint crossings(const TraceRooflineLabels *self, TraceSvgPoint spot)
{
    guint count = 0;

    for (guint i = 0; i + 1 < self->lines->len; i += 2) {
        count += distance(spot, g_array_index(self->lines, TraceSvgPoint, i),
                          g_array_index(self->lines, TraceSvgPoint, i + 1)) < NEAR;
    }
    return count;
}

static guint squares_of(double length)
{
    return (guint) (length / STEP) + 1;
}

/* How many lines go through it; G_MAXUINT where it is not free. */
static guint
cost_of(const TraceRooflineLabels *self, const TraceRooflinePlace *place, double length)
{
    guint cost = 0;

    for (guint i = 0; i < squares_of(length); i++) {
        const TraceSvgPoint spot = spot_of(place, i * STEP);

        if (!is_free(self, spot)) {
            return G_MAXUINT;
        }
        cost += crossings(self, spot);
    }
    return cost;
}

const TraceRooflinePlace *trace_roofline_labels_take(TraceRooflineLabels *self,
                                                     const TraceRooflinePlace *places,
                                                     gsize count,
                                                     double length)
{
    const TraceRooflinePlace *best = NULL;
    guint least = G_MAXUINT;
    /* A line that goes along a text, and not only across it, strikes it out. */
    const guint most = CROSSED_LEAST + (guint) (CROSSED * length / STEP);

    for (gsize i = 0; i < count; i++) {
        const guint cost = cost_of(self, &places[i], length);

        if (cost < least && cost <= most) {
            least = cost;
            best = &places[i];
        }
    }
    for (guint i = 0; best != NULL && i < squares_of(length); i++) {
        const TraceSvgPoint spot = spot_of(best, i * STEP);

        g_array_append_val(self->spots, spot);
    }
    return best;
}
