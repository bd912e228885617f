/* Digests of files: what was made from them is good as long as they stay the same. */
#pragma once

#include <glib.h>

/* Adds the paths of all files below a folder, sorted; the array frees them. */
void metal_digest_list(const char *folder, GPtrArray *files);

/* Of all these files, and a word. The caller frees it. */
char *metal_digest_folder(const char *folder, const char *word);

/* Of one file; NULL: it cannot be read. The caller frees it. */
char *metal_digest_file(const char *path);
