/* Adds up where the time of kernels went, and reports it. */
#include "workloads/metal/times.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/host/source.h"

enum {
    SHOWN_LINES = 8, /* in the table */
};

/* A line of a kernel. */
typedef struct {
    const char *file; /* the image's; NULL: none */
    guint line;
    uint64_t cycles[ARCH_RISCV_REASONS];
    GArray *by_core; /* of uint64_t */
} Line;

/* A kernel on one of the five. */
typedef struct {
    char *name;
    char *source;
    char *text; /* of a kernel without a file; "" */
    ArchRiscvIndex riscv;
    GPtrArray *lines;   /* of Line */
    GHashTable *images; /* GPtrArray of Line by number of the image's lines */
    GPtrArray *cores;   /* their names */
    uint64_t runs;
} Kernel;

struct MetalTimes {
    GPtrArray *kernels; /* of Kernel */
};

static void line_free(gpointer data)
{
    Line *self = data;

    g_array_unref(self->by_core);
    g_free(self);
}

static void kernel_free(gpointer data)
{
    Kernel *self = data;

    g_ptr_array_unref(self->lines);
    g_hash_table_unref(self->images);
    g_ptr_array_unref(self->cores);
    g_free(self->name);
    g_free(self->source);
    g_free(self->text);
    g_free(self);
}

MetalTimes *metal_times_new(void)
{
    MetalTimes *self = g_new0(MetalTimes, 1);

    self->kernels = g_ptr_array_new_with_free_func(kernel_free);
    return self;
}

void metal_times_free(MetalTimes *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->kernels);
        g_free(self);
    }
}

static Kernel *
kernel_of(MetalTimes *self, const MetalKernel *kernel, ArchRiscvIndex riscv)
{
    Kernel *new;

    for (guint i = 0; i < self->kernels->len; i++) {
        Kernel *one = g_ptr_array_index(self->kernels, i);

        if (one->riscv == riscv && g_str_equal(one->name, kernel->name) &&
            g_str_equal(one->source, kernel->source) &&
            g_str_equal(one->text, kernel->text)) {
            return one;
        }
    }
    new = g_new0(Kernel, 1);
    new->name = g_strdup(kernel->name);
    new->source = g_strdup(kernel->source);
    new->text = g_strdup(kernel->text);
    new->riscv = riscv;
    new->lines = g_ptr_array_new_with_free_func(line_free);
    new->images =
        g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
    new->cores = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(self->kernels, new);
    return new;
}

static Line *line_of(const Kernel *self, const MetalImageLine *place)
{
    Line *new;

    for (guint i = 0; i < self->lines->len; i++) {
        Line *one = g_ptr_array_index(self->lines, i);

        if (one->line == place->line && g_strcmp0(one->file, place->file) == 0) {
            return one;
        }
    }
    new = g_new0(Line, 1);
    new->file = place->file;
    new->line = place->line;
    new->by_core = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    g_ptr_array_add(self->lines, new);
    return new;
}

/* The lines of an image, which is one of the kernel's. */
static const GPtrArray *lines_of(const Kernel *self, const MetalImage *image)
{
    GPtrArray *lines = g_hash_table_lookup(self->images, image);
    guint count = 0;
    const MetalImageLine *places = metal_image_lines(image, &count);

    if (lines == NULL) {
        lines = g_ptr_array_new();
        for (guint i = 0; i < count; i++) {
            g_ptr_array_add(lines, line_of(self, &places[i]));
        }
        g_hash_table_insert(self->images, (gpointer) image, lines);
    }
    return lines;
}

static guint core_of(const Kernel *self, const char *core)
{
    guint number = 0;

    if (!g_ptr_array_find_with_equal_func(self->cores, core, g_str_equal, &number)) {
        number = self->cores->len;
        g_ptr_array_add(self->cores, g_strdup(core));
    }
    return number;
}

void metal_times_add(MetalTimes *self,
                     const MetalKernel *kernel,
                     ArchRiscvIndex riscv,
                     const MetalImage *image,
                     const char *core,
                     const uint64_t *by_line)
{
    Kernel *one = kernel_of(self, kernel, riscv);
    const GPtrArray *lines = lines_of(one, image);
    const guint number = core_of(one, core);

    one->runs++;
    for (guint i = 0; i < lines->len; i++) {
        Line *line = g_ptr_array_index(lines, i);
        uint64_t all = 0;

        for (guint k = 0; k < ARCH_RISCV_REASONS; k++) {
            line->cycles[k] += by_line[(gsize) i * ARCH_RISCV_REASONS + k];
            all += by_line[(gsize) i * ARCH_RISCV_REASONS + k];
        }
        if (line->by_core->len <= number) {
            g_array_set_size(line->by_core, number + 1);
        }
        g_array_index(line->by_core, uint64_t, number) += all;
    }
}

static uint64_t sum_of(const Line *line)
{
    uint64_t sum = 0;

    for (guint k = 0; k < ARCH_RISCV_REASONS; k++) {
        sum += line->cycles[k];
    }
    return sum;
}

static int compare_lines(gconstpointer a, gconstpointer b)
{
    const Line *left = *(const Line *const *) a;
    const Line *right = *(const Line *const *) b;
    const int order = g_strcmp0(left->file, right->file);

    if (order != 0) {
        return order;
    }
    return left->line < right->line ? -1 : left->line > right->line;
}

/* A kernel's own text goes under its name. */
static void add_source(JsonObject *sources, const char *file, const Kernel *kernel)
{
    g_autofree char *base = g_path_get_basename(file);
    const bool is_own = *kernel->text != '\0' && g_str_equal(base, kernel->name);

    host_source_add(sources, file, is_own ? kernel->text : NULL);
}

/* Its cycles, the waits among them, and the cores that spend least and most on it. */
static JsonObject *json_of(const uint64_t cycles[ARCH_RISCV_REASONS],
                           const GArray *by_core,
                           const Kernel *of)
{
    JsonObject *object = json_object_new();
    JsonObject *reasons = json_object_new();
    uint64_t sum = 0;
    guint least = 0;
    guint most = 0;

    for (guint k = 0; k < ARCH_RISCV_REASONS; k++) {
        sum += cycles[k];
        if (cycles[k] > 0) {
            json_object_set_int_member(reasons,
                                       arch_riscv_reason_name((ArchRiscvReason) k),
                                       (gint64) cycles[k]);
        }
    }
    for (guint i = 1; i < by_core->len; i++) {
        least = g_array_index(by_core, uint64_t, i) <
                        g_array_index(by_core, uint64_t, least)
                    ? i
                    : least;
        most =
            g_array_index(by_core, uint64_t, i) > g_array_index(by_core, uint64_t, most)
                ? i
                : most;
    }
    json_object_set_int_member(object, "cycles", (gint64) sum);
    json_object_set_object_member(object, "reasons", reasons);
    json_object_set_int_member(object, "least",
                               (gint64) g_array_index(by_core, uint64_t, least));
    json_object_set_int_member(object, "most",
                               (gint64) g_array_index(by_core, uint64_t, most));
    json_object_set_string_member(object, "most_on",
                                  g_ptr_array_index(of->cores, most));
    return object;
}

static JsonArray *json_of_lines(const Kernel *self, JsonObject *sources)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_copy(self->lines, NULL, NULL);
    JsonArray *array = json_array_new();

    g_ptr_array_set_free_func(lines, NULL);
    g_ptr_array_sort(lines, compare_lines);
    for (guint i = 0; i < lines->len; i++) {
        Line *line = g_ptr_array_index(lines, i);
        JsonObject *object;

        if (sum_of(line) == 0) {
            continue;
        }
        g_array_set_size(line->by_core, self->cores->len);
        object = json_of(line->cycles, line->by_core, self);
        if (line->file != NULL) {
            add_source(sources, line->file, self);
            json_object_set_string_member(object, "file", line->file);
            json_object_set_int_member(object, "line", line->line);
        }
        json_array_add_object_element(array, object);
    }
    return array;
}

static const char *riscv_name(ArchRiscvIndex riscv)
{
    static const char *const names[ARCH_RISCVS] = {"BRISC", "NCRISC", "TRISC0",
                                                   "TRISC1", "TRISC2"};

    return names[riscv];
}

static JsonObject *json_of_kernel(const Kernel *self, JsonObject *sources)
{
    g_autoptr(GArray) by_core = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    uint64_t cycles[ARCH_RISCV_REASONS] = {0};
    JsonArray *lines = json_of_lines(self, sources);
    JsonObject *object;

    g_array_set_size(by_core, self->cores->len);
    for (guint i = 0; i < self->lines->len; i++) {
        const Line *line = g_ptr_array_index(self->lines, i);

        for (guint k = 0; k < ARCH_RISCV_REASONS; k++) {
            cycles[k] += line->cycles[k];
        }
        for (guint k = 0; k < line->by_core->len; k++) {
            g_array_index(by_core, uint64_t, k) +=
                g_array_index(line->by_core, uint64_t, k);
        }
    }
    object = json_of(cycles, by_core, self);
    json_object_set_string_member(object, "kernel", self->name);
    json_object_set_string_member(object, "processor", riscv_name(self->riscv));
    json_object_set_int_member(object, "cores", self->cores->len);
    json_object_set_int_member(object, "runs", (gint64) self->runs);
    json_object_set_array_member(object, "lines", lines);
    return object;
}

/* A line of the table. */
typedef struct {
    const Kernel *kernel;
    const Line *line;
    double mean;  /* cycles on a core */
    double share; /* of its kernel's */
} Hot;

static int compare_hot(gconstpointer a, gconstpointer b)
{
    const Hot *left = a;
    const Hot *right = b;

    return left->mean > right->mean ? -1 : left->mean < right->mean;
}

static GArray *hot_lines(const MetalTimes *self)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Hot));

    for (guint i = 0; i < self->kernels->len; i++) {
        const Kernel *kernel = g_ptr_array_index(self->kernels, i);
        uint64_t whole = 0;

        for (guint k = 0; k < kernel->lines->len; k++) {
            whole += sum_of(g_ptr_array_index(kernel->lines, k));
        }
        for (guint k = 0; k < kernel->lines->len; k++) {
            const Line *line = g_ptr_array_index(kernel->lines, k);
            const double cycles = (double) sum_of(line);
            const Hot hot = {kernel, line, cycles / kernel->cores->len,
                             cycles / (double) MAX(whole, 1)};

            if (line->file != NULL && cycles > 0) {
                g_array_append_val(all, hot);
            }
        }
    }
    g_array_sort(all, compare_hot);
    return all;
}

/* The reason that most of its cycles have. */
static const char *main_reason(const Line *line)
{
    guint most = 0;

    for (guint k = 1; k < ARCH_RISCV_REASONS; k++) {
        most = line->cycles[k] > line->cycles[most] ? k : most;
    }
    return arch_riscv_reason_name((ArchRiscvReason) most);
}

static void add_table(const MetalTimes *self, JsonObject *sources, WlOutcome *outcome)
{
    static const char *const columns[] = {"line",  "on",     "cycles a core",
                                          "share", "mostly", "text"};
    g_autoptr(GArray) lines = hot_lines(self);
    WlTable *table;

    if (lines->len == 0) {
        return;
    }
    table = wl_outcome_add_table(outcome, "hot_lines");
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        g_ptr_array_add(table->columns, g_strdup(columns[i]));
    }
    for (guint i = 0; i < MIN(lines->len, SHOWN_LINES); i++) {
        const Hot *hot = &g_array_index(lines, Hot, i);
        g_autofree char *base = g_path_get_basename(hot->line->file);
        GPtrArray *row = g_ptr_array_new_with_free_func(g_free);

        g_ptr_array_add(row, g_strdup_printf("%s:%u", base, hot->line->line));
        g_ptr_array_add(row, g_strdup(riscv_name(hot->kernel->riscv)));
        g_ptr_array_add(row, g_strdup_printf("%.0f", hot->mean));
        g_ptr_array_add(row, g_strdup_printf("%.1f %%", 100 * hot->share));
        g_ptr_array_add(row, g_strdup(main_reason(hot->line)));
        g_ptr_array_add(row,
                        host_source_line(sources, hot->line->file, hot->line->line));
        g_ptr_array_add(table->rows, row);
    }
}

void metal_times_report(const MetalTimes *self, WlOutcome *outcome)
{
    JsonObject *sources = json_object_new();
    JsonArray *kernels = json_array_new();

    for (guint i = 0; i < self->kernels->len; i++) {
        json_array_add_object_element(
            kernels, json_of_kernel(g_ptr_array_index(self->kernels, i), sources));
    }
    add_table(self, sources, outcome);
    json_object_set_array_member(outcome->metrics, "kernels", kernels);
    json_object_set_object_member(outcome->metrics, "sources", sources);
}
