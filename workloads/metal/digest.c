/* Digests of files: what was made from them is good as long as they stay the same. */
#include "workloads/metal/digest.h"

#include <string.h>

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

void metal_digest_list(const char *folder, GPtrArray *files)
{
    g_autoptr(GDir) inside = g_dir_open(folder, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;

    while (inside != NULL && (name = g_dir_read_name(inside)) != NULL) {
        g_ptr_array_add(names, g_build_filename(folder, name, NULL));
    }
    g_ptr_array_sort(names, compare_names);
    for (guint i = 0; i < names->len; i++) {
        const char *path = g_ptr_array_index(names, i);

        if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
            metal_digest_list(path, files);
        } else {
            g_ptr_array_add(files, g_strdup(path));
        }
    }
}

char *metal_digest_folder(const char *folder, const char *word)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);

    metal_digest_list(folder, files);
    g_checksum_update(sum, (const guchar *) word, -1);
    for (guint i = 0; i < files->len; i++) {
        g_autofree char *text = NULL;
        gsize length = 0;

        if (g_file_get_contents(g_ptr_array_index(files, i), &text, &length, NULL)) {
            g_checksum_update(sum, (const guchar *) text, (gssize) length);
        }
    }
    return g_strdup(g_checksum_get_string(sum));
}

char *metal_digest_file(const char *path)
{
    g_autofree char *text = NULL;
    gsize length = 0;

    return g_file_get_contents(path, &text, &length, NULL)
               ? g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *) text,
                                             length)
               : NULL;
}
