/* A picture as SVG text: shapes in drawing order. */
#pragma once

#include <glib.h>

typedef struct TraceSvg TraceSvg;

typedef enum {
    TRACE_SVG_START,
    TRACE_SVG_MIDDLE,
    TRACE_SVG_END,
} TraceSvgAnchor;

typedef struct {
    double x;
    double y;
} TraceSvgPoint;

/* How a shape looks; NULL and 0 leave it to the style sheet. `title` appears when the
 * pointer rests on the shape. */
typedef struct {
    const char *css_class;
    const char *fill;
    const char *stroke;
    double stroke_width;
    const char *title;
} TraceSvgLook;

/* A look set by the style sheet alone. */
#define TRACE_SVG_CLASS(name) (&(const TraceSvgLook){.css_class = (name)})

/* A white picture with a system font. Lengths are finite, in pixels from the upper left
 * corner, and written with at most two decimals, the same in every locale. Text may be
 * any bytes: it is escaped, and what XML cannot hold is replaced. */
TraceSvg *trace_svg_new(double width, double height, const char *title);
void trace_svg_free(TraceSvg *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceSvg, trace_svg_free)

/* Adds a rule to the style sheet. In a page with several pictures, a rule applies to
 * all of them, so class names begin with the kind of the picture. */
void trace_svg_style(TraceSvg *self, const char *selector, const char *declarations);

/* Defines a fill, "url(#id)": slanted lines of a colour on white, visible without
 * colour vision. `id` begins with the kind of the picture, as classes do. */
void trace_svg_hatch(TraceSvg *self, const char *id, const char *colour);

/* Moves all shapes until the group is closed by x, y. `css_class` and `title` may be
 * NULL. */
void trace_svg_open_group(
    TraceSvg *self, double x, double y, const char *css_class, const char *title);
void trace_svg_close_group(TraceSvg *self);

/* `look` may be NULL. */
void trace_svg_rect(TraceSvg *self,
                    double x,
                    double y,
                    double width,
                    double height,
                    const TraceSvgLook *look);
void trace_svg_line(TraceSvg *self,
                    double from_x,
                    double from_y,
                    double to_x,
                    double to_y,
                    const TraceSvgLook *look);
void trace_svg_circle(
    TraceSvg *self, double x, double y, double radius, const TraceSvgLook *look);
void trace_svg_polyline(TraceSvg *self,
                        const TraceSvgPoint *points,
                        gsize point_count,
                        const TraceSvgLook *look);
void trace_svg_polygon(TraceSvg *self,
                       const TraceSvgPoint *points,
                       gsize point_count,
                       const TraceSvgLook *look);

/* y is the baseline. */
void trace_svg_text(TraceSvg *self,
                    double x,
                    double y,
                    TraceSvgAnchor anchor,
                    const char *text,
                    const TraceSvgLook *look);

/* The same, turned clockwise around x, y. */
void trace_svg_turned_text(TraceSvg *self,
                           double x,
                           double y,
                           double degrees,
                           const char *text,
                           const TraceSvgLook *look);

/* The approximate width of a text, where `letter` is the mean width of a letter. Texts
 * of more than 200 letters count as 200. */
double trace_svg_text_width(const char *text, double letter);

/* The whole file, with a line end; the caller frees it. All groups are closed. */
char *trace_svg_to_text(const TraceSvg *self);
