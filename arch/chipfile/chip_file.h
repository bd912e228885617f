/* The text of a chip file with its line numbers, which GKeyFile does not give. */
#pragma once

#include <glib.h>

typedef struct ArchChipFile ArchChipFile;

/* One "key = value" line, borrowed from the file. */
typedef struct {
    guint line; /* from 1 */
    const char *section;
    const char *key;
    const char *value;
    const char *comment; /* the line directly above, after its '#', or NULL */
} ArchChipLine;

/* Checks everything that needs no knowledge of chips: a text file of UTF-8, one section
 * before the first key, no section and no key twice. `path` is used only in messages.
 * Fails with ARCH_ERROR_INVALID and "path:line: ...". */
ArchChipFile *
arch_chip_file_parse(const char *path, const char *text, gsize length, GError **error);
void arch_chip_file_free(ArchChipFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchChipFile, arch_chip_file_free)

/* The path as messages show it. */
const char *arch_chip_file_path(const ArchChipFile *self);

/* The key lines in file order. */
guint arch_chip_file_count(const ArchChipFile *self);
const ArchChipLine *arch_chip_file_at(const ArchChipFile *self, guint index);

/* NULL when the file has no such key. */
const ArchChipLine *
arch_chip_file_find(const ArchChipFile *self, const char *section, const char *key);

/* The line of "[section]", or 0. */
guint arch_chip_file_section_line(const ArchChipFile *self, const char *section);
