/* The files of a study. */
#include "tools/gridloom/uncertainty/result.h"
#include "traces/file/output.h"

static const struct {
    const char *file;
    char *(*to_text)(const UncertaintyStudy *);
} files_of_study[] = {
    {"uncertainty.csv", uncertainty_to_csv},
    {"uncertainty.svg", uncertainty_to_svg},
};

bool uncertainty_write(const UncertaintyStudy *self, const char *folder, GError **error)
{
    for (gsize i = 0; self != NULL && i < G_N_ELEMENTS(files_of_study); i++) {
        g_autofree char *path = g_build_filename(folder, files_of_study[i].file, NULL);
        g_autofree char *text = files_of_study[i].to_text(self);

        if (!trace_output_write(path, text, error)) {
            return false;
        }
    }
    return true;
}

void uncertainty_add_files(const UncertaintyStudy *self,
                           const char *folder,
                           GPtrArray *files)
{
    for (gsize i = 0;
         self != NULL && folder != NULL && i < G_N_ELEMENTS(files_of_study); i++) {
        g_ptr_array_add(files,
                        g_strdup_printf("%s/%s", folder, files_of_study[i].file));
    }
}
