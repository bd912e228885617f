/* The front end of CSL, as commands use it. */
#include "workloads/csl.h"

#include "workloads/chip_file.h"
#include "workloads/csl/code/image.h"
#include "workloads/csl/meaning/program.h"
#include "workloads/search.h"

void wl_csl_report_clear(WlCslReport *self)
{
    g_clear_pointer(&self->text, g_free);
}

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

/* Whether PEs can run it: what they cannot is reported. */
static bool generate(CslProgram *program, const char *arch)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(ArchParams) params = wl_chip_load(arch, &error);
    g_autoptr(CslImage) image = NULL;

    if (params == NULL) {
        csl_report(program->to, CSL_ERROR, (CslPlace){0}, "%s", error->message);
        return false;
    }
    image = csl_image_new(program, params);
    return image != NULL;
}

bool wl_csl_check(const WlCslOrder *order, WlCslReport *report)
{
    g_autoptr(GPtrArray) parameters = split(order->parameters);
    g_autoptr(GPtrArray) colors = split(order->colors);
    g_autoptr(GPtrArray) folders = find_folders(order->import_paths);
    const CslOptions options = {
        .arch = order->arch,
        .parameters = (const char *const *) parameters->pdata,
        .colors = (const char *const *) colors->pdata,
        .import_paths = (const char *const *) folders->pdata,
    };
    g_autoptr(CslDiagnostics) to = csl_diagnostics_new();
    g_autoptr(CslProgram) program = csl_program_new(&options, to);
    bool is_well = csl_program_load(program, order->path);

    if (is_well && program->layout->width > 0) {
        is_well = generate(program, order->arch);
    }

    *report = (WlCslReport){
        .text = g_strdup(csl_diagnostics_text(to)),
        .error_count = csl_diagnostics_error_count(to),
        .width = program->layout->width,
        .height = program->layout->height,
        .class_count = program->classes->len,
    };
    return is_well;
}
