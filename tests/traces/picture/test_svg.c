/* The SVG writer: well-formed whatever the text, the same bytes in every locale. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/picture/plot/mark.h"
#include "traces/picture/svg.h"

/* The picture, checked to be XML. */
static char *text_of(const TraceSvg *svg)
{
    static const GMarkupParser nothing = {0};
    g_autoptr(GMarkupParseContext) context =
        g_markup_parse_context_new(&nothing, 0, NULL, NULL);
    g_autoptr(GError) error = NULL;
    char *text = trace_svg_to_text(svg);

    assert_true(g_markup_parse_context_parse(context, text, -1, &error));
    assert_true(g_markup_parse_context_end_parse(context, &error));
    return text;
}

static void assert_holds(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("no %s in %s", part, text);
    }
}

static void an_empty_picture_has_size_and_title(void **state)
{
    (void) state;
    g_autoptr(TraceSvg) svg = trace_svg_new(100, 50.5, "Links");
    g_autofree char *text = text_of(svg);

    assert_true(g_str_has_prefix(text, "<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert_holds(text, " width=\"100\" height=\"50.5\" viewBox=\"0 0 100 50.5\"");
    assert_holds(text, " role=\"img\"");
    assert_holds(text, " aria-label=\"Links\"");
    assert_holds(text, "\n<title>Links</title>\n");
    assert_holds(text, "fill=\"#ffffff\"");
    assert_null(strstr(text, "<style>"));
    assert_true(g_str_has_suffix(text, "</svg>\n"));
}

static void numbers_carry_two_decimals_and_no_noise(void **state)
{
    (void) state;
    static const struct {
        double value;
        const char *written;
    } rows[] = {
        {0, "0"},         {-0.0, "0"},        {-0.001, "0"},     {1, "1"},
        {100, "100"},     {0.1 + 0.2, "0.3"}, {2.0 / 3, "0.67"}, {-1.25, "-1.25"},
        {1e6, "1000000"}, {0.005001, "0.01"}, {99.999, "100"},   {-10, "-10"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(TraceSvg) svg = trace_svg_new(1, 1, "");
        g_autofree char *line =
            g_strdup_printf("<circle cx=\"%s\" cy=\"0\" r=\"0\"/>", rows[i].written);
        g_autofree char *text = NULL;

        trace_svg_circle(svg, rows[i].value, 0, 0, NULL);
        text = text_of(svg);
        assert_holds(text, line);
    }
}

static void numbers_do_not_follow_the_locale(void **state)
{
    (void) state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    g_autoptr(TraceSvg) svg = trace_svg_new(1.5, 1, "");
    g_autofree char *before = text_of(svg);
    g_autofree char *after = NULL;
    const char *chosen = NULL;

    for (gsize i = 0; chosen == NULL && i < G_N_ELEMENTS(names); i++) {
        chosen = setlocale(LC_ALL, names[i]);
    }
    after = text_of(svg);
    (void) setlocale(LC_ALL, "C");

    assert_string_equal(before, after);
    if (chosen == NULL) {
        print_message("no locale with a decimal comma here: compared with itself\n");
    }
}

static void text_is_escaped(void **state)
{
    (void) state;
    g_autoptr(TraceSvg) svg = trace_svg_new(1, 1, "a < \"b\" & c");
    TraceSvgLook look = {.fill = "\"/><script>", .title = "x > y\n\001"};
    g_autofree char *text = NULL;

    trace_svg_text(svg, 1, 2, TRACE_SVG_MIDDLE, "\xff <b>", &look);

    text = text_of(svg);
    assert_holds(text, "<title>a &lt; &quot;b&quot; &amp; c</title>");
    assert_holds(text, "<text x=\"1\" y=\"2\" text-anchor=\"middle\" "
                       "fill=\"&quot;/&gt;&lt;script&gt;\">");
    assert_holds(text,
                 "<title>x &gt; y \xef\xbf\xbd</title>\xef\xbf\xbd &lt;b&gt;</text>");
}

static void shapes_are_written_in_order(void **state)
{
    (void) state;
    static const TraceSvgPoint points[] = {{0, 0}, {1, 2.5}, {3, 4}};
    const TraceSvgLook look = {.css_class = "c",
                               .fill = "#123456",
                               .stroke = "none",
                               .stroke_width = 0.5,
                               .title = "t"};
    g_autoptr(TraceSvg) svg = trace_svg_new(10, 10, "");
    g_autofree char *text = NULL;

    trace_svg_style(svg, ".c", "fill: red");
    trace_svg_open_group(svg, 3, -4, "g", "group");
    trace_svg_rect(svg, 1, 2, 3, 4, &look);
    trace_svg_line(svg, 1, 2, 3, 4, NULL);
    trace_svg_close_group(svg);
    trace_svg_polyline(svg, points, G_N_ELEMENTS(points), NULL);
    trace_svg_polygon(svg, points, 2, NULL);
    trace_svg_text(svg, 0, 0, TRACE_SVG_START, "s", NULL);
    trace_svg_text(svg, 0, 0, TRACE_SVG_END, "e", NULL);

    text = text_of(svg);
    assert_holds(
        text,
        "<style>\n.c { fill: red }\n</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        "<g transform=\"translate(3 -4)\" class=\"g\"><title>group</title>\n"
        "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" class=\"c\" fill=\"#123456\" "
        "stroke=\"none\" stroke-width=\"0.5\"><title>t</title></rect>\n"
        "<line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\"/>\n"
        "</g>\n"
        "<polyline points=\"0,0 1,2.5 3,4\"/>\n"
        "<polygon points=\"0,0 1,2.5\"/>\n"
        "<text x=\"0\" y=\"0\">s</text>\n"
        "<text x=\"0\" y=\"0\" text-anchor=\"end\">e</text>\n"
        "</svg>\n");
}

static void marks_have_their_corners(void **state G_GNUC_UNUSED)
{
    static const char *const expected[] = {
        "<circle ",
        "<polygon points=\"-3.42,-3.42 3.42,-3.42 3.42,3.42 -3.42,3.42\"/>",
        "<polygon points=\"0,-4.94 4.56,3.23 -4.56,3.23\"/>",
        "<polygon points=\"0,-5.13 5.13,0 0,5.13 -5.13,0\"/>",
        "<polygon points=\"0,4.94 4.56,-3.23 -4.56,-3.23\"/>",
        "<circle ",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_autoptr(TraceSvg) svg = trace_svg_new(10, 10, "mark");

        trace_plot_mark_draw_as(svg, i, 0, 0, NULL);
        g_autofree char *text = text_of(svg);

        assert_holds(text, expected[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_picture_has_size_and_title),
        cmocka_unit_test(numbers_carry_two_decimals_and_no_noise),
        cmocka_unit_test(numbers_do_not_follow_the_locale),
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(shapes_are_written_in_order),
        cmocka_unit_test(marks_have_their_corners),
    };

    return cmocka_run_group_tests_name("traces.svg", tests, NULL, NULL);
}
