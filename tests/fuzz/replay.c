/* Runs a fuzz target on the files of folders, in builds without libFuzzer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static int compare_names(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(const char *const *) a, *(const char *const *) b);
}

/* The files of a folder, by name. */
static GPtrArray *list(const char *folder)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        char *path = g_build_filename(folder, name, NULL);

        if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
            g_ptr_array_add(paths, path);
        } else {
            g_free(path);
        }
    }
    g_ptr_array_sort(paths, compare_names);
    return paths;
}

/* Whoever reads past the end of an input reads past the end of its memory. */
static void run_file(const char *path)
{
    g_autofree char *text = NULL;
    gsize size = 0;

    if (g_file_get_contents(path, &text, &size, NULL) && size > 0) {
        g_autofree uint8_t *data = g_malloc(size);

        memcpy(data, text, size);
        (void) LLVMFuzzerTestOneInput(data, size);
    }
}

int main(int argument_count, char **arguments)
{
    guint count = 0;

    for (int i = 1; i < argument_count; i++) {
        g_autoptr(GPtrArray) paths = list(arguments[i]);

        for (guint j = 0; j < paths->len; j++) {
            (void) fprintf(stderr, "%s\n", (const char *) paths->pdata[j]);
            run_file(paths->pdata[j]);
        }
        count += paths->len;
    }
    printf("%u inputs\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
