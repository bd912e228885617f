/* Writes SVG, one element a line. */
#include "traces/picture/svg.h"

#include <math.h>
#include <stdbool.h>

#define FONT "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"

struct TraceSvg {
    double width;
    double height;
    char *title;
    GString *style;
    GString *fills; /* definitions */
    GString *body;
    guint depth; /* of open groups */
};

static const TraceSvgLook plain = {0};

/* Can XML 1.0 hold it? Below a blank it can, but an attribute would lose it. */
static bool is_text(gunichar letter)
{
    return letter >= ' ' && letter != 0xfffe && letter != 0xffff;
}

static void add_escaped(GString *out, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);

    for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
        gunichar letter = g_utf8_get_char(at);

        switch (letter) {
        case '&':
            g_string_append(out, "&amp;");
            break;
        case '<':
            g_string_append(out, "&lt;");
            break;
        case '>':
            g_string_append(out, "&gt;");
            break;
        case '"':
            g_string_append(out, "&quot;");
            break;
        case '\t':
        case '\n':
        case '\r':
            g_string_append_c(out, ' ');
            break;
        default:
            g_string_append_unichar(out, is_text(letter) ? letter : 0xfffd);
            break;
        }
    }
}

/* At most two decimals and no zeros that say nothing: 12, 0.5, -3.25. */
static void add_number(GString *out, double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE * 10];
    gsize length;

    g_ascii_formatd(digits, sizeof digits, "%.2f", value);
    length = strlen(digits);
    while (digits[length - 1] == '0') {
        length--;
    }
    if (digits[length - 1] == '.') {
        length--;
    }
    digits[length] = '\0';
    g_string_append(out, g_str_equal(digits, "-0") ? "0" : digits);
}

static void add_length(GString *out, const char *name, double value)
{
    g_string_append_printf(out, " %s=\"", name);
    add_number(out, value);
    g_string_append_c(out, '"');
}

static void add_word(GString *out, const char *name, const char *value)
{
    if (value != NULL) {
        g_string_append_printf(out, " %s=\"", name);
        add_escaped(out, value);
        g_string_append_c(out, '"');
    }
}

static void add_look(GString *out, const TraceSvgLook *look)
{
    add_word(out, "class", look->css_class);
    add_word(out, "fill", look->fill);
    add_word(out, "stroke", look->stroke);
    if (look->stroke_width > 0) {
        add_length(out, "stroke-width", look->stroke_width);
    }
}

static void add_title(GString *out, const char *title)
{
    g_string_append(out, "<title>");
    add_escaped(out, title);
    g_string_append(out, "</title>");
}

/* Ends the element whose start tag is open, `name` being its name. */
static void end_shape(GString *out, const char *name, const TraceSvgLook *look)
{
    add_look(out, look);
    if (look->title == NULL) {
        g_string_append(out, "/>\n");
        return;
    }
    g_string_append_c(out, '>');
    add_title(out, look->title);
    g_string_append_printf(out, "</%s>\n", name);
}

TraceSvg *trace_svg_new(double width, double height, const char *title)
{
    TraceSvg *self;

    g_return_val_if_fail(isfinite(width) && width > 0, NULL);
    g_return_val_if_fail(isfinite(height) && height > 0, NULL);
    g_return_val_if_fail(title != NULL, NULL);
    self = g_new0(TraceSvg, 1);
    self->width = width;
    self->height = height;
    self->title = g_strdup(title);
    self->style = g_string_new(NULL);
    self->fills = g_string_new(NULL);
    self->body = g_string_new(NULL);
    return self;
}

void trace_svg_free(TraceSvg *self)
{
    if (self != NULL) {
        g_free(self->title);
        g_string_free(self->style, TRUE);
        g_string_free(self->fills, TRUE);
        g_string_free(self->body, TRUE);
        g_free(self);
    }
}

void trace_svg_style(TraceSvg *self, const char *selector, const char *declarations)
{
    g_return_if_fail(strpbrk(selector, "<&") == NULL);
    g_return_if_fail(strpbrk(declarations, "<&") == NULL);
    g_string_append_printf(self->style, "%s { %s }\n", selector, declarations);
}

void trace_svg_hatch(TraceSvg *self, const char *id, const char *colour)
{
    GString *out = self->fills;

    g_string_append(out, "<pattern");
    add_word(out, "id", id);
    g_string_append(out, " width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
                         "patternTransform=\"rotate(45)\">"
                         "<rect width=\"5\" height=\"5\" fill=\"#ffffff\"/>"
                         "<rect width=\"2\" height=\"5\"");
    add_word(out, "fill", colour);
    g_string_append(out, "/></pattern>\n");
}

void trace_svg_open_group(
    TraceSvg *self, double x, double y, const char *css_class, const char *title)
{
    GString *out = self->body;

    g_return_if_fail(isfinite(x) && isfinite(y));
    g_string_append(out, "<g transform=\"translate(");
    add_number(out, x);
    g_string_append_c(out, ' ');
    add_number(out, y);
    g_string_append(out, ")\"");
    add_word(out, "class", css_class);
    g_string_append_c(out, '>');
    if (title != NULL) {
        add_title(out, title);
    }
    g_string_append_c(out, '\n');
    self->depth++;
}

void trace_svg_close_group(TraceSvg *self)
{
    g_return_if_fail(self->depth > 0);
    self->depth--;
    g_string_append(self->body, "</g>\n");
}

void trace_svg_rect(TraceSvg *self,
                    double x,
                    double y,
                    double width,
                    double height,
                    const TraceSvgLook *look)
{
    GString *out = self->body;

    g_return_if_fail(isfinite(x) && isfinite(y));
    g_return_if_fail(isfinite(width) && width >= 0);
    g_return_if_fail(isfinite(height) && height >= 0);
    g_string_append(out, "<rect");
    add_length(out, "x", x);
    add_length(out, "y", y);
    add_length(out, "width", width);
    add_length(out, "height", height);
    end_shape(out, "rect", look != NULL ? look : &plain);
}

void trace_svg_line(TraceSvg *self,
                    double from_x,
                    double from_y,
                    double to_x,
                    double to_y,
                    const TraceSvgLook *look)
{
    GString *out = self->body;

    g_return_if_fail(isfinite(from_x) && isfinite(from_y));
    g_return_if_fail(isfinite(to_x) && isfinite(to_y));
    g_string_append(out, "<line");
    add_length(out, "x1", from_x);
    add_length(out, "y1", from_y);
    add_length(out, "x2", to_x);
    add_length(out, "y2", to_y);
    end_shape(out, "line", look != NULL ? look : &plain);
}

void trace_svg_circle(
    TraceSvg *self, double x, double y, double radius, const TraceSvgLook *look)
{
    GString *out = self->body;

    g_return_if_fail(isfinite(x) && isfinite(y));
    g_return_if_fail(isfinite(radius) && radius >= 0);
    g_string_append(out, "<circle");
    add_length(out, "cx", x);
    add_length(out, "cy", y);
    add_length(out, "r", radius);
    end_shape(out, "circle", look != NULL ? look : &plain);
}

static void add_points(GString *out,
                       const char *name,
                       const TraceSvgPoint *points,
                       gsize point_count,
                       const TraceSvgLook *look)
{
    for (gsize i = 0; i < point_count; i++) {
        g_return_if_fail(isfinite(points[i].x) && isfinite(points[i].y));
    }
    g_string_append_printf(out, "<%s points=\"", name);
    for (gsize i = 0; i < point_count; i++) {
        if (i > 0) {
            g_string_append_c(out, ' ');
        }
        add_number(out, points[i].x);
        g_string_append_c(out, ',');
        add_number(out, points[i].y);
    }
    g_string_append_c(out, '"');
    end_shape(out, name, look != NULL ? look : &plain);
}

void trace_svg_polyline(TraceSvg *self,
                        const TraceSvgPoint *points,
                        gsize point_count,
                        const TraceSvgLook *look)
{
    add_points(self->body, "polyline", points, point_count, look);
}

void trace_svg_polygon(TraceSvg *self,
                       const TraceSvgPoint *points,
                       gsize point_count,
                       const TraceSvgLook *look)
{
    add_points(self->body, "polygon", points, point_count, look);
}

/* Ends a text whose start tag is open. */
static void end_text(GString *out, const char *text, const TraceSvgLook *look)
{
    add_look(out, look);
    g_string_append_c(out, '>');
    if (look->title != NULL) {
        add_title(out, look->title);
    }
    add_escaped(out, text);
    g_string_append(out, "</text>\n");
}

void trace_svg_text(TraceSvg *self,
                    double x,
                    double y,
                    TraceSvgAnchor anchor,
                    const char *text,
                    const TraceSvgLook *look)
{
    static const char *const anchors[] = {
        [TRACE_SVG_START] = NULL, /* SVG's default */
        [TRACE_SVG_MIDDLE] = "middle",
        [TRACE_SVG_END] = "end",
    };
    GString *out = self->body;
    const TraceSvgLook *used = look != NULL ? look : &plain;

    g_return_if_fail(isfinite(x) && isfinite(y));
    g_string_append(out, "<text");
    add_length(out, "x", x);
    add_length(out, "y", y);
    add_word(out, "text-anchor", anchors[anchor]);
    end_text(out, text, used);
}

void trace_svg_turned_text(TraceSvg *self,
                           double x,
                           double y,
                           double degrees,
                           const char *text,
                           const TraceSvgLook *look)
{
    GString *out = self->body;
    const TraceSvgLook *used = look != NULL ? look : &plain;

    g_return_if_fail(isfinite(x) && isfinite(y) && isfinite(degrees));
    g_string_append(out, "<text transform=\"translate(");
    add_number(out, x);
    g_string_append_c(out, ' ');
    add_number(out, y);
    g_string_append(out, ") rotate(");
    add_number(out, degrees);
    g_string_append(out, ")\"");
    end_text(out, text, used);
}

double trace_svg_text_width(const char *text, double letter)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);

    return letter * (double) MIN(g_utf8_strlen(valid, -1), 200);
}

char *trace_svg_to_text(const TraceSvg *self)
{
    GString *out;

    g_return_val_if_fail(self->depth == 0, NULL);
    out = g_string_new("<svg xmlns=\"http://www.w3.org/2000/svg\"");
    add_length(out, "width", self->width);
    add_length(out, "height", self->height);
    g_string_append(out, " viewBox=\"0 0 ");
    add_number(out, self->width);
    g_string_append_c(out, ' ');
    add_number(out, self->height);
    g_string_append(out, "\" role=\"img\" font-family=\"" FONT "\" font-size=\"12\"");
    add_word(out, "aria-label", self->title);
    g_string_append(out, ">\n");
    add_title(out, self->title);
    g_string_append_c(out, '\n');
    if (self->style->len > 0) {
        g_string_append_printf(out, "<style>\n%s</style>\n", self->style->str);
    }
    if (self->fills->len > 0) {
        g_string_append_printf(out, "<defs>\n%s</defs>\n", self->fills->str);
    }
    g_string_append(out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    g_string_append_len(out, self->body->str, (gssize) self->body->len);
    g_string_append(out, "</svg>\n");
    return g_string_free(out, FALSE);
}
