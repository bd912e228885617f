/* Finds runs of one workload whose sizes or formats differ. */
#include <stdbool.h>

#include "traces/roofline/problem.h"
#include "traces/roofline/set.h"

/* What runs of a workload may differ in. */
typedef struct {
    const char *what;
    GPtrArray *(*of)(const TraceRooflineSet *set, const char *workload);
} Aspect;

static bool is_of(const TraceRooflineSet *self, guint index, const char *workload)
{
    return g_str_equal(trace_roofline_set_run(self, index)->workload, workload);
}

/* The size of each run of a workload, empty for the others; the caller frees the list.
 */
static GPtrArray *sizes_of(const TraceRooflineSet *self, const char *workload)
{
    GPtrArray *sizes = g_ptr_array_new_with_free_func(g_free);
    bool has_cells = false;

    for (guint i = 0; i < self->files->len; i++) {
        const TraceRun *file = g_ptr_array_index(self->files, i);
        char *size =
            is_of(self, i, workload) ? trace_problem_size(file->result) : g_strdup("");

        has_cells = has_cells || (*size != '\0' && !trace_problem_is_tiles(size));
        g_ptr_array_add(sizes, size);
    }
    for (guint i = 0; has_cells && i < sizes->len; i++) {
        char *size = g_ptr_array_index(sizes, i);

        if (trace_problem_is_tiles(size)) {
            *size = '\0';
        }
    }
    return sizes;
}

/* The same for the formats of numbers. */
static GPtrArray *formats_of(const TraceRooflineSet *self, const char *workload)
{
    GPtrArray *formats = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < self->files->len; i++) {
        const TraceRun *file = g_ptr_array_index(self->files, i);

        g_ptr_array_add(formats, g_strdup(is_of(self, i, workload)
                                              ? trace_problem_format(file->result)
                                              : ""));
    }
    return formats;
}

/* " 512x112x64" after the letters of the runs with it, and how many there are. */
static guint append_all(const TraceRooflineSet *self, GPtrArray *sizes, GString *text)
{
    guint count = 0;

    for (guint i = 0; i < sizes->len; i++) {
        g_autofree char *size = g_strdup(g_ptr_array_index(sizes, i));
        const char *before = count > 0 ? "; " : "";

        for (guint k = i; *size != '\0' && k < sizes->len; k++) {
            if (g_str_equal(g_ptr_array_index(sizes, k), size)) {
                g_autofree char *letter = trace_roofline_set_letter(self, k);

                g_string_append_printf(text, "%s%s", before, letter);
                before = ", ";
                *(char *) g_ptr_array_index(sizes, k) = '\0';
            }
        }
        if (g_str_equal(before, ", ")) {
            g_string_append_printf(text, " %s", size);
            count++;
        }
    }
    return count;
}

/* "sizes stand side by side: A 1x2; B 3x4"; NULL where all are alike. The caller frees
 * it. */
static char *
differences_of(const TraceRooflineSet *self, const char *workload, const Aspect *aspect)
{
    g_autoptr(GPtrArray) all = aspect->of(self, workload);
    GString *text = g_string_new(aspect->what);

    g_string_append(text, " stand side by side: ");
    return g_string_free(text, append_all(self, all, text) < 2);
}

static void warn(TraceRooflineSet *self, const char *workload)
{
    static const Aspect aspects[] = {{"sizes", sizes_of}, {"formats", formats_of}};
    g_autofree char *sizes = differences_of(self, workload, &aspects[0]);
    g_autofree char *formats = differences_of(self, workload, &aspects[1]);

    if (sizes != NULL || formats != NULL) {
        char *text = g_strdup_printf(
            "%s: runs of different %s%s%s", workload, sizes != NULL ? sizes : "",
            sizes != NULL && formats != NULL ? "; and of different " : "",
            formats != NULL ? formats : "");

        g_ptr_array_add(self->notes, g_strdup(text));
        g_ptr_array_add(self->warnings, text);
    }
}

void trace_roofline_set_warn_sizes(TraceRooflineSet *self)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < self->files->len; i++) {
        const char *workload = trace_roofline_set_run(self, i)->workload;

        if (g_hash_table_add(seen, (gpointer) workload)) {
            warn(self, workload);
        }
    }
}
