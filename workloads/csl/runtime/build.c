/* Takes a CSL program from its text to code for PEs, as cslc's options say. */
#include "workloads/csl/runtime/build.h"

#include <string.h>

#include "sim/narrow.h"
#include "workloads/chip_file.h"
#include "workloads/search.h"

enum {
    MEMCPY_WEST =
        4, /* columns between the edge and the PEs: a halo, and the runtime's */
    MEMCPY_EAST = 3,
    MEMCPY_ROWS = 1, /* rows above and below */
    COORDINATE_MOST = 65535,
};

/* Words of comma lists, each by itself. The caller frees the array. */
static GPtrArray *split(const char *const *lists)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

    for (; lists != NULL && *lists != NULL; lists++) {
        g_auto(GStrv) parts = g_strsplit(*lists, ",", -1);

        for (guint i = 0; parts[i] != NULL; i++) {
            g_ptr_array_add(words, g_strdup(parts[i]));
        }
    }
    g_ptr_array_add(words, NULL);
    return words;
}

/* The folders of an option, those of CSL_IMPORT_PATH, and our own. */
static GPtrArray *find_folders(const char *const *given)
{
    GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
    const char *more = g_getenv("CSL_IMPORT_PATH");
    g_auto(GStrv) parts = g_strsplit(more == NULL ? "" : more, ":", -1);
    char *own = search_csl();

    for (; given != NULL && *given != NULL; given++) {
        g_ptr_array_add(folders, g_strdup(*given));
    }
    for (guint i = 0; parts[i] != NULL; i++) {
        if (*parts[i] != '\0') {
            g_ptr_array_add(folders, g_strdup(parts[i]));
        }
    }
    if (own != NULL) {
        g_ptr_array_add(folders, own);
    }
    g_ptr_array_add(folders, NULL);
    return folders;
}

/* "11,3"; false after a report. NULL leaves the numbers. */
static bool read_pair(
    CslDiagnostics *to, const char *option, const char *text, uint32_t *x, uint32_t *y)
{
    g_auto(GStrv) parts = g_strsplit(text == NULL ? "" : text, ",", -1);
    uint32_t *const numbers[] = {x, y};
    bool is_well = g_strv_length(parts) == 2;

    for (guint i = 0; is_well && i < 2; i++) {
        guint64 value = 0;

        is_well =
            g_ascii_string_to_unsigned(parts[i], 10, 0, COORDINATE_MOST, &value, NULL);
        *numbers[i] = sim_u32(value);
    }
    if (text != NULL && !is_well) {
        csl_report(to, CSL_ERROR, (CslPlace){0},
                   "%s=%s: expected two numbers, as in 8,3", option, text);
    }
    return text == NULL || is_well;
}

/* Where the PEs lie on the fabric, and whether they have room there with what the
 * host's runtime needs around them. */
static void check_fabric(CslBuild *self, const WlCslOrder *order)
{
    const CslLayout *layout = self->program->layout;
    const CslOptions *options = &self->options;
    const uint32_t runtime = order->has_memcpy ? 1 : 0;
    const uint32_t west = runtime * (MEMCPY_WEST + order->west_buffers);
    const uint32_t east = runtime * (MEMCPY_EAST + order->east_buffers);
    const uint32_t rows = runtime * MEMCPY_ROWS;

    if (options->offset_x < west || options->offset_y < rows) {
        csl_report(self->to, CSL_ERROR, (CslPlace){0},
                   "--fabric-offsets=%u,%u: with --memcpy they are at least %u,%u",
                   options->offset_x, options->offset_y, west, rows);
        return;
    }
    const uint32_t width = options->offset_x + layout->width + east;
    const uint32_t height = options->offset_y + layout->height + rows;

    if (order->fabric != NULL &&
        (options->fabric_width < width || options->fabric_height < height)) {
        csl_report(self->to, CSL_ERROR, (CslPlace){0},
                   "--fabric-dims=%u,%u: %u x %u PEs at %u,%u need at least %u,%u",
                   options->fabric_width, options->fabric_height, layout->width,
                   layout->height, options->offset_x, options->offset_y, width, height);
    }
}

/* What chips of that name leave a PE beside its code; 0 if there is none. */
static uint32_t memory_of(const char *arch)
{
    g_autoptr(ArchParams) params = wl_chip_load(arch, NULL);

    return params == NULL
               ? 0
               : sim_u32(arch_params_uint(params, "memory.capacity_bytes") -
                         arch_params_uint(params, "memory.code_reserved_bytes"));
}

CslBuild *csl_build_new(const WlCslOrder *order)
{
    CslBuild *self = g_new0(CslBuild, 1);

    self->to = csl_diagnostics_new();
    self->is_strict = order->is_strict;
    self->parameters = split(order->parameters);
    self->colors = split(order->colors);
    self->folders = find_folders(order->import_paths);
    self->options = (CslOptions){
        .arch = order->arch,
        .parameters = (const char *const *) self->parameters->pdata,
        .colors = (const char *const *) self->colors->pdata,
        .import_paths = (const char *const *) self->folders->pdata,
        .memory_bytes = memory_of(order->arch),
        .offset_x = order->has_memcpy ? MEMCPY_WEST + order->west_buffers : 0,
        .offset_y = order->has_memcpy ? MEMCPY_ROWS : 0,
    };
    if (!read_pair(self->to, "--fabric-dims", order->fabric,
                   &self->options.fabric_width, &self->options.fabric_height) ||
        !read_pair(self->to, "--fabric-offsets", order->offsets,
                   &self->options.offset_x, &self->options.offset_y)) {
        return self;
    }
    self->program = csl_program_new(&self->options, self->to);
    if (csl_program_load(self->program, order->path)) {
        check_fabric(self, order);
    }
    return self;
}

void csl_build_free(CslBuild *self)
{
    if (self != NULL) {
        csl_image_free(self->image);
        csl_program_free(self->program);
        csl_diagnostics_free(self->to);
        g_ptr_array_unref(self->parameters);
        g_ptr_array_unref(self->colors);
        g_ptr_array_unref(self->folders);
        g_free(self);
    }
}

bool csl_build_has_failed(const CslBuild *self)
{
    return csl_diagnostics_error_count(self->to) > 0 ||
           (self->is_strict && csl_diagnostics_warning_count(self->to) > 0);
}

bool csl_build_generate(CslBuild *self, const ArchParams *params)
{
    self->image = csl_image_new(self->program, params);
    return self->image != NULL;
}
