/* Lays out a heat map: text, legend, grid, and the windows beside or below it. */
#include "traces/picture/heatmap.h"

#include <math.h>

#include "traces/picture/heatmap/panel.h"
#include "traces/picture/palette.h"
#include "traces/picture/svg.h"

/* Pixels. */
#define EDGE           16.0  /* around everything */
#define HEAD           118.0 /* title, words and legend */
#define AXIS           40.0  /* left of the grid */
#define AXIS_LINE      22.0  /* above or below it */
#define FOOT           26.0
#define GRID_SIDE      800.0
#define CELL_LEAST     12.0
#define CELL_MOST      56.0
#define WIDTH_LEAST    480.0
#define WINDOW_SIDE    168.0
#define WINDOW_LEAST   5.0 /* cell of a window */
#define WINDOW_MOST    20.0
#define WINDOW_HEAD    22.0
#define WINDOW_GAP     18.0
#define WIDE_ASPECT    2 /* columns to a row, of a grid with windows below it */
#define LEGEND_WIDTH   240.0
#define LEGEND_STEPS   60
#define TITLE_LETTER   9.6 /* width of one, about */
#define WORDS_LETTER   7.2
#define TITLED_WINDOWS 20000 /* shapes in all windows that still say their value */

typedef struct {
    const TraceHeatmap *map;
    TraceSvg *svg;
    double *links; /* values of the whole map */
    double scale;
    double cell;
    double window_cell;
    double window_width;
    double window_height;
    guint columns;
    double width;
    double height;
    double grid_x; /* of the large grid */
    double grid_y;
    double windows_x;
    double windows_y;
    char *words;
    char *reading;
} Picture;

static double largest(const double *values, gsize count)
{
    double most = 0;

    for (gsize i = 0; values != NULL && i < count; i++) {
        most = MAX(most, values[i]);
    }
    return most;
}

static gsize node_count(const TraceHeatmap *map)
{
    return (gsize) map->width * map->height;
}

/* The next of 1, 2, 5, 10, 20... times a power of ten: the legend's numbers are
 * short. */
static double round_up(double value)
{
    static const double steps[] = {1, 2, 5, 10};
    double power;

    if (value <= 0) {
        return 1;
    }
    power = pow(10, floor(log10(value)));
    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
        if (value <= steps[i] * power * (1 + 1e-9)) {
            return steps[i] * power;
        }
    }
    return 10 * power;
}

static double scale_of(const Picture *self)
{
    const TraceHeatmap *map = self->map;
    double most = MAX(largest(self->links, map->link_count),
                      largest(map->routers, node_count(map)));

    if (map->scale > 0) {
        return map->scale;
    }
    for (gsize i = 0; i < map->window_count; i++) {
        most = MAX(most, largest(map->windows[i].links, map->link_count));
        most = MAX(most, largest(map->windows[i].routers, node_count(map)));
    }
    return round_up(most);
}

static const char *unit_of(const TraceHeatmap *map)
{
    return map->unit != NULL ? map->unit : "utilisation";
}

static char *window_words(const TraceHeatmap *map, gsize index)
{
    const TraceHeatmapWindow *window = &map->windows[index];
    g_autofree char *most = heat_value_text(
        map->link_count > 0 ? largest(window->links, map->link_count)
                            : largest(window->routers, node_count(map)));

    return g_strdup_printf("%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT ", max %s",
                           window->start, window->end, most);
}

/* Describes a map without links. */
static void add_node_words(const TraceHeatmap *map, GString *words)
{
    uint32_t highest = 0;
    double sum = 0;

    if (map->routers == NULL) {
        g_string_append(words, "no links");
        return;
    }
    for (uint32_t node = 0; node < node_count(map); node++) {
        sum += map->routers[node];
        highest = map->routers[node] > map->routers[highest] ? node : highest;
    }
    g_autofree char *name = heat_node_name(map, heat_node_kind(map), highest);
    g_autofree char *most = heat_value_text(map->routers[highest]);
    g_autofree char *mean = heat_value_text(sum / (double) node_count(map));

    g_string_append_printf(words, "most %s at %s; mean %s", name, most, mean);
}

/* The map in words: when, the busiest link, the mean. */
static char *words_of(const Picture *self)
{
    const TraceHeatmap *map = self->map;
    GString *words = g_string_new(NULL);
    gsize busiest = 0;
    double sum = 0;

    if (map->end > 0) {
        g_string_append_printf(
            words, "cycles %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT "; ",
            map->start, map->end);
    }
    if (map->link_count == 0) {
        add_node_words(map, words);
        return g_string_free(words, FALSE);
    }
    for (gsize i = 0; i < map->link_count; i++) {
        sum += self->links[i];
        if (self->links[i] > self->links[busiest]) {
            busiest = i;
        }
    }
    g_autofree char *name = heat_link_name(map, busiest);
    g_autofree char *most = heat_value_text(self->links[busiest]);
    g_autofree char *mean = heat_value_text(sum / (double) map->link_count);

    g_string_append_printf(words, "busiest link %s at %s; mean of links %s", name, most,
                           mean);
    return g_string_free(words, FALSE);
}

/* How to read the picture, as far as this one needs it. The caller frees it. */
static char *reading(const TraceHeatmap *map)
{
    GString *words = g_string_new("squares are ");

    if (map->step > 1) {
        g_string_append_printf(words, "means of %u x %u ", map->step, map->step);
    }
    g_string_append_printf(
        words, "%ss",
        g_str_equal(heat_node_kind(map), "pe") ? "PE" : heat_node_kind(map));
    if (heat_panel_is_paired(map)) {
        g_string_append(words, "; a link lies on the right of its way");
    }
    if (heat_panel_is_wrapped(map)) {
        g_string_append(words, "; stubs at the edge wrap around");
    }
    return g_string_free(words, FALSE);
}

/* How large a window is, its words included. */
static void size_windows(Picture *self)
{
    const TraceHeatmap *map = self->map;
    double side = MAX(map->width, map->height);
    double words = 0;
    double margin;

    for (gsize i = 0; i < map->window_count; i++) {
        g_autofree char *text = window_words(map, i);

        words = MAX(words, trace_svg_text_width(text, WORDS_LETTER));
    }
    self->window_cell = CLAMP(floor(WINDOW_SIDE / side), WINDOW_LEAST, WINDOW_MOST);
    margin = heat_panel_margin(map, self->window_cell, true);
    self->window_width =
        MAX(map->width * self->window_cell + 2 * margin, words) + WINDOW_GAP;
    self->window_height =
        map->height * self->window_cell + 2 * margin + WINDOW_HEAD + WINDOW_GAP;
}

static guint ceiling(gsize count, gsize parts)
{
    return (guint) ((count + parts - 1) / parts);
}

/* On the right of the grid, from `x` on, unless it is wide: where two or more of them
 * fit one above the other into the height of `room`. Else below it. */
static void lay_windows_out(Picture *self, double x, double room)
{
    const gsize count = self->map->window_count;
    const double fit = floor((room + WINDOW_GAP) / self->window_height);
    guint rows;

    if (fit >= 2 && self->map->width <= WIDE_ASPECT * self->map->height) {
        rows = MIN((guint) fit, (guint) count);
        self->columns = ceiling(count, rows);
        self->windows_x = x;
        self->windows_y = EDGE + HEAD;
        self->width = MAX(self->width,
                          x + self->columns * self->window_width - WINDOW_GAP + EDGE);
        return;
    }
    self->columns = (guint) MAX(
        1, floor((self->width - 2 * EDGE + WINDOW_GAP) / self->window_width));
    rows = ceiling(count, self->columns);
    self->windows_x = EDGE;
    self->windows_y = self->height - EDGE;
    self->width = MAX(self->width, self->window_width + 2 * EDGE);
    self->height += rows * self->window_height;
}

static void lay_out(Picture *self)
{
    const TraceHeatmap *map = self->map;
    double side = MAX(map->width, map->height);
    double words;
    double margin;
    double grid;

    self->cell = CLAMP(floor(GRID_SIDE / side), CELL_LEAST, CELL_MOST);
    margin = heat_panel_margin(map, self->cell, false);
    words = MAX(trace_svg_text_width(map->title, TITLE_LETTER),
                trace_svg_text_width(self->words, WORDS_LETTER));
    words = MAX(words, trace_svg_text_width(self->reading, WORDS_LETTER));
    words = MAX(words,
                LEGEND_WIDTH + 12 + trace_svg_text_width(unit_of(map), WORDS_LETTER));
    grid = AXIS + map->width * self->cell + 2 * margin;
    self->width = MAX(MAX(grid, words), WIDTH_LEAST) + 2 * EDGE;
    self->grid_x = EDGE + AXIS + margin;
    self->grid_y = EDGE + HEAD + margin + (map->is_y_down ? AXIS_LINE : 0);
    self->height = self->grid_y + map->height * self->cell + margin + FOOT +
                   (map->is_y_down ? 0 : AXIS_LINE) + EDGE;
    if (map->window_count > 0) {
        size_windows(self);
        lay_windows_out(self, EDGE + grid + 2 * WINDOW_GAP,
                        self->height - 2 * EDGE - HEAD);
    }
}

static void style(TraceSvg *svg)
{
    trace_svg_style(svg, ".heat-title",
                    "font-size: 17px; font-weight: 600; fill: #1b1b1f");
    trace_svg_style(svg, ".heat-words", "font-size: 12px; fill: #45464d");
    trace_svg_style(svg, ".heat-axes text", "font-size: 10px; fill: #63646b");
    trace_svg_style(svg, ".heat-large .heat-links > *",
                    "stroke: #8f9096; stroke-width: 0.4px");
    trace_svg_style(svg, ".heat-large .heat-routers > *",
                    "stroke: #63646b; stroke-width: 0.6px");
    trace_svg_style(svg, ".heat-scale", "shape-rendering: crispEdges");
}

static void draw_legend(const Picture *self, double y)
{
    static const TraceSvgLook words = {.css_class = "heat-words"};
    double step = LEGEND_WIDTH / LEGEND_STEPS;
    g_autofree char *half = heat_value_text(self->scale / 2);
    g_autofree char *full = heat_value_text(self->scale);

    trace_svg_open_group(self->svg, EDGE, y, "heat-legend", NULL);
    trace_svg_open_group(self->svg, 0, 0, "heat-scale", NULL);
    for (guint i = 0; i < LEGEND_STEPS; i++) {
        char colour[HEAT_COLOUR_SIZE];
        TraceSvgLook look = {.fill = colour};

        heat_ramp_colour(i / (LEGEND_STEPS - 1.0), colour);
        trace_svg_rect(self->svg, i * step, 0, step, 12, &look);
    }
    trace_svg_close_group(self->svg);
    trace_svg_text(self->svg, 0, 26, TRACE_SVG_START, "0", &words);
    trace_svg_text(self->svg, LEGEND_WIDTH / 2, 26, TRACE_SVG_MIDDLE, half, &words);
    trace_svg_text(self->svg, LEGEND_WIDTH, 26, TRACE_SVG_END, full, &words);
    trace_svg_text(self->svg, LEGEND_WIDTH + 12, 11, TRACE_SVG_START,
                   unit_of(self->map), &words);
    trace_svg_close_group(self->svg);
}

static void draw_head(const Picture *self)
{
    TraceSvgLook look = {.css_class = "heat-title"};

    trace_svg_text(self->svg, EDGE, EDGE + 16, TRACE_SVG_START, self->map->title,
                   &look);
    look.css_class = "heat-words";
    trace_svg_text(self->svg, EDGE, EDGE + 36, TRACE_SVG_START, self->words, &look);
    draw_legend(self, EDGE + 48);
    trace_svg_text(self->svg, EDGE, EDGE + 92, TRACE_SVG_START, self->reading, &look);
}

static void draw_window(const Picture *self, gsize index, bool has_titles)
{
    const TraceHeatmap *map = self->map;
    const TraceHeatmapWindow *window = &map->windows[index];
    const TraceSvgLook look = {.css_class = "heat-words"};
    double margin = heat_panel_margin(map, self->window_cell, true);
    gsize column = index % self->columns;
    gsize row = index / self->columns;
    double x = self->windows_x + (double) column * self->window_width;
    double y = self->windows_y + (double) row * self->window_height;
    g_autofree char *words = window_words(map, index);
    HeatPanel panel = {.map = map,
                       .links = window->links,
                       .routers = window->routers,
                       .cell = self->window_cell,
                       .scale = self->scale,
                       .is_plain = true,
                       .has_titles = has_titles};

    trace_svg_open_group(self->svg, x, y, "heat-window", NULL);
    trace_svg_text(self->svg, 0, 12, TRACE_SVG_START, words, &look);
    trace_svg_open_group(self->svg, margin, WINDOW_HEAD + margin, NULL, NULL);
    heat_panel_draw(&panel, self->svg);
    trace_svg_close_group(self->svg);
    trace_svg_close_group(self->svg);
}

static void draw(const Picture *self)
{
    const TraceHeatmap *map = self->map;
    gsize shapes = (map->link_count + node_count(map)) * map->window_count;
    HeatPanel panel = {.map = map,
                       .links = self->links,
                       .routers = map->routers,
                       .cell = self->cell,
                       .scale = self->scale,
                       .has_titles = true,
                       .has_axes = true};

    style(self->svg);
    draw_head(self);
    trace_svg_open_group(self->svg, self->grid_x, self->grid_y, "heat-map", NULL);
    heat_panel_draw(&panel, self->svg);
    trace_svg_close_group(self->svg);
    for (gsize i = 0; i < map->window_count; i++) {
        draw_window(self, i, shapes <= TITLED_WINDOWS);
    }
}

static bool are_values(const double *values, gsize count)
{
    for (gsize i = 0; values != NULL && i < count; i++) {
        if (!isfinite(values[i]) || values[i] < 0) {
            return false;
        }
    }
    return true;
}

static bool is_link(const TraceHeatmap *map, const TraceHeatmapLink *link)
{
    static const char *const directions[] = {"east", "west", "south", "north", NULL};

    return link->from < node_count(map) && link->to < node_count(map) &&
           link->direction != NULL && g_strv_contains(directions, link->direction) &&
           are_values(&link->utilisation, 1);
}

static bool is_drawable(const TraceHeatmap *map)
{
    for (gsize i = 0; i < map->link_count; i++) {
        if (!is_link(map, &map->links[i])) {
            return false;
        }
    }
    for (gsize i = 0; i < map->window_count; i++) {
        if ((map->windows[i].links == NULL && map->link_count > 0) ||
            !are_values(map->windows[i].links, map->link_count) ||
            !are_values(map->windows[i].routers, node_count(map))) {
            return false;
        }
    }
    return are_values(map->routers, node_count(map)) && isfinite(map->scale);
}

char *trace_heatmap_to_svg(const TraceHeatmap *self)
{
    g_autofree double *links = NULL;
    g_autofree char *words = NULL;
    g_autofree char *how = NULL;
    g_autoptr(TraceSvg) svg = NULL;
    Picture picture = {.map = self, .columns = 1};

    g_return_val_if_fail(self->title != NULL, NULL);
    g_return_val_if_fail(self->width > 0 && self->height > 0, NULL);
    g_return_val_if_fail(is_drawable(self), NULL);
    links = g_new(double, self->link_count);
    for (gsize i = 0; i < self->link_count; i++) {
        links[i] = self->links[i].utilisation;
    }
    picture.links = links;
    picture.scale = scale_of(&picture);
    words = words_of(&picture);
    how = reading(self);
    picture.words = words;
    picture.reading = how;
    lay_out(&picture);
    svg = trace_svg_new(picture.width, picture.height, self->title);
    picture.svg = svg;
    draw(&picture);
    return trace_svg_to_text(svg);
}
