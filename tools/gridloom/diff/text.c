/* A table of differences. */
#include "tools/gridloom/diff/text.h"

#include <math.h>
#include <stdio.h>

#include "traces/table/grid.h"
#include "traces/table/record.h"

/* +2.5 %; the caller frees it. */
static char *change_text(const DiffDifference *item)
{
    if (isnan(item->a)) {
        return g_strdup("only in B");
    }
    if (isnan(item->b)) {
        return g_strdup("only in A");
    }
    if (isinf(item->relative)) {
        return g_strdup("from 0");
    }
    return g_strdup_printf("%+.3g %%", 100 * item->relative);
}

static void print_unlike(const DiffText *self)
{
    for (guint i = 0; i < self->unlike->len; i++) {
        const DiffUnlike *item = &g_array_index(self->unlike, DiffUnlike, i);

        printf("%s %s: %s in A, %s in B\n", i == 0 ? "given differently:" : "  and",
               item->name, item->a != NULL ? item->a : "none",
               item->b != NULL ? item->b : "none");
    }
    if (self->note != NULL) {
        printf("not compared: %s\n", self->note);
    }
}

static guint print_differences(const DiffText *self, bool is_everything)
{
    g_autoptr(Grid) grid = grid_with("number|A|B|difference|tolerance");
    guint lines = 0;

    for (guint i = 0; i < self->differences->len; i++) {
        const DiffDifference *item =
            &g_array_index(self->differences, DiffDifference, i);
        g_autofree char *change = change_text(item);
        g_autofree char *allowed =
            isinf(item->tolerance) ? g_strdup("any")
                                   : g_strdup_printf("%.3g %%", 100 * item->tolerance);

        if (is_everything || item->is_above) {
            grid_printf(grid, "%s|%.10g|%.10g|%s|%s", item->name, item->a, item->b,
                        change, allowed);
            lines++;
        }
    }
    if (lines > 0) {
        grid_print(grid, stdout, 0);
    }
    return lines;
}

void diff_text_print(const DiffText *self, bool is_everything)
{
    const guint above = diff_differences_above(self->differences);

    print_unlike(self);
    if (print_differences(self, is_everything) > 0) {
        printf("\n");
    }
    printf("%s: %u numbers, %u %s, %u above %s tolerance\n", self->workload,
           self->count, self->differences->len,
           self->differences->len == 1 ? "differs" : "differ", above,
           above == 1 ? "its" : "their");
}

static JsonObject *unlike_json(gconstpointer item, gconstpointer context G_GNUC_UNUSED)
{
    const DiffUnlike *self = item;

    return RECORD(VALUE("name", self->name), VALUE("a", self->a), VALUE("b", self->b));
}

static JsonObject *difference_json(gconstpointer item,
                                   gconstpointer context G_GNUC_UNUSED)
{
    const DiffDifference *self = item;

    return RECORD(VALUE("name", self->name), VALUE("a", self->a), VALUE("b", self->b),
                  VALUE("relative", self->relative),
                  VALUE("tolerance", self->tolerance),
                  VALUE("is_above", self->is_above));
}

JsonObject *diff_text_to_json(const DiffText *self)
{
    return RECORD(
        VALUE("numbers", self->count),
        VALUE("above", diff_differences_above(self->differences)),
        VALUE("note", self->note),
        VALUE("unlike", record_list(self->unlike, unlike_json, NULL)),
        VALUE("differences", record_list(self->differences, difference_json, NULL)));
}
