/* Sums the use of lanes, cell by cell and window by window. */
#include "traces/picture/timeline_heatmap.h"

#include <math.h>
#include <string.h>

#include "traces/error.h"
#include "traces/picture/heatmap.h"
#include "traces/reading/lane_use.h"
#include "traces/reading/timeline_items.h"

enum {
    SQUARES_MAXIMUM = 128, /* in a row */
    WINDOWS_MAXIMUM = 16,
    ARROWS_MAXIMUM = 32,    /* of which links are arrows; else they are squares, too */
    SIDE_MAXIMUM = 1 << 16, /* places; no chip has more */
};

static const char *const directions[] = {"east", "west", "south", "north"};
enum {
    DIRECTIONS = G_N_ELEMENTS(directions),
};

/* A layer is one of the things compared in a place: a unit, or a direction of links. */
typedef struct {
    const TraceTimelineHeatmap *wanted;
    const TraceTimeline *timeline;
    const char *group; /* shown: a kind of places, or links of this chip */
    GPtrArray *layers; /* names of units */
    const char *networks[DIRECTIONS];
    guint32 *lane_layers; /* of lanes; TRACE_NONE: not shown */
    guint width;          /* squares */
    guint height;
    guint step;
    guint places_wide;
    guint places_high;
    SimTime begin;
    SimTime end;
    guint slices;   /* of time: the whole, then windows */
    double *cycles; /* [slice of time][layer][square] */
} Map;

static void map_clear(Map *self)
{
    g_ptr_array_unref(self->layers);
    g_free(self->lane_layers);
    g_free(self->cycles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Map, map_clear)

static bool is_direction(const char *unit, guint *direction)
{
    for (guint i = 0; i < DIRECTIONS; i++) {
        if (g_str_equal(unit, directions[i])) {
            *direction = i;
            return true;
        }
    }
    return false;
}

/* May lanes like this one be shown? */
static bool is_wanted(const Map *self, const TraceLane *lane)
{
    const TracePlace *place = trace_place_at(self->timeline, lane->place);
    guint direction;
    bool is_link = is_direction(lane->unit, &direction);

    if (!place->has_place || place->x_end >= SIDE_MAXIMUM ||
        place->y_end >= SIDE_MAXIMUM || place->x > place->x_end ||
        place->y > place->y_end) {
        return false;
    }
    if (self->wanted->by == TRACE_HEAT_LINKS) {
        return is_link;
    }
    return self->wanted->unit != NULL
               ? g_str_equal(lane->unit, self->wanted->unit)
               : !is_link && !g_str_has_prefix(lane->unit, "zones");
}

static TraceUse use_of(TraceHeatBy by)
{
    return by == TRACE_HEAT_STALLS ? TRACE_USE_STALLED : TRACE_USE_BUSY;
}

/* "chip1" of "chip1.noc0"; "" where the trace is of one chip. */
static const char *chip_of(const char *kind)
{
    const char *dot = strchr(kind, '.');
    g_autofree char *chip =
        dot == NULL ? g_strdup("") : g_strndup(kind, (gsize) (dot - kind));

    return g_intern_string(chip);
}

/* A map is of one kind of places, or of the links of one chip. */
static const char *group_of(gpointer data, const TraceLane *lane)
{
    const Map *self = data;
    const char *kind = trace_place_at(self->timeline, lane->place)->kind;

    if (!is_wanted(self, lane)) {
        return NULL;
    }
    return self->wanted->by == TRACE_HEAT_LINKS ? chip_of(kind) : kind;
}

static guint32 layer_of(Map *self, const char *unit)
{
    guint index;

    if (!g_ptr_array_find_with_equal_func(self->layers, unit, g_str_equal, &index)) {
        g_ptr_array_add(self->layers, (gpointer) unit);
        index = self->layers->len - 1;
    }
    return index;
}

/* Chooses the lanes to show and the size of the grid. */
static void choose_lanes(Map *self)
{
    bool is_links = self->wanted->by == TRACE_HEAT_LINKS;
    guint edge = 1;

    self->lane_layers = g_new(guint32, self->timeline->lanes->len);
    for (guint i = 0; is_links && i < DIRECTIONS; i++) {
        (void) layer_of(self, directions[i]);
    }
    for (guint32 i = 0; i < self->timeline->lanes->len; i++) {
        const TraceLane *lane = trace_lane_at(self->timeline, i);
        const TracePlace *place = trace_place_at(self->timeline, lane->place);

        self->lane_layers[i] = TRACE_NONE;
        const char *group = group_of(self, lane);

        if (group == NULL || !g_str_equal(group, self->group)) {
            continue;
        }
        self->lane_layers[i] = layer_of(self, lane->unit);
        if (is_links) {
            self->networks[self->lane_layers[i]] = place->kind;
        }
        self->places_wide = MAX(self->places_wide, place->x_end + 1);
        self->places_high = MAX(self->places_high, place->y_end + 1);
        edge = MAX(edge, MAX(place->x_end - place->x, place->y_end - place->y) + 1);
    }
    self->step = edge;
    while (MAX(self->places_wide, self->places_high) / self->step > SQUARES_MAXIMUM) {
        self->step *= 2;
    }
    self->width = (self->places_wide + self->step - 1) / self->step;
    self->height = (self->places_high + self->step - 1) / self->step;
}

static gsize square_count(const Map *self)
{
    return (gsize) self->width * self->height;
}

static double *cycles_at(const Map *self, guint slice, guint layer)
{
    return &self->cycles[((gsize) slice * self->layers->len + layer) *
                         square_count(self)];
}

/* The time of the whole map, or of one of its windows. */
static void span_of(const Map *self, guint slice, SimTime *begin, SimTime *end)
{
    SimTime from = self->begin;
    SimTime span = self->end - from;
    guint count = self->slices - 1;

    *begin = slice == 0 ? from : from + span / count * (slice - 1);
    *end = slice == 0 || slice == count ? self->end : from + span / count * slice;
}

static void
add_use(gpointer data, guint32 lane, SimTime begin, SimTime end, double cycles)
{
    Map *self = data;
    const TraceLane *on = trace_lane_at(self->timeline, lane);
    const TracePlace *place = trace_place_at(self->timeline, on->place);

    if (self->lane_layers[lane] == TRACE_NONE) {
        return;
    }
    gsize square =
        (gsize) (place->y / self->step) * self->width + place->x / self->step;

    for (guint i = 0; i < self->slices; i++) {
        SimTime from;
        SimTime to;

        span_of(self, i, &from, &to);
        cycles_at(self, i, self->lane_layers[lane])[square] +=
            trace_lane_use_within(begin, end, cycles, from, to);
    }
}

/* Trims the window; false if nothing shown happens in it. */
static bool cut_window(Map *self)
{
    g_autofree bool *is_shown = g_new(bool, self->timeline->lanes->len);
    SimTime from = SIM_TIME_NEVER;
    SimTime to = 0;

    for (guint32 i = 0; i < self->timeline->lanes->len; i++) {
        is_shown[i] = self->lane_layers[i] != TRACE_NONE;
    }
    trace_lane_use_span(self->timeline, use_of(self->wanted->by), is_shown, &from, &to);
    self->begin = MAX(self->wanted->begin, from);
    self->end = MIN(self->wanted->end, to);
    if (self->begin >= self->end) {
        return false;
    }
    self->slices = 1 + (guint) MIN(self->wanted->window_count, self->end - self->begin);
    return true;
}

/* Places in a square: fewer at the far edges. */
static double places_in(const Map *self, gsize square)
{
    guint x = (guint) (square % self->width) * self->step;
    guint y = (guint) (square / self->width) * self->step;

    return (double) MIN(self->step, self->places_wide - x) *
           MIN(self->step, self->places_high - y);
}

/* From cycles to parts of the time. */
static void divide(Map *self)
{
    for (guint slice = 0; slice < self->slices; slice++) {
        SimTime from;
        SimTime to;

        span_of(self, slice, &from, &to);
        for (guint layer = 0; layer < self->layers->len; layer++) {
            double *cycles = cycles_at(self, slice, layer);

            for (gsize square = 0; square < square_count(self); square++) {
                cycles[square] /= (double) MAX(to - from, 1) * places_in(self, square);
            }
        }
    }
}

/* Are links squares, too? */
static bool is_dense(const Map *self)
{
    return self->wanted->by == TRACE_HEAT_LINKS &&
           MAX(self->width, self->height) > ARROWS_MAXIMUM;
}

/* The mean over the directions in which there are links. */
static double *mean_of_links(const Map *self, guint slice)
{
    double *values = g_new0(double, square_count(self));
    guint count = 0;

    for (guint i = 0; i < DIRECTIONS; i++) {
        count += self->networks[i] != NULL;
    }
    for (guint i = 0; i < DIRECTIONS; i++) {
        const double *parts = cycles_at(self, slice, i);

        for (gsize square = 0; square < square_count(self); square++) {
            values[square] += parts[square] / count;
        }
    }
    return values;
}

/* The highest of a square's layers; NULL where links are arrows between squares. */
static double *squares_of(const Map *self, guint slice)
{
    double *values;

    if (self->wanted->by == TRACE_HEAT_LINKS) {
        return is_dense(self) ? mean_of_links(self, slice) : NULL;
    }
    values = g_new0(double, square_count(self));

    for (guint layer = 0; layer < self->layers->len; layer++) {
        const double *parts = cycles_at(self, slice, layer);

        for (gsize square = 0; square < square_count(self); square++) {
            values[square] = fmax(values[square], parts[square]);
        }
    }
    return values;
}

/* The square that a link leads to, around the edge if it must. */
static uint32_t
next_of(const Map *self, uint32_t square, guint direction, bool *is_wrap)
{
    static const int steps[DIRECTIONS][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const int width = (int) MAX(self->width, 1);
    const int height = (int) MAX(self->height, 1);
    int x = (int) square % width + steps[direction][0];
    int y = (int) square / width + steps[direction][1];

    *is_wrap = x < 0 || y < 0 || x >= width || y >= height;
    return (uint32_t) ((y + height) % height * width + (x + width) % width);
}

/* Links of the networks that are seen; around an edge only where they are in use, as
 * not every network goes there (of a square of several places some link is inside it).
 * Their layer and square are in `sources`. */
static GArray *list_links(const Map *self, GArray *sources)
{
    GArray *links = g_array_new(FALSE, FALSE, sizeof(TraceHeatmapLink));

    for (guint direction = 0; direction < DIRECTIONS; direction++) {
        const double *parts = cycles_at(self, 0, direction);
        bool has_wraps = false;

        for (uint32_t i = 0; i < square_count(self); i++) {
            bool is_wrap;

            (void) next_of(self, i, direction, &is_wrap);
            has_wraps = has_wraps || (is_wrap && parts[i] > 0 && self->step == 1);
        }
        for (uint32_t i = 0;
             self->networks[direction] != NULL && i < square_count(self); i++) {
            bool is_wrap;
            TraceHeatmapLink link = {.from = i,
                                     .to = next_of(self, i, direction, &is_wrap),
                                     .direction = directions[direction],
                                     .network = self->networks[direction],
                                     .utilisation = parts[i]};
            gsize source = direction * square_count(self) + i;

            if (!is_wrap || has_wraps) {
                g_array_append_val(links, link);
                g_array_append_val(sources, source);
            }
        }
    }
    return links;
}

static double *link_values(const Map *self, const GArray *sources, guint slice)
{
    double *values = g_new(double, sources->len);

    for (guint i = 0; i < sources->len; i++) {
        values[i] = cycles_at(self, slice, 0)[g_array_index(sources, gsize, i)];
    }
    return values;
}

static const char *unit_text(const Map *self)
{
    const char *unit = self->wanted->unit;

    switch (self->wanted->by) {
    case TRACE_HEAT_BUSY:
        return unit != NULL ? "part of the time that the unit works"
                            : "part of the time that the busiest unit works";
    case TRACE_HEAT_STALLS:
        return unit != NULL
                   ? "part of the time that the unit stands still"
                   : "part of the time that the unit which waits most stands still";
    case TRACE_HEAT_LINKS:
        return is_dense(self) ? "part of the time that links are in use, their mean"
                              : "part of the time that the link is in use";
    }
    return NULL;
}

/* The kind of a square; the networks of a Wormhole have their own names. */
static const char *node_text(const Map *self)
{
    const char *kind = self->wanted->by == TRACE_HEAT_LINKS ? NULL : self->group;

    for (guint i = 0; kind == NULL && i < DIRECTIONS; i++) {
        kind = self->networks[i];
    }
    const gsize chip = strlen(chip_of(kind));

    return g_str_has_prefix(kind + chip + (chip > 0), "noc") ? "tile" : kind;
}

/* Says which chip is shown, where there are several. The caller frees it. */
static char *title_of(const Map *self)
{
    const bool is_links = self->wanted->by == TRACE_HEAT_LINKS;
    const char *chip = is_links ? self->group : chip_of(self->group);

    return *chip == '\0' ? g_strdup(self->wanted->title)
                         : g_strdup_printf("%s: %s, %s", self->wanted->title, chip,
                                           self->wanted->by == TRACE_HEAT_STALLS
                                               ? "which waits most"
                                               : "the busiest chip");
}

static char *draw(const Map *self)
{
    g_autofree char *title = title_of(self);
    bool has_arrows = self->wanted->by == TRACE_HEAT_LINKS && !is_dense(self);
    g_autoptr(GArray) sources = g_array_new(FALSE, FALSE, sizeof(gsize));
    g_autoptr(GArray) links = has_arrows
                                  ? list_links(self, sources)
                                  : g_array_new(FALSE, FALSE, sizeof(TraceHeatmapLink));
    TraceHeatmapWindow windows[WINDOWS_MAXIMUM] = {{0}};
    g_autofree double *squares = squares_of(self, 0);
    TraceHeatmap map = {.title = title,
                        .unit = unit_text(self),
                        .node = node_text(self),
                        .width = self->width,
                        .height = self->height,
                        .step = self->step,
                        .is_y_down = true,
                        .start = self->begin,
                        .end = self->end,
                        .links = (const TraceHeatmapLink *) (const void *) links->data,
                        .link_count = links->len,
                        .routers = squares,
                        .windows = windows,
                        .window_count = self->slices - 1};
    char *svg;

    for (guint i = 0; i + 1 < self->slices; i++) {
        span_of(self, i + 1, &windows[i].start, &windows[i].end);
        windows[i].links = has_arrows ? link_values(self, sources, i + 1) : NULL;
        windows[i].routers = squares_of(self, i + 1);
    }
    svg = trace_heatmap_to_svg(&map);
    for (guint i = 0; i + 1 < self->slices; i++) {
        g_free((gpointer) windows[i].links);
        g_free((gpointer) windows[i].routers);
    }
    return svg;
}

static char *refuse(const TraceTimelineHeatmap *wanted, GError **error)
{
    static const char *const what[] = {
        [TRACE_HEAT_BUSY] = "no unit works there",
        [TRACE_HEAT_STALLS] = "no unit stands still there",
        [TRACE_HEAT_LINKS] = "no links of a network are in use there",
    };

    if (wanted->unit != NULL && wanted->by != TRACE_HEAT_LINKS) {
        g_autofree char *name = g_utf8_make_valid(wanted->unit, -1);

        g_set_error(error, TRACE_ERROR, TRACE_ERROR_LACKS,
                    "no place with a unit %s, or it does nothing", name);
    } else {
        g_set_error_literal(error, TRACE_ERROR, TRACE_ERROR_LACKS, what[wanted->by]);
    }
    return NULL;
}

char *trace_timeline_heatmap_to_svg(const TraceTimelineHeatmap *self, GError **error)
{
    g_auto(Map)
        map = {.wanted = self, .timeline = self->timeline, .layers = g_ptr_array_new()};

    g_return_val_if_fail(self->window_count <= WINDOWS_MAXIMUM, NULL);
    map.group = trace_busiest(self->timeline, use_of(self->by), group_of, &map);
    if (map.group == NULL) {
        return refuse(self, error);
    }
    choose_lanes(&map);
    if (map.places_wide == 0 || !cut_window(&map)) {
        return refuse(self, error);
    }
    map.cycles =
        g_new0(double, (gsize) map.slices *map.layers->len *square_count(&map));
    trace_lane_use_each(self->timeline, use_of(self->by), add_use, &map);
    divide(&map);
    return draw(&map);
}
