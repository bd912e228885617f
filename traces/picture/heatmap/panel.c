/* Draws routers as squares and links as arrows beside one another. */
#include "traces/picture/heatmap/panel.h"

#include "traces/file/quantity.h"
#include "traces/picture/palette.h"

/* Fractions of a cell; the rest is the gap that a link crosses. In small cells, colour
 * takes the room of the white between them. */
#define ROUTER_SIDE 0.46
#define SMALL_SIDE  0.60
#define ALONE_SIDE  0.90 /* of a map without links */
#define LINK_PAD    0.03
#define STUB_LENGTH 0.34

/* Smaller cells have no room for arrow heads and outlines. */
#define ARROW_CELL 15.0

#define LABEL_ROOM 18.0

typedef struct {
    double x;
    double y;
} Vector;

/* The place of a link: it begins at `start` and runs along `way`, a unit vector. */
typedef struct {
    Vector start;
    Vector way;
    double length;
    double thickness;
    double head; /* width of the arrow head */
} Bar;

static bool is_small(double cell, bool is_plain)
{
    return is_plain || cell < ARROW_CELL;
}

static double router_side(const TraceHeatmap *map, double cell, bool is_plain)
{
    if (map->link_count == 0) {
        return cell * ALONE_SIDE;
    }
    return cell * (is_small(cell, is_plain) ? SMALL_SIDE : ROUTER_SIDE);
}

static bool goes(const TraceHeatmapLink *link, const char *direction)
{
    return g_str_equal(link->direction, direction);
}

static bool has_direction(const TraceHeatmap *map, const char *direction)
{
    for (gsize i = 0; i < map->link_count; i++) {
        if (goes(&map->links[i], direction)) {
            return true;
        }
    }
    return false;
}

static bool is_x_paired(const TraceHeatmap *map)
{
    return has_direction(map, "east") && has_direction(map, "west");
}

static bool is_y_paired(const TraceHeatmap *map)
{
    return has_direction(map, "south") && has_direction(map, "north");
}

bool heat_panel_is_paired(const TraceHeatmap *map)
{
    return is_x_paired(map) || is_y_paired(map);
}

/* Is there no next node in the direction of the link? */
static bool leaves_grid(const TraceHeatmap *map, const TraceHeatmapLink *link)
{
    guint x = link->from % map->width;
    guint y = link->from / map->width;

    return (goes(link, "east") && x == map->width - 1) ||
           (goes(link, "west") && x == 0) ||
           (goes(link, "south") && y == map->height - 1) ||
           (goes(link, "north") && y == 0);
}

bool heat_panel_is_wrapped(const TraceHeatmap *map)
{
    for (gsize i = 0; i < map->link_count; i++) {
        if (leaves_grid(map, &map->links[i])) {
            return true;
        }
    }
    return false;
}

double heat_panel_margin(const TraceHeatmap *map, double cell, bool is_plain)
{
    double reach =
        router_side(map, cell, is_plain) / 2 + cell * (LINK_PAD + STUB_LENGTH - 0.5);

    return heat_panel_is_wrapped(map) ? reach + 2 : 0;
}

char *heat_value_text(double value)
{
    return quantity_short(value, 3);
}

static char *range_text(guint at, guint step)
{
    return step > 1 ? g_strdup_printf("%u:%u", at * step, at * step + step - 1)
                    : g_strdup_printf("%u", at);
}

char *heat_node_name(const TraceHeatmap *map, const char *kind, uint32_t node)
{
    g_autofree char *x = range_text(node % map->width, map->step);
    g_autofree char *y = range_text(node / map->width, map->step);

    return g_strdup_printf("%s[%s,%s]", kind, x, y);
}

const char *heat_node_kind(const TraceHeatmap *map)
{
    return map->node != NULL ? map->node : "router";
}

char *heat_link_name(const TraceHeatmap *map, gsize link)
{
    const TraceHeatmapLink *drawn = &map->links[link];
    g_autofree char *node = heat_node_name(
        map, drawn->network != NULL ? drawn->network : "noc", drawn->from);

    return g_strdup_printf("%s.%s", node, drawn->direction);
}

static Vector centre(const HeatPanel *self, uint32_t node)
{
    guint x = node % self->map->width;
    guint y = node / self->map->width;
    guint row = self->map->is_y_down ? y : self->map->height - 1 - y;

    return (Vector){(x + 0.5) * self->cell, (row + 0.5) * self->cell};
}

static Vector way_of(const HeatPanel *self, const TraceHeatmapLink *link)
{
    double down = self->map->is_y_down ? 1 : -1;

    if (goes(link, "east")) {
        return (Vector){1, 0};
    }
    if (goes(link, "west")) {
        return (Vector){-1, 0};
    }
    return (Vector){0, goes(link, "south") ? down : -down};
}

static Bar
bar_of(const HeatPanel *self, const TraceHeatmapLink *link, const bool is_paired[2])
{
    Vector way = way_of(self, link);
    Vector from = centre(self, link->from);
    double cell = self->cell;
    double side = router_side(self->map, cell, self->is_plain);
    bool is_beside = is_paired[way.x != 0 ? 0 : 1];
    double out = side / 2 + cell * LINK_PAD;
    /* On the right of the way, as on a road. */
    double aside = is_beside ? side * 0.25 : 0;

    return (Bar){
        .start = {from.x + way.x * out - way.y * aside,
                  from.y + way.y * out + way.x * aside},
        .way = way,
        .length = leaves_grid(self->map, link) ? cell * STUB_LENGTH : cell - 2 * out,
        .thickness = side * (is_beside ? 0.28 : 0.36) *
                     (is_small(cell, self->is_plain) ? 1.5 : 1),
        .head = side * (is_beside ? 0.48 : 0.80),
    };
}

/* `along` the bar and `across` it, to the right. */
static TraceSvgPoint point_of(const Bar *bar, double along, double across)
{
    return (TraceSvgPoint){bar->start.x + bar->way.x * along - bar->way.y * across,
                           bar->start.y + bar->way.y * along + bar->way.x * across};
}

static void draw_arrow(TraceSvg *svg, const Bar *bar, const TraceSvgLook *look)
{
    double neck = bar->length - MIN(bar->head * 0.7, bar->length * 0.6);
    double half = bar->thickness / 2;
    const TraceSvgPoint points[] = {
        point_of(bar, 0, -half),
        point_of(bar, neck, -half),
        point_of(bar, neck, -bar->head / 2),
        point_of(bar, bar->length, 0),
        point_of(bar, neck, bar->head / 2),
        point_of(bar, neck, half),
        point_of(bar, 0, half),
    };

    trace_svg_polygon(svg, points, G_N_ELEMENTS(points), look);
}

static void draw_bar(TraceSvg *svg, const Bar *bar, const TraceSvgLook *look)
{
    TraceSvgPoint one = point_of(bar, 0, -bar->thickness / 2);
    TraceSvgPoint other = point_of(bar, bar->length, bar->thickness / 2);

    trace_svg_rect(svg, MIN(one.x, other.x), MIN(one.y, other.y), ABS(one.x - other.x),
                   ABS(one.y - other.y), look);
}

static void draw_links(const HeatPanel *self, TraceSvg *svg)
{
    const TraceHeatmap *map = self->map;
    const bool is_paired[2] = {is_x_paired(map), is_y_paired(map)};

    trace_svg_open_group(svg, 0, 0, "heat-links", NULL);
    for (gsize i = 0; i < map->link_count; i++) {
        const TraceHeatmapLink *link = &map->links[i];
        Bar bar = bar_of(self, link, is_paired);
        g_autofree char *name = heat_link_name(map, i);
        g_autofree char *value = heat_value_text(self->links[i]);
        g_autofree char *title =
            g_strdup_printf("%s to [%u,%u]: %s", name, link->to % map->width,
                            link->to / map->width, value);
        char colour[HEAT_COLOUR_SIZE];
        TraceSvgLook look = {.fill = colour, .title = self->has_titles ? title : NULL};

        heat_ramp_colour(self->links[i] / self->scale, colour);
        if (is_small(self->cell, self->is_plain)) {
            draw_bar(svg, &bar, &look);
        } else {
            draw_arrow(svg, &bar, &look);
        }
    }
    trace_svg_close_group(svg);
}

static void draw_routers(const HeatPanel *self, TraceSvg *svg)
{
    guint node_count = self->map->width * self->map->height;
    double side = router_side(self->map, self->cell, self->is_plain);

    trace_svg_open_group(svg, 0, 0, "heat-routers", NULL);
    for (uint32_t node = 0; node < node_count; node++) {
        Vector middle = centre(self, node);
        double value = self->routers != NULL ? self->routers[node] : 0;
        g_autofree char *name =
            heat_node_name(self->map, heat_node_kind(self->map), node);
        g_autofree char *digits = heat_value_text(value);
        g_autofree char *title = self->routers != NULL
                                     ? g_strdup_printf("%s: %s", name, digits)
                                     : g_strdup(name);
        char colour[HEAT_COLOUR_SIZE] = "#ffffff";
        TraceSvgLook look = {.fill = colour, .title = self->has_titles ? title : NULL};

        if (self->routers != NULL) {
            heat_ramp_colour(value / self->scale, colour);
        }
        trace_svg_rect(svg, middle.x - side / 2, middle.y - side / 2, side, side,
                       &look);
    }
    trace_svg_close_group(svg);
}

/* Every how many nodes is there room for a coordinate? */
static guint label_step(double cell)
{
    guint step = 1;

    while (step * cell < LABEL_ROOM) {
        step *= 2;
    }
    return step;
}

static void draw_axes(const HeatPanel *self, TraceSvg *svg)
{
    const TraceHeatmap *map = self->map;
    guint step = label_step(self->cell);
    double edge = heat_panel_margin(map, self->cell, self->is_plain) + 6;
    double bottom = map->height * self->cell + edge + 10;
    double x_line = map->is_y_down ? -edge : bottom;

    trace_svg_open_group(svg, 0, 0, "heat-axes", NULL);
    for (guint x = 0; x < map->width; x += step) {
        g_autofree char *label =
            g_strdup_printf(x == 0 ? "x = %u" : "%u", x * MAX(map->step, 1));
        double middle = (x + 0.5) * self->cell;

        /* The first is longer: it grows into the free corner. */
        trace_svg_text(svg, x == 0 ? middle + 3 : middle, x_line,
                       x == 0 ? TRACE_SVG_END : TRACE_SVG_MIDDLE, label, NULL);
    }
    for (guint y = 0; y < map->height; y += step) {
        g_autofree char *label =
            g_strdup_printf(y == 0 ? "y = %u" : "%u", y * MAX(map->step, 1));

        trace_svg_text(svg, -edge, centre(self, y * map->width).y + 4, TRACE_SVG_END,
                       label, NULL);
    }
    trace_svg_close_group(svg);
}

void heat_panel_draw(const HeatPanel *self, TraceSvg *svg)
{
    g_return_if_fail(self->map->width > 0 && self->map->height > 0);
    if (self->has_axes) {
        draw_axes(self, svg);
    }
    trace_svg_open_group(
        svg, 0, 0, is_small(self->cell, self->is_plain) ? "heat-small" : "heat-large",
        NULL);
    draw_links(self, svg);
    draw_routers(self, svg);
    trace_svg_close_group(svg);
}
