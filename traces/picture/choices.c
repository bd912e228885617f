/* Draws candidates, their front, and the named ones. */
#include "traces/picture/choices.h"

#include <math.h>

#include "traces/picture/plot/frame.h"
#include "traces/picture/plot/mark.h"
#include "traces/picture/roofline/labels.h"
#include "traces/picture/svg.h"

/* Lengths in pixels. */
#define EDGE          20.0
#define TITLE_HEIGHT  34.0
#define LEGEND_HEIGHT 26.0
#define HEAD          28.0 /* of a panel: its title */
#define WORDS         26.0 /* the name of the vertical axis */
#define AREA_WIDTH    520.0
#define AREA_HEIGHT   430.0
#define LEFT          58.0
#define RIGHT         30.0
#define FOOT          58.0
#define NOTE          20.0
#define KEY           20.0
#define GAP           22.0
#define LETTER        6.4 /* width of one, about */
#define SMALL_LETTER  6.2
#define BOLD          7.8
#define TITLE_LETTER  9.2
#define POINT_RADIUS  2.1
#define FRONT_RADIUS  3.4
#define RING_RADIUS   8.5
#define NAME_OFF      9.0 /* from a point to its name */
#define NAME_FOOT     4.0
#define NAME_STEP     13.0
#define LOG_FROM      3.0 /* times as much */

enum {
    SIDES = 8,
    RINGS = 4,        /* of sides, each farther from the point */
    RINGS_FRONT = 1,  /* of them for names that may be left out */
    COLOUR_FRONT = 0, /* of the palette */
    COLOUR_SIGNS = 1,
};

typedef struct {
    const TraceChoices *choices;
    TraceSvg *svg;
    TracePlotFrame frame; /* of the panel that is being drawn */
    double panel_width;
    double panel_height;
} Picture;

static bool is_shown(const TraceChoice *choice)
{
    return isfinite(choice->x) && isfinite(choice->y);
}

/* The order in which names are written: the chosen ones first. */
static int rank_of(const TraceChoice *choice)
{
    if (choice->is_chosen) {
        return 0;
    }
    if (choice->sign > 0) {
        return 1;
    }
    return choice->is_front ? 2 : 3;
}

/* Costs of windows may be many times those of the best: these want room. */
static bool wants_log(const TraceChoicePanel *panel)
{
    double low = INFINITY;
    double high = 0;

    for (gsize i = 0; i < panel->choice_count; i++) {
        if (is_shown(&panel->choices[i])) {
            low = fmin(low, panel->choices[i].x);
            high = fmax(high, panel->choices[i].x);
        }
    }
    return low > 0 && trace_plot_axis_takes(low, true) && high > LOG_FROM * low;
}

static void frame_init(TracePlotFrame *self,
                       const TraceChoices *choices,
                       const TraceChoicePanel *panel)
{
    const bool is_log = !choices->is_linear && wants_log(panel);

    *self = (TracePlotFrame){.width = AREA_WIDTH,
                             .height = AREA_HEIGHT,
                             .x_words = choices->x,
                             .y_words = choices->y};
    trace_plot_axis_init(&self->x, is_log);
    trace_plot_axis_init(&self->y, false);
    for (gsize i = 0; i < panel->choice_count; i++) {
        if (is_shown(&panel->choices[i])) {
            trace_plot_axis_cover(&self->x, panel->choices[i].x);
            trace_plot_axis_cover(&self->y, panel->choices[i].y);
        }
    }
    if (is_log) {
        trace_plot_axis_ready_tight(&self->x);
    } else {
        trace_plot_axis_ready(&self->x);
    }
    trace_plot_axis_ready(&self->y);
}

static TraceSvgPoint place(const Picture *self, const TraceChoice *choice)
{
    return (TraceSvgPoint){trace_plot_frame_x(&self->frame, choice->x),
                           trace_plot_frame_y(&self->frame, choice->y)};
}

static void
draw_sign(const Picture *self, guint sign, TraceSvgPoint at, const char *title)
{
    const gsize series = COLOUR_SIGNS + sign - 1;
    const TraceSvgLook look = {.css_class = "choices-sign",
                               .fill = trace_plot_mark_colour(series),
                               .title = title};

    trace_plot_mark_draw_as(self->svg, series, at.x, at.y, &look);
}

static void draw_point(const Picture *self, const TraceChoice *choice)
{
    const TraceSvgPoint at = place(self, choice);
    const TraceSvgLook look = {.css_class =
                                   choice->is_front ? "choices-front" : "choices-point",
                               .title = choice->name};
    static const TraceSvgLook ring = {.css_class = "choices-ring", .fill = "none"};

    trace_svg_circle(self->svg, at.x, at.y,
                     choice->is_front ? FRONT_RADIUS : POINT_RADIUS, &look);
    if (choice->sign > 0) {
        draw_sign(self, choice->sign, at, choice->name);
    }
    if (choice->is_chosen) {
        trace_svg_circle(self->svg, at.x, at.y, RING_RADIUS, &ring);
    }
}

static int compare_x(gconstpointer a, gconstpointer b)
{
    const TraceSvgPoint *one = a;
    const TraceSvgPoint *two = b;

    return (one->x > two->x) - (one->x < two->x);
}

/* The corners of the stairs, from left to right; the caller frees the array of
 * TraceSvgPoint. */
static GArray *stairs_of(const Picture *self, const TraceChoicePanel *panel)
{
    g_autoptr(GArray) front = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint));
    GArray *stairs = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint));

    for (gsize i = 0; i < panel->choice_count && !self->choices->is_cloud; i++) {
        if (panel->choices[i].is_front && is_shown(&panel->choices[i])) {
            const TraceSvgPoint at = place(self, &panel->choices[i]);

            g_array_append_val(front, at);
        }
    }
    g_array_sort(front, compare_x);
    for (guint i = 0; i < front->len; i++) {
        const TraceSvgPoint *at = &g_array_index(front, TraceSvgPoint, i);

        if (i > 0) {
            const TraceSvgPoint *before = &g_array_index(front, TraceSvgPoint, i - 1);
            const TraceSvgPoint corner = {
                self->choices->is_x_maximum ? before->x : at->x,
                self->choices->is_x_maximum ? at->y : before->y};

            g_array_append_val(stairs, corner);
        }
        g_array_append_val(stairs, *at);
    }
    return stairs;
}

static const TraceSvgPoint sides[SIDES] = {{-1, -1}, {-1, 0}, {1, 0},  {0, -1},
                                           {1, -1},  {0, 1},  {-1, 1}, {1, 1}};

/* Around a point, first near it, then farther away. */
static gsize places_around(TraceSvgPoint at,
                           const TraceChoice *choice,
                           double length,
                           TraceRooflinePlace *places)
{
    const double off = choice->is_chosen ? NAME_OFF + RING_RADIUS / 2 : NAME_OFF;
    const guint rings = choice->is_chosen || choice->sign > 0 ? RINGS : RINGS_FRONT;
    gsize count = 0;

    for (guint ring = 0; ring < rings; ring++) {
        for (gsize i = 0; i < SIDES; i++) {
            const double away = off + (sides[i].y == 0 ? NAME_STEP * ring : 0);
            double from = -length / 2;

            if (sides[i].x != 0) {
                from = sides[i].x > 0 ? away : -away - length;
            }
            places[count++] = (TraceRooflinePlace){
                .x = at.x + from,
                .y = at.y + NAME_FOOT + NAME_STEP * (1 + ring) * sides[i].y};
        }
    }
    return count;
}

static const char *name_colour(const TraceChoice *choice)
{
    return choice->sign > 0 && !choice->is_chosen
               ? trace_plot_mark_colour(COLOUR_SIGNS + choice->sign - 1)
               : "#35363c";
}

static void
write_name(const Picture *self, TraceRooflineLabels *labels, const TraceChoice *choice)
{
    const double length = trace_svg_text_width(choice->name, SMALL_LETTER);
    TraceRooflinePlace places[SIDES * RINGS];
    const gsize count = places_around(place(self, choice), choice, length, places);
    const TraceRooflinePlace *best =
        trace_roofline_labels_take(labels, places, count, length);
    const TraceSvgLook look = {
        .css_class = choice->is_chosen ? "choices-name choices-chosen" : "choices-name",
        .fill = name_colour(choice)};

    if (best != NULL) {
        const bool is_left = sides[(gsize) (best - places) % SIDES].x < 0;

        trace_svg_text(self->svg, is_left ? best->x + length : best->x, best->y,
                       is_left ? TRACE_SVG_END : TRACE_SVG_START, choice->name, &look);
    }
}

/* Reserves the marks that names should not cover. */
static void
block(const Picture *self, const TraceChoicePanel *panel, TraceRooflineLabels *labels)
{
    g_autoptr(GArray) stairs = stairs_of(self, panel);

    for (gsize i = 0; i < panel->choice_count; i++) {
        const TraceChoice *choice = &panel->choices[i];
        const TraceSvgPoint at =
            is_shown(choice) ? place(self, choice) : (TraceSvgPoint){-EDGE, -EDGE};

        if (rank_of(choice) < 3) {
            trace_roofline_labels_add_mark(labels, at.x, at.y);
        } else {
            trace_roofline_labels_add_line(labels, at, at);
        }
    }
    for (guint i = 1; i < stairs->len; i++) {
        trace_roofline_labels_add_line(labels,
                                       g_array_index(stairs, TraceSvgPoint, i - 1),
                                       g_array_index(stairs, TraceSvgPoint, i));
    }
}

static void write_names(const Picture *self, const TraceChoicePanel *panel)
{
    g_auto(TraceRooflineLabels) labels = {0};

    trace_roofline_labels_init(&labels, AREA_WIDTH, AREA_HEIGHT);
    block(self, panel, &labels);
    for (int rank = 0; rank < (self->choices->is_cloud ? 2 : 3); rank++) {
        for (gsize i = 0; i < panel->choice_count; i++) {
            const TraceChoice *choice = &panel->choices[i];

            if (is_shown(choice) && rank_of(choice) == rank && choice->name != NULL) {
                write_name(self, &labels, choice);
            }
        }
    }
}

static void draw_points(const Picture *self, const TraceChoicePanel *panel)
{
    g_autoptr(GArray) stairs = stairs_of(self, panel);

    /* The more a point is, the later it is drawn. */
    for (int rank = 3; rank >= 0; rank--) {
        for (gsize i = 0; i < panel->choice_count; i++) {
            if (is_shown(&panel->choices[i]) && rank_of(&panel->choices[i]) == rank) {
                draw_point(self, &panel->choices[i]);
            }
        }
        if (rank == 3 && stairs->len > 1) {
            trace_svg_polyline(self->svg,
                               (const TraceSvgPoint *) (gpointer) stairs->data,
                               stairs->len, TRACE_SVG_CLASS("choices-line"));
        }
    }
}

static void draw_panel(Picture *self, const TraceChoicePanel *panel, double x)
{
    frame_init(&self->frame, self->choices, panel);
    trace_svg_open_group(self->svg, x, EDGE + TITLE_HEIGHT + LEGEND_HEIGHT,
                         "choices-panel", NULL);
    trace_svg_text(self->svg, 0, HEAD / 2, TRACE_SVG_START, panel->title,
                   TRACE_SVG_CLASS("choices-heading"));
    trace_svg_open_group(self->svg, LEFT, HEAD + WORDS, NULL, NULL);
    trace_plot_frame_draw(&self->frame, self->svg, -LEFT);
    draw_points(self, panel);
    write_names(self, panel);
    trace_svg_close_group(self->svg);
    if (panel->note != NULL) {
        trace_svg_text(self->svg, 0, HEAD + WORDS + AREA_HEIGHT + FOOT, TRACE_SVG_START,
                       panel->note, TRACE_SVG_CLASS("choices-note"));
    }
    trace_svg_close_group(self->svg);
    trace_plot_frame_clear(&self->frame);
}

static double legend_step(const char *words)
{
    return KEY + trace_svg_text_width(words, LETTER) + GAP;
}

static void write_key(const Picture *self, double *x, const char *words)
{
    trace_svg_text(self->svg, *x + KEY, 4, TRACE_SVG_START, words,
                   TRACE_SVG_CLASS("plot-words"));
    *x += legend_step(words);
}

static const char *const front_words = "on the front";

static const char *point_words(const TraceChoices *self)
{
    return self->point != NULL ? self->point : "window";
}

static double legend_width(const TraceChoices *self)
{
    double width = legend_step(point_words(self)) + legend_step(front_words);

    width += self->chosen != NULL ? legend_step(self->chosen) : 0;

    for (const char *const *sign = self->signs; *sign != NULL; sign++) {
        width += legend_step(*sign);
    }
    return width;
}

static void draw_legend(const Picture *self)
{
    static const TraceSvgLook ring = {.css_class = "choices-ring", .fill = "none"};
    double x = 0;

    trace_svg_open_group(self->svg, EDGE, EDGE + TITLE_HEIGHT + LEGEND_HEIGHT / 3,
                         "choices-legend", NULL);
    trace_svg_circle(self->svg, KEY / 2, 0, POINT_RADIUS,
                     TRACE_SVG_CLASS("choices-point"));
    write_key(self, &x, point_words(self->choices));
    if (!self->choices->is_cloud) {
        trace_svg_line(self->svg, x, 0, x + KEY - 4, 0,
                       TRACE_SVG_CLASS("choices-line"));
    }
    trace_svg_circle(self->svg, x + KEY / 2 - 2, 0, FRONT_RADIUS,
                     TRACE_SVG_CLASS("choices-front"));
    write_key(self, &x, front_words);
    if (self->choices->chosen != NULL) {
        trace_svg_circle(self->svg, x + KEY / 2 - 2, 0, RING_RADIUS - 1, &ring);
        write_key(self, &x, self->choices->chosen);
    }
    for (guint i = 0; self->choices->signs[i] != NULL; i++) {
        draw_sign(self, i + 1, (TraceSvgPoint){x + KEY / 2, 0}, NULL);
        write_key(self, &x, self->choices->signs[i]);
    }
    trace_svg_close_group(self->svg);
}

static void style(TraceSvg *svg)
{
    trace_plot_frame_style(svg);
    trace_svg_style(svg, ".choices-heading",
                    "font-size: 13px; font-weight: 600; fill: #35363c");
    trace_svg_style(svg, ".choices-note", "font-size: 12px; fill: #55565d");
    trace_svg_style(svg, ".choices-point", "fill: #a9abb3");
    trace_svg_style(svg, ".choices-front", "fill: #0072b2");
    trace_svg_style(svg, ".choices-line",
                    "fill: none; stroke: #0072b2; stroke-width: 1.5px");
    trace_svg_style(svg, ".choices-sign", "stroke: #ffffff; stroke-width: 0.8px");
    trace_svg_style(svg, ".choices-ring", "stroke: #c8102e; stroke-width: 2.2px");
    trace_svg_style(svg, ".choices-name",
                    "font-size: 11px; paint-order: stroke; stroke: #ffffff; "
                    "stroke-width: 3px; stroke-linejoin: round");
    trace_svg_style(svg, ".choices-chosen", "font-weight: 600");
}

static void lay_out(Picture *self, double *width, double *height)
{
    const TraceChoices *choices = self->choices;
    double words =
        fmax(trace_svg_text_width(choices->title, TITLE_LETTER), legend_width(choices));

    self->panel_width = LEFT + AREA_WIDTH;
    self->panel_height = HEAD + WORDS + AREA_HEIGHT + FOOT + NOTE;
    for (gsize i = 0; i < choices->panel_count; i++) {
        const TraceChoicePanel *panel = &choices->panels[i];

        self->panel_width =
            fmax(self->panel_width, trace_svg_text_width(panel->title, BOLD));
        self->panel_width =
            fmax(self->panel_width,
                 panel->note != NULL ? trace_svg_text_width(panel->note, LETTER) : 0);
    }
    self->panel_width += RIGHT;
    *height = EDGE + TITLE_HEIGHT + LEGEND_HEIGHT + self->panel_height;
    for (const char *const *note = choices->notes; *note != NULL; note++) {
        words = fmax(words, trace_svg_text_width(*note, LETTER));
        *height += NOTE;
    }
    *width = fmax(self->panel_width * (double) choices->panel_count, words) + 2 * EDGE;
}

static void draw(Picture *self)
{
    double y = EDGE + TITLE_HEIGHT + LEGEND_HEIGHT + self->panel_height;

    style(self->svg);
    trace_svg_text(self->svg, EDGE, EDGE + 14, TRACE_SVG_START, self->choices->title,
                   TRACE_SVG_CLASS("plot-title"));
    draw_legend(self);
    for (gsize i = 0; i < self->choices->panel_count; i++) {
        draw_panel(self, &self->choices->panels[i],
                   EDGE + self->panel_width * (double) i);
    }
    for (const char *const *line = self->choices->notes; *line != NULL; line++) {
        trace_svg_text(self->svg, EDGE, y + NOTE / 4, TRACE_SVG_START, *line,
                       TRACE_SVG_CLASS("choices-note"));
        y += NOTE;
    }
}

char *trace_choices_to_svg(const TraceChoices *self)
{
    Picture picture = {.choices = self};
    g_autoptr(TraceSvg) svg = NULL;
    double width;
    double height;

    lay_out(&picture, &width, &height);
    svg = trace_svg_new(width, height, self->title);
    picture.svg = svg;
    draw(&picture);
    return trace_svg_to_text(svg);
}
