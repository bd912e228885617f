/* Reads tolerances and finds that of a number. */
#include "tools/gridloom/diff/tolerance.h"

#include <math.h>
#include <string.h>

#include "tools/gridloom/option_value.h"

typedef struct {
    char *name;            /* NULL: all numbers */
    GPatternSpec *pattern; /* NULL: `name` is one */
    double value;
    bool is_used;
} Tolerance;

struct DiffTolerances {
    GArray *items; /* of Tolerance, in the order of the line */
};

static void clear_item(gpointer data)
{
    Tolerance *self = data;

    g_free(self->name);
    g_clear_pointer(&self->pattern, g_pattern_spec_free);
}

void diff_tolerances_free(DiffTolerances *self)
{
    g_array_unref(self->items);
    g_free(self);
}

static bool read_value(const char *text, double *value)
{
    const gsize length = strlen(text);
    const bool is_percent = length > 0 && text[length - 1] == '%';
    g_autofree char *number = g_strstrip(g_strndup(text, length - is_percent));

    if (g_str_equal(text, "inf")) {
        *value = INFINITY;
        return true;
    }
    if (!option_is_number(number, value) || *value < 0) {
        return false;
    }
    *value /= is_percent ? 100 : 1;
    return true;
}

static bool read_one(DiffTolerances *self, const char *text, GError **error)
{
    const char *equals = strrchr(text, '=');
    Tolerance item = {0};

    if (equals == text ||
        !read_value(equals != NULL ? equals + 1 : text, &item.value)) {
        return option_refuse("--tolerance", text,
                             "VALUE or NAME=VALUE; a value is a number from 0 on, a "
                             "percentage, or inf",
                             error);
    }
    if (equals != NULL) {
        item.name = g_strndup(text, (gsize) (equals - text));
        item.pattern =
            strpbrk(item.name, "*?") != NULL ? g_pattern_spec_new(item.name) : NULL;
    }
    g_array_append_val(self->items, item);
    return true;
}

DiffTolerances *diff_tolerances_read(const char *const *texts, GError **error)
{
    g_autoptr(DiffTolerances) self = g_new(DiffTolerances, 1);

    self->items = g_array_new(FALSE, FALSE, sizeof(Tolerance));
    g_array_set_clear_func(self->items, clear_item);
    for (; texts != NULL && *texts != NULL; texts++) {
        if (!read_one(self, *texts, error)) {
            return NULL;
        }
    }
    return g_steal_pointer(&self);
}

static bool is_for(const Tolerance *self, const char *name)
{
    if (self->name == NULL) {
        return true;
    }
    if (self->pattern != NULL) {
        return g_pattern_match_string(self->pattern, name);
    }
    return g_str_has_prefix(name, self->name) &&
           strchr(".[", name[strlen(self->name)]) != NULL; /* its end, too */
}

double diff_tolerances_find(DiffTolerances *self, const char *name)
{
    double value = 0;

    for (guint i = 0; i < self->items->len; i++) {
        Tolerance *item = &g_array_index(self->items, Tolerance, i);

        if (is_for(item, name)) {
            item->is_used = true;
            value = item->value;
        }
    }
    return value;
}

const char *diff_tolerances_unused(const DiffTolerances *self)
{
    for (guint i = 0; i < self->items->len; i++) {
        const Tolerance *item = &g_array_index(self->items, Tolerance, i);

        if (item->name != NULL && !item->is_used) {
            return item->name;
        }
    }
    return NULL;
}
