/* Adds up cycles by line, and reports them as those of other kernels are. */
#include "workloads/csl/runtime/lines.h"

#include "arch/wse_profile.h"
#include "workloads/host/source.h"

enum {
    SHOWN_LINES = 8, /* in the table */
};

typedef struct {
    char *file; /* NULL: no line */
    guint line;
    uint64_t busy;
    uint64_t memory;
    uint64_t idle; /* of what has no line */
} Line;

/* The programs of one name. */
typedef struct {
    char *name;
    uint64_t pes;
    uint64_t runs;
    GArray *lines; /* of Line */
} Kernel;

struct CslLines {
    GPtrArray *kernels; /* of Kernel */
};

static void line_clear(gpointer data)
{
    Line *self = data;

    g_free(self->file);
}

static void kernel_free(gpointer data)
{
    Kernel *self = data;

    g_array_unref(self->lines);
    g_free(self->name);
    g_free(self);
}

CslLines *csl_lines_new(void)
{
    CslLines *self = g_new(CslLines, 1);

    self->kernels = g_ptr_array_new_with_free_func(kernel_free);
    return self;
}

void csl_lines_free(CslLines *self)
{
    g_ptr_array_unref(self->kernels);
    g_free(self);
}

static Kernel *kernel_of(CslLines *self, const char *name)
{
    Kernel *new;

    for (guint i = 0; i < self->kernels->len; i++) {
        Kernel *one = g_ptr_array_index(self->kernels, i);

        if (g_str_equal(one->name, name)) {
            return one;
        }
    }
    new = g_new0(Kernel, 1);
    new->name = g_strdup(name);
    new->lines = g_array_new(FALSE, TRUE, sizeof(Line));
    g_array_set_clear_func(new->lines, line_clear);
    g_ptr_array_add(self->kernels, new);
    return new;
}

static Line *line_of(const Kernel *self, const char *file, guint line)
{
    const Line new = {.file = g_strdup(file), .line = line};

    for (guint i = 0; i < self->lines->len; i++) {
        Line *one = &g_array_index(self->lines, Line, i);

        if (one->line == line && g_strcmp0(one->file, file) == 0) {
            g_free(new.file);
            return one;
        }
    }
    g_array_append_val(self->lines, new);
    return &g_array_index(self->lines, Line, self->lines->len - 1);
}

/* The lines from `first` on that are of one program; returns where the next begins. */
static guint
add_program(CslLines *self, uint64_t cycles, const GArray *lines, guint first)
{
    const char *name = g_array_index(lines, ArchWseLine, first).program;
    Kernel *kernel = kernel_of(self, name);
    const uint64_t pes = g_array_index(lines, ArchWseLine, first).pe_count;
    uint64_t spent = 0;
    guint i = first;

    kernel->pes = MAX(kernel->pes, pes);
    kernel->runs++;
    for (; i < lines->len; i++) {
        const ArchWseLine *from = &g_array_index(lines, ArchWseLine, i);
        Line *line;

        if (!g_str_equal(from->program, name)) {
            break;
        }
        line = line_of(kernel, from->place.file, from->place.line);
        line->busy += from->busy;
        line->memory += from->memory_idle;
        spent += from->busy + from->memory_idle;
    }
    line_of(kernel, NULL, 0)->idle += cycles * pes - MIN(spent, cycles * pes);
    return i;
}

void csl_lines_add(CslLines *self, const ArchWse *wse, uint64_t cycles)
{
    g_autoptr(GArray) lines = arch_wse_lines(wse);

    for (guint i = 0; i < lines->len;) {
        i = add_program(self, cycles, lines, i);
    }
}

static uint64_t sum_of(const Line *line)
{
    return line->busy + line->memory + line->idle;
}

static JsonObject *json_of(const Line *line)
{
    JsonObject *object = json_object_new();
    JsonObject *reasons = json_object_new();

    json_object_set_int_member(reasons, "instructions", (gint64) line->busy);
    json_object_set_int_member(reasons, "memory", (gint64) line->memory);
    json_object_set_int_member(reasons, "idle", (gint64) line->idle);
    json_object_set_int_member(object, "cycles", (gint64) sum_of(line));
    json_object_set_object_member(object, "reasons", reasons);
    return object;
}

static int compare_lines(gconstpointer a, gconstpointer b)
{
    const Line *left = a;
    const Line *right = b;
    const int order = g_strcmp0(left->file, right->file);

    if (order != 0) {
        return order;
    }
    return left->line < right->line ? -1 : left->line > right->line;
}

static JsonObject *json_of_kernel(const Kernel *self, JsonObject *sources)
{
    JsonArray *lines = json_array_new();
    Line all = {0};
    JsonObject *object;

    g_array_sort(self->lines, compare_lines);
    for (guint i = 0; i < self->lines->len; i++) {
        const Line *line = &g_array_index(self->lines, Line, i);
        JsonObject *one = json_of(line);

        all.busy += line->busy;
        all.memory += line->memory;
        all.idle += line->idle;
        if (line->file != NULL) {
            host_source_add(sources, line->file, NULL);
            json_object_set_string_member(one, "file", line->file);
            json_object_set_int_member(one, "line", line->line);
        } else {
            json_object_set_string_member(one, "text", "waits, and code without lines");
        }
        json_array_add_object_element(lines, one);
    }
    object = json_of(&all);
    json_object_set_string_member(object, "kernel", self->name);
    json_object_set_string_member(object, "processor", "PE");
    json_object_set_int_member(object, "cores", (gint64) self->pes);
    json_object_set_int_member(object, "runs", (gint64) self->runs);
    json_object_set_int_member(object, "most",
                               (gint64) (sum_of(&all) / MAX(self->pes, 1)));
    json_object_set_array_member(object, "lines", lines);
    return object;
}

/* A line of the table. */
typedef struct {
    const Kernel *kernel;
    const Line *line;
    double mean; /* cycles on a PE */
} Hot;

static int compare_hot(gconstpointer a, gconstpointer b)
{
    const Hot *left = a;
    const Hot *right = b;

    return left->mean > right->mean ? -1 : left->mean < right->mean;
}

static GArray *hot_lines(const CslLines *self)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Hot));

    for (guint i = 0; i < self->kernels->len; i++) {
        const Kernel *kernel = g_ptr_array_index(self->kernels, i);

        for (guint k = 0; k < kernel->lines->len; k++) {
            const Line *line = &g_array_index(kernel->lines, Line, k);
            const Hot hot = {kernel, line,
                             (double) sum_of(line) / (double) MAX(kernel->pes, 1)};

            if (line->file != NULL) {
                g_array_append_val(all, hot);
            }
        }
    }
    g_array_sort(all, compare_hot);
    return all;
}

static void add_table(const CslLines *self, JsonObject *sources, WlOutcome *outcome)
{
    static const char *const columns[] = {"line", "cycles a PE", "memory", "text"};
    g_autoptr(GArray) lines = hot_lines(self);
    WlTable *table = wl_outcome_add_table(outcome, "hot_lines");

    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        g_ptr_array_add(table->columns, g_strdup(columns[i]));
    }
    for (guint i = 0; i < MIN(lines->len, SHOWN_LINES); i++) {
        const Hot *hot = &g_array_index(lines, Hot, i);
        g_autofree char *base = g_path_get_basename(hot->line->file);
        GPtrArray *row = g_ptr_array_new_with_free_func(g_free);

        g_ptr_array_add(row, g_strdup_printf("%s:%u", base, hot->line->line));
        g_ptr_array_add(row, g_strdup_printf("%.0f", hot->mean));
        g_ptr_array_add(
            row, g_strdup_printf("%.1f %%", 100 * (double) hot->line->memory /
                                                (double) MAX(sum_of(hot->line), 1)));
        g_ptr_array_add(row,
                        host_source_line(sources, hot->line->file, hot->line->line));
        g_ptr_array_add(table->rows, row);
    }
}

void csl_lines_report(const CslLines *self, WlOutcome *outcome)
{
    JsonObject *sources;
    JsonArray *kernels;

    if (self->kernels->len == 0) {
        return;
    }
    sources = json_object_new();
    kernels = json_array_new();
    for (guint i = 0; i < self->kernels->len; i++) {
        json_array_add_object_element(
            kernels, json_of_kernel(g_ptr_array_index(self->kernels, i), sources));
    }
    add_table(self, sources, outcome);
    json_object_set_array_member(outcome->metrics, "kernels", kernels);
    json_object_set_object_member(outcome->metrics, "sources", sources);
}
