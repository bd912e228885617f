/* Reads SVG back with GMarkup. */
#include "tests/traces/picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void shape_free(gpointer data)
{
    PictureShape *shape = data;

    g_free(shape->group);
    g_free(shape->fill);
    g_free(shape->title);
    g_free(shape);
}

static const char *attribute(const char **names, const char **values, const char *name)
{
    for (guint i = 0; names[i] != NULL; i++) {
        if (g_str_equal(names[i], name)) {
            return values[i];
        }
    }
    return "";
}

static void see_group(Picture *seen, const char *css_class)
{
    g_ptr_array_add(seen->classes, g_strdup(css_class));
    if (g_str_equal(css_class, "heat-window")) {
        seen->window_count++;
    }
}

static void see_shape(Picture *seen, const char **names, const char **values)
{
    PictureShape *shape = g_new0(PictureShape, 1);

    shape->group = g_strdup(
        seen->classes->len > 0 ? seen->classes->pdata[seen->classes->len - 1] : "");
    shape->fill = g_strdup(attribute(names, values, "fill"));
    shape->x = g_ascii_strtod(attribute(names, values, "x"), NULL);
    shape->y = g_ascii_strtod(attribute(names, values, "y"), NULL);
    g_ptr_array_add(seen->shapes, shape);
    seen->open = shape;
}

static void see_start(GMarkupParseContext *context,
                      const char *name,
                      const char **names,
                      const char **values,
                      gpointer data,
                      GError **error)
{
    Picture *seen = data;

    (void) context;
    (void) error;
    if (g_str_equal(name, "svg")) {
        seen->width = g_ascii_strtod(attribute(names, values, "width"), NULL);
        seen->height = g_ascii_strtod(attribute(names, values, "height"), NULL);
    } else if (g_str_equal(name, "g")) {
        see_group(seen, attribute(names, values, "class"));
    } else if (g_str_equal(name, "rect") || g_str_equal(name, "polygon")) {
        see_shape(seen, names, values);
    }
    seen->is_text = g_str_equal(name, "text");
    seen->is_title = g_str_equal(name, "title");
}

static void
see_end(GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
    Picture *seen = data;

    (void) context;
    (void) error;
    if (g_str_equal(name, "g")) {
        g_ptr_array_remove_index(seen->classes, seen->classes->len - 1);
    } else if (!g_str_equal(name, "title")) {
        seen->open = NULL;
    }
    seen->is_text = false;
    seen->is_title = false;
}

static void see_text(GMarkupParseContext *context,
                     const char *text,
                     gsize length,
                     gpointer data,
                     GError **error)
{
    Picture *seen = data;

    (void) context;
    (void) error;
    if (seen->is_text) {
        g_ptr_array_add(seen->texts, g_strndup(text, length));
    } else if (seen->is_title && seen->open != NULL) {
        seen->open->title = g_strndup(text, length);
    }
}

Picture picture_read(const char *text)
{
    static const GMarkupParser parser = {
        .start_element = see_start, .end_element = see_end, .text = see_text};
    Picture seen = {.shapes = g_ptr_array_new_with_free_func(shape_free),
                    .texts = g_ptr_array_new_with_free_func(g_free),
                    .classes = g_ptr_array_new_with_free_func(g_free)};
    g_autoptr(GMarkupParseContext) context =
        g_markup_parse_context_new(&parser, 0, &seen, NULL);

    assert_true(g_markup_parse_context_parse(context, text, -1, NULL));
    assert_true(g_markup_parse_context_end_parse(context, NULL));
    return seen;
}

void picture_clear(Picture *self)
{
    g_ptr_array_unref(self->shapes);
    g_ptr_array_unref(self->texts);
    g_ptr_array_unref(self->classes);
}

guint picture_count(const Picture *self, const char *css_class)
{
    guint count = 0;

    for (guint i = 0; i < self->shapes->len; i++) {
        const PictureShape *shape = self->shapes->pdata[i];

        count += g_str_equal(shape->group, css_class) ? 1 : 0;
    }
    return count;
}

guint picture_count_titles(const Picture *self)
{
    guint count = 0;

    for (guint i = 0; i < self->shapes->len; i++) {
        const PictureShape *shape = self->shapes->pdata[i];

        count += shape->title != NULL ? 1 : 0;
    }
    return count;
}

const PictureShape *picture_titled(const Picture *self, const char *title)
{
    for (guint i = 0; i < self->shapes->len; i++) {
        const PictureShape *shape = self->shapes->pdata[i];

        if (g_strcmp0(shape->title, title) == 0) {
            return shape;
        }
    }
    fail_msg("no shape is titled %s", title);
    return NULL;
}

bool picture_says(const Picture *self, const char *words)
{
    return g_ptr_array_find_with_equal_func(self->texts, words, g_str_equal, NULL);
}
