/* Puts the parameters of families into one list. */
#include "sim/narrow.h"
#include "workloads/script_rows.h"

static void row_clear(gpointer data)
{
    WlScriptRow *self = data;

    g_free(self->allowed);
    g_free(self->families);
}

static const WlScriptRow *row_at(const GArray *rows, guint index)
{
    return &g_array_index(rows, WlScriptRow, index);
}

static char *allowed_text(const WlParam *param)
{
    if (param->choices != NULL) {
        return g_strjoinv("|", (char **) param->choices);
    }
    if (param->type == WL_PARAM_SWITCH) {
        return g_strdup("on|off");
    }
    if (param->has_range) {
        return g_strdup_printf("%.15g..%.15g", param->minimum, param->maximum);
    }
    return g_strdup(param->type == WL_PARAM_TEXT ? "text" : "number");
}

static GArray *rows_new(void)
{
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(WlScriptRow));

    g_array_set_clear_func(rows, row_clear);
    return rows;
}

/* The rows of all families, one after another. */
static GArray *rows_of_families(WlScript *script)
{
    const char *const *families = wl_script_families(script);
    GArray *rows = rows_new();

    for (guint family = 0; families[family] != NULL; family++) {
        (void) wl_script_choose_family(script, families[family]);
        for (guint i = 0; i < wl_script_param_count(script); i++) {
            const WlParam *param = wl_script_param(script, i);
            const WlScriptRow row = {
                .param = param, .family = family, .allowed = allowed_text(param)};

            g_array_append_val(rows, row);
        }
    }
    return rows;
}

static bool find_name(GPtrArray *names, const WlScriptRow *row, guint *place)
{
    return g_ptr_array_find_with_equal_func(names, row->param->name, g_str_equal,
                                            place);
}

/* Each name once: one that is new to a family comes before the next that is not. */
static GPtrArray *names_of(const GArray *rows)
{
    GPtrArray *names = g_ptr_array_new();

    for (guint i = 0; i < rows->len; i++) {
        const WlScriptRow *row = row_at(rows, i);
        guint place = 0;

        if (find_name(names, row, &place)) {
            continue;
        }
        place = names->len;
        for (guint k = i + 1; k < rows->len; k++) {
            if (row_at(rows, k)->family != row->family ||
                find_name(names, row_at(rows, k), &place)) {
                break;
            }
        }
        g_ptr_array_insert(names, sim_i32(place), (gpointer) row->param->name);
    }
    return names;
}

static bool is_same(const WlScriptRow *a, const WlScriptRow *b)
{
    return g_str_equal(a->param->name, b->param->name) &&
           g_str_equal(a->param->default_text, b->param->default_text) &&
           g_str_equal(a->allowed, b->allowed) &&
           g_str_equal(a->param->help, b->param->help);
}

/* The families that share the row at `first`; NULL if an earlier row covers it. The
 * caller frees it. */
static char *families_of(const GArray *rows, guint first, const char *const *families)
{
    const guint all = g_strv_length((char **) families);
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < rows->len; i++) {
        if (!is_same(row_at(rows, first), row_at(rows, i))) {
            continue;
        }
        if (i < first) {
            return NULL;
        }
        g_ptr_array_add(names, (gpointer) families[row_at(rows, i)->family]);
    }
    if (names->len == all) {
        return g_strdup(all == 2 ? "both" : "all");
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(",", (char **) names->pdata);
}

GArray *wl_script_rows(WlScript *script)
{
    g_autoptr(GArray) all = rows_of_families(script);
    g_autoptr(GPtrArray) names = names_of(all);
    GArray *rows = rows_new();

    for (guint i = 0; i < names->len; i++) {
        for (guint k = 0; k < all->len; k++) {
            WlScriptRow row = *row_at(all, k);

            if (g_str_equal(row.param->name, g_ptr_array_index(names, i))) {
                row.families = families_of(all, k, wl_script_families(script));
            }
            if (row.families != NULL) {
                row.allowed = g_strdup(row.allowed);
                g_array_append_val(rows, row);
            }
        }
    }
    return rows;
}
