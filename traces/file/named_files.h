/* Files that options of a command name: no two of them may be one, and how their texts
 * are written and read. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    const char *option;
    const char *path; /* NULL: not given */
} TraceNamedFile;

/* Is each of them a file of its own? Of two in one, the second would replace the first.
 * Fails with TRACE_ERROR_WRITE. */
bool trace_named_files_differ(const TraceNamedFile *files, gsize count, GError **error);

/* A file that a command writes: where its option says, and in the folder of --out. */
typedef struct {
    const char *path;                     /* NULL: not given */
    const char *name;                     /* in the folder */
    char *(*to_text)(gconstpointer data); /* the caller frees it */
} TraceNamedOutput;

/* Can all of them be written? Makes the folder, which may be NULL. */
bool trace_named_outputs_check(const TraceNamedOutput *files,
                               gsize count,
                               const char *folder,
                               GError **error);

/* How many go to standard output. */
guint trace_named_outputs_on_stdout(const TraceNamedOutput *files, gsize count);

bool trace_named_outputs_write(const TraceNamedOutput *files,
                               gsize count,
                               const char *folder,
                               gconstpointer data,
                               GError **error);

/* The text of a file that a user names, a regular one of at most 256 MiB; NULL: fails
 * with TRACE_ERROR_READ. The caller frees it. */
char *trace_named_file_read(const char *path, gsize *length, GError **error);
