/* Files named by a command's options: checks that no two options name the same file,
 * and writes and reads the texts. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    const char *option;
    const char *path; /* NULL: not given */
} TraceNamedFile;

/* Do all options name different files? If two named the same one, the second would
 * overwrite the first. Fails with TRACE_ERROR_WRITE. */
bool trace_named_files_differ(const TraceNamedFile *files, gsize count, GError **error);

/* A file that a command writes, to the path of its option and into the folder of
 * --out. */
typedef struct {
    const char *path;                     /* NULL: not given */
    const char *name;                     /* its name in the folder */
    char *(*to_text)(gconstpointer data); /* the caller frees it */
} TraceNamedOutput;

/* Can all files be written? Creates `folder`, which may be NULL. */
bool trace_named_outputs_check(const TraceNamedOutput *files,
                               gsize count,
                               const char *folder,
                               GError **error);

/* The number of files that go to standard output. */
guint trace_named_outputs_on_stdout(const TraceNamedOutput *files, gsize count);

bool trace_named_outputs_write(const TraceNamedOutput *files,
                               gsize count,
                               const char *folder,
                               gconstpointer data,
                               GError **error);

/* Reads a file named by the user: a regular file of at most 256 MiB. The caller frees
 * the text. Returns NULL and sets TRACE_ERROR_READ on failure. */
char *trace_named_file_read(const char *path, gsize *length, GError **error);
